import { testSettings } from './settings';

testSettings(4);
