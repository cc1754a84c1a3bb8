import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { CONTINUE, get, group, itemsOf, message, removeReaction, run, user } from './harness';
import { OPERATIONS } from './operations';
import { json, readBody, responding, withRecorder, type Recorded, type Reply } from './recorder';

const send = (more: INodeParameters = {}) =>
	message('send', {
		receiverType: 'group',
		groupId: '={{ $json.to }}',
		userId: '={{ $json.to }}',
		text: '={{ $json.text }}',
		...more,
	});

const toUser = (onBehalfOf: string) =>
	send({ receiverType: 'user', onBehalfOf: { __rl: true, mode: 'id', value: onBehalfOf } });

const ofMember = (operation: string, more: INodeParameters = {}) =>
	group(operation, { groupId: '={{ $json.to }}', userId: '={{ $json.text }}', ...more });

const ADD = group('addMembers', { groupId: '={{ $json.to }}', uids: '={{ $json.text }}' });

const UPDATE = message('update', {
	messageId: '={{ $json.to }}',
	updateFields: { text: '={{ $json.text }}' },
});

const messagesTo = (to: string, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ to, text: `${to}-${index}` }));

/** Extracts an item's text from the item's request. */
function textOf(request: Recorded): string {
	if (request.body === undefined) return decodeURIComponent(request.url.split('/').at(-1) ?? '');
	return String((readBody(request).data as IDataObject).text);
}

/** Responds to early requests more slowly than to later requests, and counts requests in flight. */
function slowStart() {
	let inFlight = 0;
	const stats = { peakInFlight: 0 };
	const reply: Reply = (response, request, number) => {
		stats.peakInFlight = Math.max(stats.peakInFlight, ++inFlight);
		void wait(Math.max(1, 40 - 5 * number)).then(() => {
			inFlight--;
			responding({})(response, request, number);
		});
	};
	return { reply, stats };
}

test.each<[string, INodeParameters, IDataObject[]]>([
	[
		'messages to a group, with its GUID in two spellings',
		send(),
		messagesTo('lunch', 8).map((item, index) => (index % 2 ? { ...item, to: 'Lunch' } : item)),
	],
	['messages to a user', toUser('mira'), messagesTo('leo', 8)],
	[
		'messages of two users to each other',
		toUser('={{ $json.from }}'),
		messagesTo('leo', 8).map((item, index) =>
			index % 2 ? { ...item, to: 'Mira', from: 'LEO' } : { ...item, from: 'mira' },
		),
	],
])('Items send one after another, in order: %s', async (_, parameters, input) => {
	const { reply, stats } = slowStart();
	await withRecorder(reply, async (recorder) => {
		expect(await itemsOf(recorder, parameters, { input })).toHaveLength(input.length);
		expect(recorder.requests.map(textOf)).toEqual(input.map(({ text }) => text));
		expect(stats.peakInFlight).toBe(1);
	});
});

test.each(
	OPERATIONS.filter(({ wire }) => !wire.startsWith('GET')).map(({ key, paths }) => [key, paths[0]]),
)('%s changes the same target for one item after the other', async (_, { parameters }) => {
	const { reply, stats } = slowStart();
	await withRecorder(reply, async (recorder) => {
		await run(recorder, parameters, { ...CONTINUE, input: [{}, {}] });
		expect(recorder.requests.length).toBeGreaterThan(1);
		expect(stats.peakInFlight).toBe(1);
	});
});

test('Add Members sends lists with a common UID in order', async () => {
	const lists = ['ann,bob', 'bob,zoe', 'zoe', 'leo', 'ann'];
	await withRecorder(slowStart().reply, async (recorder) => {
		const input = lists.map((text) => ({ to: 'lunch', text }));
		await itemsOf(recorder, ADD, { ...CONTINUE, input });
		const sent = recorder.requests.map((request) => String(readBody(request).participants));
		// Only one list contains the user Leo, so this list doesn't wait for the other lists
		expect(sent.slice(0, 2)).toEqual(['ann,bob', 'leo']);
		expect(sent.filter((uids) => uids !== 'leo' && uids !== 'ann')).toEqual(lists.slice(0, 3));
		expect(sent.indexOf('ann')).toBeGreaterThan(0);
	});
});

test('Items keep their order after a 429 for the first item', async () => {
	const reply: Reply = (response, request, number) =>
		number === 1
			? json(response, 429, {}, { 'retry-after': '0' })
			: responding({})(response, request, number);
	await withRecorder(reply, async (recorder) => {
		const input = messagesTo('lunch', 3);
		await itemsOf(recorder, send(), { input });
		const texts = input.map(({ text }) => text);
		expect(recorder.requests.map(textOf)).toEqual([texts[0], ...texts]);
	});
});

test('Items of each target keep their order at random response times', async () => {
	const reply: Reply = (response, request, number) =>
		void wait((37 * number) % 11).then(() => responding({})(response, request, number));
	await withRecorder(reply, async (recorder) => {
		const input = Array.from({ length: 80 }, (_, index) => {
			const to = String(101 + (index % 8));
			return { to, text: `${to}-${index}` };
		});
		await itemsOf(recorder, UPDATE, { input });
		const sent = recorder.requests.map(textOf);
		const targetOf = (text: unknown) => Number(String(text).slice(0, 3));
		const byTarget = (texts: unknown[]) => [...texts].sort((a, b) => targetOf(a) - targetOf(b));
		expect(byTarget(sent)).toEqual(byTarget(input.map(({ text }) => text)));
	});
});

test('Requests are sent before the parameters of all items are read', async () => {
	let read = 0;
	const input = Array.from({ length: 300 }, (_, index) => ({
		get id() {
			read++;
			return String(index);
		},
	}));
	const readBefore: number[] = [];
	const reply: Reply = (response, request, number) => {
		readBefore.push(read);
		responding({})(response, request, number);
	};
	await withRecorder(reply, async (recorder) => {
		expect(await itemsOf(recorder, get('={{ $json.id }}'), { input })).toHaveLength(300);
	});
	expect(read).toBe(300);
	expect(readBefore[0]).toBeLessThanOrEqual(150);
});

/** Delays responses until `isComplete` returns true for the number of delayed responses. */
function holdUntil(isComplete: (held: number, number: number) => boolean): Reply {
	const held: Array<() => void> = [];
	return (response, request, number) => {
		held.push(() => responding({})(response, request, number));
		if (isComplete(held.length, number)) for (const release of held.splice(0)) release();
	};
}

test.each([
	['Send', send({ groupId: '={{ $json.text }}' })],
	['Deactivate User', user('deactivate', { userId: '={{ $json.text }}' })],
	['Remove Member', ofMember('removeMember')],
	['Ban Member', ofMember('banMember')],
	['Change Member Scope', ofMember('changeScope', { scope: 'admin' })],
	['Add Members', ADD],
	['Add Friends', user('addFriends', { userId: 'mira', uids: ['={{ $json.text }}'] })],
	['Remove Reaction', removeReaction('={{ $json.to }}', '={{ $json.text }}', '={{ $json.text }}')],
])(
	'Items for different groups, users of a group or friends send at the same time: %s',
	async (_, parameters) => {
		const input = messagesTo('101', 200);
		await withRecorder(
			// The last batch may have fewer than 40 requests
			holdUntil((held, number) => held >= 40 || number > 160),
			async (recorder) => {
				await run(recorder, parameters, { ...CONTINUE, input });
				expect(recorder.requests).toHaveLength(200);
			},
		);
	},
);

test("A user's rate limit does not delay messages of other users", async () => {
	const sent: string[] = [];
	const count = (sender: string) => sent.filter((from) => from === sender).length;
	// Rejects Mira's 61st message until all 30 messages from Leo have arrived
	const reply: Reply = (response, request, number) => {
		const from = String(request.headers.onbehalfof);
		if (from === 'mira' && count('mira') >= 60 && count('leo') < 30) {
			return json(response, 429, {}, { 'retry-after': '0.5' });
		}
		sent.push(from);
		responding({})(response, request, number);
	};
	const messagesOf = (from: string, items: number) =>
		Array.from({ length: items }, (_, index) => ({ from, to: `${from}-${index}`, text: from }));
	await withRecorder(reply, async (recorder) => {
		const input = [...messagesOf('mira', 300), ...messagesOf('leo', 30)];
		await itemsOf(recorder, send({ onBehalfOf: '={{ $json.from }}' }), { input });
		expect([count('mira'), count('leo')]).toEqual([300, 30]);
	});
});
