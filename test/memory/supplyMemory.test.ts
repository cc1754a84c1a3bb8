import type { IDataObject } from 'n8n-workflow';

import { cometChat, manual, type Wire } from '../../tools/n8nEngine/draft';
import type { NewMessage, StoredMessage } from '../../tools/sandbox/store/messages';
import { isBeforeQuestion } from '../../nodes/CometChat/memory/messageFilters';
import { group, useSandbox } from '../actionNode/harness';
import {
	AGENT,
	BOT,
	MEMORY,
	TRIGGER,
	agent,
	botTrigger,
	byId,
	listKnown,
	runAgent,
	toRow,
	type Setup,
} from './harness';

const sandbox = useSandbox();

const GROUP = 'night-shift';

beforeEach(() => {
	const { store } = sandbox();
	store.createGroup({ guid: GROUP, name: 'Night Shift', owner: 'mira' });
	store.addMembers(GROUP, [{ uid: BOT, scope: 'participant' }]);
});

const chat = (text: string, fields: Partial<NewMessage> = {}): StoredMessage =>
	sandbox().store.sendMessage({
		...{ sender: 'mira', receiver: BOT, receiverType: 'user', text },
		...fields,
	});

const post = (text: string, fields: Partial<NewMessage> = {}): StoredMessage =>
	sandbox().store.sendMessage({ sender: 'mira', receiver: GROUP, text, ...fields });

const know = async (setup: Setup) => await listKnown(sandbox(), setup);

/** Lists the requests, e.g. "reminder-bot GET /users/mira/messages?limit=50". */
const listRequests = () =>
	sandbox().log.map(
		({ headers, method, url }) =>
			`${String(headers.onbehalfof)} ${method} ${url.replace(/^\/v3/, '')}`,
	);

async function getError(setup: Setup) {
	const { error } = await runAgent(sandbox(), setup);
	if (!error) throw new Error('The run has no error');
	return { message: error.message, description: String(error.description) };
}

const KNOWN = ['user: Mira Halden: Before'];

describe('The question', () => {
	test('stands once: also after later messages, as after a retry or in Execute step', async () => {
		chat('Before');
		const rows = [toRow(chat('Question?'))];
		expect(await know({ rows })).toEqual(KNOWN);
		chat('Later');
		expect(await know({ rows })).toEqual(KNOWN);
		expect(new Set(listRequests())).toEqual(
			new Set([`${BOT} GET /users/mira/messages?id=${String(rows[0]?.id)}&affix=prepend&limit=50`]),
		);
	});

	test('stands once if CometChat includes it in the list', async () => {
		sandbox().setSettings({ idBoundary: 'inclusive', messageIds: 'number' });
		chat('Before');
		const question = chat('Question?');
		expect(await know({ rows: [toRow(question)] })).toEqual(KNOWN);
	});

	test.each<[string, Partial<Setup>]>([
		[
			'behind other nodes',
			{ nodes: [botTrigger(), cometChat('1', group('get', { groupId: GROUP })), agent()] },
		],
		[
			'behind one of two triggers, whatever its name',
			{
				trigger: `It's "my" {{ bot }}`,
				nodes: [botTrigger({}, { name: `It's "my" {{ bot }}` }), botTrigger(), agent()],
				wires: [`It's "my" {{ bot }}`, TRIGGER].map((from): Wire => ({ from, to: AGENT })),
			},
		],
	])('is found %s', async (_name, setup) => {
		chat('Before');
		expect(await know({ rows: [toRow(chat('Question?'))], ...setup })).toEqual(KNOWN);
	});

	test('is found in Output → Raw', async () => {
		chat('Before');
		const { id } = chat('Question?');
		const data = { ...{ id, sender: 'mira', receiver: BOT, receiverType: 'user' }, data: {} };
		expect(await know({ rows: [{ trigger: 'after_message', data, bot: BOT }] })).toEqual(KNOWN);
	});

	test.each(['/new', `<@uid:${BOT}>, /NEW`])('can start over in Output → Raw: %s', async (text) => {
		chat('Before');
		const { id } = chat(text);
		const data = { ...{ id, sender: 'mira', receiver: BOT, receiverType: 'user' }, data: { text } };
		const rows = [{ trigger: 'after_message', data, bot: BOT }];
		expect(await know({ rows, parameters: { options: { startOver: '/new' } } })).toEqual([]);
	});
});

test.each([
	['900', '1000'],
	['90071992547409930', '90071992547409931'],
	['abc', 'abd'],
	['abc', '7'],
])('A message %s is before the question %s', (id, questionId) => {
	const conversation = { bot: BOT, questionId };
	expect(isBeforeQuestion({ id }, conversation)).toBe(true);
	expect(isBeforeQuestion({ id: questionId }, conversation)).toBe(false);
});

describe('A conversation chosen by hand', () => {
	const behindManual = { nodes: [manual(), agent()], trigger: 'Manual', rows: [{ to: 'mira' }] };

	test('is read without a Bot Trigger, up to a message or to the end', async () => {
		chat('Before');
		const { id } = chat('Question?');
		const parameters = { conversation: 'user', botId: byId(BOT), userId: byId('={{ $json.to }}') };
		const setup = { ...behindManual, parameters };
		expect(await know(setup)).toEqual(['user: Mira Halden: Before\nMira Halden: Question?']);
		expect(await know({ ...setup, parameters: { ...parameters, beforeId: id } })).toEqual(KNOWN);
	});

	test('of a group contains mentions of the bot, or a thread', async () => {
		const { id } = post(`<@uid:${BOT}> Topic`);
		post('Reply', { parentId: id });
		post('Beside');
		const parameters = { conversation: 'group', botId: byId(BOT), groupId: byId(GROUP) };
		const setup = { ...behindManual, parameters };
		expect(await know(setup)).toEqual(['user: Mira Halden: Topic']);
		expect(await know({ ...setup, parameters: { ...parameters, parentId: id } })).toEqual([
			'user: Mira Halden: Topic\nMira Halden: Reply',
		]);
	});

	test('contains nothing of a thread elsewhere', async () => {
		const { id } = chat('Secret');
		chat('Secret', { parentId: id });
		const parameters = { conversation: 'group', botId: byId(BOT), groupId: byId(GROUP) };
		const setup = { ...behindManual, parameters: { ...parameters, parentId: id } };
		expect(await know(setup)).toEqual([]);
	});

	test.each<[string, string, string, IDataObject]>([
		['group', 'Group', 'User', { groupId: byId(GROUP) }],
		['user', 'User', 'Group', { userId: byId('mira') }],
	])(
		'with a %s that CometChat does not find, names %s and not %s, which the editor hides',
		async (conversation, shown, hidden, chosen) => {
			sandbox().setFaults([{ effect: { status: { status: 404, body: '' } } }]);
			const parameters = { conversation, botId: byId(BOT), ...chosen };
			const { message, description } = await getError({ ...behindManual, parameters });
			const text = [message, description].join();
			expect(text).toContain(`'${shown}'`);
			expect(text).not.toContain(`'${hidden}'`);
		},
	);

	test('must be the same for all items', async () => {
		const parameters = { conversation: 'user', botId: byId(BOT), userId: byId('={{ $json.to }}') };
		const rows = [{ to: 'mira' }, { to: 'leo' }];
		const error = await getError({ ...behindManual, rows, parameters });
		expect(error.message).toContain('several conversations');
		expect(error.description).toContain("'Loop Over Items'");
		expect(sandbox().log).toEqual([]);
	});

	test.each<[string, IDataObject, string]>([
		['Bot', { botId: byId('') }, "'Bot'"],
		['User', { userId: byId('Mira Halden') }, "'User'"],
		['Before Message', { beforeId: '1,2' }, "'Before Message'"],
		['Messages', { messages: 0 }, "'Messages'"],
	])('is refused with a wrong value in %s', async (_name, change, label) => {
		const parameters = { conversation: 'user', botId: byId(BOT), userId: byId('mira'), ...change };
		const error = await getError({ ...behindManual, parameters: parameters });
		expect(error.message).toContain(label);
		expect(sandbox().log).toEqual([]);
	});
});

describe('What is missing is said before anything is read', () => {
	afterEach(() => expect(sandbox().log).toEqual([]));

	test('without a Bot Trigger', async () => {
		const setup = { nodes: [manual(), agent()], trigger: 'Manual', rows: [{}] };
		expect(await getError(setup)).toEqual({
			message: 'No CometChat Bot Trigger leads to the agent',
			description: expect.stringContaining("set 'Conversation' to Group or User"),
		});
	});

	test('if another trigger started the execution', async () => {
		const error = await getError({
			...{ nodes: [manual(), botTrigger(), agent()], trigger: 'Manual', rows: [{}] },
			wires: ['Manual', TRIGGER].map((from) => ({ from, to: AGENT })),
		});
		expect(error.message).toBe(`The execution wasn't started by '${TRIGGER}'`);
	});

	test('for items of several conversations', async () => {
		const rows = [chat('Mine'), chat('His', { sender: 'leo' })].map(toRow);
		const error = await getError({ rows });
		expect(error).toEqual({
			message: 'The agent got items of several conversations or questions at once',
			description: expect.stringContaining("'Loop Over Items'"),
		});
	});

	test("if the trigger's output lacks the message's ID", async () => {
		const error = await getError({ rows: [{ ...toRow(chat('?')), id: undefined }] });
		expect(error.message).toBe(`The output of '${TRIGGER}' has no id`);
	});
});

describe('Reading', () => {
	test('happens once in an execution, however often the agent asks', async () => {
		chat('Before');
		const rows = [toRow(chat('Question?'))];
		const { items } = await runAgent(sandbox(), {
			rows,
			nodes: [botTrigger(), agent({ rounds: 3 })],
		});
		expect(items(AGENT)).toHaveLength(3);
		expect(new Set(items(AGENT).map(({ json }) => JSON.stringify(json))).size).toBe(1);
		expect(sandbox().log).toHaveLength(1);
	});

	test('that fails ends the execution in our words, without the key', async () => {
		sandbox().setFaults([{ effect: { status: { status: 503 } } }]);
		const error = await getError({ rows: [toRow(chat('?'))] });
		expect(error.message).toMatch(/CometChat/);
		expect(error.description).toContain('Stopped after 3 attempts');
		expect(JSON.stringify(error)).not.toContain(sandbox().apiKey);
	});

	test('that has to wait for too long says so, and names no option that the node lacks', async () => {
		sandbox().setFaults([{ effect: { tooManyRequests: { seconds: 60 } } }]);
		const error = await getError({ rows: [toRow(chat('?'))] });
		expect(error.message).toBe("CometChat's rate limit was reached");
		expect(error.description).toMatch(
			/^The next attempt would have to wait 60 seconds, which is too long\. Send fewer requests/,
		);
	});

	test('of a group that the bot has not joined says so', async () => {
		sandbox().store.leaveGroup(GROUP, BOT);
		const error = await getError({ rows: [toRow(post(`<@uid:${BOT}> ?`))] });
		expect(error.message).toBe(
			'The bot is not a member of the group, so it cannot read its messages',
		);
		expect(error.description).toMatch(/^Add the bot to the group\./);
	});

	test('goes back in a busy group until the messages for the bot are complete, but not without end', async () => {
		const write = (count: number) => {
			for (let index = 0; index < count; index++) post(`Beside ${index}`);
		};
		post(`<@uid:${BOT}> Forgotten`);
		write(3_100);
		post(`<@uid:${BOT}> Old`);
		write(1_500);
		const rows = [toRow(post(`<@uid:${BOT}> ?`))];
		expect(await know({ rows })).toEqual(['user: Mira Halden: Old']);
		expect(sandbox().log).toHaveLength(4);
	});

	test('finds the end of a thread with 3,000 replies', async () => {
		const { id: parentId } = post('Topic');
		for (let index = 1; index <= 3_000; index++) post(String(index), { parentId });
		const rows = [toRow(post('?', { parentId }))];
		expect(await know({ rows, parameters: { messages: 2 } })).toEqual([
			'user: Mira Halden: Topic\n(Some replies are not shown.)\nMira Halden: 2999\nMira Halden: 3000',
		]);
		expect(sandbox().log).toHaveLength(5);
	});

	test('gives up in a thread without end, and says so', async () => {
		sandbox().setSettings({ threadPages: 'cursor', maxPerPage: 100 });
		const { id: parentId } = post('Topic');
		for (let index = 1; index <= 2_500; index++) post(String(index), { parentId });
		const rows = [toRow(post('?', { parentId }))];
		const [known = ''] = await know({ rows, parameters: { messages: 1 } });
		expect(known).toMatch(/\n\(The thread is too long\. Its latest replies are not shown\.\)$/);
	});
});

test('The memory cannot be cleared, which would look as if messages were deleted', async () => {
	const rows = [toRow(chat('Question?'))];
	const error = await getError({ rows, nodes: [botTrigger(), agent({ clears: true })] });
	expect(error.message).toBe('CometChat Chat Memory cannot be changed');
	expect(error.description).toContain('Send or delete messages with the CometChat node.');
});

test('The memory shows its call and what it returned', async () => {
	chat('Before');
	const { run } = await runAgent(sandbox(), { rows: [toRow(chat('Question?'))] });
	const [shown] = run.data.resultData.runData[MEMORY] ?? [];
	expect(shown?.inputOverride?.ai_memory).toEqual([[{ json: { action: 'loadMemoryVariables' } }]]);
	expect(shown?.data?.ai_memory).toEqual([
		[
			{
				json: {
					action: 'loadMemoryVariables',
					chatHistory: [{ role: 'user', content: 'Mira Halden: Before' }],
				},
			},
		],
	]);
});
