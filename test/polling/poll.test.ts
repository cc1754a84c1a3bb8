import type { INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../engine/poll';
import { START, activate, errorOfPoll, guidsOfPoll, useClockedSandbox } from './harness';

let onAnswer: (() => void) | undefined;
const sandbox = useClockedSandbox({ onRequest: () => onAnswer?.() });
afterEach(() => {
	onAnswer = undefined;
});

const created: INodeParameters = { event: 'groupCreated' };
const updated: INodeParameters = { event: 'groupUpdated' };
const joined: INodeParameters = { event: 'groupJoined', onBehalfOf: 'leo' };
const EVENTS: Array<[string, INodeParameters]> = [
	['groupCreated', created],
	['groupUpdated', updated],
	['groupJoined', joined],
];

/** Lets something happen that each of the events is about. */
function happen(guid: string): void {
	const { store } = sandbox();
	store.createGroup({ guid, owner: 'mira' });
	store.joinGroup(guid, 'leo');
}

const wait = (seconds: number) => {
	sandbox().clock.now += seconds;
};

/** An active trigger that has noted what is there. */
async function started(parameters: INodeParameters): Promise<ActiveTrigger> {
	const trigger = activate(sandbox(), parameters);
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

/** What the trigger becomes when the workflow is edited, saved and activated again. */
const edited = (trigger: ActiveTrigger, parameters: INodeParameters, credentials = {}) =>
	activate({ ...sandbox(), ...credentials }, parameters, { staticData: trigger.staticData() });

describe.each(EVENTS)('%s', (event, parameters) => {
	test('gives nothing at the first poll, then what is new, once', async () => {
		const trigger = await started(parameters);
		expect(await trigger.poll()).toBeNull();
		wait(1);
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(await trigger.poll()).toBeNull();
	});

	test.each(['inclusive', 'exclusive'] as const)(
		'gives each group of one second once when polls lie between them, boundary %s',
		async (boundary) => {
			sandbox().setSettings({ boundary });
			happen('before');
			const trigger = await started(parameters);
			for (const guid of ['one', 'two', 'three']) {
				happen(guid);
				expect(await guidsOfPoll(trigger)).toEqual([guid]);
			}
			wait(30);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('starts from nothing at all', async () => {
		sandbox().clear();
		const trigger = await started(parameters);
		happen('the-first');
		expect(await guidsOfPoll(trigger)).toEqual(['the-first']);
		expect(await trigger.poll()).toBeNull();
	});

	test('gives what becomes visible some seconds late', async () => {
		happen('before');
		const trigger = await started(parameters);
		sandbox().clock.now -= 4;
		happen('late');
		sandbox().clock.now += 4;
		expect(await guidsOfPoll(trigger)).toEqual(['late']);
		expect(await trigger.poll()).toBeNull();
	});

	test('is not led astray by times that lie far ahead', async () => {
		const TEN_YEARS = 315_360_000;
		wait(TEN_YEARS);
		happen('from-the-future');
		wait(-TEN_YEARS);
		const trigger = await started(parameters);
		wait(TEN_YEARS);
		happen('from-the-future-too');
		wait(-TEN_YEARS);
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh', 'from-the-future-too']);
		wait(60);
		happen('fresher');
		expect(await guidsOfPoll(trigger)).toEqual(['fresher']);
		expect(await trigger.poll()).toBeNull();
	});

	test('hands a backlog over in several polls, the oldest first', async () => {
		const trigger = await started({ ...parameters, options: { maxGroups: 3 } });
		const guids = Array.from({ length: 8 }, (_, index) => `g${index}`);
		for (const guid of guids) {
			wait(10);
			happen(guid);
		}
		expect(await guidsOfPoll(trigger)).toEqual(guids.slice(0, 3));
		expect(await guidsOfPoll(trigger)).toEqual(guids.slice(3, 6));
		expect(await guidsOfPoll(trigger)).toEqual(guids.slice(6));
		expect(await trigger.poll()).toBeNull();
	});

	test('hands over a backlog of one second that is longer than a page', async () => {
		const trigger = await started({ ...parameters, options: { maxGroups: 700 } });
		const guids = Array.from({ length: 2_500 }, (_, index) => `g${index}`);
		wait(10);
		for (const guid of guids) happen(guid);
		const polls: unknown[][] = [];
		for (;;) {
			const given = await guidsOfPoll(trigger);
			if (!given) break;
			polls.push(given);
		}
		expect(polls.map(({ length }) => length)).toEqual([700, 700, 700, 400]);
		expect(new Set(polls.flat())).toEqual(new Set(guids));
	});

	test('misses nothing while groups are deleted between two pages', async () => {
		const trigger = await started(parameters);
		const guids = Array.from({ length: 1_500 }, (_, index) => `g${index}`);
		for (const guid of guids) happen(guid);
		// These are on the first page in whatever order the trigger asks for
		const { store } = sandbox();
		const doomed = [...guids].sort().slice(0, 3);
		onAnswer = () => {
			onAnswer = undefined;
			for (const guid of doomed) store.deleteGroup(guid);
		};
		const given = new Set(await guidsOfPoll(trigger));
		const left = guids.filter((guid) => !doomed.includes(guid));
		expect(left.filter((guid) => !given.has(guid))).toEqual([]);
	});

	test('shows the newest groups as test events, and leaves the cursor where it is', async () => {
		const unused = activate(sandbox(), parameters);
		for (let index = 0; index < 12; index++) {
			happen(`g${index}`);
			wait(1);
		}
		expect(await guidsOfPoll(unused, 'manual')).toEqual(
			Array.from({ length: 10 }, (_, index) => `g${11 - index}`),
		);
		expect(unused.staticData()).toBe('{}');
		const trigger = await started(parameters);
		happen('fresh');
		expect((await guidsOfPoll(trigger, 'manual'))?.[0]).toBe('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	});

	test('says what to do when there is no group for a test event', async () => {
		sandbox().clear();
		await expect(activate(sandbox(), parameters).poll('manual')).rejects.toThrow(
			"No group matches 'Trigger On' and 'Filters' yet",
		);
	});

	test.each([500, 401, 429])('a poll that ends with status %p moves nothing', async (status) => {
		const trigger = await started({ ...parameters, options: { maxTries: 1, maxWait: 0 } });
		const before = trigger.staticData();
		happen('fresh');
		sandbox().setFaults([{ effect: { echoKey: { status } } }]);
		const error = await errorOfPoll(trigger);
		expect(error.name).toBe('NodeApiError');
		expect(JSON.stringify({ ...error, text: error.message, stack: error.stack })).not.toContain(
			sandbox().apiKey,
		);
		expect(trigger.staticData()).toBe(before);
		sandbox().setFaults(undefined);
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	});

	test('tries again by itself within one poll', async () => {
		const trigger = await started(parameters);
		happen('fresh');
		sandbox().setFaults([{ match: { nth: [1] }, effect: { status: { status: 503 } } }]);
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	});

	test('goes on where it was after a restart', async () => {
		const trigger = await started(parameters);
		happen('before-the-end');
		await trigger.poll();
		wait(60);
		happen('meanwhile');
		const again = edited(trigger, parameters);
		expect(await guidsOfPoll(again)).toEqual(['meanwhile']);
		expect(await again.poll()).toBeNull();
	});

	test('gives the same again when nothing of a poll was saved', async () => {
		const trigger = await started(parameters);
		const saved = trigger.staticData();
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		const again = activate(sandbox(), parameters, { staticData: saved });
		expect(await guidsOfPoll(again)).toEqual(['fresh']);
	});

	test('sends no more than it has to', async () => {
		const trigger = await started(parameters);
		happen('fresh');
		sandbox().log.length = 0;
		await trigger.poll();
		expect(sandbox().log).toHaveLength(1);
		expect('updatedAt' in sandbox().log[0].query).toBe(event === 'groupUpdated');
		expect(sandbox().violations).toEqual([]);
	});

	test('a poll that n8n starts while the one before goes on gives nothing', async () => {
		const trigger = await started(parameters);
		happen('fresh');
		sandbox().setFaults([{ effect: { latency: { ms: 100 } } }]);
		const [first, second] = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(first?.map(({ json }) => json.guid)).toEqual(['fresh']);
		expect(second).toBeNull();
		sandbox().setFaults(undefined);
		happen('next');
		expect(await guidsOfPoll(trigger)).toEqual(['next']);
	});

	test.each([{ time: 1 }, { cursor: { time: '1', seen: [] } }, { cursor: { time: 1 } }, 'x'])(
		'a cursor of another shape, %j, is taken for none',
		async (state) => {
			const staticData = JSON.stringify({ 'node:CometChat Polling Trigger': { state } });
			const trigger = activate(sandbox(), parameters, { staticData });
			expect(await trigger.poll()).toBeNull();
			happen('fresh');
			expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		},
	);
});

describe('a new cursor', () => {
	const base: INodeParameters = { ...updated, filters: { tags: ['design'], type: 'public' } };

	test.each<[string, INodeParameters]>([
		['another event', { ...base, event: 'groupCreated' }],
		['another filter', { ...base, filters: { tags: ['design'], types: ['public'] } }],
		['another value of a filter', { ...base, filters: { tags: ['social'], type: 'public' } }],
		['another user', { ...base, onBehalfOf: 'leo' }],
	])('is set by %s', async (_, parameters) => {
		const trigger = await started(base);
		wait(1);
		happen('fresh');
		sandbox().store.updateGroup('fresh', { tags: ['design', 'social'] });
		expect(await edited(trigger, parameters).poll()).toBeNull();
		expect(await guidsOfPoll(edited(trigger, base))).toEqual(['fresh']);
	});

	test('is set by another app', async () => {
		const trigger = await started(base);
		const { url, appId } = sandbox();
		const other = { baseUrl: `${url}/app/${appId}/v3` };
		sandbox().store.updateGroup('brand', { name: 'Changed' });
		expect(await edited(trigger, base, other).poll()).toBeNull();
		expect(await guidsOfPoll(edited(trigger, base))).toEqual(['brand']);
	});

	test.each<[string, INodeParameters]>([
		[
			'the same filters in another order',
			{ ...base, filters: { type: 'public', tags: ['design'] } },
		],
		['another output', { ...base, output: 'simplified' }],
		['other options', { ...base, options: { maxGroups: 5, maxTries: 2 } }],
	])('is not set by %s', async (_, parameters) => {
		const trigger = await started(base);
		sandbox().store.updateGroup('brand', { name: 'Changed' });
		expect(await guidsOfPoll(edited(trigger, parameters))).toEqual(['brand']);
	});
});

describe('Group Created', () => {
	test('a group that was changed before the first poll after it is given once, as it is', async () => {
		const trigger = await started(created);
		happen('fresh');
		wait(2);
		sandbox().store.updateGroup('fresh', { name: 'Renamed' });
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json.name)).toEqual(['Renamed']);
		wait(2);
		sandbox().store.updateGroup('fresh', { name: 'Renamed again' });
		expect(await trigger.poll()).toBeNull();
	});

	test('changes of older groups give nothing', async () => {
		const trigger = await started(created);
		sandbox().store.updateGroup('brand', { name: 'Changed' });
		expect(await trigger.poll()).toBeNull();
	});

	test('a group that was there and comes to fit the filters later is not new', async () => {
		happen('old');
		const trigger = await started({ ...created, filters: { tags: ['wanted'] } });
		sandbox().store.updateGroup('old', { tags: ['wanted'] });
		expect(await trigger.poll()).toBeNull();
	});

	test('reads no further than to groups that are too old', async () => {
		const trigger = await started(created);
		for (let index = 0; index < 1_200; index++) happen(`g${index}`);
		await trigger.poll();
		for (const { guid } of sandbox().store.groups()) {
			sandbox().store.updateGroup(guid, { name: 'All changed' });
		}
		wait(60);
		happen('newest');
		await trigger.poll();
		sandbox().log.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox().log).toHaveLength(1);
	});
});

describe('Group Updated', () => {
	test('a group that comes to fit the filters by a change is given', async () => {
		const trigger = await started({ ...updated, filters: { tags: ['wanted'] } });
		sandbox().store.updateGroup('brand', { tags: ['wanted'] });
		expect(await guidsOfPoll(trigger)).toEqual(['brand']);
	});

	test('changes in one second, with polls between them, are given each', async () => {
		const trigger = await started(updated);
		for (const name of ['A', 'B', 'A']) {
			sandbox().store.updateGroup('brand', { name });
			const items = await trigger.poll();
			expect(items?.map(({ json }) => json.name)).toEqual([name]);
		}
	});

	test('a change that changes nothing, but is later, is given', async () => {
		const trigger = await started(updated);
		for (let times = 0; times < 2; times++) {
			wait(1);
			sandbox().store.updateGroup('brand', {});
			expect(await guidsOfPoll(trigger)).toEqual(['brand']);
		}
	});

	test('joining a group is no change of it', async () => {
		const trigger = await started(updated);
		sandbox().store.joinGroup('brand', 'leo');
		expect(await trigger.poll()).toBeNull();
	});

	test('without times in the answers each change is given once, also when the cursor moves', async () => {
		sandbox().setSettings({ hideUpdatedAt: true });
		happen('start');
		const trigger = await started(updated);
		wait(100);
		sandbox().store.updateGroup('brand', { name: 'One' });
		expect(await guidsOfPoll(trigger)).toEqual(['brand']);
		wait(100);
		sandbox().store.updateGroup('brand', { name: 'Two' });
		wait(2);
		happen('fresh');
		expect(new Set(await guidsOfPoll(trigger))).toEqual(new Set(['brand', 'fresh']));
		expect(await trigger.poll()).toBeNull();
		wait(100);
		happen('fresher');
		expect(await guidsOfPoll(trigger)).toEqual(['fresher']);
		expect(await trigger.poll()).toBeNull();
		expect(trigger.staticData()).not.toContain('brand');
	});

	test('a change on a page that was read is given next time, however long the pages take', async () => {
		happen('before');
		const trigger = await started(updated);
		wait(100);
		for (let index = 0; index < 1_200; index++) happen(`g${String(index).padStart(4, '0')}`);
		let ourTime = START * 1_000;
		const ourClock = jest.spyOn(Date, 'now').mockImplementation(() => ourTime);
		try {
			onAnswer = () => {
				onAnswer = undefined;
				const { store } = sandbox();
				store.updateGroup('g0000', { name: 'Changed behind' });
				wait(60);
				ourTime += 60_000;
				store.updateGroup('g1150', { name: 'Changed ahead' });
			};
			const first = await trigger.poll();
			expect(first).toHaveLength(1_200);
			expect(first?.map(({ json }) => json.name)).toContain('Changed ahead');
			const next = await trigger.poll();
			expect(next?.map(({ json }) => json.name)).toEqual(['Changed behind']);
			expect(await trigger.poll()).toBeNull();
		} finally {
			ourClock.mockRestore();
		}
	});
});

describe('Group Joined', () => {
	test('a group is given again when the user left it and joined it again', async () => {
		const trigger = await started(joined);
		happen('fresh');
		await trigger.poll();
		wait(1);
		sandbox().store.leaveGroup('fresh', 'leo');
		expect(await trigger.poll()).toBeNull();
		sandbox().store.joinGroup('fresh', 'leo');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
	});

	test('what others join gives nothing', async () => {
		const trigger = await started(joined);
		sandbox().store.joinGroup('brand', 'mira');
		expect(await trigger.poll()).toBeNull();
	});

	test('a group that was joined before and comes to fit the filters later is not given', async () => {
		sandbox().store.joinGroup('brand', 'leo');
		const trigger = await started({ ...joined, filters: { tags: ['wanted'] } });
		sandbox().store.updateGroup('brand', { tags: ['wanted'] });
		expect(await trigger.poll()).toBeNull();
	});

	test('needs the user', async () => {
		const error = await errorOfPoll(activate(sandbox(), { ...joined, onBehalfOf: '' }));
		expect(error.message).toBe("'On Behalf Of' is empty");
		expect(Reflect.get(error, 'description')).toBe("Fill in 'On Behalf Of'.");
		expect(sandbox().log).toEqual([]);
	});

	test('says so when there is no such user', async () => {
		const error = await errorOfPoll(activate(sandbox(), { ...joined, onBehalfOf: 'nobody' }));
		expect(error.message).toBe('No active user has this UID');
	});
});

describe('parameters', () => {
	test.each<[string, INodeParameters, string]>([
		['an unknown event', { event: 'groupDeleted' }, "'Trigger On' must be one of"],
		['no number of groups', { ...created, options: { maxGroups: 0 } }, "'Max Groups per Poll'"],
		['too many groups', { ...created, options: { maxGroups: 100_001 } }, "'Max Groups per Poll'"],
		['too many attempts', { ...created, options: { maxTries: 101 } }, "'Max Attempts'"],
		['an unknown output', { ...created, output: 'xml' }, "'Output'"],
		['no fields', { ...created, output: 'fields', fields: [] }, "'Fields' is empty"],
		['a UID with a line break', { ...created, onBehalfOf: 'a\nb' }, "'On Behalf Of'"],
	])('%s is refused before anything is sent', async (_, parameters, message) => {
		const error = await errorOfPoll(activate(sandbox(), parameters));
		expect(error.name).toBe('NodeOperationError');
		expect(error.message).toContain(message);
		expect(sandbox().log).toEqual([]);
	});

	test('filters go with every request, and who asks too', async () => {
		const filters = { tags: ['design', 'social'], types: ['public'], searchKey: 'a' };
		const trigger = await started({ ...created, filters, onBehalfOf: 'leo' });
		await trigger.poll();
		expect(sandbox().log.at(-1)).toMatchObject({
			query: { tags: 'design,social', types: 'public', searchKey: 'a' },
			headers: { onbehalfof: 'leo' },
		});
	});

	test.each<[string, INodeParameters, object]>([
		['raw', { output: 'raw' }, { guid: 'fresh', conversationId: 'group_fresh' }],
		['simplified', { output: 'simplified' }, { guid: 'fresh', type: 'public', owner: 'mira' }],
		['fields', { output: 'fields', fields: ['name'] }, { name: 'fresh' }],
	])('output %s gives one item per group', async (name, parameters, json) => {
		const trigger = await started({ ...created, ...parameters });
		happen('fresh');
		const items = await trigger.poll();
		expect(items).toHaveLength(1);
		expect(items?.[0].json).toMatchObject(json);
		if (name === 'fields') expect(items?.[0].json).toEqual(json);
		if (name === 'simplified') expect(items?.[0].json).not.toHaveProperty('conversationId');
	});

	test('output pages gives one item with all groups', async () => {
		const trigger = await started({ ...created, output: 'pages' });
		happen('one');
		happen('two');
		const items = await trigger.poll();
		expect(items).toHaveLength(1);
		expect(items?.[0].json).toEqual({
			data: ['one', 'two'].map((guid) =>
				expect.objectContaining({ guid, conversationId: `group_${guid}` }),
			),
		});
	});
});
