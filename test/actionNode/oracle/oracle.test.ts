import { testLists } from './oracle';

testLists(100);
