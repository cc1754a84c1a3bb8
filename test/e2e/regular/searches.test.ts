import { COMMON_EVENTS, MORE_EVENTS } from '../lib/eventLabels';
import { useEditor, useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const editor = useEditor(system);

beforeEach(async () => {
	await editor().newWorkflow();
	await editor().openNodeCreator();
});

/** Search phrases that must show the node among the first results. */
const PHRASES: Array<[what: string, node: string, places: number, phrases: string[]]> = [
	[
		'common phrases',
		'CometChat',
		9,
		[
			...['comet chat', 'chat', 'messaging', 'real time', 'emoji', 'new message'],
			...['direct message', 'private message', 'thread', 'mention', 'user mentioned'],
			...['member joined', 'post message', 'edit message', 'delete message'],
			...['search messages', 'list messages', 'add reaction', 'reaction'],
			...['list groups', 'group', 'create group', 'add members', 'invite', 'kick', 'ban'],
			...['moderator', 'moderation', 'reported messages', 'block user', 'add user', 'sign up'],
			...['welcome', 'create user', 'approve'],
			...['ban user', 'chat message', 'group chat', 'push notification', 'unread', 'user joined'],
			...['add user to group', 'ask for approval', 'export messages', 'chat history'],
			...['send message to user', 'invite user', 'notify user', 'welcome message'],
			...['send chat message', 'conversation', 'thumbs down', 'joined groups', 'groups of user'],
		],
	],
	[
		'words that people combine',
		'CometChat',
		9,
		[
			...['webhook', 'cometchat message', 'cometchat webhook', 'card', 'upload', 'upload file'],
			...['send file', 'send image', 'auto reply', 'quote message', 'live chat', 'support chat'],
			...['read receipt', 'online status', 'missed call', 'user left', 'bot', 'chatbot'],
		],
	],
	[
		'messages without webhook',
		'CometChat Polling',
		9,
		['messages without webhook', 'poll messages'],
	],
	['messages to a bot', 'CometChat Bot Trigger', 9, ['message to bot', 'slash command']],
	['answers of bots', 'CometChat', 9, ['answer', 'reply', 'respond', 'answer message']],
	['common events', 'CometChat', 9, COMMON_EVENTS.slice(1)],
	['other events', 'CometChat', 9, MORE_EVENTS],
	// n8n shows a trigger's name without the word "Trigger"
	['reports', 'CometChat Polling', 9, ['message reported', 'reported']],
	// n8n has several nodes of its own that wait for a person
	['waiting for people', 'CometChat', 20, ['approval', 'human', 'wait', 'form']],
];

test.each(PHRASES)(
	"The editor's panel of nodes, searched for %s, shows %s among the first %i results",
	async (_what, node, places, phrases) => {
		const missed: string[] = [];
		for (const phrase of phrases) {
			const names = await editor().listFound(phrase, node);
			if (!names.slice(0, places).includes(node)) missed.push(`${phrase}: ${names.join(', ')}`);
		}
		expect(phrases).not.toEqual([]);
		expect(missed).toEqual([]);
	},
	240_000,
);
