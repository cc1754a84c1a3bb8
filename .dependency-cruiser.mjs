/**
 * The layers of the package, and in which direction they know each other (CONTRIBUTING.md).
 * An import of a type counts like any other: a layer that needs another's type knows it.
 */

const NODES = 'nodes/CometChat';

/** What each layer may import beside n8n-workflow and files of its own. */
const LAYERS = {
	credentials: [`${NODES}/errors/table`, `${NODES}/transport/redact`],
	[`${NODES}/transport`]: ['credentials/CometChatApi'],
	[`${NODES}/errors`]: ['transport'].map(inNodes),
	[`${NODES}/description`]: ['errors', 'transport/types'].map(inNodes),
	[`${NODES}/values`]: ['description', 'errors', 'transport'].map(inNodes),
	[`${NODES}/results`]: ['values', 'description', 'errors', 'transport'].map(inNodes),
	[`${NODES}/run`]: ['results', 'values', 'description', 'errors', 'transport'].map(inNodes),
	[`${NODES}/editor`]: [
		...['run', 'results', 'description', 'errors', 'transport'].map(inNodes),
		'credentials/CometChatApi',
	],
	// The defaults of a field are those of the transport
	[`${NODES}/fields`]: [
		'description',
		'results',
		'errors',
		'transport/json',
		'transport/retry',
	].map(inNodes),
	// More than a request for each item: what one operation does with n8n
	[`${NODES}/sendAndWait`]: ['run', 'results', 'values', 'description', 'errors', 'transport'].map(
		inNodes,
	),
	[`${NODES}/resources`]: [
		...['fields', 'results', 'values', 'description', 'errors', 'transport/json'].map(inNodes),
		`${NODES}/transport/types`,
		`${NODES}/sendAndWait/execute`,
	],
	[`${NODES}/trigger`]: [
		...['fields', 'resources', 'run', 'results', 'values', 'description'].map(inNodes),
		...['errors', 'transport'].map(inNodes),
		'credentials/CometChatWebhookApi',
	],
	[`${NODES}/polling`]: [
		...['fields', 'resources', 'results', 'values', 'description'].map(inNodes),
		...['errors', 'transport'].map(inNodes),
		'credentials/CometChatApi',
	],
};

function inNodes(layer) {
	return `${NODES}/${layer}`;
}

/** A pattern for a layer's folder or for one file without its ending. */
function pathTo(place) {
	return `^${place}(/|\\.(credentials\\.)?ts$)`;
}

const layers = Object.entries(LAYERS).map(([layer, others]) => ({
	name: `${layer.split('/').at(-1)}-imports`,
	comment: `${layer}/ may import n8n-workflow, files of its own and ${others.join(', ')}`,
	severity: 'error',
	from: { path: pathTo(layer) },
	to: { path: '^(nodes|credentials)/', pathNot: [layer, ...others].map(pathTo) },
}));

export default {
	forbidden: [
		{
			name: 'no-cycles',
			comment: 'Files in a cycle cannot be read, tested or moved one without the other',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'only-n8n-workflow',
			comment:
				'What is published imports relative files and n8n-workflow: n8n verifies nothing else',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { pathNot: ['^(nodes|credentials)/', '(^|/)n8n-workflow(/|$)'] },
		},
		...layers,
		{
			name: 'no-unresolvable',
			comment: 'What is imported is not there',
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
