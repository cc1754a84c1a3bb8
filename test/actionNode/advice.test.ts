import type { INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';

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

/** Returns the error about a new user whose UID comes from an expression. */
const refuseUid = async (uid: string) =>
	await refusalOf(sandbox(), user('create', { uid: '={{ $json.uid }}', name: 'A' }), {
		input: [{ uid }],
	});

test('Advice on an email as the UID of a new user leads to a different UID for each address', async () => {
	const { description } = await refuseUid('john.doe@example.com');
	expect(description).toMatch(/The page behind 'Docs' has an expression that gives each address/);
	const page = readFileSync('docs/operations.md', 'utf8');
	const [, expression] = /```text\n\s*(\{\{ .*\$json\.email.* \}\})\n/.exec(page) ?? [];
	const emails = ['john.doe@a.io', 'john_doe@a.io', 'john+doe@a.io', 'JOHN.DOE@a.io'];
	const rows = await jsonOf(
		sandbox(),
		user('create', { uid: `=${expression}`, name: 'A', options: { ifExists: 'return' } }),
		{ input: emails.map((email) => ({ email })) },
	);
	expect(rows.map(({ existed }) => existed)).toEqual([false, false, false, true]);
});

test('Advice on another text as the UID of a new user says that each item needs its own', async () => {
	const { description } = await refuseUid('John Doe');
	expect(description).toBe('Give another ID, e.g. mira, and a different one for each item.');
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

test.each([
	['{\n\t"a": 1,\n\t"url": {{ $json.missing }}\n}', 'the error is in line 3, at "url": }'],
	['{"name": "{{ $json.q }}"}', 'the error is in line 1, at "name": "He said "hi" to us"}'],
	['{"name": "a", "tags": ["b"}', 'a bracket is missing or does not match'],
])('An error about the JSON %j names what breaks the JSON', async (template, place) => {
	const create = (metadata: string) =>
		group('create', { guid: 'a', name: 'A', additionalFields: { metadata: `=${metadata}` } });
	const input = [{ q: 'He said "hi" to us' }];
	const { message: problem, description } = await refusalOf(sandbox(), create(template), { input });
	expect(problem).toBe(`'Metadata' is not valid JSON: ${place}`);
	expect(description).toContain("{{ JSON.stringify($json.text ?? '') }}, without quotes around it");
	if (!template.includes('$json.q')) return;
	await jsonOf(sandbox(), create('{"name": {{ JSON.stringify($json.q ?? "") }} }'), { input });
	expect(sandbox().store.groups.get('a')?.metadata).toEqual({ name: 'He said "hi" to us' });
});

test.each([
	[
		'={{ $json.todos }}',
		"Give one value, not a list. To join the values of a list, use .join(', ').",
	],
	['={{ $json.file }}', 'Use one of its fields, e.g. name.'],
])('Advice on the name %s says how to get a text', async (name, advice) => {
	const input = [{ todos: ['Fix the lamp', 'Call Sam'], file: { name: 'a' } }];
	const { description } = await errorOf(sandbox(), user('create', { uid: 'ann', name }), { input });
	expect(description).toBe(advice);
});

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
