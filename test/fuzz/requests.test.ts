import { testHostileValues } from './requests';

// The fixed seed makes every run test the same cases
testHostileValues({ numRuns: 2, seed: 1 });
