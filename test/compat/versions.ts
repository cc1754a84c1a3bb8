/** An n8n release to test. */
export interface Release {
	n8n: string;
	/** Release date of the minor version, according to n8n's release notes. Dates on npm mirrors differ. */
	released?: string;
	/** Versions to pin for indirect dependencies, if npm would otherwise install incompatible versions. */
	overrides?: Record<string, string>;
}

/** Pins zod-to-json-schema, because its latest version requires zod 3.25 and n8n 1.94 uses an older zod. */
const olderZod = { 'zod-to-json-schema': '3.24.5' };

/**
 * n8n releases to test. Starts with the oldest supported version (docs/status.md), followed by about every
 * tenth minor version.
 */
export const RELEASES: Release[] = [
	{ n8n: '1.94.1', released: '2025-05-19', overrides: olderZod },
	{ n8n: '1.100.1', released: '2025-06-23' },
	{ n8n: '1.110.1', released: '2025-09-01' },
	{ n8n: '1.123.81', released: '2025-12-01' },
	// Jest can't load the latest p-retry, because it's an ES module
	{ n8n: '2.0.0', released: '2025-12-08', overrides: { 'p-retry': '4.6.2' } },
	{ n8n: '2.11.4', released: '2026-03-02' },
	{ n8n: '2.20.12', released: '2026-05-05' },
	{ n8n: '2.30.8' },
	{ n8n: '2.40.7', released: '2026-09-15' },
	{ n8n: '2.41.1', released: '2026-09-22' },
	{ n8n: '2.41.3', released: '2026-09-22' },
];

/** A release in `RELEASES` that can't be installed, and need not be tested until it can be. */
interface UninstallableRelease {
	n8n: string;
	reason: string;
	/** Date on which npm last failed to install the release */
	tried: string;
}

export const UNINSTALLABLE: UninstallableRelease[] = [
	{ n8n: '2.41.3', reason: 'npm has no n8n-core 2.41.2, which it requires', tried: '2026-11-29' },
];

export type Outcome = 'pass' | 'fail' | 'not tested';

/** True if a result must stop a release of this package. A known reason allows a release of n8n to stay untested. */
export const isFailure = ({ n8n, outcome }: { n8n: string; outcome: Outcome }): boolean =>
	outcome === 'fail' ||
	(outcome === 'not tested' && !UNINSTALLABLE.some((known) => known.n8n === n8n));

/** A test to skip on older versions of n8n. */
export interface Exclusion {
	/** Name of the test, or a prefix of the name. */
	test: string;
	/** First n8n version that can pass the test. */
	below: string;
	reason: string;
}

export const EXCLUSIONS: Exclusion[] = [
	{
		test: "An agent's tool with Retry On Fail sends a refused message again",
		below: '1.123.0',
		reason: 'n8n calls a tool once, whatever Retry On Fail says',
	},
	...['custom operations', "n8n's RoutingNode"].map((way) => ({
		test: `Through ${way}, an unknown operation from an expression is rejected`,
		below: '2.11.0',
		reason: 'n8n takes the expression for a choice that is not there, and stops by itself',
	})),
	{
		test: 'npm start runs the story in the sandbox',
		below: '1.108.0',
		reason: 'n8n signs no links, and the operation is refused',
	},
	{
		test: 'Send and Wait ',
		below: '1.108.0',
		reason: 'n8n signs no links, and the operation is refused',
	},
	{
		test: 'An answer with a comment ',
		below: '1.108.0',
		reason: 'n8n signs no links, and the operation is refused',
	},
	{
		test: 'An unknown ID in one field is blamed on this field: message sendAndWait',
		below: '1.108.0',
		reason: 'n8n signs no links, and the operation is refused',
	},
	...[
		'The connection error explains a server that sends broken ',
		'A compressed response that breaks off ',
	].map((test) => ({
		test,
		below: '2.20.12',
		reason: 'n8n does not notice a broken compressed response, and the request ends after Timeout',
	})),
	// n8n 1.94.1 fails the following tests, and 2.30.8 passes them. No version between was tried
	{
		test: 'What the node says about its changes agrees ',
		below: '2.30.8',
		reason: 'with Continue, n8n repeats the node, but returns the items of the first attempt',
	},
	{
		test: 'A model that passes null for optional fields',
		below: '2.30.8',
		reason: 'n8n has no execution data for $fromAI',
	},
	...['custom operations', "n8n's RoutingNode"].map((way) => ({
		test: `Through ${way}, an unknown operation fails each item`,
		below: '2.30.8',
		reason: "n8n's error output lacks the error",
	})),
	{
		test: 'After failures, runs end soon, and leave neither open connections ',
		below: '2.41.0',
		reason: 'n8n itself holds it for a while, after every run',
	},
];

/**
 * Compares two versions. Returns a negative number if `a` is older than `b`, and a positive number if `a` is
 * newer.
 */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [a, b].map((version) => version.split('.').map(Number));
	const at = left.findIndex((part, index) => part !== right[index]);
	return at === -1 ? 0 : left[at] - right[at];
}
