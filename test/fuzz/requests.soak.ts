import { testHostileValues } from './requests';

testHostileValues({ numRuns: 8 });
