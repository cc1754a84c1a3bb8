import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../engine/poll';
import { selfSignedCertificate, startSandbox } from '../../sandbox/server';
import { START, activate, errorOfPoll, guidsOfPoll, useClockedSandbox } from './harness';

/** What services do differently from each other, and what goes wrong in them. */

const sandbox = useClockedSandbox();

const created: INodeParameters = { event: 'groupCreated' };
const updated: INodeParameters = { event: 'groupUpdated' };
const joined: INodeParameters = { event: 'groupJoined', onBehalfOf: 'leo' };
const EVENTS: Array<[string, INodeParameters]> = [
	['groupCreated', created],
	['groupUpdated', updated],
	['groupJoined', joined],
];

function happen(guid: string): void {
	const { store } = sandbox();
	store.createGroup({ guid, owner: 'mira' });
	store.joinGroup(guid, 'leo');
}

function happenTimes(count: number, prefix = 'g'): string[] {
	const guids = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
	for (const guid of guids) {
		sandbox().clock.now++;
		happen(guid);
	}
	return guids;
}

async function started(parameters: INodeParameters): Promise<ActiveTrigger> {
	const trigger = activate(sandbox(), parameters);
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

describe('a service where groups that never changed have no time of change', () => {
	beforeEach(() => sandbox().setSettings({ updatedAtOnlyAfterChange: true }));

	test('reports new groups', async () => {
		const trigger = await started(created);
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(await trigger.poll()).toBeNull();
	});

	test('reports changed groups', async () => {
		const trigger = await started(updated);
		sandbox().clock.now++;
		sandbox().store.updateGroup('brand', { name: 'Changed' });
		expect(await guidsOfPoll(trigger)).toEqual(['brand']);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a service with shorter pages than asked for', () => {
	const SAYS = ['right', 'missing', 'asked'] as const;

	test.each(
		EVENTS.flatMap(([name, parameters]) =>
			SAYS.flatMap((perPageShown) =>
				(['right', 'missing'] as const).map((totalPagesShown) => ({
					name,
					parameters,
					shown: { perPageShown, totalPagesShown },
				})),
			),
		),
	)('$name, $shown: every group is read', async ({ parameters, shown }) => {
		sandbox().setSettings({ maxPerPage: 100, totalShown: 'missing', ...shown });
		happenTimes(330, 'before');
		const trigger = await started(parameters);
		const guids = happenTimes(350);
		expect(await guidsOfPoll(trigger)).toEqual(guids);
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('with more groups than one page holds', () => {
	test.each(EVENTS)('%s shows as test events what happened last', async (event, parameters) => {
		const guids = happenTimes(2_200);
		sandbox().clock.now += 60;
		const { store } = sandbox();
		const last = ['brand', ...guids.slice(0, 9)];
		for (const guid of last) {
			sandbox().clock.now++;
			if (event === 'groupUpdated') store.updateGroup(guid, { name: 'Changed' });
			if (event === 'groupJoined' && guid !== 'brand') store.leaveGroup(guid, 'leo');
			if (event === 'groupJoined') store.joinGroup(guid, 'leo');
		}
		const shown = await guidsOfPoll(activate(sandbox(), parameters), 'manual');
		const expected = event === 'groupCreated' ? guids.slice(-10) : last;
		expect(shown).toEqual([...expected].reverse());
	});

	test('Group Updated shows what changed long ago when nothing else did', async () => {
		happenTimes(1_500);
		sandbox().clock.now -= 200 * 86_400;
		sandbox().store.updateGroup('brand', { name: 'Changed' });
		sandbox().store.updateGroup('g7', { name: 'Changed' });
		const shown = await guidsOfPoll(activate(sandbox(), updated), 'manual');
		expect(shown).toHaveLength(10);
	});

	test('Group Created finds the end of the list in few requests', async () => {
		sandbox().setSettings({ maxPerPage: 20 });
		happenTimes(5_500);
		const trigger = await started(created);
		happen('fresh');
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(sandbox().log.length).toBeLessThan(50);
	});

	test('Group Created gives what becomes visible late, in the middle of a backlog too', async () => {
		const trigger = await started({ ...created, options: { maxGroups: 50 } });
		sandbox().clock.now += 60;
		const guids = Array.from({ length: 120 }, (_, index) => `g${index}`);
		for (const guid of guids) happen(guid);
		const given = (await guidsOfPoll(trigger)) ?? [];
		sandbox().clock.now -= 3;
		happen('late');
		sandbox().clock.now += 3;
		for (let polls = 0; polls < 2; polls++) given.push(...((await guidsOfPoll(trigger)) ?? []));
		expect(given.sort()).toEqual([...guids, 'late'].sort());
		expect(await trigger.poll()).toBeNull();
	});

	test('Group Created reads only the end of the list', async () => {
		happenTimes(5_500);
		const trigger = await started(created);
		happen('first');
		await trigger.poll();
		const { log } = sandbox();
		for (const guid of ['second', 'third']) {
			log.length = 0;
			sandbox().clock.now += 60;
			happen(guid);
			expect(await guidsOfPoll(trigger)).toEqual([guid]);
			expect(log).toHaveLength(1);
		}
		for (let index = 5_480; index < 5_500; index++) sandbox().store.deleteGroup(`g${index}`);
		log.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(log.length).toBeLessThan(6);
		for (let index = 0; index < 3_000; index++) sandbox().store.deleteGroup(`g${index}`);
		happen('fourth');
		expect(await guidsOfPoll(trigger)).toEqual(['fourth']);
		log.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(log).toHaveLength(1);
	});
});

describe('a service that repeats the key in what it sends', () => {
	test.each(['plain', 'percent', 'base64', 'html'] as const)('%s: no item has it', async (form) => {
		const trigger = await started(created);
		happen('fresh');
		sandbox().setFaults([{ effect: { echoKeyInItem: form } }]);
		for (const output of ['raw', 'pages']) {
			const mode = 'manual';
			const items = await activate(sandbox(), { ...created, output }).poll(mode);
			const text = JSON.stringify(items);
			expect(text).toContain('**********');
			expect(text).not.toContain(sandbox().apiKey);
			expect(text).not.toContain(Buffer.from(sandbox().apiKey).toString('base64'));
		}
		expect(JSON.stringify(await trigger.poll())).not.toContain(sandbox().apiKey);
	});
});

describe('errors', () => {
	const textOf = (error: Error) => `${error.message} ${String(Reflect.get(error, 'description'))}`;

	test('name no field that the trigger does not have', async () => {
		sandbox().setFaults([{ effect: { status: { status: 404, body: '' } } }]);
		const text = textOf(await errorOfPoll(activate(sandbox(), created)));
		expect(text).toContain("Check 'On Behalf Of'");
		expect(text).not.toMatch(/Message ID|Reaction|'Group'|'User'/);
	});

	test('name no option that polls do not have', async () => {
		const secure = await startSandbox({ tls: await selfSignedCertificate() });
		const text = textOf(await errorOfPoll(activate(secure, created)));
		await secure.close();
		expect(text).toContain("Couldn't connect to CometChat: its certificate is not trusted");
		expect(text).toContain('NODE_EXTRA_CA_CERTS');
		expect(text).not.toContain('Request Options');
	});
});

test('a cleared Max Groups is the default', async () => {
	for (const maxGroups of ['', null]) {
		const trigger = await started({ ...created, options: { maxGroups } } as INodeParameters);
		happen(`fresh-${String(maxGroups)}`);
		expect(await guidsOfPoll(trigger)).toEqual([`fresh-${String(maxGroups)}`]);
	}
});

describe('a group with a time far ahead that is corrected later', () => {
	test.each<[string, INodeParameters, string]>([
		['groupUpdated', updated, 'updatedAt'],
		['groupJoined', joined, 'joinedAt'],
	])('%s reports it when something happens to it again', async (event, parameters) => {
		const { store, clock } = sandbox();
		const trigger = await started(parameters);
		clock.now += 315_360_000;
		happen('wrong');
		clock.now -= 315_360_000;
		expect(await guidsOfPoll(trigger)).toEqual(['wrong']);
		clock.now += 60;
		store.deleteGroup('wrong');
		happen('wrong');
		if (event === 'groupUpdated') store.updateGroup('wrong', { name: 'Right' });
		expect(await guidsOfPoll(trigger)).toEqual(['wrong']);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a service of another kind', () => {
	let groups: Array<Record<string, unknown>> = [];
	const server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://service');
		const perPage = Number(searchParams.get('perPage'));
		const page = Number(searchParams.get('page'));
		const data = groups.slice((page - 1) * perPage, page * perPage);
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ data }));
	});
	let baseUrl: string;
	beforeAll(async () => {
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
		const { port } = server.address() as AddressInfo;
		baseUrl = `http://127.0.0.1:${port}/v3`;
	});
	afterAll(() => server.close());
	const start = async (parameters: INodeParameters) => {
		const trigger = activate({ apiKey: 'key-of-another-service', baseUrl }, parameters);
		await trigger.poll();
		return trigger;
	};

	test.each(EVENTS)('%s works without a single time in the answers', async (_, parameters) => {
		groups = [{ guid: 'old' }];
		const trigger = await start(parameters);
		expect(await trigger.poll()).toBeNull();
		groups = [{ guid: 'old' }, { guid: 'fresh' }, { name: 'without a guid' }];
		expect(await guidsOfPoll(trigger)).toEqual(['fresh']);
		expect(await trigger.poll()).toBeNull();
	});

	test('a list in another order than asked for is gone through to its end', async () => {
		groups = Array.from({ length: 1_500 }, (_, index) => ({ guid: `g${index}`, createdAt: 1_000 }));
		groups[0].createdAt = 2_000;
		const trigger = await start(created);
		groups.splice(2, 0, { guid: 'in-the-middle', createdAt: 2_003 });
		groups.push({ guid: 'at-the-end', createdAt: 2_003 });
		expect(await guidsOfPoll(trigger)).toEqual(['in-the-middle', 'at-the-end']);
	});

	test('a state that is older than what was given is no change', async () => {
		groups = [{ guid: 'g', createdAt: 1_000 }];
		const trigger = await start(updated);
		groups = [{ guid: 'g', createdAt: 1_000, updatedAt: 2_003, name: 'New' }];
		expect(await guidsOfPoll(trigger)).toEqual(['g']);
		groups = [{ guid: 'g', createdAt: 1_000, updatedAt: 2_001, name: 'Lagging behind' }];
		expect(await trigger.poll()).toBeNull();
		groups = [{ guid: 'g', createdAt: 1_000, updatedAt: 2_003, name: 'New' }];
		expect(await trigger.poll()).toBeNull();
	});

	test.each(EVENTS)('%s works with GUIDs that are numbers', async (_, parameters) => {
		const at = { createdAt: START - 100, updatedAt: START - 100, joinedAt: START - 100 };
		groups = [{ guid: 1, ...at }];
		const trigger = await start(parameters);
		groups = [...groups, { guid: 2, createdAt: START, updatedAt: START, joinedAt: START }];
		expect(await guidsOfPoll(trigger)).toEqual([2]);
		expect(await trigger.poll()).toBeNull();
	});

	test('Group Created reads a list that is not sorted as asked for in several polls', async () => {
		groups = Array.from({ length: 1_500 }, (_, index) => ({
			guid: `g${index}`,
			createdAt: 1_000 + ((index * 7_919) % 1_500),
		}));
		const trigger = await start({ ...created, options: { maxGroups: 1 } });
		groups.splice(2, 0, { guid: 'early', createdAt: 9_000 });
		groups.splice(700, 0, { guid: 'middle', createdAt: 9_001 });
		groups.push({ guid: 'late', createdAt: 9_002 });
		const given = [];
		for (let polls = 0; polls < 3; polls++) given.push(...((await guidsOfPoll(trigger)) ?? []));
		expect(given).toEqual(['early', 'middle', 'late']);
		groups.splice(2, 0, { guid: 'earlier', createdAt: 9_003 });
		expect(await guidsOfPoll(trigger)).toEqual(['earlier']);
		expect(await trigger.poll()).toBeNull();
	});
});
