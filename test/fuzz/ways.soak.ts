import { testWays } from './ways';

testWays({ numRuns: 30 });
