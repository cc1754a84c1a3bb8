import type { ILoadOptionsFunctions, INodeParameters, INodeType, NodeApiError } from 'n8n-workflow';

import { CometChatBotTrigger } from '../../../nodes/CometChat/CometChatBotTrigger.node';
import { CometChatMemory } from '../../../nodes/CometChat/CometChatMemory.node';
import {
	getGroups,
	getRoles,
	getUsers,
	searchActors,
	searchUsersBotsFirst,
	searchDeactivatedUsers,
	searchReasons,
	searchGroups,
	searchUsers,
} from '../../../nodes/CometChat/methods/pickers';
import { reactivateUser } from '../../../nodes/CometChat/resources/user/reactivate.operation';
import { additionalData } from '../../../tools/n8nEngine/additionalData';
import { loadNode } from '../../../tools/n8nEngine/engine';
import { core } from '../../../tools/n8nEngine/n8n';
import { webhookNode } from '../../webhookTrigger/harness';
import { KEY, createPickerContext, mockRequests } from '../context';

type Search = (this: ILoadOptionsFunctions, filter?: string, token?: string) => Promise<unknown>;

/**
 * Runs a picker and returns its entries or error message, along with the requests sent. The last response
 * is reused for any further requests.
 */
async function runPicker(search: Search, responses: object[], filter?: string, token?: string) {
	const requests: unknown[] = [];
	const context = mockRequests(
		createPickerContext({ apiKey: KEY, region: 'us', appId: 'app' }),
		({ method, url, qs }) => {
			requests.push([method, url, qs]);
			return responses[requests.length - 1] ?? responses.at(-1);
		},
	);
	const shown = await search.call(context, filter, token).catch((error: unknown) => {
		const { message, description } = error as NodeApiError;
		// n8n's picker shows the message and, below it, the description
		return description ? { message, description } : message;
	});
	return { shown, requests };
}

const page = (data: unknown[], pagination?: object) => ({ data, meta: { pagination } });

const ann = { name: 'Ann (ann)', value: 'ann' };

const users = page([{ uid: 'ann', name: 'Ann' }], { total_pages: 9 });

test('shows groups with names and GUIDs, sorted by name, without the API key', async () => {
	const groups = [
		{ guid: 'a', name: 'Team' },
		{ guid: 'b', name: ' ' },
		{ guid: 7, name: 5 },
		{ name: 'x' },
		{ guid: null, name: 'y' },
		{ guid: 'c', name: `Key ${KEY}` },
	];
	expect(await runPicker(searchGroups, [page(groups, { total: 6 })])).toEqual({
		shown: {
			results: [
				{ name: '7', value: '7' },
				{ name: 'b', value: 'b' },
				{ name: 'Key ********** (c)', value: 'c' },
				{ name: 'Team (a)', value: 'a' },
			],
		},
		requests: [['GET', '/groups', { sortBy: 'name', sortOrder: 'asc', page: 1, perPage: 1000 }]],
	});
});

test.each<[string, Search, string, object]>([
	['/users', getUsers, 'uid', {}],
	['/groups', getGroups, 'guid', { sortBy: 'name', sortOrder: 'asc' }],
])(
	'lists the first thousand %s by name for a multiple selection',
	async (path, load, id, query) => {
		const entities = ['leo', 'ann'].map((name) => ({ [id]: name, name }));
		expect(await runPicker(load, [page(entities, { total_pages: 9 })])).toEqual({
			shown: [
				{ name: 'ann (ann)', value: 'ann' },
				{ name: 'leo (leo)', value: 'leo' },
			],
			requests: [['GET', path, { ...query, page: 1, perPage: 1000 }]],
		});
	},
);

test("lists the app's roles by name", async () => {
	const roles = [
		{ role: 'support', name: 'Support Team' },
		{ role: 'default', name: 'Default' },
		{ role: 'odd', name: '' },
	];
	expect(await runPicker(getRoles, [page(roles)])).toEqual({
		shown: [
			{ name: 'Default (default)', value: 'default' },
			{ name: 'odd', value: 'odd' },
			{ name: 'Support Team (support)', value: 'support' },
		],
		requests: [['GET', '/roles', {}]],
	});
	expect((await runPicker(getRoles, [{ statusCode: 200, data: 'none' }])).shown).toContain(
		"CometChat's response contains no list of roles",
	);
});

test('searches users by the typed text, page by page', async () => {
	expect(await runPicker(searchUsers, [users], ' an ', '3')).toEqual({
		shown: { results: [ann], paginationToken: '4' },
		requests: [['GET', '/users', { searchKey: 'an', page: 3, perPage: 1000 }]],
	});
	const beyond = await runPicker(searchUsers, [page([])], 'an', '4');
	expect([beyond.shown, beyond.requests.length]).toEqual([{ results: [] }, 1]);
	expect((await runPicker(searchUsers, [users], ' \n', 'nonsense')).requests).toEqual([
		['GET', '/users', { page: 1, perPage: 1000 }],
	]);
});

test('lists only deactivated users for Reactivate', async () => {
	const query = { onlyDeactivated: true, searchKey: 'an', page: 1, perPage: 1000 };
	expect((await runPicker(searchDeactivatedUsers, [users], 'an')).requests).toEqual([
		['GET', '/users', query],
	]);
	const [list] = reactivateUser.fields.find(({ name }) => name === 'userId')?.modes ?? [];
	expect(list.typeOptions?.searchListMethod).toBe('searchDeactivatedUsers');
});

test('filters the list of reasons by the typed text', async () => {
	const reasons = page([
		{ id: 'spam', name: 'Spam' },
		{ id: 'rude', name: 'Harassment' },
	]);
	expect(await runPicker(searchReasons, [reasons], ' HARASS ')).toEqual({
		shown: { results: [{ name: 'Harassment (rude)', value: 'rude' }] },
		requests: [['GET', '/moderation/reasons', {}]],
	});
});

test.each<[number, string | undefined]>([
	[1999, undefined],
	[2000, '3'],
])('counts earlier pages to find the next page: %i groups', async (total, next) => {
	const groups = Array.from({ length: 999 }, (_, i) => ({ guid: `g${i}` }));
	const { shown } = await runPicker(searchGroups, [page(groups, { total })], '', '2');
	expect(Object(shown).paginationToken).toBe(next);
});

test('shows the full error in a single message that mentions no settings', async () => {
	const error = { code: 'AUTH_ERR_APIKEY_NOT_FOUND', message: `No ${KEY}` };
	const unknown = await runPicker(searchGroups, [{ statusCode: 401, error }]);
	expect(unknown.shown).toMatch(
		/^CometChat does not recognize this API key\. Check 'REST API Key'.* CometChat replied: No \*{10} /,
	);
	const limited = { statusCode: 429, headers: { 'retry-after': '60' } };
	const { shown, requests } = await runPicker(searchUsers, [limited]);
	expect(shown).toMatch(/^CometChat's rate limit was reached\. .* which is too long\./);
	expect(shown).not.toMatch(/Longest Retry Wait|Options/);
	expect(requests).toHaveLength(1);
});

test.each([
	['groups', searchGroups],
	['users', searchUsers],
	['reasons', searchReasons],
] as const)('names the list that a response lacks: %s', async (plural, search) => {
	const { shown } = await runPicker(search, [{ statusCode: 200, data: 'none' }]);
	expect(shown).toContain(`CometChat's response contains no list of ${plural}`);
});

test('shows why n8n did not send the request', async () => {
	const context = createPickerContext({ apiKey: KEY, region: 'us', appId: 'app' });
	mockRequests(context, () => {
		throw new Error(`n8n does not allow this address, ${KEY}`);
	});
	await expect(searchGroups.call(context)).rejects.toThrow(
		/^n8n does not allow this address, \*{10}$/,
	);
});

test('tries a request twice', async () => {
	const { shown, requests } = await runPicker(searchUsers, [{ statusCode: 503 }]);
	expect(shown).toMatch(/^CometChat is currently unavailable\./);
	expect(requests).toHaveLength(2);
});

test('lists entries that begin with the typed text first', async () => {
	const groups = page([
		{ guid: 'old-lantern', name: 'Old Lantern Club' },
		{ guid: 'a', name: 'Lantern Makers' },
		{ guid: 'lantern', name: 'Z' },
	]);
	expect((await runPicker(searchGroups, [groups], ' LANT')).shown).toMatchObject({
		results: [{ value: 'a' }, { value: 'lantern' }, { value: 'old-lantern' }],
	});
});

test.each([searchUsers, searchDeactivatedUsers])(
	'finds users whose family name or UID contains the typed text: %p',
	async (search) => {
		const people = [
			{ uid: 'mira', name: 'Mira Lindqvist' },
			{ uid: 'x-lindqvist', name: 'Leo' },
			{ uid: 'ann', name: 'Ann' },
		];
		const { shown, requests } = await runPicker(search, [page([]), page(people)], 'Lindqvist');
		expect(shown).toEqual({
			results: [
				{ name: 'Leo (x-lindqvist)', value: 'x-lindqvist' },
				{ name: 'Mira Lindqvist (mira)', value: 'mira' },
			],
		});
		expect(requests).toMatchObject([
			['GET', '/users', { searchKey: 'Lindqvist', perPage: 1000 }],
			['GET', '/users', { page: 1, perPage: 1000 }],
		]);
	},
);

test("offers the app itself first on the first page of 'On Behalf Of', if the text matches", async () => {
	const app = { name: 'The App Itself', value: '' };
	const search = async (filter?: string, token?: string) =>
		(await runPicker(searchActors, [users], filter, token)).shown;
	expect(await search()).toMatchObject({ results: [app, ann] });
	expect(await search('an')).toMatchObject({ results: [ann] });
	expect(await search('app')).toMatchObject({ results: [app, ann] });
	expect(await search(undefined, '2')).toMatchObject({ results: [ann] });
});

describe("'Bot' lists", () => {
	const bots = { data: [{ uid: 'helper', password: 's3cret' }, { uid: 'Zoe' }, { uid: null }] };
	const people = page(
		[
			{ uid: 'ann', name: 'Ann' },
			{ uid: 'zoe', name: 'Zoe Help' },
		],
		{ total_pages: 1 },
	);
	const helper = { name: 'helper, a bot', value: 'helper' };
	const zoe = { name: 'Zoe Help (zoe), a bot', value: 'zoe' };

	test.each<INodeType>([new CometChatBotTrigger(), new CometChatMemory()])(
		'bots in the Bot Trigger and in the memory',
		({ description, methods }) => {
			const field = description.properties.find(({ name }) => name === 'botId');
			const { searchListMethod = '' } = field?.modes?.[0]?.typeOptions ?? {};
			expect(methods?.listSearch?.[searchListMethod]).toBe(searchUsersBotsFirst);
		},
	);

	test("the app's bots before other users, with names if CometChat lists the bots among the users", async () => {
		const { shown, requests } = await runPicker(searchUsersBotsFirst, [people, bots]);
		expect(shown).toEqual({ results: [helper, zoe, ann] });
		expect(requests).toEqual([
			['GET', '/users', { page: 1, perPage: 1000 }],
			['GET', '/bots', {}],
		]);
	});

	test('bots and users that match the typed text', async () => {
		const { shown } = await runPicker(
			searchUsersBotsFirst,
			[page([{ uid: 'zoe', name: 'Zoe' }]), bots],
			'zo',
		);
		expect(shown).toMatchObject({ results: [{ name: 'Zoe (zoe), a bot', value: 'zoe' }] });
	});

	test('bots only on the first page', async () => {
		const { requests } = await runPicker(searchUsersBotsFirst, [people], '', '2');
		expect(requests).toEqual([['GET', '/users', { page: 2, perPage: 1000 }]]);
	});

	test.each([
		{ statusCode: 403, error: { code: 'ERR_X' } },
		{ statusCode: 200, data: 'none' },
	])('users if CometChat does not list the bots: %j', async (refusal) => {
		const { shown } = await runPicker(searchUsersBotsFirst, [people, refusal]);
		expect(shown).toEqual({ results: [ann, { name: 'Zoe Help (zoe)', value: 'zoe' }] });
	});
});

describe('Without a credential, a list', () => {
	const load = async (parameters: INodeParameters, type?: string, list: Search = getUsers) => {
		const node = { ...webhookNode(parameters, []), ...(type ? { type } : {}) };
		const file = { name: 'Workflow', nodes: [node], connections: {} };
		const { instance } = loadNode(file, node.name, { id: '1', active: false });
		const data = additionalData(() => undefined);
		data.currentNodeParameters = parameters;
		const context = new core.LoadOptionsContext(instance, node, data, '');
		return await list.call(context).catch((error: unknown) => Object(error).message);
	};

	test('of roles asks for the credential', async () => {
		const parameters = { resource: 'user', operation: 'create' };
		expect(await load(parameters, 'n8n-nodes-cometchat.cometChat', getRoles)).toBe(
			'Select the credential for CometChat API above',
		);
	});

	test('of the CometChat Trigger asks for the credential, which the editor shows', async () => {
		const expected = 'Select the credential for CometChat API above';
		expect(await load({ watch: 'groups' })).toBe(expected);
		expect(await load({ watch: 'users' })).toBe(expected);
		expect(await load({ watch: 'app', options: { fetchMessage: true } })).toBe(expected);
	});

	test('of the CometChat Trigger names ways on if the editor hides the credential', async () => {
		expect(await load({ watch: 'app', options: { ignoreUsers: [] } })).toBe(
			"Enter IDs with an expression, or turn on 'Fetch Message' to select a credential",
		);
	});
});
