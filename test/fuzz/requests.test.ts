import { testHostileValues } from './requests';

// Always the same cases: what one run finds, the next one finds too
testHostileValues({ numRuns: 1, seed: 3 });
