import { testWays } from './ways';

testWays({ numRuns: 4, seed: 2026 });
