import { testOracle } from './oracle';

testOracle(5_000);
