import { ROWS, testSettings } from './settings';

// The first rows have each value once; all of them, which are settings.soak.ts, every two values
testSettings(ROWS.slice(0, 3));
