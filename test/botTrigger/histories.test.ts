import { testHistories } from './histories';

testHistories(20);
