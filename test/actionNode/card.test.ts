import type { INodeParameters } from 'n8n-workflow';

import { jsonOf, message, refusalOf, useSandbox } from './harness';

const sandbox = useSandbox();

/** A card as CometChat's Card Builder exports it. */
const CARD = {
	version: '1.0',
	style: { background: { light: '#FFFFFF', dark: '#1C1C1E' } },
	body: [
		{ id: 'text', type: 'text', content: 'Order 7 has shipped' },
		{
			...{ id: 'track', type: 'button', label: 'Track' },
			action: { type: 'openUrl', url: 'https://example.com/7' },
		},
	],
	fallbackText: 'Order 7 has shipped: https://example.com/7',
};

const send = (card: unknown, more: INodeParameters = {}) =>
	message('send', {
		...{ receiverType: 'group', groupId: 'all-hands', onBehalfOf: 'mira' },
		...{ messageType: 'card', text: 'Your order has shipped' },
		card: typeof card === 'string' ? card : JSON.stringify(card),
		...more,
	});

test('a card is sent as the Card Builder exports it, with the preview text', async () => {
	const [sent] = await jsonOf(sandbox(), send(CARD, { output: 'raw' }));
	expect(sent).toMatchObject({
		category: 'card',
		type: 'card',
		data: { text: 'Your order has shipped', card: CARD },
	});
});

test('an expression fills the placeholders of a card', async () => {
	const template = JSON.stringify(CARD).replaceAll('Order 7', 'Order {{ $json.order }}');
	const [sent] = await jsonOf(sandbox(), send(`=${template}`, { output: 'raw' }), {
		input: [{ order: 12 }],
	});
	expect(JSON.stringify(sent)).toContain('"content":"Order 12 has shipped"');
});

/** Creates a card whose JSON has a number of bytes. Each ü takes two. */
function createCard(bytes: number) {
	const empty = { body: [{ content: '' }] };
	const missing = bytes - JSON.stringify(empty).length;
	return { body: [{ content: 'ü'.repeat(missing / 2) + 'x'.repeat(missing % 2) }] };
}

test.each([
	[
		'JSON that is broken',
		'{"version": "1.0", "body": [',
		/^'Card' is not valid JSON: the error is in line 1/,
	],
	['a list', [CARD], /^'Card' must be a JSON object/],
	['no card', '', /^'Card' is empty/],
	['a card without a body', { version: '1.0' }, /^'Card' has no "body"$/],
	['a card with an empty body', { body: [] }, /^'Card' must have a list of elements in "body"/],
	['a card whose body is a text', { body: 'x' }, /^'Card' must have a list of elements in "body"/],
	[
		'a card of more than 10 KB',
		createCard(10_241),
		/^'Card' is larger than 10 KB: it has 10,241 bytes/,
	],
])('%s is refused before anything is sent', async (_what, card, expected) => {
	expect((await refusalOf(sandbox(), send(card))).message).toMatch(expected);
});

test('a card of exactly 10 KB is sent', async () => {
	const [{ type }] = await jsonOf(sandbox(), send(createCard(10_240)));
	expect(type).toBe('card');
});
