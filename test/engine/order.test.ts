import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { errorOf, itemsOf, removeReaction, run } from './harness';
import { json, responding, withRecorder, type Recorded, type Reply } from './recorder';

const SEND: INodeParameters = {
	resource: 'message',
	operation: 'send',
	receiverType: '={{ $json.type ?? "group" }}',
	groupId: '={{ $json.to }}',
	userId: '={{ $json.to }}',
	text: '={{ $json.text }}',
};

const REMOVE: INodeParameters = {
	resource: 'group',
	operation: 'removeMember',
	groupId: '={{ $json.to }}',
	userId: '={{ $json.text }}',
};

const DEACTIVATE: INodeParameters = {
	resource: 'user',
	operation: 'deactivate',
	userId: '={{ $json.to }}',
};

const messagesTo = (to: string, count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ to, text: `${to}-${index}` }));

function textOf({ url, body }: Recorded): string {
	if (body === undefined) return decodeURIComponent(url.split('/').at(-1) ?? '');
	const { data, uidsToDeactivate } = JSON.parse(body) as IDataObject;
	return String(uidsToDeactivate ?? (data as IDataObject).text);
}

/** Responds the later the earlier a request came, and tells how many were under way at once. */
function slowest(first: number) {
	let underWay = 0;
	const state = { most: 0 };
	const reply: Reply = (response, request, number) => {
		state.most = Math.max(state.most, ++underWay);
		void wait(Math.max(1, first - 5 * number)).then(() => {
			underWay--;
			responding({})(response, request, number);
		});
	};
	return { reply, state };
}

const BAN: INodeParameters = { ...REMOVE, operation: 'banMember' };

const SCOPE: INodeParameters = { ...REMOVE, operation: 'changeScope', scope: 'admin' };

const ADD: INodeParameters = {
	resource: 'group',
	operation: 'addMembers',
	groupId: '={{ $json.to }}',
	uids: '={{ $json.text }}',
};

const react = (onBehalfOf: string) =>
	removeReaction('={{ $json.to }}', '={{ $json.text }}', onBehalfOf);

const UPDATE: INodeParameters = {
	resource: 'message',
	operation: 'update',
	messageId: '={{ $json.to }}',
	updateFields: { text: '={{ $json.text }}' },
};

/** Messages of two people to each other, by turns. */
const DIALOGUE = messagesTo('leo', 8).map((item, index) =>
	index % 2 ? { ...item, to: 'Mira', from: 'LEO' } : { ...item, from: 'mira' },
);

const SAME: Array<[string, INodeParameters, IDataObject[]]> = [
	['messages to a group', SEND, messagesTo('lunch', 8)],
	[
		'messages to a group, whose GUID is written in two ways',
		SEND,
		messagesTo('lunch', 8).map((item, index) => (index % 2 ? { ...item, to: 'Lunch' } : item)),
	],
	['messages to a user', { ...SEND, receiverType: 'user' }, messagesTo('leo', 8)],
	[
		'messages of two users to each other',
		{ ...SEND, receiverType: 'user', onBehalfOf: '={{ $json.from }}' },
		DIALOGUE,
	],
	['edits of a message', UPDATE, messagesTo('101', 8)],
	['reactions of a user to a message', react('mira'), messagesTo('101', 8)],
];

describe('What changes the same thing', () => {
	test.each(SAME)(
		'goes one after another in the order of the items: %s',
		async (_, parameters, input) => {
			const { reply, state } = slowest(40);
			await withRecorder(reply, async (recorder) => {
				expect(await itemsOf(recorder, parameters, { input })).toHaveLength(input.length);
				expect(recorder.requests.map(textOf)).toEqual(input.map(({ text }) => text));
				expect(state.most).toBe(1);
			});
		},
	);

	test('goes in order although it is one of many: members of a group, added and added again', async () => {
		const { reply } = slowest(40);
		const lists = ['ann,bob', 'bob,zoe', 'zoe', 'leo', 'ann'];
		await withRecorder(reply, async (recorder) => {
			const input = lists.map((text) => ({ to: 'lunch', text }));
			await itemsOf(recorder, ADD, { input, onError: 'continueRegularOutput' });
			const sent = recorder.requests.map(({ body = '' }) => {
				const { participants } = JSON.parse(body) as { participants: string[] };
				return participants.join();
			});
			// Leo waits for nobody
			expect(sent.slice(0, 2)).toEqual(['ann,bob', 'leo']);
			expect(sent.filter((uids) => uids !== 'leo' && uids !== 'ann')).toEqual(lists.slice(0, 3));
			expect(sent.indexOf('ann')).toBeGreaterThan(0);
		});
	});

	test('keeps its order when the rate limit refuses the first', async () => {
		const reply: Reply = (response, request, number) =>
			number === 1
				? json(response, 429, {}, { 'retry-after': '0' })
				: responding({})(response, request, number);
		await withRecorder(reply, async (recorder) => {
			const input = messagesTo('lunch', 3);
			await itemsOf(recorder, SEND, { input });
			const texts = input.map(({ text }) => text);
			expect(recorder.requests.map(textOf)).toEqual([texts[0], ...texts]);
		});
	});

	test.each([
		['messages of a conversation', SEND],
		['edits of a message', UPDATE],
	])('keeps its order whenever the responses come: %s', async (_, parameters) => {
		const reply: Reply = (response, request, number) =>
			void wait((37 * number) % 11).then(() => responding({})(response, request, number));
		await withRecorder(reply, async (recorder) => {
			// Eighty, of eight things by turns
			const input = Array.from({ length: 80 }, (__, index) => ({
				to: String(101 + (index % 8)),
				text: `${101 + (index % 8)}-${index}`,
			}));
			await itemsOf(recorder, parameters, { input });
			const ofThing = (to: string, all: string[]) => all.filter((text) => text.startsWith(to));
			const [sent, asked] = [recorder.requests.map(textOf), input.map(({ text }) => text)];
			for (let to = 101; to < 109; to++) {
				expect(ofThing(`${to}`, sent)).toEqual(ofThing(`${to}`, asked));
			}
		});
	});
});

test.each([
	['messages', SEND, ['101-0', 'lunch-0', 'makers-0']],
	['users', DEACTIVATE, ['101', 'lunch', 'makers']],
])('What changes different things goes side by side: %s', async (_, parameters, first) => {
	const input = [...messagesTo('lunch', 2), ...messagesTo('makers', 2), ...messagesTo('101', 2)];
	const held: Array<() => void> = [];
	const reply: Reply = (response, request, number) => {
		held.push(() => responding({})(response, request, number));
		// Nothing is answered before something of each target has come
		if (held.length === 3) for (const release of held.splice(0)) release();
	};
	await withRecorder(reply, async (recorder) => {
		expect(await itemsOf(recorder, parameters, { input })).toHaveLength(6);
		expect(recorder.requests.slice(0, 3).map(textOf).sort()).toEqual(first);
	});
});

test.each([
	['Remove Member', REMOVE],
	['Ban Member', BAN],
	['Change Member Scope', SCOPE],
	['Add Members, one at a time', ADD],
	['reactions of different users to a message', react('={{ $json.text }}')],
])('What changes different people of one group goes side by side: %s', async (_, parameters) => {
	const input = messagesTo('101', 200);
	const held: Array<() => void> = [];
	const reply: Reply = (response, request, number) => {
		held.push(() => responding({})(response, request, number));
		// Forty wait for each other; what is left at the end is fewer
		if (held.length >= 40 || number > 160) for (const release of held.splice(0)) release();
	};
	await withRecorder(reply, async (recorder) => {
		await run(recorder, parameters, { input, onError: 'continueRegularOutput' });
		expect(recorder.requests).toHaveLength(200);
	});
});

test('A user who may send no more holds up nobody else, wherever their items are', async () => {
	const sent: string[] = [];
	const count = (user: string) => sent.filter((from) => from === user).length;
	// Mira's 61st message is refused until all of Leo's are in
	const reply: Reply = (response, request, number) => {
		const from = String(request.headers.onbehalfof);
		if (from === 'mira' && count('mira') >= 60 && count('leo') < 30) {
			return json(response, 429, {}, { 'retry-after': '0.5' });
		}
		sent.push(from);
		responding({})(response, request, number);
	};
	const of = (from: string, items: number) =>
		Array.from({ length: items }, (_, index) => ({ from, to: `${from}-${index}`, text: from }));
	await withRecorder(reply, async (recorder) => {
		const parameters = { ...SEND, receiverType: 'group', onBehalfOf: '={{ $json.from }}' };
		await itemsOf(recorder, parameters, { input: [...of('mira', 300), ...of('leo', 30)] });
		expect([count('mira'), count('leo')]).toEqual([300, 30]);
	});
});

test('The error of a run of one item says nothing of others', async () => {
	await withRecorder(
		(response) => json(response, 400, {}),
		async (recorder) => {
			const { description } = await errorOf(recorder, SEND, { input: messagesTo('lunch', 1) });
			expect(description).not.toMatch(/completed|not started/);
		},
	);
});
