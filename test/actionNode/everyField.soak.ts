import { testFields } from './everyField';

testFields(1);
