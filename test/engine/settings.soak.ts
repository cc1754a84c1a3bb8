import { ROWS, testSettings } from './settings';

testSettings(ROWS);
