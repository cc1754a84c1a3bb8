import { testWays } from './ways';

testWays({ numRuns: 2, seed: 2026 });
