import { text } from 'node:stream/consumers';

import { useTestSystem } from '../lib/testHooks';
import { code, cometChat, manual, node, workflow } from '../../../tools/n8nEngine/draft';
import { serve, type Served } from '../../../tools/n8nEngine/serve';

const system = useTestSystem();

/** A service that stores files. */
let drive: Served;
const uploads: Array<{ path?: string; body: string }> = [];

/** Number of compared characters of a file. */
const LENGTH = 15;

beforeEach(() => void uploads.splice(0));

beforeAll(async () => {
	drive = await serve(async (request, response) => {
		uploads.push({ path: request.url, body: await text(request) });
		response.end('{}');
	});
});

afterAll(async () => await drive.close());

test('files of messages reach the next node with their names, each with its own message', async () => {
	const { store } = system().sandbox;
	const messages = store.messages.all().filter(({ attachments = [] }) => attachments.length > 0);
	const files = messages.flatMap(({ id, attachments = [] }) =>
		attachments.map(({ name = '', mimeType }) => ({ messageId: id, name, mimeType })),
	);
	expect(files.length).toBeGreaterThan(messages.length);
	const ids = messages.map(({ id }) => ({ id }));
	const download = cometChat(system().credentialId, {
		resource: 'message',
		operation: 'downloadFiles',
		messageId: '={{ $json.id }}',
	});
	const upload = node({
		name: 'Upload',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `=${drive.url}/{{ $('Messages').item.json.id }}/{{ $binary.data.fileName }}`,
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: {},
		},
	});
	const run = await system().client.runDraft(
		workflow('Files', [manual(), code('Messages', ids), download, upload]),
	);
	expect(run.error).toBeUndefined();
	expect(run.items('CometChat').map(({ json }) => json)).toMatchObject(files);
	// The sandbox's files consist of their own paths
	const stored = uploads.map(({ path = '', body }) => [path, body.slice(0, LENGTH)]);
	const expected = files.map(({ messageId, name }) => {
		return [`/${messageId}/${name}`, `media/${name}`.slice(0, LENGTH)];
	});
	expect(stored.sort()).toEqual(expected.sort());
	expect(run.stored).not.toContain(system().sandbox.apiKey);
});
