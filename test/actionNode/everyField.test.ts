import { testFields } from './everyField';

testFields(4);
