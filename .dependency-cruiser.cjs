/**
 * Restricts imports between the package's layers to one direction (see CONTRIBUTING.md). Type imports count
 * like all other imports.
 */

const NODES = 'nodes/CometChat';

/** Allowed imports for each layer, in addition to n8n-workflow and the layer's own files. */
const LAYERS = {
	[`${NODES}/helpers`]: [],
	credentials: ['helpers'].map(inNodes),
	[`${NODES}/transport`]: [inNodes('helpers'), 'credentials'],
	[`${NODES}/errors`]: ['helpers', 'transport'].map(inNodes),
	[`${NODES}/types`]: ['errors', 'transport'].map(inNodes),
	[`${NODES}/request`]: ['helpers', 'types', 'errors', 'transport'].map(inNodes),
	[`${NODES}/calls`]: ['helpers', 'types', 'errors', 'transport'].map(inNodes),
	[`${NODES}/output`]: ['helpers', 'types'].map(inNodes),
	[`${NODES}/run`]: [
		...['helpers', 'types', 'output', 'calls', 'request', 'errors', 'transport'].map(inNodes),
	],
	[`${NODES}/description`]: [inNodes('types')],
	[`${NODES}/methods`]: [
		...['helpers', 'types', 'output', 'calls', 'errors', 'transport'].map(inNodes),
		'credentials',
	],
	[`${NODES}/fields`]: ['helpers', 'types', 'errors', 'transport'].map(inNodes),
	// Send and Wait executes itself
	[`${NODES}/sendAndWait`]: [
		...['helpers', 'types', 'resources', 'run', 'calls', 'request', 'errors', 'transport'].map(
			inNodes,
		),
	],
	[`${NODES}/resources`]: [
		...['helpers', 'types', 'fields', 'request', 'errors', 'transport'].map(inNodes),
	],
	[`${NODES}/memory`]: [
		...['helpers', 'types', 'fields', 'resources', 'calls', 'request', 'errors', 'transport'].map(
			inNodes,
		),
	],
	[`${NODES}/sharedByTriggers`]: [
		...['helpers', 'types', 'fields', 'resources', 'errors'].map(inNodes),
	],
	[`${NODES}/webhookTrigger`]: [
		...['helpers', 'types', 'sharedByTriggers', 'fields', 'resources', 'output'].map(inNodes),
		...['calls', 'request', 'errors', 'transport'].map(inNodes),
		'credentials',
	],
	[`${NODES}/botTrigger`]: [
		...['helpers', 'types', 'sharedByTriggers', 'fields', 'resources', 'output'].map(inNodes),
		...['request', 'errors', 'transport'].map(inNodes),
		'credentials',
	],
	[`${NODES}/pollingTrigger`]: [
		...['helpers', 'types', 'sharedByTriggers', 'fields', 'resources', 'output'].map(inNodes),
		...['calls', 'request', 'errors', 'transport'].map(inNodes),
		'credentials',
	],
};

function inNodes(layer) {
	return `${NODES}/${layer}`;
}

/** Returns a pattern that matches a layer's folder, or a file given without its extension. */
function pathTo(place) {
	return `^${place}(/|\\.(credentials\\.)?ts$)`;
}

const layers = Object.entries(LAYERS).map(([layer, others]) => ({
	name: `${layer.split('/').at(-1)}-imports`,
	comment: `${layer}/ may import n8n-workflow, its own files and ${others.join(', ')}`,
	severity: 'error',
	from: { path: pathTo(layer) },
	to: { path: '^(nodes|credentials)/', pathNot: [layer, ...others].map(pathTo) },
}));

module.exports = {
	forbidden: [
		{
			name: 'no-cycles',
			comment: 'Files in a cycle can only be read, tested and moved together',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'only-n8n-workflow',
			comment: 'Published files may only import relative files and n8n-workflow, as n8n requires',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { pathNot: ['^(nodes|credentials)/', '(^|/)n8n-workflow(/|$)'] },
		},
		...layers,
		{
			name: 'no-unresolvable',
			comment: 'The imported file is missing',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.check.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'types'],
		},
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)(dist|\\.cache)/|^test/e2e/node_modules/' },
	},
};
