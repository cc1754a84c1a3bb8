import { testHistories } from './model';

testHistories(10);
