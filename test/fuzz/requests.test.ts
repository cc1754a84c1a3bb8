import { testHostileValues } from './requests';

// A fixed seed keeps the cases equal
testHostileValues({ numRuns: 2, seed: 1 });
