import { checkWebhookUrl } from '../../../nodes/CometChat/botTrigger/address';
import { botIdField } from '../../../nodes/CometChat/botTrigger/properties';

const CREDENTIALS = { region: 'eu', appId: 'app' };

const messageOf = (check: () => unknown): string | undefined => {
	try {
		check();
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
};

test.each([
	[255, undefined],
	[256, 'The webhook URL has 256 characters'],
])('for a webhook URL of %i characters, the error is %j', (length, message) => {
	const url = 'https://n8n.example.com/'.padEnd(length, 'x');
	expect(messageOf(() => checkWebhookUrl(url, CREDENTIALS))).toBe(message);
});

test('a webhook URL that is too long is named, with what to do', () => {
	const url = 'https://n8n.example.com/'.padEnd(300, 'x');
	expect(() => checkWebhookUrl(url, CREDENTIALS)).toThrow(
		expect.objectContaining({
			description: `CometChat accepts at most 255. Shorten n8n's WEBHOOK_URL. The URL is ${url}`,
		}),
	);
});

test('an address of n8n without a protocol is refused', () => {
	expect(messageOf(() => checkWebhookUrl('n8n.example.com/webhook/x', CREDENTIALS))).toBe(
		"n8n's webhook address is not a URL",
	);
});

test.each([
	[50, undefined],
	[51, "'Bot' has a UID of 51 characters"],
])('for a bot whose UID has %i characters, the error is %j', (length, message) => {
	expect(messageOf(() => botIdField.check?.('x'.repeat(length), 'Bot'))).toBe(message);
});
