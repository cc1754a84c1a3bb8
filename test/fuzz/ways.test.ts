import { testWays } from './ways';

testWays({ numRuns: 1, seed: 2026 });
