import { testLists } from './oracle';

testLists(50);
