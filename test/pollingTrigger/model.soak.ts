import { testHistories } from './model';

testHistories(700);
