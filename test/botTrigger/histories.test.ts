import { testHistories } from './histories';

testHistories(40);
