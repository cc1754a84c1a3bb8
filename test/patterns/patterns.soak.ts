import { testPatterns, testSlowPatterns } from './speed';

testPatterns(20_000);
testSlowPatterns(
	[
		/(a+)+$/,
		/^(?:\w|\d)*$/,
		/^(?:a|b|ab)*c/,
		/\s+$/,
		/\{\{\s*([\s\S]*?)\s*\}\}/,
		/"(?:\\.|[^"])*"/,
		/^x(?:\(\s*\w?\s*\))*$/,
	],
	20_000,
);
