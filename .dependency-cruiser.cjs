/**
 * Restricts imports between the package's layers to one direction (see CONTRIBUTING.md). Type imports count
 * like all other imports.
 */

const NODES = 'nodes/CometChat';

/** Allowed imports for each layer, in addition to n8n-workflow and the layer's own files. */
const LAYERS = {
	credentials: [`${NODES}/transport/json`, `${NODES}/transport/redact`],
	[`${NODES}/transport`]: ['credentials/CometChatApi'],
	[`${NODES}/errors`]: ['transport'].map(inNodes),
	[`${NODES}/types`]: ['errors', 'transport/types'].map(inNodes),
	[`${NODES}/request`]: ['types', 'errors', 'transport'].map(inNodes),
	[`${NODES}/calls`]: ['types', 'errors', 'transport'].map(inNodes),
	// Items are paired within a run
	[`${NODES}/output`]: ['run/run', 'request', 'types', 'errors', 'transport'].map(inNodes),
	[`${NODES}/run`]: ['output', 'calls', 'request', 'types', 'errors', 'transport'].map(inNodes),
	[`${NODES}/description`]: [inNodes('types')],
	[`${NODES}/methods`]: [
		...['calls', 'errors', 'transport'].map(inNodes),
		'credentials/CometChatApi',
	],
	// Fields display the transport's default values
	[`${NODES}/fields`]: ['types', 'calls', 'errors', 'transport/retry'].map(inNodes),
	// Send and Wait is an operation of messages, and executes itself
	[`${NODES}/sendAndWait`]: [
		...['fields', 'resources/message', 'run', 'calls', 'request', 'types'].map(inNodes),
		...['errors', 'transport'].map(inNodes),
	],
	[`${NODES}/resources`]: [
		...['fields', 'request', 'types', 'errors', 'transport/json'].map(inNodes),
		`${NODES}/transport/types`,
		`${NODES}/sendAndWait/sendAndWait.operation`,
	],
	[`${NODES}/webhookTrigger`]: [
		...['fields', 'resources', 'output', 'calls', 'request', 'types'].map(inNodes),
		...['errors', 'transport'].map(inNodes),
		'credentials/CometChatWebhookApi',
	],
	[`${NODES}/botTrigger`]: [
		...['fields', 'resources', 'output', 'request', 'types', 'errors', 'transport'].map(inNodes),
		// Deliveries are checked and told apart as those of the other trigger
		...['auth', 'dedupe', 'digest'].map((file) => inNodes(`webhookTrigger/${file}`)),
		'credentials/CometChatApi',
	],
	[`${NODES}/pollingTrigger`]: [
		...['fields', 'resources', 'output', 'calls', 'request', 'types'].map(inNodes),
		...['errors', 'transport'].map(inNodes),
		'credentials/CometChatApi',
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
