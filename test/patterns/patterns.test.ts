import { testPatterns, testSlowPatterns } from './speed';

// Finds patterns whose time grows exponentially. The soak test also finds slower growth.
testPatterns(2_000);
testSlowPatterns([/(a+)+$/, /^(?:\w|\d)*$/, /^(?:a|b|ab)*c/], 2_000);
