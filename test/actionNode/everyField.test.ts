import { testFields } from './everyField';

testFields(16);
