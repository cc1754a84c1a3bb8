import { envelope, memberEvent, sent } from './envelopes';
import { activate, deliver, expectNoCrash, itemsFrom, post } from './harness';

const SETTINGS = { watch: 'groups', groupIds: ['support'], options: { ignoreUsers: ['bot'] } };

describe('Rejects with status 400', () => {
	test.each([
		['null', 'not a JSON object'],
		['[]', 'not a JSON object'],
		[`[${JSON.stringify(sent(1))}]`, 'not a JSON object'],
		['', 'not a JSON object'],
		['{}', 'no "trigger"'],
		['{"trigger":5,"data":{}}', 'no "trigger"'],
		['{"trigger":{"toString":1},"data":{}}', 'no "trigger"'],
		[`{"trigger":"${'x'.repeat(101)}","data":{}}`, 'no "trigger"'],
		['{"trigger":"<script>","data":{}}', 'no "trigger"'],
		['{"trigger":"message_sent"}', 'no "data"'],
		['{"trigger":"message_sent","data":[]}', 'no "data"'],
	])('the body %.60s', async (body, words) => {
		const webhook = await activate();
		const answer = await post(webhook, body);
		expect(answer.status).toBe(400);
		expect(JSON.parse(answer.text).message).toContain(words);
		await webhook.idle();
		expect(webhook.executions).toEqual([]);
	});

	const old = sent(1).data.message;

	test.each([
		...['after_message', 'before_message', 'after_message_edited', 'message_sent'].map(
			(trigger): [string, unknown] => [trigger, old],
		),
		['message_read_receipt', { messageId: '5', receiptType: 'read', receiptSender: 'noor' }],
		['after_connection_status_changed', { user: { uid: 'noor' }, event: { type: 'online' } }],
	])('the older webhook format of %s', async (trigger, data) => {
		const webhook = await activate();
		const { status, text } = await deliver(webhook, { trigger, data, appId: 'x', origin: {} });
		expect(status).toBe(400);
		expect(JSON.parse(text).message).toMatch(/older kind.*Settings → Webhooks/);
		await webhook.idle();
		expect(webhook.executions).toEqual([]);
	});

	test.each(['application/xml', 'multipart/form-data', 'text/plain', ''])(
		'the content type "%s"',
		async (type) => {
			const webhook = await activate();
			expect(await expectNoCrash(webhook, JSON.stringify(sent(1)), { 'content-type': type })).toBe(
				400,
			);
			expect(webhook.executions).toEqual([]);
		},
	);
});

test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'])(
	'treats an event with the name %s as unknown',
	async (trigger) => {
		const webhook = await activate({ output: 'simplified' });
		expect(await itemsFrom(webhook, envelope(trigger, { a: 1 }))).toMatchObject([{ trigger }]);
		const chosen = await activate({ events: ['message_sent'] });
		expect(await itemsFrom(chosen, envelope(trigger, { a: 1 }))).toEqual([]);
	},
);

test('keeps prototypes unchanged, whatever keys a body contains', async () => {
	const evil = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
	const bodies = [
		`${evil},"trigger":"message_sent","data":${evil}}}`,
		`{"trigger":"message_sent","data":{"message":${evil},"id":"7","sender":"mira","data":${evil}}}}}`,
		`{"trigger":"group_member_joined","data":{"group":${evil},"guid":"support"},"members":${evil},"mira":${evil}}}}}`,
		`{"trigger":"message_reaction_added","data":{"reaction":${evil},"messageId":"1"}}}`,
	];
	for (const output of ['simplified', 'raw', 'fields']) {
		const webhook = await activate({ ...SETTINGS, output, fields: ['data', 'trigger'] });
		for (const body of bodies) await expectNoCrash(webhook, body);
	}
	expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('accepts a body of several megabytes, and a delivery with thousands of members', async () => {
	const webhook = await activate({ output: 'simplified' });
	const large = sent(1, { data: { text: 'x'.repeat(5_000_000) } });
	expect(await deliver(webhook, large)).toMatchObject({ status: 200 });
	const members = Object.fromEntries(Array.from({ length: 5_000 }, (_, id) => [`u${id}`, {}]));
	expect(await deliver(webhook, memberEvent('member_added', 'a', members))).toMatchObject({
		status: 200,
	});
	await webhook.idle();
	expect(webhook.executions.map(({ items }) => items.length)).toEqual([1, 5_000]);
});
