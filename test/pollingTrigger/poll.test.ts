import type { INodeParameters } from 'n8n-workflow';

import type { PollSource } from '../../nodes/CometChat/pollingTrigger/polledEvents';
import { pollingProperties } from '../../nodes/CometChat/pollingTrigger/properties';
import {
	activateTrigger,
	type ActivationOptions,
	type ActiveTrigger,
} from '../../tools/n8nEngine/poll';
import type { Store } from '../../tools/sandbox/store/store';
import { credentialsOf } from '../actionNode/harness';
import {
	EVENTS,
	activate,
	errorOfPoll,
	guidsOf,
	guidsOfPoll,
	happen as happenIn,
	started as startedIn,
	triggerNode,
	useClockedSandbox,
} from './harness';

let onAnswer: (() => void) | undefined;
const sandbox = useClockedSandbox({ onRequest: () => onAnswer?.() });
afterEach(() => {
	onAnswer = undefined;
});

const created: INodeParameters = { event: 'groupCreated' };
const updated: INodeParameters = { event: 'groupUpdated' };
const joined: INodeParameters = { event: 'groupJoined', onBehalfOf: 'leo' };

const happen = (...guids: string[]) => happenIn(sandbox(), ...guids);
const started = async (parameters: INodeParameters, options: Partial<ActivationOptions> = {}) =>
	await startedIn(sandbox(), parameters, options);
const wait = (seconds: number) => {
	sandbox().clock.now += seconds;
};
/** Runs a function with the clock moved forward, then moves the clock back. */
const later = (seconds: number, act: () => void) => {
	wait(seconds);
	act();
	wait(-seconds);
};

/** Reactivates a trigger with its saved state, after a change to the workflow or credential. */
const reactivate = (trigger: ActiveTrigger, parameters: INodeParameters, credentials = {}) =>
	activateTrigger(triggerNode(parameters), {
		credentials: credentialsOf(sandbox(), credentials),
		staticData: trigger.staticData(),
	});

describe.each(EVENTS)('%s', (event, parameters) => {
	test("doesn't start a workflow at the first poll, then returns each new group once, using a single request", async () => {
		happen('before');
		const trigger = await started(parameters);
		expect(sandbox().log).toHaveLength(1);
		wait(60);
		happen('fresh');
		sandbox().log.length = 0;
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(sandbox().log).toHaveLength(1);
		expect('updatedAt' in sandbox().log[0].query).toBe(event === 'groupUpdated');
		expect(await trigger.poll()).toBeNull();
		expect(sandbox().violations).toEqual([]);
	});

	test('reads a long list completely, but only the newest groups if they were created', async () => {
		sandbox().setSettings({ maxPerPage: 5 });
		const trigger = await started(parameters);
		wait(400);
		happen(...guidsOf(6));
		sandbox().log.length = 0;
		expect(await guidsOfPoll(trigger)).toEqual(guidsOf(6));
		const pages = sandbox().log.length;
		if (event === 'groupCreated') expect(pages).toBe(2);
		else expect(pages).toBeGreaterThan(1);
	});

	test('returns the newest groups as test events, oldest first and up to the maximum, and stores nothing', async () => {
		sandbox().setSettings({ maxPerPage: 20 });
		const { store } = sandbox();
		const guids = guidsOf(50);
		for (const guid of guids) {
			wait(10);
			happen(guid);
		}
		const last = [...guids.slice(10, 19)];
		for (const guid of last) {
			wait(10);
			store.leaveGroup(guid, 'leo');
			store.joinGroup(guid, 'leo');
			store.updateGroup(guid, { name: 'Changed' });
		}
		const trigger = activate(sandbox(), parameters);
		const expected = event === 'groupCreated' ? guids.slice(-10) : [guids[49], ...last];
		const requests = sandbox().log.length;
		expect(await guidsOfPoll(trigger, 'manual')).toEqual(expected);
		const pages = sandbox().log.length - requests;
		// CometChat sorts groups by creation time, so the newest ones are on the first page
		if (event === 'groupCreated') expect(pages).toBe(1);
		else expect(pages).toBeGreaterThan(1);
		expect(trigger.staticData()).toBe('{}');
		for (const maxItems of [1, 3, 11]) {
			const limited = activate(sandbox(), { ...parameters, options: { maxItems } });
			expect(await guidsOfPoll(limited, 'manual')).toEqual(expected.slice(-maxItems));
		}
	});

	test("finds events from the time after the first poll, even if n8n's clock is two days ahead then", async () => {
		const { clock } = sandbox();
		happen('before');
		wait(100_000);
		clock.ahead = 2 * 86_400;
		const trigger = await started(parameters);
		clock.ahead = 0;
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([
		[300, ['late']],
		[301, undefined],
	])('finds a group that CometChat lists %i seconds late: %j', async (seconds, guids) => {
		const trigger = await started(parameters);
		wait(1_000);
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		later(-seconds, () => happen('late'));
		expect(await guidsOfPoll(trigger)).toEqual(guids);
	});

	test('starts the workflow for a group of the app that is created again with the same GUID and content', async () => {
		const trigger = await started(parameters);
		const { store } = sandbox();
		for (let day = 0; day < 3; day++) {
			store.createGroup({ guid: 'standup', owner: 'app_system' });
			store.joinGroup('standup', 'leo');
			expect(await guidsOfPoll(trigger)).toEqual(['standup']);
			store.deleteGroup('standup');
			wait(3_600);
			expect(await trigger.poll()).toBeNull();
		}
	});

	test('explains a missing test event', async () => {
		sandbox().clear();
		const trigger = activate(sandbox(), parameters);
		await expect(trigger.poll('manual')).rejects.toMatchObject({
			message: "No group matches 'Trigger On' and the other settings yet",
		});
	});

	test('returns nothing from a poll that overlaps another poll', async () => {
		const trigger = await started(parameters);
		happen('fresh');
		sandbox().setFaults([{ effect: { latency: { ms: 30 } } }]);
		const [first, second] = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(first?.map(({ json }) => json.guid)).toEqual(['fresh']);
		expect(second).toBeNull();
		sandbox().setFaults(undefined);
		happen('next');
		expect(await guidsOfPoll(trigger)).toEqual(['next']);
	});
});

describe('A changed workflow', () => {
	const base: INodeParameters = { ...updated, filters: { tags: ['design'], type: 'public' } };
	const tags = (...names: string[]): INodeParameters => ({ filters: { tags: names } });

	test.each<[string, INodeParameters, INodeParameters, ((baseUrl: string) => object)?]>([
		['tags in another order', tags('design', 'social'), tags('social', 'design')],
		['a tag twice', tags('design'), tags('design', 'design')],
		[
			'types in another order',
			{ filters: { types: ['public', 'private'] } },
			{ filters: { types: ['private', 'public'] } },
		],
		[
			'filters in another order',
			{ filters: { tags: ['design'], type: 'public' } },
			{ filters: { type: 'public', tags: ['design'] } },
		],
		[
			'tags from an expression',
			tags('design', 'social'),
			{ filters: { tags: '={{ "social,design" }}' } },
		],
		['a UID in upper case', { onBehalfOf: 'mira' }, { onBehalfOf: 'MIRA' }],
		['another output', { output: 'raw' }, {}],
		['other options', {}, { options: { maxItems: 5 }, requestOptions: { maxTries: 2 } }],
		['a slash after Base URL', {}, {}, (baseUrl) => ({ baseUrl: `${baseUrl}/` })],
		['upper case in Base URL', {}, {}, (baseUrl) => ({ baseUrl: baseUrl.replace('http', 'HTTP') })],
		['a hidden App ID', {}, {}, () => ({ appId: 'typed-before' })],
	])('keeps the state with %s', async (...[, before, after, changeCredential = () => ({})]) => {
		const trigger = await started({ ...updated, ...before });
		sandbox().store.updateGroup('brand', { name: 'Changed', tags: ['design', 'social'] });
		const credential = changeCredential(sandbox().baseUrl);
		const again = reactivate(trigger, { ...updated, ...after }, credential);
		expect(await guidsOfPoll(again)).toEqual(['brand']);
	});

	test('starts afresh with a search text in another order', async () => {
		const trigger = await started({ ...updated, filters: { searchKey: 'one,two' } });
		sandbox().store.createGroup({ guid: 'fresh', name: 'two,one' });
		const again = reactivate(trigger, { ...updated, filters: { searchKey: 'two,one' } });
		expect(await guidsOfPoll(again)).toBeUndefined();
	});

	test.each<[string, INodeParameters]>([
		['another event', { ...base, event: 'groupCreated' }],
		['another filter', { ...base, filters: { tags: ['design'], types: ['public'] } }],
		['another value of a filter', { ...base, filters: { tags: ['social'], type: 'public' } }],
		['another user', { ...base, onBehalfOf: 'leo' }],
	])('starts afresh without a warning with %s', async (_, parameters) => {
		const trigger = await started(base);
		wait(1);
		happen('fresh');
		sandbox().store.updateGroup('fresh', { tags: ['design', 'social'] });
		await started(parameters, { staticData: trigger.staticData() });
		expect(await guidsOfPoll(reactivate(trigger, base))).toEqual(['fresh']);
	});

	test('starts afresh with another app', async () => {
		const trigger = await started(base);
		const { url, appId } = sandbox();
		sandbox().store.updateGroup('brand', { name: 'Changed' });
		const other = reactivate(trigger, base, { baseUrl: `${url}/app/${appId}/v3` });
		expect(await other.poll()).toBeNull();
	});
});

describe('Group Updated', () => {
	test('returns a group in the next poll if it changes after its page was read', async () => {
		sandbox().setSettings({ maxPerPage: 20 });
		const trigger = await started({ ...updated, output: 'raw' });
		wait(400);
		happen(...guidsOf(50));
		const { store } = sandbox();
		onAnswer = () => {
			onAnswer = undefined;
			store.updateGroup('g0000', { name: 'Changed behind' });
			// Longer than the time that each poll searches again
			wait(400);
			store.updateGroup('g0049', { name: 'Changed ahead' });
		};
		const first = await trigger.poll();
		expect(first).toHaveLength(50);
		expect(first?.map(({ json }) => json.name)).toContain('Changed ahead');
		const next = await trigger.poll();
		expect(next?.map(({ json }) => json.name)).toEqual(['Changed behind']);
		expect(await trigger.poll()).toBeNull();
	});

	test.each<Parameters<Store['updateGroup']>[1]>([
		{ name: 'Changed' },
		{ description: 'Changed' },
		{ icon: 'https://example.com/changed.png' },
		{ type: 'private' },
		{ owner: 'mira' },
		{ tags: ['changed'] },
		{ metadata: { changed: true } },
	])('returns a group again that changes within the same second: %j', async (change) => {
		const { store } = sandbox();
		const trigger = await started(updated);
		wait(10);
		store.updateGroup('lunch', {});
		expect(await guidsOfPoll(trigger)).toEqual(['lunch']);
		store.updateGroup('lunch', change);
		expect(await guidsOfPoll(trigger)).toEqual(['lunch']);
		expect(await trigger.poll()).toBeNull();
	});

	test("doesn't return a group again if CometChat lists an older version in between", async () => {
		const { store } = sandbox();
		const trigger = await started(updated);
		wait(10);
		store.updateGroup('makers', { name: 'First' });
		expect(await guidsOfPoll(trigger)).toEqual(['makers']);
		const group = store.groups.get('makers') ?? {};
		const older = { ...group };
		wait(10);
		store.updateGroup('makers', { name: 'Second' });
		expect(await guidsOfPoll(trigger)).toEqual(['makers']);
		const newer = { ...group };
		Object.assign(group, older);
		expect(await guidsOfPoll(trigger)).toBeUndefined();
		Object.assign(group, newer);
		expect(await guidsOfPoll(trigger)).toBeUndefined();
	});
});

test.each([
	['has a page left', 50, 'g0045'],
	['loses its last page', 21, 'g0010'],
])(
	'returns a group that moves to an earlier page while the list %s, even if the next poll is an hour later',
	async (_, count, newest) => {
		sandbox().clear();
		sandbox().setSettings({ maxPerPage: 20 });
		const { store } = sandbox();
		happen(...guidsOf(count));
		const trigger = await started(joined);
		// Groups created at the same time are sorted by GUID, so g0020 is the first group on the second page
		store.leaveGroup('g0020', 'leo');
		wait(60);
		store.joinGroup('g0020', 'leo');
		wait(3_000);
		store.leaveGroup(newest, 'leo');
		store.joinGroup(newest, 'leo');
		onAnswer = () => {
			onAnswer = undefined;
			store.leaveGroup('g0005', 'leo');
		};
		expect(await guidsOfPoll(trigger)).toEqual([newest]);
		wait(3_600);
		expect(await guidsOfPoll(trigger)).toEqual(['g0020']);
		wait(3_600);
		expect(await trigger.poll()).toBeNull();
	},
);

test('returns a group again when the user joins it again', async () => {
	const trigger = await started(joined);
	happen('fresh');
	await trigger.poll();
	wait(1);
	sandbox().store.leaveGroup('fresh', 'leo');
	expect(await trigger.poll()).toBeNull();
	sandbox().store.joinGroup('fresh', 'leo');
	sandbox().store.joinGroup('brand', 'mira');
	expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
});

test.each([created, joined])(
	'ignores an old group that matches the filters later: %j',
	async (parameters) => {
		happen('old');
		const trigger = await started({ ...parameters, filters: { tags: ['wanted'] } });
		sandbox().store.updateGroup('old', { tags: ['wanted'] });
		expect(await trigger.poll()).toBeNull();
	},
);

describe('Parameters', () => {
	test.each<[string, INodeParameters, string]>([
		['unknown event', { event: 'groupDeleted' }, "'Trigger On' must be one of"],
		['zero groups', { ...created, options: { maxItems: 0 } }, "'Max Items per Poll'"],
		['too many groups', { ...created, options: { maxItems: 100_001 } }, "'Max Items per Poll'"],
		['no user', { ...joined, onBehalfOf: '' }, "'On Behalf Of' is empty"],
		['unknown output', { ...created, output: 'xml' }, "'Output'"],
		['no fields', { ...created, output: 'fields', fields: [] }, "'Fields' is empty"],
	])('are checked before a request is sent: %s', async (_, parameters, message) => {
		const error = await errorOfPoll(activate(sandbox(), parameters));
		expect(error.name).toBe('NodeOperationError');
		expect(error.message).toContain(message);
		expect(sandbox().log).toEqual([]);
	});

	test('send the filters and the user with every request', async () => {
		const filters = { tags: ['design', 'social'], types: ['public'], searchKey: 'a' };
		const trigger = await started({ ...created, filters, onBehalfOf: 'leo' });
		await trigger.poll();
		expect(sandbox().log.at(-1)).toMatchObject({
			query: { tags: 'design,social', types: 'public', searchKey: 'a' },
			headers: { onbehalfof: 'leo' },
		});
	});

	test('offer only filters that are sent with every request', async () => {
		const values = {
			...{ searchIn: ['guid'], searchKey: 'a', tags: ['design'], type: 'public' },
			...{ types: ['public'], withTags: true },
		};
		const collection = pollingProperties.find(({ name }) => name === 'filters');
		const names = (collection?.options ?? []).map(({ name }) => name).sort();
		expect(names).toEqual(Object.keys(values));
		const { type, types, ...others } = values;
		for (const filters of [{ type }, { types }, others]) {
			const trigger = await started({ ...created, filters });
			await trigger.poll();
			expect(sandbox().log.at(-1)?.query).toMatchObject(
				Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])),
			);
		}
	});

	test.each<[INodeParameters, object[]]>([
		[
			{ output: 'raw' },
			[{ guid: 'one', conversationId: 'group_one' }, { conversationId: 'group_two' }],
		],
		[{}, [{ guid: 'one', type: 'public', owner: 'mira' }, { guid: 'two' }]],
		[
			{ output: 'fields', fields: ['name'] },
			[
				{ guid: 'one', name: 'one' },
				{ guid: 'two', name: 'two' },
			],
		],
		[{ output: 'pages' }, [{ data: [{ guid: 'one' }, { conversationId: 'group_two' }] }]],
	])('choose the output: %j', async (parameters, expected) => {
		const trigger = await started({ ...created, ...parameters });
		happen('one', 'two');
		const items = (await trigger.poll())?.map(({ json }) => json);
		expect(items).toMatchObject(expected);
		expect(items).toHaveLength(expected.length);
		if (parameters.output === 'fields') expect(items).toEqual(expected);
		if (!('output' in parameters)) expect(items?.[0]).not.toHaveProperty('updatedAt');
		expect(await trigger.poll()).toBeNull();
	});
});

test('removes the API key from items and errors', async () => {
	const trigger = await started({ ...created, output: 'raw' });
	happen('fresh');
	sandbox().setFaults([{ effect: { echoKeyInItem: true } }]);
	const items = JSON.stringify(await trigger.poll());
	sandbox().setFaults([{ effect: { echoKey: { status: 401 } } }]);
	const error = await errorOfPoll(trigger);
	const shown = JSON.stringify([Object.entries(error), error.message, error.stack]);
	for (const text of [items, shown]) {
		expect(text).toContain('**********');
		expect(text).not.toContain(sandbox().apiKey);
	}
});

test("mentions only the trigger's own fields in errors", async () => {
	sandbox().setFaults([{ effect: { status: { status: 404, body: '' } } }]);
	const { message } = await errorOfPoll(activate(sandbox(), created));
	expect(message).toContain("Check 'On Behalf Of'");
	expect(message).not.toMatch(/Message ID|Reaction|'Group'|'User'/);
});

/** Parameters for an event from each source, with the fields that the editor hides. */
const HIDDEN: Record<PollSource, [INodeParameters, RegExp]> = {
	groups: [created, /Watch|Ignored User/],
	queue: [{ event: 'messageFlagged' }, /On Behalf Of|Filters|Watch/],
	messages: [
		{ event: 'messageSent', watch: 'groups', groupIds: ['lunch'] },
		/On Behalf Of|Filters|Users/,
	],
};

test.each(Object.values(HIDDEN))(
	'mentions no field in errors that the editor hides: %j',
	async (parameters, hidden) => {
		sandbox().setFaults([{ effect: { status: { status: 404, body: '' } } }]);
		const { message } = await errorOfPoll(activate(sandbox(), parameters));
		expect(message).toContain('CometChat');
		expect(message).not.toMatch(hidden);
	},
);

test('says what to do in the message of the error that prevents publishing, and later in its description', async () => {
	const trigger = activate(sandbox(), created);
	const refuse = async () => {
		sandbox().setFaults([{ effect: { status: { status: 404, body: '' } } }]);
		const error = await errorOfPoll(trigger);
		sandbox().setFaults(undefined);
		return { message: error.message, description: Reflect.get(error, 'description') };
	};
	const publishing = await refuse();
	await trigger.poll();
	const later = await refuse();
	expect(later.message).not.toContain('Check');
	expect(later.description).toContain("Check 'On Behalf Of'");
	const message = `${later.message}. ${String(later.description)}`;
	expect(publishing).toEqual({ message, description: undefined });
});

test("doesn't keep starting a workflow that repeats its own change to a group", async () => {
	wait(1_000);
	const trigger = await started(updated);
	const { store } = sandbox();
	wait(60);
	store.updateGroup('lunch', { name: 'By Mira' }, 'mira');
	let executions = 0;
	for (let poll = 0; poll < 10; poll++) {
		wait(60);
		if ((await guidsOfPoll(trigger)) === undefined) continue;
		executions++;
		wait(5);
		store.updateGroup('lunch', { description: 'Seen' });
	}
	// Only Mira's change and the workflow's first change start the workflow
	expect(executions).toBe(2);
	// If a user later makes the same change as the app, the trigger reports the change
	wait(60);
	store.updateGroup('lunch', { description: 'Seen' }, 'mira');
	expect(await guidsOfPoll(trigger)).toEqual(['lunch']);
});

describe('A change by the app itself', () => {
	test.each([created, updated])('starts the workflow by default: %j', async (parameters) => {
		const byDefault = await started(parameters);
		const others = [
			await started({ ...parameters, options: { appEvents: 'safe' } }),
			await started({ ...parameters, options: { appEvents: 'never' } }),
		];
		wait(60);
		sandbox().store.createGroup({ guid: 'by-app', owner: 'app_system' });
		expect(await guidsOfPoll(byDefault)).toEqual(['by-app']);
		for (const trigger of others) expect(await trigger.poll()).toBeNull();
	});

	test("is recognized by the group's last change", async () => {
		happen('one', 'two');
		const trigger = await started({ ...updated, options: { appEvents: 'never' } });
		const { store } = sandbox();
		wait(60);
		store.updateGroup('one', { name: 'By the app' });
		store.updateGroup('two', { name: 'By Mira' }, 'mira');
		expect(await guidsOfPoll(trigger)).toEqual(['two']);
		wait(60);
		store.updateGroup('one', { name: 'By Mira' }, 'mira');
		expect(await guidsOfPoll(trigger)).toEqual(['one']);
	});

	test("doesn't count toward the maximum and isn't returned as a test event", async () => {
		const parameters = { ...created, options: { appEvents: 'safe', maxItems: 1 } };
		const trigger = await started(parameters);
		wait(60);
		sandbox().store.createGroup({ guid: 'by-app', owner: 'app_system' });
		wait(1);
		happen('by-mira');
		expect(await guidsOfPoll(trigger)).toEqual(['by-mira']);
		expect(await guidsOfPoll(trigger)).toBeUndefined();
		const shown = await guidsOfPoll(activate(sandbox(), parameters), 'manual');
		expect(shown).toContain('by-mira');
		expect(shown).not.toContain('by-app');
	});

	test("isn't a test event if the option ignores it", async () => {
		sandbox().clear();
		sandbox().store.createGroup({ guid: 'by-app', owner: 'app_system' });
		const trigger = activate(sandbox(), { ...updated, options: { appEvents: 'never' } });
		await expect(trigger.poll('manual')).rejects.toMatchObject({
			message: "No group matches 'Trigger On' and the other settings yet",
			description:
				"Create or change a group as a user, or change 'Filters' or 'Events Caused by the App Itself'.",
		});
	});

	test("is unknown when a user joins a group, so a leftover of the option doesn't matter", async () => {
		const trigger = await started({ ...joined, options: { appEvents: 'never' } });
		wait(60);
		sandbox().store.createGroup({ guid: 'of-app', owner: 'app_system' });
		sandbox().store.joinGroup('of-app', 'leo');
		expect(await guidsOfPoll(trigger)).toEqual(['of-app']);
	});
});

test("finds every change while n8n's clock is behind", async () => {
	const trigger = await started(updated);
	const { store, clock } = sandbox();
	// A group timestamp ahead of n8n's clock doesn't shift the time range that the next poll searches
	later(7_200, () => happen('ahead'));
	expect(await guidsOfPoll(trigger)).toEqual(['ahead']);
	wait(600);
	happen('next');
	clock.ahead = -3_600;
	expect(await guidsOfPoll(trigger)).toEqual(['next']);
	clock.ahead = 0;
	store.updateGroup('next', { name: 'Changed' });
	expect(await guidsOfPoll(trigger)).toEqual(['next']);
	expect(await guidsOfPoll(trigger)).toBeUndefined();
});

describe('Message Reported', () => {
	const flagged: INodeParameters = { event: 'messageFlagged' };

	const report = (id: string, uid: string, reasonId = 'spam') => {
		sandbox().store.flagMessage(id, { uid, reasonId, remark: `By ${uid}` });
	};

	const sendMessages = (count: number) =>
		Array.from({ length: count }, (_, index) => {
			const message = { sender: 'leo', receiver: 'lunch', text: `Spam ${index}` };
			return sandbox().store.sendMessage(message).id;
		});

	test('starts the workflow once for each new report', async () => {
		const [first, second] = sendMessages(2);
		report(first, 'mira');
		const trigger = await started(flagged);
		wait(60);
		report(second, 'mira', 'harassment');
		wait(1);
		report(first, 'priya');
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json)).toMatchObject([
			{
				...{ id: second, text: 'Spam 1', sender: 'leo', receiver: 'lunch' },
				...{ reportedBy: 'mira', reason: 'Harassment', remark: 'By mira' },
			},
			{ id: first, reportedBy: 'priya', reason: 'Spam' },
		]);
		expect(sandbox().log.at(-1)?.url).toBe('/v3/moderation/flagged-messages?limit=100');
		wait(60);
		expect(await trigger.poll()).toBeNull();
		expect(sandbox().violations).toEqual([]);
	});

	test('warns if the queue is too long for one response', async () => {
		const warnings: string[] = [];
		const trigger = await started(flagged, { onWarning: (text) => warnings.push(text) });
		wait(60);
		const ids = sendMessages(130);
		for (const id of ids) report(id, 'mira');
		expect(await trigger.poll()).toHaveLength(100);
		expect(warnings).toEqual([
			expect.stringMatching(/contains 100 or more messages, .*Review some/),
		]);
	});

	test('returns the newest report as a test event, or explains a missing one', async () => {
		for (const id of ['128', '107']) sandbox().store.reviewMessage('flagged', id, 'approved');
		const trigger = activate(sandbox(), flagged);
		await expect(trigger.poll('manual')).rejects.toMatchObject({
			message: 'The queue of reported messages is empty',
			description: 'Report a message in your app, or with Moderation → Report Message.',
		});
		const [id] = sendMessages(1);
		report(id, 'mira');
		expect(await trigger.poll('manual')).toHaveLength(1);
	});
});

test('Search In without a text is refused, because the filter would have no effect', async () => {
	const parameters = { ...created, filters: { searchIn: ['guid'] } };
	await expect(started(parameters)).rejects.toThrow(
		"'Name or GUID Contains' is empty, but 'Search In' requires it",
	);
});
