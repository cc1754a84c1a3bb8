import { testOracle } from './oracle';

testOracle(300);
