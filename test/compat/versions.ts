/** A release of n8n. */
export interface Release {
	n8n: string;
	/** Release date of the minor version in n8n's release notes. Dates in npm mirrors differ. */
	released?: string;
	/** Versions of indirect dependencies, if npm would install incompatible versions. */
	overrides?: Record<string, string>;
}

/** The newest zod-to-json-schema requires zod 3.25, but n8n pinned an older zod. */
const olderZod = { 'zod-to-json-schema': '3.24.5' };

/** The oldest supported n8n (docs/status.md), then about every tenth minor version. */
export const RELEASES: Release[] = [
	{ n8n: '1.94.1', released: '2025-05-19', overrides: olderZod },
	{ n8n: '1.100.1', released: '2025-06-23' },
	{ n8n: '1.110.1', released: '2025-09-01' },
	{ n8n: '1.123.81', released: '2025-12-01' },
	// jest can't load the newest p-retry, an ES module
	{ n8n: '2.0.0', released: '2025-12-08', overrides: { 'p-retry': '4.6.2' } },
	{ n8n: '2.11.4', released: '2026-03-02' },
	{ n8n: '2.20.12', released: '2026-05-05' },
	{ n8n: '2.30.8' },
	{ n8n: '2.40.7', released: '2026-09-15' },
	{ n8n: '2.41.1', released: '2026-09-22' },
	{ n8n: '2.41.3', released: '2026-09-22' },
];

/** Tests that older versions of n8n can't pass. */
export interface Exclusion {
	/** Name of the test, or the beginning of the name. */
	test: string;
	/** First version of n8n with the feature. */
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
		test: 'After a failure no run keeps its process alive',
		below: '2.41.0',
		reason: 'n8n itself holds it for a while, after every run',
	},
];

/** Returns a negative number if `a` is older than `b`, a positive number if `a` is newer. */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [a, b].map((version) => version.split('.').map(Number));
	const at = left.findIndex((part, index) => part !== right[index]);
	return at === -1 ? 0 : left[at] - right[at];
}
