import type { INodeParameters } from 'n8n-workflow';

import type { NewMessage } from '../../tools/sandbox/store/messages';
import { pollingProperties } from '../../nodes/CometChat/pollingTrigger/properties';
import type { ActiveTrigger } from '../../tools/n8nEngine/poll';
import { MESSAGE_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newMessages';
import { activate, errorOfPoll, started, useClockedSandbox } from './harness';

// Checking the contract of thousands of messages would take long
const sandbox = useClockedSandbox({ validate: false });

const groups = (...groupIds: string[]): INodeParameters => ({
	...{ event: 'messageSent', watch: 'groups', groupIds },
});
const users = (...userIds: string[]): INodeParameters => ({
	...{ event: 'messageSent', watch: 'users', userIds },
});
const app: INodeParameters = { event: 'messageSent', watch: 'app' };

const wait = (seconds: number) => {
	sandbox().clock.now += seconds;
};

/** Sends a message to the group lunch, unless the changes say otherwise. */
const send = (text: string, changes: Partial<NewMessage> = {}) =>
	sandbox().store.sendMessage({ sender: 'leo', receiver: 'lunch', text, ...changes });

const toUser = { receiverType: 'user' } as const;

/** Runs a poll and returns the texts in order, or undefined if the poll doesn't start the workflow. */
async function textsOfPoll(trigger: ActiveTrigger): Promise<unknown[] | undefined> {
	return (await trigger.poll())?.map(({ json }) => json.text);
}

describe('Groups', () => {
	test('start the workflow once for each later message, oldest first, and a quiet poll needs one request per group', async () => {
		send('before');
		const trigger = await started(sandbox(), groups('lunch', 'Makers'));
		wait(60);
		send('two', { receiver: 'makers' });
		wait(1);
		send('one');
		send('elsewhere', { receiver: 'all-hands' });
		expect(await textsOfPoll(trigger)).toEqual(['two', 'one']);
		sandbox().log.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox().log.map(({ path }) => path)).toEqual([
			'/v3/groups/lunch/messages',
			'/v3/groups/makers/messages',
		]);
		expect(sandbox().violations).toEqual([]);
	});

	test('are read again from 15 minutes before the latest message', async () => {
		sandbox().store.createGroup({ guid: 'new' });
		const trigger = await started(sandbox(), groups('new'));
		wait(2_000);
		const { sentAt } = send('one', { receiver: 'new' });
		expect(await textsOfPoll(trigger)).toEqual(['one']);
		sandbox().log.length = 0;
		expect(await trigger.poll()).toBeNull();
		const from = String(sentAt - MESSAGE_OVERLAP_SECONDS - 1);
		expect(sandbox().log[0].query.fromTimestamp).toBe(from);
	});

	test('return rows with the columns of Message → List', async () => {
		const trigger = await started(sandbox(), groups('lunch'));
		send('Hello', { sender: 'mira' });
		const [{ json }] = (await trigger.poll()) ?? [];
		expect(json).toMatchObject({ text: 'Hello', sender: 'mira', receiver: 'lunch', type: 'text' });
		expect(json).not.toHaveProperty('action');
	});

	test('start nothing for edits, deletions and system messages', async () => {
		const [edited, deleted] = [send('edited'), send('deleted')];
		const trigger = await started(sandbox(), groups('lunch'));
		const { store } = sandbox();
		wait(5);
		store.editMessage(edited.id, { text: 'changed' }, 'leo');
		store.deleteMessage(deleted.id, { by: 'leo' });
		store.joinGroup('lunch', 'mira');
		expect(await trigger.poll()).toBeNull();
	});

	test('find a message that moderation holds back and then releases', async () => {
		const trigger = await started(sandbox(), groups('lunch'));
		wait(60);
		const held = send('held', { moderation: { status: 'pending' } });
		wait(1);
		send('later');
		expect(await textsOfPoll(trigger)).toEqual(['later']);
		wait(MESSAGE_OVERLAP_SECONDS - 10);
		held.moderation = { status: 'approved' };
		expect(await textsOfPoll(trigger)).toEqual(['held']);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([
		[900, 100, ['held']],
		[900, 1, ['held']],
		[901, 100, undefined],
	])(
		'return a message that moderation releases after %i seconds, with pages of %i: %j',
		async (seconds, maxMessagesPerPage, texts) => {
			sandbox().setSettings({ maxMessagesPerPage });
			const trigger = await started(sandbox(), groups('lunch'));
			wait(60);
			const held = send('held', { moderation: { status: 'pending' } });
			send('in the same second');
			expect(await textsOfPoll(trigger)).toEqual(['in the same second']);
			wait(seconds);
			expect(await trigger.poll()).toBeNull();
			held.moderation = { status: 'approved' };
			expect(await textsOfPoll(trigger)).toEqual(texts);
		},
	);

	test.each([
		[2, 2, ['prepend', 'prepend', 'prepend']],
		[3, 2, ['prepend', 'prepend', 'append']],
		[3, 1, ['prepend', 'prepend', 'append', 'append']],
	])(
		'return %i messages in pages of %i with the requests %j',
		async (count, maxMessagesPerPage, affixes) => {
			sandbox().store.createGroup({ guid: 'new' });
			const trigger = await started(sandbox(), groups('new'));
			sandbox().setSettings({ maxMessagesPerPage, limitShown: 'missing', nextShown: 'always' });
			wait(60);
			for (let index = 0; index < count; index++) send(String(index), { receiver: 'new' });
			sandbox().log.length = 0;
			expect(await textsOfPoll(trigger)).toHaveLength(count);
			expect(sandbox().log.map(({ query }) => query.affix)).toEqual(affixes);
		},
	);

	test('return a burst in one second completely, and need one request again a while later', async () => {
		const { store } = sandbox();
		const trigger = await started(sandbox(), { ...groups('lunch'), options: { maxItems: 350 } });
		const texts = Array.from({ length: 650 }, (_, index) => String(index));
		for (const text of texts) store.sendMessage({ sender: 'leo', receiver: 'lunch', text });
		const found = [await textsOfPoll(trigger), await textsOfPoll(trigger)].flat();
		expect(found.slice(0, 350)).toEqual(texts.slice(0, 350));
		expect(found.map(Number).sort((a, b) => a - b)).toEqual(texts.map(Number));
		wait(MESSAGE_OVERLAP_SECONDS + 1);
		expect(await trigger.poll()).toBeNull();
		sandbox().log.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox().log).toHaveLength(1);
	});

	test.each([
		{ maxMessagesPerPage: 3, nextShown: 'never' },
		{ maxMessagesPerPage: 3, nextShown: 'always', limitShown: 'missing' },
		{ idBoundary: 'inclusive', messageIds: 'number', dateShown: 'missing' },
		{ messagesMeta: 'cursor', emptyPage: 'null', messageOrder: 'descending' },
	] as const)('return each message once with any paging: %j', async (settings) => {
		sandbox().setSettings(settings);
		sandbox().store.createGroup({ guid: '__proto__' });
		const trigger = await started(sandbox(), groups('lunch', '__proto__'));
		for (let poll = 0; poll < 4; poll++) {
			wait(400);
			for (let index = 0; index < 4; index++) {
				send(`${poll}.${index}`, index === 1 ? { receiver: '__proto__' } : {});
			}
			expect((await textsOfPoll(trigger))?.sort()).toEqual([0, 1, 2, 3].map((n) => `${poll}.${n}`));
			expect(await trigger.poll()).toBeNull();
		}
	});
});

describe('Users', () => {
	test('hear private messages and mentions by others, and nothing else', async () => {
		const trigger = await started(sandbox(), users('Mira', 'jonas'));
		send('private', { ...toUser, receiver: 'mira' });
		send('own', { ...toUser, sender: 'mira', receiver: 'leo' });
		send('mention <@uid:mira>', { receiver: 'all-hands' });
		send('own mention <@uid:mira>', { sender: 'mira', receiver: 'all-hands' });
		send('no mention', { receiver: 'all-hands' });
		send('both <@uid:mira> <@uid:jonas>', { receiver: 'all-hands' });
		send('between others', { ...toUser, receiver: 'noor' });
		send('by a watched user', { ...toUser, sender: 'mira', receiver: 'jonas' });
		expect((await textsOfPoll(trigger))?.sort()).toEqual([
			'both <@uid:mira> <@uid:jonas>',
			'by a watched user',
			'mention <@uid:mira>',
			'private',
		]);
		sandbox().log.length = 0;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox().log.map(({ headers }) => headers.onbehalfof)).toEqual(['jonas', 'mira']);
	});
});

test('a workflow that answers as an ignored user starts only for the messages of others', async () => {
	const options = { ignoreUsers: ['MIRA'] };
	const trigger = await started(sandbox(), { ...groups('lunch'), options });
	send('question');
	send('answer', { sender: 'mira' });
	expect(await textsOfPoll(trigger)).toEqual(['question']);
	expect(await trigger.poll()).toBeNull();
});

test('after failed polls, a crash and a restart, each message starts the workflow once', async () => {
	const parameters = { ...groups('lunch', 'makers'), requestOptions: { maxTries: 1 } };
	const trigger = await started(sandbox(), parameters);
	const staticData = trigger.staticData();
	wait(60);
	send('one');
	send('two', { receiver: 'makers' });
	// One of the lists is read, and the connection is lost for the other one
	sandbox().setFaults([{ match: { nth: [2] }, effect: { cutBefore: true } }]);
	await errorOfPoll(trigger);
	expect(trigger.staticData()).toBe(staticData);
	sandbox().setFaults(undefined);
	const restarted = activate(sandbox(), parameters, { staticData });
	expect(await textsOfPoll(restarted)).toEqual(['one', 'two']);
	const again = activate(sandbox(), parameters, { staticData: restarted.staticData() });
	expect(await again.poll()).toBeNull();
});

describe('Whole App', () => {
	test('hears every message, except from the app itself by default, which the option shows', async () => {
		const collection = pollingProperties.find(({ name }) => name === 'options');
		const shown = (collection?.options ?? []).find(
			(option) =>
				option.name === 'appEvents' &&
				'displayOptions' in option &&
				option.displayOptions?.show?.['/event']?.includes('messageSent'),
		);
		expect(shown).toMatchObject({ default: 'safe' });
		const added = await started(sandbox(), { ...app, options: { appEvents: 'safe' } });
		const trigger = await started(sandbox(), app);
		const always = await started(sandbox(), { ...app, options: { appEvents: 'always' } });
		send('group');
		send('private', { ...toUser, receiver: 'noor' });
		send('by the app', { sender: 'app_system' });
		expect((await textsOfPoll(trigger))?.sort()).toEqual(['group', 'private']);
		expect(await textsOfPoll(always)).toHaveLength(3);
		expect((await textsOfPoll(added))?.sort()).toEqual(['group', 'private']);
	});

	test('returns the newest messages as test events', async () => {
		for (let index = 0; index < 12; index++) send(String(index));
		const trigger = activate(sandbox(), app);
		const items = await trigger.poll('manual');
		expect(items?.map(({ json }) => json.text)).toEqual(
			Array.from({ length: 10 }, (_, index) => String(index + 2)),
		);
		expect(trigger.staticData()).toBe('{}');
	});
});

test.each([groups(), users()])(
	'refuses an empty list before a request is sent: %j',
	async (none) => {
		const error = await errorOfPoll(activate(sandbox(), none));
		expect(error.message).toMatch(/^'(Groups|Users) to Watch' is empty/);
		expect(sandbox().log).toEqual([]);
	},
);
