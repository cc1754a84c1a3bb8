import { testHistories } from './model';

/** Histories per event; COMETCHAT_HISTORIES asks for more. */
const { COMETCHAT_HISTORIES = '700' } = process.env;

testHistories(Number(COMETCHAT_HISTORIES));
