import { testFields } from './everyField';

testFields(32);
