import { testMessageHistories } from './messageHistories';

testMessageHistories(100);
