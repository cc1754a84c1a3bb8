import { useSandbox } from '../actionNode/harness';

const sandbox = useSandbox({ mediaAccess: 'plain' });

/** Sends a message with files as a form, as CometChat's JavaScript SDK does. */
async function upload(field: string, names: string[], path = '/messages') {
	const form = new FormData();
	const body = { receiver: 'all-hands', receiverType: 'group', category: 'message', type: 'file' };
	for (const [name, value] of Object.entries(body)) form.append(name, value);
	form.append('data', '{"text": "Hi"}');
	for (const name of names) form.append(field, new File([`content of ${name}`], name));
	const { baseUrl, apiKey } = sandbox();
	const response = await fetch(baseUrl + path, {
		method: 'POST',
		headers: { apikey: apiKey, onBehalfOf: 'mira' },
		body: form,
	});
	return { status: response.status, body: Object(await response.json()) };
}

test.each([
	['file', ['a.txt']],
	['files[]', ['a.txt', 'b.txt']],
])('files in the field %s become attachments, whose content is kept', async (field, names) => {
	const { status, body } = await upload(field, names);
	expect(status).toBe(200);
	const { text, attachments } = body.data.data;
	expect(text).toBe('Hi');
	expect(attachments.map(({ name }: { name: string }) => name)).toEqual(names);
	expect(attachments[0]).toMatchObject({ extension: 'txt', size: 16 });
	expect(await (await fetch(attachments[0].url)).text()).toBe('content of a.txt');
	expect(sandbox().violations).toEqual([]);
});

test('an app can refuse files', async () => {
	sandbox().setSettings({ uploads: 'refuse' });
	const { status, body } = await upload('file', ['a.txt']);
	expect([status, body.error.code]).toEqual([400, 'ERR_EMPTY_MESSAGE_FILE']);
});

test('only messages take forms', async () => {
	const { status, body } = await upload('file', ['a.txt'], '/groups');
	expect([status, body.error.code]).toEqual([400, 'ERR_BAD_REQUEST']);
});

test('a form without its boundary is refused', async () => {
	const { baseUrl, apiKey } = sandbox();
	const headers = { apikey: apiKey, 'content-type': 'multipart/form-data' };
	const response = await fetch(`${baseUrl}/messages`, { method: 'POST', headers, body: 'x' });
	expect([response.status, await response.text()]).toEqual([
		400,
		expect.stringContaining('The form is malformed'),
	]);
});
