import { testHistories } from './model';

testHistories(25, 20_261_120);
