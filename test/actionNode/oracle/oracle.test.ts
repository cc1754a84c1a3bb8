import { testLists } from './oracle';

testLists(300);
