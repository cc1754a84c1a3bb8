import { testHistories } from './model';

/** Histories per event; COMETCHAT_HISTORIES asks for more, COMETCHAT_SEED for certain ones. */
const { COMETCHAT_HISTORIES = '700', COMETCHAT_SEED } = process.env;

testHistories(Number(COMETCHAT_HISTORIES), COMETCHAT_SEED ? Number(COMETCHAT_SEED) : undefined);
