import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { CometChatTrigger } from '../../../../nodes/CometChat/CometChatTrigger.node';
import { webhookNode } from '../../../trigger/harness';
import { evaluateSubtitle } from '../context';

const node = new CometChatTrigger();

const { description } = node;

const notices = description.properties
	.filter(({ type }) => type === 'notice')
	.map(({ displayName }) => displayName);

const eventOptions = (
	description.properties.findLast(({ name }) => name === 'events')?.options ?? []
)
	.filter((option) => 'value' in option)
	.map(({ name, value }) => ({ name, value: String(value) }));

const subtitleFor = async (parameters: INodeParameters) =>
	await evaluateSubtitle(webhookNode(parameters));

test('its URL leaves room for the address of n8n: CometChat takes 255 characters', () => {
	const [{ path }] = description.webhooks ?? [];
	const withId = { ...webhookNode(), webhookId: crypto.randomUUID() };
	expect(NodeHelpers.getNodeWebhookPath('1', withId, path).length).toBeLessThan(64);
});

test('says in three steps what to do in the dashboard', () => {
	const [setup] = notices;
	expect(setup.match(/<li>/g)).toHaveLength(3);
	// The editor shows no others: it drops the tags, and with them the line breaks
	const tags = [...setup.matchAll(/<(\w+)/g)].map(([, tag]) => tag);
	expect([...new Set(tags)].sort()).toEqual(['a', 'li', 'ul']);
	for (const words of ['Settings → Webhooks', 'Production URL', 'username and the password']) {
		expect(setup).toContain(words);
	}
});

const propertyNamed = (name: string) => description.properties.find((each) => each.name === name);

test('the menu of events points to the polling trigger for reported messages', () => {
	expect(propertyNamed('events')?.hint).toBe(
		'For reported messages, use CometChat Polling Trigger',
	);
});

test("n8n's builder reads the choices of 'Events Caused by the App Itself', whose descriptions it drops", () => {
	expect(propertyNamed('appEvents')?.builderHint?.propertyHint).toMatch(
		/'safe'.*'always'.*'never'/,
	);
});

test('users and groups are picked from lists, and Fetch Message is on when it is added', () => {
	const options = propertyNamed('options')?.options?.filter((each) => 'type' in each) ?? [];
	expect(options).toMatchObject([
		{ name: 'appId' },
		{ name: 'fetchMessage', default: true, hint: 'Requires the CometChat API credential above' },
		{ name: 'groupIds', typeOptions: { loadOptionsMethod: 'getGroups' } },
		{ name: 'ignoreSenders', typeOptions: { loadOptionsMethod: 'getUsers' } },
		{ name: 'includeActions' },
		{ name: 'moreEvents' },
	]);
	expect(Object.keys(node.methods.loadOptions)).toEqual(['getGroups', 'getUsers']);
});

test.each([
	[{}, false],
	[{ includeActions: true }, true],
	[{ groupIds: ['support'] }, true],
])('with the options %j, the API credential is shown: %p', (options, isShown) => {
	const [, apiCredential] = description.credentials ?? [];
	const trigger = webhookNode({ options });
	expect(
		NodeHelpers.displayParameter(trigger.parameters, apiCredential, trigger, description),
	).toBe(isShown);
});

describe('the subtitle', () => {
	test.each<[unknown, string]>([
		[['*'], 'All Events'],
		[['message_sent', '*'], 'All Events'],
		[['message_sent'], 'Message Sent'],
		[['message_reaction_added'], 'Message Reaction Added'],
		[['message_read_by_all'], 'Message Read by All'],
		[['after_campaign_failed'], 'Campaign Failed'],
		[['message_sent', 'message_edited'], '2 Events'],
		[['message_sent', 'message_edited', 'message_deleted'], '3 Events'],
		['message_sent', 'Message Sent'],
		[[], '0 Events'],
		[['something_new'], 'something_new'],
	])('of %j is %s', async (events, words) => {
		expect(await subtitleFor({ events: events as string[] })).toBe(words);
	});

	test('counts the events under More Events', async () => {
		const rare = { options: { moreEvents: ['call_busy', 'call_ended'] } };
		expect(await subtitleFor({ events: [], ...rare })).toBe('2 Events');
		expect(await subtitleFor({ events: ['message_sent'], ...rare })).toBe('3 Events');
		expect(await subtitleFor({ events: [], options: { moreEvents: ['call_busy'] } })).toBe(
			'Call Recipient Busy',
		);
	});

	test('has words in Title Case for every event', async () => {
		for (const { name, value } of eventOptions) {
			const words = await subtitleFor({ events: [value] });
			expect(words).toBe(name);
			expect(words).toMatch(/^[A-Z][a-z]+( (by|to|[A-Z][a-z]+))*$/);
		}
	});
});

test('n8n finds nothing to create or delete: the webhook is set up by hand', async () => {
	const { create, delete: remove } = node.webhookMethods.default;
	const context: ThisParameterType<typeof create> = Object.create(null);
	expect(await create.call(context)).toBe(true);
	expect(await remove.call(context)).toBe(true);
});
