import { testMessageHistories } from './messageHistories';

testMessageHistories(2);
