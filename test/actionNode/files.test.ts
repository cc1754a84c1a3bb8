import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { itemsOf, jsonOf, message, refusalOf, useSandbox } from './harness';

const sandbox = useSandbox();

const A = 'https://files.example.com/a.pdf';
const B = 'https://files.example.com/b.pdf?size=1,2';

const MANY_IN_ONE = `https://img.example.com/fetch?urls=${A},${A}`;

/** A file as CometChat sends it in a message. Requests contain the size as text. */
const RECEIVED = { url: A, name: 'a.pdf', extension: 'pdf', mimeType: 'application/pdf', size: 12 };

const FILE = { ...RECEIVED, size: '12' };

const media = (more: INodeParameters) =>
	message('send', {
		...{ receiverType: 'group', groupId: 'lunch', messageType: 'media', mediaType: 'file' },
		...more,
	});

const json = (attachmentsJson: INodeParameters[string], more: INodeParameters = {}) =>
	media({ specifyAttachments: 'json', attachmentsJson, ...more });

/** Runs the node, and returns the bodies of its requests. */
async function bodiesOf(parameters: INodeParameters, input: IDataObject[] = [{}]) {
	const bodies: Array<{ type: string; data: IDataObject }> = [];
	await itemsOf(sandbox(), parameters, {
		input,
		onRequest: ({ body }) => void bodies.push(body as never),
	});
	return bodies;
}

const VALUES: Array<[string, unknown, unknown[]]> = [
	['a URL', A, [{ url: A }]],
	['URLs separated by commas', `${A}, ${B}`, [{ url: A }, { url: B }]],
	['URLs separated by commas alone', `${B},${A},`, [{ url: B }, { url: A }]],
	['a URL that contains URLs with commas', MANY_IN_ONE, [{ url: MANY_IN_ONE }]],
	['a list of such URLs', [MANY_IN_ONE, A], [{ url: MANY_IN_ONE }, { url: A }]],
	['such a URL after another', `${A},${MANY_IN_ONE}`, [{ url: A }, { url: MANY_IN_ONE }]],
	['a URL in each line', ` ${A}\n\n${B}\n`, [{ url: A }, { url: B }]],
	['a list of URLs', [A, B], [{ url: A }, { url: B }]],
	[
		'the files of a message',
		[RECEIVED, { ...RECEIVED, url: B, height: 5 }],
		[FILE, { ...FILE, url: B }],
	],
	['one file of a message', RECEIVED, [FILE]],
	['JSON text of files', JSON.stringify([RECEIVED]), [FILE]],
	['JSON text of a URL', JSON.stringify(A), [{ url: A }]],
	['empty entries', [null, '', A, { ...FILE, url: null }, { url: '' }], [{ url: A }]],
];

test.each(VALUES)('Attachments Using JSON sends %s', async (_, v, attachments) => {
	const [body] = await bodiesOf(json('={{ $json.v }}'), [{ v } as IDataObject]);
	expect(body).toMatchObject({ type: 'file', data: { attachments } });
});

test('Attachments Using Fields sends a URL that contains URLs with commas', async () => {
	const [body] = await bodiesOf(media({ attachments: { attachment: [{ url: MANY_IN_ONE }] } }));
	expect(body).toMatchObject({ data: { attachments: [{ url: MANY_IN_ONE }] } });
});

test.each(VALUES.filter(([, value]) => typeof value === 'string'))(
	'Attachments Using JSON sends %s that a user typed, and in a reply',
	async (_, value, attachments) => {
		const reply = {
			...json(String(value)),
			operation: 'reply',
			messageId: '118',
			onBehalfOf: 'mira',
		};
		const [body] = await bodiesOf(reply);
		expect(body.data.attachments).toEqual(attachments);
	},
);

test('The files of a received message can be forwarded', async () => {
	const { store } = sandbox();
	await itemsOf(sandbox(), json(`${A}, ${B}`));
	const { id } = store.messages.all().at(-1) ?? {};
	const [received] = await jsonOf(sandbox(), message('get', { messageId: String(id) }));
	const [sent] = await jsonOf(sandbox(), json('={{ $json.attachments }}'), { input: [received] });
	expect(sent.attachments).toEqual(received.attachments);
	expect(received.attachments).toHaveLength(2);
});

const row = (index: number) => ({
	url: `={{ $json.files[${index}]?.url ?? null }}`,
	name: `={{ $json.files[${index}]?.name ?? null }}`,
});

test('A message has as many files as its item, and none is a text', async () => {
	const attachments = { attachment: [row(0), row(1)] };
	const input = [{ files: [FILE, { url: B }] }, { files: [{ url: B }] }, { files: [] }];
	const parameters = media({ attachments, caption: 'Files' });
	const bodies = await bodiesOf(parameters, input);
	expect(bodies.map(({ type, data }) => [type, data])).toEqual([
		['file', { attachments: [{ url: A, name: 'a.pdf' }, { url: B }], text: 'Files' }],
		['file', { attachments: [{ url: B }], text: 'Files' }],
		['text', { text: 'Files' }],
	]);
	expect(sandbox().violations).toEqual([]);
});

test.each<[string, INodeParameters]>([
	['rows', media({ attachments: { attachment: [row(0)] } })],
	['an empty list', json('={{ $json.files }}')],
	['a list of nothing', json('={{ [null, ""] }}')],
	['null', json('={{ null }}')],
	['nothing', json('')],
])('A message without a file and without a caption is refused: %s', async (_, parameters) => {
	const error = await refusalOf(sandbox(), parameters, { input: [{ files: [] }] });
	expect(error.message).toBe("'Attachments' is empty, and so is 'Caption'");
	expect(error.description).toBe(
		"Fill in 'Caption' to send only a text, or give at least one file. To give a list of files, set 'Specify Attachments' to Using JSON.",
	);
});

test.each<[INodeParameters[string], string]>([
	[
		'={{ ["https://"] }}',
		`'Attachments' must be a URL that starts with http:// or https:// and has a host, but it is "https://"`,
	],
	[
		'data',
		`'Attachments' must be a URL that starts with http:// or https:// and has a host, but it is "data"`,
	],
	[
		'={{ { name: "a" } }}',
		`'Attachments' must be URLs or attachments with a url, but it is {"name":"a"}`,
	],
	['={{ [5] }}', "'Attachments' must be URLs or attachments with a url, but it is 5"],
	['[{"url": "a"', "'Attachments' is not valid JSON: a bracket is missing or does not match"],
	['={{ [undefined] }}', "'Attachments' is empty: its expression returned no value"],
])('Attachments Using JSON refuses %j', async (value, problem) => {
	expect((await refusalOf(sandbox(), json(value))).message).toBe(problem);
});

test('A row takes one URL, and the error names the way to give several', async () => {
	const parameters = media({ attachments: { attachment: [{ url: `${A}, ${B}` }] } });
	const { message: problem, description } = await refusalOf(sandbox(), parameters);
	expect(problem).toMatch(/^'URL' must be one URL, but it is /);
	expect(description).toBe(
		"For several URLs in one field, set 'Specify Attachments' to Using JSON.",
	);
});

test('With Message Type by expression, the fields of other types are ignored', async () => {
	const parameters = media({
		messageType: '={{ $json.type }}',
		...{ text: 'Hello', caption: 'A file', customType: 'note', customData: '{"a": 1}' },
		attachments: { attachment: [{ url: A }] },
	});
	const input = ['text', 'media', 'custom'].map((type) => ({ type }));
	const bodies = await bodiesOf(parameters, input);
	expect(bodies.map(({ type, data }) => [type, data])).toEqual([
		['text', { text: 'Hello' }],
		['file', { attachments: [{ url: A }], text: 'A file' }],
		['note', { customData: { a: 1 } }],
	]);
});
