import { testFields } from './everyField';

testFields(8);
