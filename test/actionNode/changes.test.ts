import type { INodeParameters } from 'n8n-workflow';

import { group, itemsOf, message, refusalOf, useSandbox } from './harness';
import { anything, readBody, withRecorder } from './recorder';

const sandbox = useSandbox();

afterEach(() => expect(sandbox().violations).toEqual([]));

const TO_ALL = { receiverType: 'group', receiver: 'all-hands' };

const media = (...attachment: INodeParameters[]) => ({
	groupId: 'all-hands',
	messageType: 'media',
	mediaType: 'file',
	attachments: { attachment },
});

const custom = (customData: string) => ({
	groupId: 'all-hands',
	messageType: 'custom',
	customType: 'location',
	customData,
});

describe('Send Message', () => {
	test.each<[string, INodeParameters, object]>([
		[
			'a text message to a user',
			{ receiverType: 'user', userId: 'leo', text: ' spaces stay ' },
			{
				...{ receiverType: 'user', receiver: 'leo', category: 'message', type: 'text' },
				data: { text: ' spaces stay ' },
			},
		],
		[
			'files with a caption',
			{
				...media(
					{ url: 'https://example.com/a.pdf', name: 'a.pdf', size: '={{ 20480 }}', mimeType: '' },
					{ url: 'https://example.com/b.pdf', extension: 'pdf' },
				),
				caption: 'Two files',
			},
			{
				...{ ...TO_ALL, category: 'message', type: 'file' },
				data: {
					attachments: [
						{ url: 'https://example.com/a.pdf', name: 'a.pdf', size: '20480' },
						{ url: 'https://example.com/b.pdf', extension: 'pdf' },
					],
					text: 'Two files',
				},
			},
		],
		[
			'custom data',
			custom('={{ ({ lat: 52.5, nested: { list: [1, null, "ü"] } }) }}'),
			{
				...{ ...TO_ALL, category: 'custom', type: 'location' },
				data: { customData: { lat: 52.5, nested: { list: [1, null, 'ü'] } } },
			},
		],
	])('sends %s', async (_, parameters, body) => {
		const onRequest = jest.fn();
		await itemsOf(sandbox(), message('send', parameters), { onRequest });
		expect(onRequest).toHaveBeenCalledWith(expect.objectContaining({ body }));
	});

	test('sends up to 65,536 characters', async () => {
		const text = (length: number) =>
			message('send', { groupId: 'lunch', text: 'x'.repeat(length) });
		const error = await refusalOf(sandbox(), text(65_537));
		expect(error.message).toMatch(/^'Text' is longer than 65536 characters/);
		expect(await itemsOf(sandbox(), text(65_536))).toHaveLength(1);
	});

	test.each<[string, INodeParameters, string]>([
		['no attachments', media(), "'Attachments' is empty"],
		['an attachment without a URL', media({ url: '={{ "" }}' }), "'URL' is empty"],
		['empty custom data', custom('={{ ({}) }}'), "'Custom Data' is empty"],
	])('rejects %s, and sends nothing', async (_, parameters, expected) => {
		const error = await refusalOf(sandbox(), message('send', parameters));
		expect(error.message).toBe(expected);
	});
});

describe('Create Group', () => {
	test('sends the password only for a group of type Password', async () => {
		const parameters = group('create', {
			guid: ' Lamp-Club ',
			name: 'Lamp Club',
			type: '={{ $json.type }}',
			password: '={{ "secret" }}',
		});
		await withRecorder(anything, async (recorder) => {
			const input = [{ type: 'password' }, { type: 'private' }];
			await itemsOf(recorder, parameters, { input });
			const common = { guid: 'Lamp-Club', name: 'Lamp Club' };
			expect(recorder.requests.map(readBody)).toEqual(
				expect.arrayContaining([
					{ ...common, type: 'password', password: 'secret' },
					{ ...common, type: 'private' },
				]),
			);
		});
	});
});
