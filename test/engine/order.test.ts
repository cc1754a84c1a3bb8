import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { errorOf, itemsOf, removeReaction } from './harness';
import type { Recorded, Reply } from './recorder';
import { json, responding, withRecorder } from './recorder';

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

const SAME: Array<[string, INodeParameters, IDataObject[]]> = [
	['messages to a group', SEND, messagesTo('lunch', 8)],
	[
		'messages to a group, whose GUID is written in two ways',
		SEND,
		messagesTo('lunch', 8).map((item, index) => (index % 2 ? { ...item, to: 'Lunch' } : item)),
	],
	['messages to a user', SEND, messagesTo('leo', 8).map((item) => ({ ...item, type: 'user' }))],
	[
		'reactions to a message',
		removeReaction('={{ $json.to }}', '={{ $json.text }}', 'mira'),
		messagesTo('101', 8),
	],
	['members of a group', REMOVE, messagesTo('lunch', 8)],
];

describe('What changes the same target', () => {
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
});

test.each([
	['messages', SEND, ['101-0', 'lunch-0', 'makers-0']],
	['users', DEACTIVATE, ['101', 'lunch', 'makers']],
])('What changes different targets goes side by side: %s', async (_, parameters, first) => {
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

test('The error of a run of one item says nothing of others', async () => {
	await withRecorder(
		(response) => json(response, 400, {}),
		async (recorder) => {
			const { description } = await errorOf(recorder, SEND, { input: messagesTo('lunch', 1) });
			expect(description).not.toMatch(/carried out|not started/);
		},
	);
});
