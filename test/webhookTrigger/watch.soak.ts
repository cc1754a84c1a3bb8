import { testPrivateMessages } from './privateMessages';

testPrivateMessages(1_000);
