import { testHistories } from './histories';

testHistories(1_000);
