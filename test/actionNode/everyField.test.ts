import { testFields } from './everyField';

testFields(64);
