import { testHostileValues } from './requests';

// The fixed seed makes every run test the same cases
testHostileValues({ numRuns: 1, seed: 1 });
