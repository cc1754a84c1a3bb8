import { testHistories } from './model';

testHistories(25);
