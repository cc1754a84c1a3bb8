import { testSettings } from './settings';

testSettings(24);
