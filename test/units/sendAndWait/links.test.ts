import { checkWebhookUrlHasNoPath } from '../../../nodes/CometChat/sendAndWait/links';

const check = (base: string, { wait = 'webhook-waiting', rest = 'rest' } = {}) =>
	checkWebhookUrlHasNoPath(`${base}${wait}/7/node?question=1&signature=x`, `${base}${rest}`);

describe("n8n's links to a question", () => {
	test.each<[string, { wait?: string; rest?: string }]>([
		['https://chat.example.com/', {}],
		['http://127.0.0.1:5678/', {}],
		['https://chat.example.com/', { wait: 'n8n/webhook-waiting' }],
		['https://chat.example.com/', { wait: 'n8n/waiting', rest: 'api/rest' }],
		['https://chat.example.com/', { wait: 'rest/waiting' }],
	])('work with the address %s and the endpoints %j', (base, endpoints) => {
		expect(() => check(base, endpoints)).not.toThrow();
	});

	test.each<[string, { wait?: string; rest?: string }, string, string]>([
		['https://example.com/n8n/', {}, '/n8n/', 'n8n/webhook-waiting'],
		['http://localhost:5678/a/b/', {}, '/a/b/', 'a/b/webhook-waiting'],
		['https://example.com/n8n/', { wait: 'waiting' }, '/n8n/', 'n8n/waiting'],
		['https://example.com/n8n/', { wait: 'n8n/waiting' }, '/n8n/', 'n8n/waiting'],
		['https://example.com/%C3%BC/', {}, '/%C3%BC/', '%C3%BC/webhook-waiting'],
	])('are refused with the address %s and the endpoints %j', (base, endpoints, path, advised) => {
		expect(() => check(base, endpoints)).toThrow(
			expect.objectContaining({
				message: `The question was not sent, because n8n would refuse every answer: the address of this n8n has the path ${path}`,
				description: expect.stringContaining(
					`WEBHOOK_URL to ${new URL(base).origin}/ and N8N_ENDPOINT_WEBHOOK_WAIT to ${advised}, `,
				),
			}),
		);
		// n8n accepts the links of the advised set-up
		expect(() => check(`${new URL(base).origin}/`, { wait: advised })).not.toThrow();
	});
});
