import { testHistories } from './histories';

testHistories(10);
