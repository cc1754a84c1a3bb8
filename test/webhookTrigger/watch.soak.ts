import { testPrivateMessages } from './privateMessages';

testPrivateMessages(2_000);
