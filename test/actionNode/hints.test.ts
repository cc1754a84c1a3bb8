import type { INodeParameters } from 'n8n-workflow';

import { isFieldNotOption } from '../../nodes/CometChat/request/fieldTree';
import type { Field } from '../../nodes/CometChat/types';
import { DECLARED } from './operations';
import {
	AS_TOOL_OF_NEW_AGENT,
	callTool,
	group,
	hintsOf,
	message,
	NODE,
	refusalOf,
	run,
	user,
	useSandbox,
} from './harness';

const sandbox = useSandbox();

/** Parameters that lists require. */
const REQUIRED = { groupId: 'all-hands', userId: 'leo', onBehalfOf: 'leo' };

const sendFile = (url: string) =>
	message('send', {
		...{ receiverType: 'group', groupId: 'lunch', messageType: 'media' },
		attachments: { attachment: [{ url }] },
	});

test.each([
	...['data', 'logo.png', 'data:image/png;base64,undefined', '/files/1', 'file:///etc/passwd'],
	...['ftp://example.com/a.png', 'example.com/a.png', '//example.com/a.png'],
])('The URL %s of a file is refused, with the way to get a URL', async (url) => {
	const { message: problem, description } = await refusalOf(sandbox(), sendFile(url));
	expect(problem).toBe(
		`'URL' must be a URL that starts with http:// or https:// and has a host, but it is "${url}"`,
	);
	expect(description).toBe(
		"To send the item's own file, set 'Specify Attachments' to From Input. Or upload the file to a storage first, e.g. with the AWS S3 node, and give its URL.",
	);
});

test.each(['https://', 'http:///a.png', 'https:example.com', 'https://?a', 'https://a b/'])(
	'The URL %s of a file is refused, because it lacks a host',
	async (url) => {
		const { description } = await refusalOf(sandbox(), sendFile(url));
		expect(description).toBe('Give the whole URL, e.g. https://example.com/photo.png.');
	},
);

test.each(['https://example.com/a b.png?x=1,2#y', 'HTTP://localhost:80', 'https://例え.jp/a'])(
	'The URL %s of a file is sent',
	async (url) => {
		expect((await run(sandbox(), sendFile(url))).error).toBeUndefined();
	},
);

const EMPTY =
	"The list is empty, so the nodes after this one don't run, and a loop ends. To continue, turn on 'Always Output Data' in the node's Settings.";

const listUsers = (searchKey: string) => user('list', { filters: { searchKey } });

test('A hint says what an empty list means for the workflow', async () => {
	const none = await run(sandbox(), listUsers('nobody'));
	expect([none.items(NODE), hintsOf(none)]).toEqual([[], [EMPTY]]);
	const searches = listUsers('={{ $json.name }}');
	const some = await run(sandbox(), searches, { input: [{ name: 'nobody' }, { name: 'mira' }] });
	expect([some.items(NODE).length, hintsOf(some)]).toEqual([1, []]);
});

test.each<[string, INodeParameters, object]>([
	['a tool', listUsers('nobody'), AS_TOOL_OF_NEW_AGENT],
	['a node that always outputs data', listUsers('nobody'), { alwaysOutputData: true }],
	['an operation that lists nothing', group('get', { groupId: 'lunch' }), {}],
])('An empty list gives %s no hint', async (_, parameters, settings) => {
	expect(hintsOf(await run(sandbox(), parameters, { settings }))).toEqual([]);
});

/** Filters, each with its label, and the field that shows the filter, if any. */
const FILTERS = DECLARED.flatMap(({ key, operation }) => {
	const [resource] = key.split(' ');
	const { options = [] } = operation.fields.find(({ name }) => name === 'filters') ?? {};
	return options.filter(isFieldNotOption).map((filter): [string, INodeParameters, Field] => {
		const { '/messagesOf': choices = [] } = filter.displayOptions?.show ?? {};
		const [messagesOf = 'group'] = choices as string[];
		const parameters = { resource, operation: operation.value, ...REQUIRED, messagesOf };
		return [`${filter.displayName} of ${key}`, parameters, filter];
	});
});

test.each(FILTERS)('The filter %s without a value is refused', async (_, parameters, filter) => {
	const { name, displayName, type } = filter;
	if (type === 'boolean' || type === 'hidden') return;
	const empty = type === 'multiOptions' ? [] : '';
	const list = { ...parameters, filters: { [name]: empty } };
	const { message: problem, description } = await refusalOf(sandbox(), list);
	expect(problem).toBe(`'${displayName}' is empty`);
	expect(description).toMatch(/^Fill in '.+'.*, or remove it\.$/);
});

test.each(FILTERS)('A hint says that the filter %s was left out', async (_, parameters, filter) => {
	if (filter.type === 'hidden') return;
	const filters = { [filter.name]: '={{ $json.a }}' };
	const result = await run(sandbox(), { ...parameters, filters }, { input: [{ a: null }] });
	expect(hintsOf(result)).toContain(
		`The expression of '${filter.displayName}' returned no value, so this filter was left out. The list may contain more than you want.`,
	);
});

test('Each filter for a time starts with a time, and a model that leaves a filter out gets no hint', async () => {
	const times = FILTERS.flatMap(([, , { type, default: initial }]) =>
		type === 'dateTime' ? [initial] : [],
	);
	expect(times).toHaveLength(4);
	for (const time of times) expect(time).toMatch(/^=\{\{ \$now\.minus\(/);
	const search = listUsers("={{ $fromAI('Name') }}");
	const [said] = await callTool(sandbox(), search, [{ Name: null }]);
	expect(said).not.toContain('left out');
});

test('A hint says how to find a user by email, if the search found nothing', async () => {
	const byEmail =
		"CometChat can't search users by email. List all users, and compare the column email in a Filter node.";
	expect(hintsOf(await run(sandbox(), listUsers('mira@example.com')))).toEqual([byEmail, EMPTY]);
	expect(hintsOf(await run(sandbox(), listUsers('@')))).toEqual([EMPTY]);
});
