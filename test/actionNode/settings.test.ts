import { testSettings } from './settings';

testSettings(2);
