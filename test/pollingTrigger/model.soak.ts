import { testHistories } from './model';

/** Number of random action sequences to replay per event */
const { COMETCHAT_HISTORIES = '700' } = process.env;

testHistories(Number(COMETCHAT_HISTORIES));
