import { checkDownload } from '../../tools/live/downloads';
import type { Service } from '../../tools/live/perform';
import { readAnswers } from '../../tools/live/questions';
import { startRecorder } from '../../tools/live/recorder';
import { isStorage, PIXEL, probeUploads, type Upload } from '../../tools/live/uploads';
import { loadContract } from '../../tools/sandbox/contract';
import { useSandbox } from '../actionNode/harness';
import { startService, toFields, type Replies, type Reply } from './uploadService';

const sandbox = useSandbox();
const never = new AbortController().signal;

/** Users and groups of the sandbox. */
const RUN = {
	...{ id: 'n8n-check-1', guid: 'all-hands', otherGuid: 'brand', messageId: '0' },
	...{ owner: 'mira', member: 'leo', guest: 'noor' },
};

/** Runs both probes against the service. */
async function probe(replies?: Replies) {
	const service = await startService(sandbox(), replies);
	const { apiKey } = sandbox();
	const recorder = await startRecorder(service.baseUrl);
	const { exchanges } = recorder;
	const checked: Service = { apiKey, contract: await loadContract(), recorder, run: RUN };
	try {
		const uploads = await probeUploads(checked, never);
		const download = async ({ messageId = '' }: Upload) =>
			await checkDownload(checked, { messageId, note: 'test', content: PIXEL, signal: never });
		const downloads = [];
		for (const upload of Object.values(uploads)) {
			if (upload.messageId) downloads.push(await download(upload as Upload));
		}
		const answers = readAnswers({ exchanges, uploads });
		return { uploads, downloads, answers: [answers[33], answers[34]], forms: service.forms };
	} finally {
		await recorder.close();
		await service.close();
	}
}

const outcomesOf = ({ requests }: Upload) =>
	requests.map(({ name, outcome }) => `${name}: ${outcome}`);

test('an accepted file arrives byte by byte, and the node downloads the same file', async () => {
	const { uploads, downloads, answers, forms } = await probe();
	expect(answers).toEqual(['yes', 'yes']);
	expect(outcomesOf(uploads.inMessage)).toEqual([
		'POST /messages with a file: 200',
		'POST /messages with two files: 200, files kept: 2',
	]);
	expect(outcomesOf(uploads.toStorage)).toEqual([
		'POST /files/upload-url: 200',
		'POST to the storage: 204',
		'POST /messages with the stored file: 200',
	]);
	const filesOf = (name: string, count: number) =>
		Array(count).fill({ name, file: ['pixel.png', 'image/png'], content: PIXEL });
	expect(forms.map(({ form }) => form.filter(({ file }) => file))).toEqual([
		filesOf('file', 1),
		filesOf('files[]', 2),
		filesOf('file', 1),
	]);
	expect(forms.at(-1)?.form.at(-1)?.name).toBe('file');
	expect(downloads).toEqual(
		Array(2).fill({ name: 'message downloadFiles, test', outcome: '200', deviations: [] }),
	);
});

test('the message is sent with the key on behalf of a user, and the storage never gets the key', async () => {
	const { forms } = await probe();
	const { apiKey } = sandbox();
	const [message, , stored] = forms;
	expect(message.headers).toMatchObject({ apikey: apiKey, onbehalfof: RUN.owner });
	expect(toFields(message.form)).toMatchObject({
		...{
			receiver: 'all-hands',
			receiverType: 'group',
			category: 'message',
			type: 'image',
			data: '{}',
		},
	});
	expect(stored.url).toBe('/storage');
	expect(Object.keys(stored.headers).sort()).toEqual([
		'connection',
		'content-length',
		'content-type',
		'host',
	]);
	expect(stored.raw.includes(apiKey)).toBe(false);
	expect(toFields(stored.form)).toMatchObject({ 'x-amz-signature': 'Secret Name' });
});

test('the results contain the names of fields, and no values', async () => {
	const { uploads } = await probe();
	const [address] = uploads.toStorage.requests;
	expect(address.fields).toEqual([
		...['method', 'url', 'body.key', 'body.x-amz-signature'].map(
			(name) => `data.pixel.request.${name}`,
		),
		...['url', 'name', 'mimeType'].map((name) => `data.pixel.attachment.${name}`),
		'data.pixel.expiresAt',
	]);
	expect(uploads.inMessage.requests[0].fields).toContain('data.data.attachments[].url');
	expect(JSON.stringify(uploads)).not.toMatch(/Secret Name|127\.0\.0\.1|mira|all-hands/i);
});

test('a key that may be a value is not reported as the name of a field', async () => {
	const address = { status: 200, body: { data: { 'mira-1': { url: 1 }, 'a b': 1 } } };
	const { uploads } = await probe({ address });
	expect(uploads.toStorage.requests[0].fields).toEqual(['data.?.url', 'data.?']);
});

const refusal = (status: number, code: string): Reply => ({ status, body: { error: { code } } });
const HTML = { status: 200, body: '<html>Secret Name</html>' };

test.each<[string, Replies, Array<string | undefined>, string, string]>([
	[
		'refused with a code',
		{ message: refusal(400, 'ERR_BAD_REQUEST'), address: refusal(403, 'AUTH_ERR_NO_ACCESS') },
		['no', 'no'],
		'400 ERR_BAD_REQUEST',
		'POST /files/upload-url: 403 AUTH_ERR_NO_ACCESS',
	],
	[
		'sent to an unknown path',
		{ message: refusal(404, 'ERR_API_NOT_FOUND'), address: refusal(404, 'ERR_API_NOT_FOUND') },
		['no', 'no'],
		'404 ERR_API_NOT_FOUND',
		'POST /files/upload-url: 404 ERR_API_NOT_FOUND',
	],
	[
		'answered with something other than JSON',
		{ message: HTML, address: HTML },
		['no', 'no'],
		'200, not JSON',
		'POST /files/upload-url: 200, not JSON',
	],
	[
		'met by a broken service',
		{ message: { status: 502 }, address: { status: 502 } },
		[undefined, undefined],
		'502, not JSON',
		'POST /files/upload-url: 502, not JSON',
	],
	[
		'refused by the storage',
		{ storage: { status: 403, body: '<Error><Code>AccessDenied</Code>Secret Name</Error>' } },
		['yes', 'no'],
		'200',
		'POST to the storage: 403 AccessDenied',
	],
	[
		'met by a broken storage',
		{ storage: { status: 503 } },
		['yes', undefined],
		'200',
		'POST to the storage: 503',
	],
	[
		'for a storage on another host',
		{ storageUrl: 'https://storage.invalid/' },
		['yes', undefined],
		'200',
		'POST to the storage: not sent: not a POST to an allowed address',
	],
	[
		'for a storage with another method',
		{ storageMethod: 'PUT' },
		['yes', undefined],
		'200',
		'POST to the storage: not sent: not a POST to an allowed address',
	],
])('a file that is %s is reported', async (_what, replies, expected, inMessage, last) => {
	const { uploads, answers, forms } = await probe(replies);
	expect(answers).toEqual(expected);
	expect(uploads.inMessage.requests[0].outcome).toBe(inMessage);
	expect(outcomesOf(uploads.toStorage).at(-1)).toBe(last);
	expect(uploads.toStorage.messageId).toBeUndefined();
	expect(forms.filter(({ url }) => url === '/storage')).toHaveLength(replies.storage ? 1 : 0);
	expect(JSON.stringify(uploads)).not.toContain('Secret Name');
});

test('a message that keeps only one of two files is reported', async () => {
	const { uploads } = await probe({ mostFiles: 1 });
	expect(outcomesOf(uploads.inMessage).at(-1)).toBe(
		'POST /messages with two files: 200, files kept: 1',
	);
});

test('a message that the service sends without the file is no success', async () => {
	const message = { status: 200, body: { data: { id: '1', data: {} } } };
	const { uploads, answers, downloads } = await probe({ message });
	expect(answers).toEqual(['no', 'yes']);
	expect(uploads.inMessage.messageId).toBeUndefined();
	expect(downloads).toHaveLength(1);
});

test('a file with other bytes deviates', async () => {
	const { downloads } = await probe({ file: Buffer.from('another') });
	expect(downloads.flatMap(({ deviations }) => deviations)).toEqual(
		Array(2).fill('the file has other bytes'),
	);
});

const APP = 'https://app.api-eu.cometchat.io/v3';
const SANDBOX = 'http://127.0.0.1:4100/v3';

test.each([
	['https://bucket.s3.amazonaws.com/', APP, true],
	['http://bucket.s3.amazonaws.com/', APP, false],
	['https://user:secret@bucket.s3.amazonaws.com/', APP, false],
	['https://127.0.0.1/', APP, false],
	['https://2130706433/', APP, false],
	['https://169.254.169.254/', APP, false],
	['https://[::1]/', APP, false],
	['https://[fd00::1]/', APP, false],
	['https://localhost./', APP, false],
	['https://app.localhost/', APP, false],
	['file:///etc/passwd', APP, false],
	['http://127.0.0.1:9000/', SANDBOX, true],
	['http://localhost:9000/', SANDBOX, true],
	['https://bucket.s3.amazonaws.com/', SANDBOX, false],
	['ftp://127.0.0.1/', SANDBOX, false],
])('for the address %s of a storage, a file from %s is sent: %s', (url, service, expected) => {
	expect(isStorage(new URL(url), service)).toBe(expected);
});
