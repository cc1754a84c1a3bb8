import type { INodeParameters } from 'n8n-workflow';

import { cometChat, workflow } from '../../tools/n8nEngine/draft';
import { runWorkflow } from '../../tools/n8nEngine/engine';
import type { Instance } from '../../tools/n8nEngine/activation';
import type { NewMessage } from '../../tools/sandbox/store/messages';
import { credentialsOf } from '../actionNode/harness';
import { botWorkflow, startN8n, useBotSandbox } from './harness';

const sandbox = useBotSandbox();

/** Maximum number of messages to answer, so that a test of endless answers ends. */
const MAX_ANSWERS = 30;

/** A bot, and the n8n that its workflow runs in. */
interface Answerer {
	uid: string;
	n8n: Instance;
}

/** Makes each user a bot in an n8n of its own, and adds the bots to a group. */
async function startBots(uids: string[], parameters: INodeParameters): Promise<Answerer[]> {
	const { store } = sandbox();
	store.createGroup({ guid: 'bots', name: 'Bots', owner: 'mira' });
	const bots: Answerer[] = [];
	for (const uid of uids) {
		if (!store.people.has(uid)) store.people.create({ uid, name: uid });
		store.addMembers('bots', [{ uid, scope: 'participant' }]);
		const n8n = await startN8n({ instanceId: `n8n of ${uid}` });
		await n8n.publish(botWorkflow({ botId: uid, ...parameters }, uid));
		bots.push({ uid, n8n });
	}
	return bots;
}

/** Runs the workflows of the bots on each message that they hear, until no bot hears another one. */
async function answerAll(bots: Answerer[], text: string): Promise<string[]> {
	const seen = new Map<Answerer, number>();
	const answers: string[] = [];
	for (let isQuiet = false; !isQuiet && answers.length < MAX_ANSWERS;) {
		await sandbox().webhooks.idle();
		isQuiet = true;
		for (const bot of bots) {
			const { executions } = bot.n8n;
			const fresh = executions.slice(seen.get(bot) ?? 0);
			seen.set(bot, executions.length);
			for (const { items } of fresh) {
				isQuiet = false;
				const { node } = botWorkflow({ botId: bot.uid }, bot.uid);
				const answer = cometChat('1', { resource: 'message', operation: 'answer', text });
				const { error } = await runWorkflow(workflow('Bot', [node, answer]), {
					credentials: credentialsOf(sandbox()),
					...{ trigger: node.name, input: items.map(({ json }) => json) },
				});
				expect(error).toBeUndefined();
				answers.push(bot.uid);
			}
		}
	}
	return answers.sort();
}

const BOTS = ['bot-a', 'bot-b', 'bot-c'];

const MENTION_ALL = BOTS.map((uid) => `<@uid:${uid}>`).join(' ');

const IN_GROUP = { receiver: 'bots', receiverType: 'group' } as const;

type Case = [
	name: string,
	parameters: INodeParameters,
	message: Partial<NewMessage>,
	answers: string[],
];

describe.each([
	[true, 'which relays the messages of bots to bots'],
	[false, 'which relays no messages of bots to bots'],
])('With botsHearBots %s, %s,', (botsHearBots) => {
	test.each<Case>([
		['All', { groupMessages: 'allMessages' }, { ...IN_GROUP, text: 'Hello' }, BOTS],
		['Mentions of the Bot', {}, { ...IN_GROUP, text: `Hello ${MENTION_ALL}` }, BOTS],
		['Mentions of the Bot', {}, { ...IN_GROUP, text: 'Hello <@uid:bot-b>' }, ['bot-b']],
		['Slash Commands', { groupMessages: 'slashedMessages' }, { ...IN_GROUP, text: '/hi' }, BOTS],
		['None', { groupMessages: 'none' }, { receiver: 'bot-a', receiverType: 'user' }, ['bot-a']],
	])(
		'with Group Messages %s, each bot answers a person once: %j %j',
		async (_name, parameters, message, answers) => {
			sandbox().setSettings({ botsHearBots });
			const bots = await startBots(BOTS, parameters);
			sandbox().store.sendMessage({ sender: 'mira', ...IN_GROUP, text: 'Hi', ...message });
			// Each answer mentions all bots, and is a command
			expect(await answerAll(bots, `/answer ${MENTION_ALL}`)).toEqual(answers);
		},
	);

	test('a message that a bot sends by itself gets one answer at most', async () => {
		sandbox().setSettings({ botsHearBots });
		const bots = await startBots(BOTS, {});
		const message = { receiver: 'bot-a', receiverType: 'user', text: 'The report' } as const;
		sandbox().store.sendMessage({ sender: 'bot-b', ...message });
		expect(await answerAll(bots, 'Thanks')).toEqual(botsHearBots ? ['bot-a'] : []);
	});
});

test('Ignored User Names or IDs end what bots of another kind would go on with', async () => {
	const parameters = { groupMessages: 'allMessages', options: { ignoreUsers: BOTS } };
	const bots = await startBots(BOTS, parameters);
	sandbox().store.sendMessage({ sender: 'bot-b', ...IN_GROUP, text: 'Not by Answer' });
	sandbox().store.sendMessage({ sender: 'mira', ...IN_GROUP, text: 'By a person' });
	expect(await answerAll(bots, 'Hello')).toEqual(BOTS);
});
