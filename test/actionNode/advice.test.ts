import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { listPlaces } from '../fields';
import { DECLARED } from './operations';
import {
	AS_TOOL,
	AS_TOOL_OF_NEW_AGENT,
	callTool,
	CONTINUE,
	errorOf,
	group,
	hintsOf,
	itemsOf,
	jsonOf,
	message,
	refusalOf,
	run,
	NODE,
	useSandbox,
	user,
	type RunSetup,
} from './harness';

const sandbox = useSandbox();

/** Returns the expression in an error's advice. */
function expressionIn(description: string | null | undefined): string {
	const [expression] = /(?<=[Uu]se )\S*\{\{.*\}\}[^\s.]*/.exec(description ?? '') ?? [];
	if (expression === undefined) throw new Error(`No expression: ${description}`);
	return `=${expression}`;
}

const PEOPLE = [
	{ email: 'ada@example.com', phone: '+919876543210', n: 1.5, name: '李雷', at: 170 },
	{ email: 'grace@example.com', phone: '+919876543211', n: 2.5, name: '韩梅', at: 171 },
	{ email: 'bob.ng@example.com', phone: '+919876543212', n: 3.5, name: 'María José', at: 172 },
];

test.each([
	['={{ $json.email }}', ['ada_example_com', 'grace_example_com', 'bob_ng_example_com']],
	[
		'={{ $json.phone + "_" + $json.at }}',
		['_919876543210_170', '_919876543211_171', '_919876543212_172'],
	],
	[
		'={{ $json.phone }}_{{ $json.at }}',
		['_919876543210_170', '_919876543211_171', '_919876543212_172'],
	],
	['={{ $json.n }}', ['1_5', '2_5', '3_5']],
	[
		'=_{{ $json.name }} {{ $json.at }}',
		['__E6_9D_8E_E9_9B_B7_170', '__E9_9F_A9_E6_A2_85_171', '_Mar_C3_ADa_20Jos_C3_A9_172'],
	],
	[
		"={{ $('Manual').item.json.email }}",
		['ada_example_com', 'grace_example_com', 'bob_ng_example_com'],
	],
])('Advice on the UID %s, followed, makes one user for each row', async (uid, uids) => {
	const create = (expression: string) => user('create', { uid: expression, name: 'Ada' });
	const { message: problem, description } = await refusalOf(sandbox(), create(uid), {
		input: PEOPLE,
	});
	expect(problem).toMatch(/^'User ID \(UID\)' can contain only letters/);
	const rows = await jsonOf(sandbox(), create(expressionIn(description)), { input: PEOPLE });
	expect(rows.map((row) => row.uid)).toEqual(uids.map((each) => each.toLowerCase()));
});

test("Advice on a GUID or on the UID of an existing user contains the user's expression", async () => {
	const input = [{ name: '_María José_chat', email: 'mira@example.com' }];
	const create = group('create', { guid: '={{ $json.name }}', name: 'Chat' });
	expect((await refusalOf(sandbox(), create, { input })).description).toBe(
		"Use {{ encodeURIComponent($json.name).replace(/[^\\w-]/g, '_') }}.",
	);
	const mode = { __rl: true, mode: 'id', value: '={{ $json.email }}' };
	expect((await refusalOf(sandbox(), user('get', { userId: mode }), { input })).description).toBe(
		"CometChat finds users by UID, not by email. If the UID was made from this value, use {{ $json.email.replace(/[^\\w-]/g, '_') }}.",
	);
});

test("n8n's own error for a typed ID names the picker and a way on", () => {
	const pickers = DECLARED.flatMap(({ operation }) => listPlaces(operation.fields)).filter(
		({ field: { type, name } }) => type === 'resourceLocator' && name !== 'reasonId',
	);
	const shown = pickers.map(({ field: { displayName, modes = [] } }) => {
		const [rule] = modes.flatMap(({ validation = [] }) => validation);
		return [displayName, String(Object(Object(rule).properties).errorMessage)];
	});
	expect(new Set(shown.map(([label]) => label)).size).toBeGreaterThan(5);
	for (const [label, text] of shown) {
		expect(text).toMatch(
			/^'[^']+' can contain only letters, digits, "-" and "_", at most 100 characters\. Choose the (user From List, or get the UID with User|group From List, or get the GUID with Group) → List\.$/,
		);
		expect(text).toContain(`'${label}' `);
	}
});

const HARD: IDataObject = {
	q: 'He said "hi"\n\\ bye',
	todos: ['Fix the lamp', 'Call Sam'],
	file: { name: 'a' },
};

const send = (more: INodeParameters) =>
	message('send', { receiverType: 'user', userId: 'mira', ...more });

test('Advice on a list in a text joins it with line breaks, and in a short field with commas', async () => {
	const inText = (text: string) => send({ text });
	const { message: problem, description } = await refusalOf(
		sandbox(),
		inText('={{ $json.todos }}'),
		{ input: [HARD] },
	);
	expect(problem).toBe('\'Text\' must be text, but it is ["Fix the lamp","Call Sam"]');
	expect(description).toBe(
		"Give one value, not a list. To join its values, use {{ $json.todos.join('\\n') }}.",
	);
	const [sent] = await jsonOf(sandbox(), inText(expressionIn(description)), { input: [HARD] });
	expect(sent.text).toBe('Fix the lamp\nCall Sam');
	sandbox().reset();
	const named = (name: string) => user('create', { uid: 'ann', name });
	const short = await refusalOf(sandbox(), named('={{ $json.todos }}'), { input: [HARD] });
	const [created] = await jsonOf(sandbox(), named(expressionIn(short.description)), {
		input: [HARD],
	});
	expect(created.name).toBe('Fix the lamp, Call Sam');
	const dragged = await errorOf(sandbox(), named('={{ $json.file }}'), { input: [HARD] });
	expect(dragged.description).toBe('Use one of its fields, e.g. {{ $json.file.name }}.');
});

test.each([
	'{ "name": "{{ $json.q }}" }',
	'{"name": {{ $json.q }}}',
	'{"name": "He: {{ $json.q }}"}',
])(
	'Advice on a JSON template that a quote breaks, followed, sends the text: %s',
	async (template) => {
		const create = (metadata: string) =>
			group('create', { guid: 'a', name: 'A', additionalFields: { metadata: `=${metadata}` } });
		const { message: problem, description } = await refusalOf(sandbox(), create(template), {
			input: [HARD],
		});
		expect(problem).toMatch(/^'Metadata' must be a JSON object, but it is /);
		const [, use, instead] = /Write (.*) in place of (.*)\.$/.exec(description ?? '') ?? [];
		await jsonOf(sandbox(), create(template.replace(instead, () => use)), { input: [HARD] });
		const text = template.includes('He:') ? `He: ${String(HARD.q)}` : HARD.q;
		expect(sandbox().store.groups.get('a')?.metadata).toEqual({ name: text });
	},
);

const createTwice = (ifExists: string, more: INodeParameters = {}) =>
	user('create', {
		uid: '={{ $json.id }}',
		name: '={{ $json.name }}',
		options: { ifExists },
		...more,
	});

const NAMES = [
	{ id: 'ann', name: 'Ann Lee' },
	{ id: 'leo', name: 'Leo' },
	{ id: 'ANN', name: 'Ann Ray' },
	{ id: 'ann', name: 'Ann Kim' },
];

test('Create names the earlier item of the run that made the same ID', async () => {
	const { items } = await run(sandbox(), createTwice('fail'), { ...CONTINUE, input: NAMES });
	const errors = items(NODE).map(({ json }) => json.error);
	const repeated = expect.stringMatching(
		/^An earlier item of this run has the same ID\. Check 'User ID \(UID\)'\. Item 0 created it \(n8n counts items from 0\)\. Give each item its own ID\. /,
	);
	const taken = expect.stringMatching(
		/^A user with this UID already exists\. .* set 'If It Exists'/,
	);
	expect(errors).toEqual([undefined, taken, repeated, repeated]);
});

test.each(['update', 'return'])(
	'A hint names IDs that items of a run share, with %s',
	async (ifExists) => {
		const input = [...NAMES, { id: 'leo', name: 'Leo' }];
		const result = await run(sandbox(), createTwice(ifExists), { input });
		expect(hintsOf(result)).toEqual([
			'Items with the same ID share what the first of them created: ann (3 items). If they are different, give each item its own ID.',
		]);
	},
);

test('A hint names at most ten IDs that items share', async () => {
	const ids = Array.from({ length: 11 }, (_, index) => `ann-${index}`);
	const input = [...ids, ...ids].map((id) => ({ id, name: 'Ann' }));
	const [hint] = hintsOf(await run(sandbox(), createTwice('return'), { input }));
	expect(hint).toMatch(/: ann-0 \(2 items\), .*, ann-9 \(2 items\), and others\. If/);
});

test('With Retry On Fail, a shared ID is recognized in a later attempt, too', async () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const input = [
		{ id: 'ann', name: 'A' },
		{ id: 'ann', name: 'B' },
	];
	const error = await errorOf(sandbox(), createTwice('fail'), { settings, input });
	expect(error.message).toBe('An earlier item of this run has the same ID');
	expect(sandbox().log.map(({ status }) => status)).toEqual([200, 400, 400]);
});

/** Runs the node, and returns the bodies of its requests. */
async function bodiesOf(parameters: INodeParameters, setup: RunSetup): Promise<unknown[]> {
	const bodies: unknown[] = [];
	await itemsOf(sandbox(), parameters, {
		...setup,
		onRequest: ({ body }) => void bodies.push(body),
	});
	return bodies;
}

const ai = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

/** Optional fields that a model fills in, and parameters in which the model leaves all of them out. */
const OPTIONAL = user('create', {
	...{ uid: 'ann', name: 'Ann' },
	additionalFields: { email: ai('Email'), tags: ai('Tags'), role: ai('Role') },
});

describe.each([
	['an older agent', AS_TOOL],
	['a new agent', AS_TOOL_OF_NEW_AGENT],
])('As a tool of %s', (_, settings) => {
	test.each<[string, INodeParameters[string]]>([
		['undefined', '={{ undefined }}'],
		['null', '={{ null }}'],
		['an empty text', ''],
		['a list of nothing', '={{ [undefined] }}'],
	])('the node leaves out an optional field that is %s', async (_name, value) => {
		const additionalFields = { email: value, tags: value, role: value };
		const create = user('create', { uid: 'ann', name: 'Ann', additionalFields });
		expect(await bodiesOf(create, { settings })).toEqual([{ uid: 'ann', name: 'Ann' }]);
	});

	test.each<[string, INodeParameters]>([
		['User ID (UID)', user('create', { uid: '={{ undefined }}', name: 'Ann' })],
		['Text', message('send', { userId: 'mira', receiverType: 'user', text: '={{ null }}' })],
		[
			'Send As',
			message('send', {
				userId: 'mira',
				receiverType: 'user',
				text: 'a',
				onBehalfOf: '={{ undefined }}',
			}),
		],
	])('the node still requires %s', async (label, parameters) => {
		const { message: problem } = await refusalOf(sandbox(), parameters, { settings });
		expect(problem).toContain(`'${label}' is empty. Fill in '${label}'`);
	});
});

test('A model that passes null for optional fields, or leaves them out, creates the user', async () => {
	const type = { type: 'n8n-nodes-cometchat.cometChatOfNewAgentTool' };
	for (const input of [{}, { Email: null, Tags: null, Role: null }]) {
		sandbox().reset();
		const bodies = await bodiesOf(OPTIONAL, { settings: type, input: [input] });
		expect(bodies).toEqual([{ uid: 'ann', name: 'Ann' }]);
	}
});

const react = (reaction: string) =>
	message('addReaction', { messageId: '111', reaction, onBehalfOf: 'noor' });

test.each([':thumbsup:', 'thumbs up', 'U+1F44D', '+1', 'nice 👍', '5'])(
	'A hint says that the reaction %s is a text',
	async (reaction) => {
		const hint = `CometChat stores '${reaction}' as text, not as an emoji such as 👍`;
		const result = await run(sandbox(), react(reaction));
		expect([result.error, hintsOf(result)]).toEqual([undefined, [hint]]);
		const [said] = await callTool(sandbox(), react(ai('Reaction')), [{ Reaction: `${reaction}!` }]);
		expect(said).toContain(hint.replace(reaction, `${reaction}!`));
	},
);

test.each(['👍', '👍🏽', '❤️', '❤', '👨‍👩‍👧', '🇩🇪', '1️⃣', '#⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👍👍', '☕'])(
	'The emoji %s is added without a hint',
	async (reaction) => {
		const result = await run(sandbox(), react(reaction));
		expect([result.error, hintsOf(result)]).toEqual([undefined, []]);
	},
);

test.each(['null', 'undefined', 'NULL'])('The word %s is no reaction', async (reaction) => {
	const error = await refusalOf(sandbox(), react(reaction));
	expect(error.message).toBe(`'Reaction' must be an emoji or a text, but it is "${reaction}"`);
	expect(error.description).toBe("Fill in 'Reaction', e.g. 👍.");
});
