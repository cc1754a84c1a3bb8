import type { INodeParameters } from 'n8n-workflow';

import type { FaultEffect } from '../../tools/sandbox/server';
import type { NewMessage } from '../../tools/sandbox/store/messages';
import type { ActivationOptions, ActiveTrigger } from '../../tools/n8nEngine/poll';
import { activate, errorOfPoll, started, useClockedSandbox } from './harness';

// Checking the contract of many messages would take long
const sandbox = useClockedSandbox({ validate: false });

const groups = (...groupIds: string[]): INodeParameters => ({
	...{ event: 'messageSent', watch: 'groups', groupIds },
});
const users = (...userIds: string[]): INodeParameters => ({
	...{ event: 'messageSent', watch: 'users', userIds },
});

const send = (text: string, receiver: string, changes: Partial<NewMessage> = {}) =>
	sandbox().store.sendMessage({ sender: 'leo', receiver, text, ...changes });

const write = (text: string, receiver: string) => send(text, receiver, { receiverType: 'user' });

const wait = (seconds: number) => {
	sandbox().clock.now += seconds;
};

/** Runs a poll and returns the texts in order, or undefined if the poll doesn't start the workflow. */
async function textsOfPoll(trigger: ActiveTrigger): Promise<unknown[] | undefined> {
	return (await trigger.poll())?.map(({ json }) => json.text);
}

/** Activates the trigger with other parameters and the same state. */
const change = (
	trigger: ActiveTrigger,
	parameters: INodeParameters,
	options: Partial<ActivationOptions> = {},
) => activate(sandbox(), parameters, { staticData: trigger.staticData(), ...options });

const refusal = (status: number, code: string): FaultEffect => ({
	status: { status, body: { error: { code, message: 'Refused' } } },
});

/** Makes CometChat refuse the requests for a path. */
const refuse = (path: string, status: number, code: string) =>
	sandbox().setFaults([{ match: { path }, effect: refusal(status, code) }]);

const descriptionOf = (error: Error): unknown => Reflect.get(error, 'description');

describe('A group or user that CometChat does not know', () => {
	test.each<[string, INodeParameters, string, () => void, () => void]>([
		[
			'deleted group',
			groups('brand', 'lunch', 'makers'),
			'brand',
			() => sandbox().store.deleteGroup('brand'),
			() => sandbox().store.createGroup({ guid: 'brand' }),
		],
		[
			'deactivated user',
			users('felix', 'mira'),
			'felix',
			() => sandbox().store.people.deactivate('felix'),
			() => sandbox().store.people.deactivate('felix', false),
		],
	])(
		'is left out and named once in the log: a %s; the others start the workflow',
		async (_, parameters, gone, remove, restore) => {
			const warnings: string[] = [];
			const trigger = await started(sandbox(), parameters, {
				onWarning: (text) => warnings.push(text),
			});
			const other = parameters.watch === 'groups' ? 'lunch' : 'mira';
			const sendTo = parameters.watch === 'groups' ? send : write;
			remove();
			wait(60);
			sendTo('meanwhile', other);
			expect(await textsOfPoll(trigger)).toEqual(['meanwhile']);
			expect(await trigger.poll()).toBeNull();
			expect(warnings).toEqual([
				expect.stringMatching(
					new RegExp(`^Polls leave out "${gone}" until .* replied: .*not exist`, 'i'),
				),
			]);
			wait(4_000);
			restore();
			sendTo('back', gone);
			expect(await textsOfPoll(trigger)).toEqual(['back']);
			remove();
			sendTo('later', other);
			expect(await textsOfPoll(trigger)).toEqual(['later']);
			expect(warnings).toHaveLength(2);
		},
	);

	test.each(['ERR_GROUP_NOT_JOINED', 'ERR_BANNED_GROUPMEMBER', 'ERR_PERMISSION_DENIED'])(
		'continues where it was, without repeats, after a refusal with %s',
		async (code) => {
			const trigger = await started(sandbox(), groups('lunch', 'makers'));
			wait(60);
			send('before', 'lunch');
			expect(await textsOfPoll(trigger)).toEqual(['before']);
			refuse('/v3/groups/lunch/', 403, code);
			wait(4_000);
			send('refused', 'lunch');
			send('other', 'makers');
			expect(await textsOfPoll(trigger)).toEqual(['other']);
			wait(90_000);
			sandbox().setFaults(undefined);
			expect(await textsOfPoll(trigger)).toEqual(['refused']);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('does not repeat a message that started the workflow for another user meanwhile', async () => {
		const trigger = await started(sandbox(), users('jonas', 'mira'));
		sandbox().store.people.deactivate('jonas');
		wait(60);
		send('both <@uid:jonas> <@uid:mira>', 'all-hands');
		send('only <@uid:jonas>', 'all-hands');
		expect(await trigger.poll()).toHaveLength(1);
		wait(90_000);
		expect(await trigger.poll()).toBeNull();
		sandbox().store.people.deactivate('jonas', false);
		expect(await textsOfPoll(trigger)).toEqual(['only <@uid:jonas>']);
		expect(await trigger.poll()).toBeNull();
	});

	test.each<[string, INodeParameters, () => void, string, string]>([
		[
			'the only group',
			groups('brand'),
			() => sandbox().store.deleteGroup('brand'),
			'No group has this ID (GUID)',
			"Check 'Groups to Watch'. CometChat replied: The GUID brand does not exist (ERR_GUID_NOT_FOUND).",
		],
		[
			'all users',
			users('felix', 'mira'),
			() => ['felix', 'mira'].forEach((uid) => sandbox().store.people.deactivate(uid)),
			'No active user has this UID',
			"Check 'Users to Watch'. CometChat replied: The UID felix does not exist, please make sure you have created a user with UID felix (ERR_UID_NOT_FOUND). CometChat refused felix and mira.",
		],
	])(
		'ends the poll with an error that names the field if it is %s',
		async (_, parameters, remove, message, description) => {
			const trigger = await started(sandbox(), parameters);
			remove();
			const before = trigger.staticData();
			const error = await errorOfPoll(trigger);
			expect([error.message, descriptionOf(error)]).toEqual([message, description]);
			expect(trigger.staticData()).toBe(before);
			const refused = await errorOfPoll(activate(sandbox(), parameters));
			expect(refused.message).toBe(`${message}. ${description}`);
		},
	);

	test('is counted instead of named after the tenth', async () => {
		const guids = Array.from({ length: 12 }, (_, index) => `unknown-${index + 1}`);
		const error = await errorOfPoll(activate(sandbox(), groups(...guids)));
		const named = guids.toSorted().slice(0, 10).join(', ');
		expect(error.message).toContain(`CometChat refused ${named}, and 2 more.`);
	});

	test.each<[string, FaultEffect]>([
		['refusal with an unknown code', refusal(403, 'ERR_GROUP_NO_ACCESS')],
		['missing group with an unknown code', refusal(404, 'ERR_GROUP_NOT_FOUND')],
		['rejected value', refusal(400, 'ERR_BAD_REQUEST')],
		['refusal without a code', { status: { status: 404, body: '' } }],
		['server error', refusal(500, 'ERR_EXCEPTION')],
		['failing gateway', { status: { status: 503 } }],
		['web page', { html: true }],
		['broken response', { brokenJson: true }],
	])('is left out and keeps its position after a %s', async (_, effect) => {
		const warnings: string[] = [];
		const options = { requestOptions: { maxTries: 1 } };
		const trigger = await started(
			sandbox(),
			{ ...groups('lunch', 'makers', 'brand'), ...options },
			{ onWarning: (text) => warnings.push(text) },
		);
		wait(60);
		send('waiting', 'lunch');
		send('one', 'makers');
		sandbox().setFaults([{ match: { path: '/v3/groups/lunch/' }, effect }]);
		expect(await textsOfPoll(trigger)).toEqual(['one']);
		expect(await trigger.poll()).toBeNull();
		expect(warnings).toEqual([expect.stringMatching(/^Polls leave out "lunch" until /)]);
		wait(90_000);
		sandbox().setFaults(undefined);
		expect(await textsOfPoll(trigger)).toEqual(['waiting']);
		expect(await trigger.poll()).toBeNull();
	});

	test.each<[string, FaultEffect, RegExp]>([
		['rate limit', { tooManyRequests: { seconds: 600 } }, /rate limit/i],
		['lost connection', { cutBefore: true }, /connection/i],
		['wrong key', { status: { status: 401 } }, /REST API Key/],
		['refused key', refusal(403, 'AUTH_ERR_APIKEY_NOT_FOUND'), /REST API Key/],
	])('does not hide a %s: the poll ends, and the next one starts over', async (_, effect, text) => {
		const options = { requestOptions: { maxTries: 1 } };
		const trigger = await started(sandbox(), { ...groups('lunch', 'makers'), ...options });
		const before = trigger.staticData();
		send('one', 'makers');
		sandbox().setFaults([{ match: { path: '/v3/groups/lunch/' }, effect }]);
		const error = await errorOfPoll(trigger);
		expect(`${error.message} ${String(descriptionOf(error))}`).toMatch(text);
		expect(trigger.staticData()).toBe(before);
		sandbox().setFaults(undefined);
		expect(await textsOfPoll(trigger)).toEqual(['one']);
	});

	test('has its API key removed from the log', async () => {
		const warnings: string[] = [];
		sandbox().setFaults([
			{ match: { path: '/v3/groups/lunch/' }, effect: { echoKey: { status: 403, code: 'ERR_X' } } },
		]);
		const onWarning = (text: string) => warnings.push(text);
		await activate(sandbox(), groups('lunch', 'makers'), { onWarning }).poll();
		expect(warnings).toEqual([expect.stringContaining('**********')]);
		expect(warnings[0]).not.toContain(sandbox().apiKey);
	});

	test('is left out of the test events, too', async () => {
		const warnings: string[] = [];
		send('one', 'lunch');
		const trigger = activate(sandbox(), groups('unknown', 'lunch'), {
			onWarning: (text) => warnings.push(text),
		});
		const items = await trigger.poll('manual');
		expect(items?.at(-1)?.json.text).toBe('one');
		expect(warnings).toHaveLength(1);
	});
});

describe('A changed list of groups or users', () => {
	test('loses no message of the groups that stay, and starts added groups afresh', async () => {
		const trigger = await started(sandbox(), groups('lunch', 'makers'));
		wait(60);
		send('done', 'makers');
		expect(await textsOfPoll(trigger)).toEqual(['done']);
		wait(3_600);
		send('waiting', 'makers');
		send('lost', 'lunch');
		send('early', 'all-hands');
		const changed = change(trigger, groups('all-hands', 'makers'));
		expect(await textsOfPoll(changed)).toEqual(['waiting']);
		send('new', 'all-hands');
		expect(await textsOfPoll(changed)).toEqual(['new']);
		const added = change(changed, groups('all-hands', 'makers', 'lunch'));
		expect(await added.poll()).toBeNull();
		send('again', 'lunch');
		expect(await textsOfPoll(added)).toEqual(['again']);
	});

	test('returns a message for a user that stays although an added user starts afresh with it', async () => {
		const trigger = await started(sandbox(), users('mira'));
		wait(60);
		send('both <@uid:jonas> <@uid:mira>', 'all-hands');
		send('only <@uid:jonas>', 'all-hands');
		const changed = change(trigger, users('jonas', 'mira'));
		expect(await textsOfPoll(changed)).toEqual(['both <@uid:jonas> <@uid:mira>']);
		expect(await changed.poll()).toBeNull();
	});

	test('does not repeat a message for an added user who sees the message later', async () => {
		const trigger = await started(sandbox(), users('mira'));
		sandbox().store.leaveGroup('all-hands', 'jonas');
		send('both <@uid:jonas> <@uid:mira>', 'all-hands');
		expect(await trigger.poll()).toHaveLength(1);
		const changed = change(trigger, users('jonas', 'mira'));
		expect(await changed.poll()).toBeNull();
		sandbox().store.joinGroup('all-hands', 'jonas');
		expect(await changed.poll()).toBeNull();
	});

	test.each([
		['users with the same IDs', users('lunch', 'mira')],
		['the whole app', { event: 'messageSent', watch: 'app' }],
	])('starts afresh with %s', async (_, parameters) => {
		sandbox().store.people.create({ uid: 'lunch', name: 'Lunch' });
		const trigger = await started(sandbox(), groups('lunch'));
		wait(60);
		send('early <@uid:mira>', 'all-hands');
		write('early', 'lunch');
		expect(await change(trigger, parameters).poll()).toBeNull();
	});
});

test('after n8n was down for a day, each message starts the workflow once, oldest first', async () => {
	const parameters = { ...groups('lunch', 'makers'), options: { maxItems: 1_500 } };
	const trigger = await started(sandbox(), parameters);
	const texts = Array.from({ length: 2_400 }, (_, index) => String(index));
	for (const text of texts) {
		wait(36);
		send(text, Number(text) % 3 === 0 ? 'makers' : 'lunch');
	}
	const restarted = change(trigger, parameters);
	expect(await textsOfPoll(restarted)).toEqual(texts.slice(0, 1_500));
	expect(await textsOfPoll(restarted)).toEqual(texts.slice(1_500));
	expect(await restarted.poll()).toBeNull();
});

test('a mention of all is for the watched users who have joined the group, except the sender', async () => {
	// Jonas, Mira and Noor are members of All Hands; only Jonas is a member of Frontend
	const trigger = await started(sandbox(), users('jonas', 'mira'));
	const single = await started(sandbox(), users('mira'));
	send('all <@all:all>', 'all-hands');
	send('jonas <@all:all>', 'frontend');
	send('nobody <@all:all>', 'makers');
	send('own <@all:all>', 'all-hands', { sender: 'mira' });
	send('private <@all:all>', 'noor', { receiverType: 'user', sender: 'mira' });
	expect(await textsOfPoll(trigger)).toEqual([
		'all <@all:all>',
		'jonas <@all:all>',
		'own <@all:all>',
	]);
	expect(await textsOfPoll(single)).toEqual(['all <@all:all>']);
	expect(await trigger.poll()).toBeNull();
});

describe('A missing test event', () => {
	const clear = () => sandbox().store.messages.remove(() => true);

	test.each<[string, INodeParameters, () => void, string, string]>([
		[
			'groups without messages',
			groups('lunch', 'makers'),
			clear,
			"The groups in 'Groups to Watch' have no messages yet",
			"Send a message to one of these groups as a user, or change 'Groups to Watch' or 'Watch'.",
		],
		[
			'users without messages',
			users('yuki'),
			clear,
			"The users in 'Users to Watch' have no private messages and no mentions yet",
			"Write to one of these users as another user, or change 'Users to Watch' or 'Watch'.",
		],
		[
			'an app without messages',
			{ event: 'messageSent', watch: 'app' },
			clear,
			'The app has no messages yet',
			"Send a message as a user, or change 'Watch'.",
		],
		[
			'messages that cannot start the workflow',
			{ ...groups('lunch'), options: { ignoreUsers: ['leo'] } },
			() => {
				clear();
				send('ignored', 'lunch');
				send('by the app', 'lunch', { sender: 'app_system' });
			},
			'The newest messages are by the app itself or by ignored users',
			"Send a message as another user, or change 'Ignored User Names or IDs' or 'Events Caused by the App Itself' under Options.",
		],
	])('is explained: %s', async (_, parameters, prepare, message, description) => {
		prepare();
		const missing = activate(sandbox(), parameters).poll('manual');
		await expect(missing).rejects.toMatchObject({ message, description });
	});
});
