import type { INodeParameters } from 'n8n-workflow';

import { botProperties } from '../../../nodes/CometChat/botTrigger/properties';
import { evaluateSubtitle } from '../context';

const TYPE = 'n8n-nodes-cometchat.cometChatBotTrigger';

const bot = (value: string, cachedResultName?: string): INodeParameters => ({
	botId: { __rl: true, mode: 'list', value, ...(cachedResultName ? { cachedResultName } : {}) },
});

test.each<[string, INodeParameters]>([
	['Reminders (r): Private Messages, Mentions', bot('r', 'Reminders (r)')],
	['r: Private Messages, Mentions', bot('r')],
	['r: Private Messages', { ...bot('r'), groupMessages: 'none' }],
	['r: Private and Group Messages', { botId: 'r', groupMessages: 'allMessages' }],
	['Private Messages, Commands', { ...bot(''), groupMessages: 'slashedMessages' }],
])('The subtitle names the bot, and what it hears: %s', async (subtitle, parameters) => {
	expect(await evaluateSubtitle({ type: TYPE, parameters })).toBe(subtitle);
});

test("'Bot' says that the bot answers in the name of its user", () => {
	const [field] = botProperties.filter(({ name }) => name === 'botId');
	expect(field?.hint).toMatch(/separate user.*in this user's name/);
});
