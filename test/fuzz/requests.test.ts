import { testHostileValues } from './requests';

// A fixed seed keeps the cases equal
testHostileValues({ numRuns: 1, seed: 8 });
