import { testLists } from './oracle';

testLists(5_000);
