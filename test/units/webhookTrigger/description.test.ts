import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { CometChatTrigger } from '../../../nodes/CometChat/CometChatTrigger.node';
import { webhookNode } from '../../webhookTrigger/harness';
import { evaluate, evaluateSubtitle } from '../context';

const node = new CometChatTrigger();

const { description } = node;

const listOptions = (properties: INodeProperties['options'] = [], field: string) =>
	properties
		.flatMap((property) =>
			'options' in property && property.name === field ? property.options : [],
		)
		.flatMap((option) =>
			option && 'value' in option ? [{ name: option.name, value: String(option.value) }] : [],
		);

const eventOptions = listOptions(description.properties, 'events');

const moreEvents = listOptions(
	description.properties.find(({ name }) => name === 'options')?.options,
	'moreEvents',
);

const evaluateFor = async (parameters: INodeParameters) =>
	await evaluateSubtitle(webhookNode(parameters));

test('has a short webhook path, because CometChat limits URLs to 255 characters', () => {
	const [{ path }] = description.webhooks ?? [];
	const withId = { ...webhookNode(), webhookId: crypto.randomUUID() };
	expect(NodeHelpers.getNodeWebhookPath('1', withId, path).length).toBeLessThan(64);
});

test('has the methods that load its lists of columns, groups and users', () => {
	expect(Object.keys(node.methods.loadOptions)).toEqual(['getColumns', 'getGroups', 'getUsers']);
});

/** Resolves parameters as n8n does, with defaults and without hidden fields. */
const resolve = (parameters: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		webhookNode(),
		description,
	) ?? {};

test.each<[INodeParameters, boolean]>([
	[{}, true],
	[{ watch: 'users' }, true],
	[{ watch: 'app' }, false],
	[{ watch: 'app', options: { includeActions: true, ignoreUsers: ['a'], appId: 'a' } }, false],
	[{ watch: 'app', options: { fetchMessage: false } }, false],
	[{ watch: 'app', options: { fetchMessage: true } }, true],
])('with the parameters %j, shows the API credential: %p', async (parameters, isShown) => {
	const [, apiCredential] = description.credentials ?? [];
	const trigger = { ...webhookNode(), parameters: resolve(parameters) };
	// For the list of a field, the editor replaces expressions with their values
	const { usesApi, ...rest } = trigger.parameters;
	const sent: INodeParameters = { ...rest };
	if (usesApi !== undefined) sent.usesApi = String(await evaluate(String(usesApi), webhookNode()));
	for (const current of [trigger.parameters, sent]) {
		expect(NodeHelpers.displayParameter(current, apiCredential, trigger, description)).toBe(
			isShown,
		);
	}
});

test.each<[INodeParameters, string[]]>([
	[{}, ['watch', 'groupIds']],
	[{ watch: 'users' }, ['watch', 'userIds']],
	[{ watch: 'app' }, ['watch', 'wholeAppNotice']],
	[{ events: ['message_sent'] }, ['watch', 'groupIds']],
	[{ events: ['message_sent'], options: { moreEvents: ['call_busy'] } }, ['watch', 'groupIds']],
	[{ events: [], options: { moreEvents: ['call_busy', 'call_ended'] } }, ['watch', 'groupIds']],
	[{ events: [], options: { moreEvents: ['user_blocked'] } }, ['watch']],
	[{ events: [], options: { moreEvents: ['user_blocked'] }, watch: 'users' }, ['watch', 'userIds']],
	[{ events: [], options: { moreEvents: ['call_ended', 'after_campaign_failed'] } }, []],
])('with the parameters %j, asks for %j', (parameters, expected) => {
	const fields = ['watch', 'groupIds', 'userIds', 'wholeAppNotice'];
	const resolved = resolve(parameters);
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(resolved, property, webhookNode(), description),
	);
	expect(shown.map(({ name }) => name).filter((name) => fields.includes(name))).toEqual(expected);
});

test('n8n ignores options while it loads a node, which drops a field that an option shows', () => {
	const text = { displayName: 'Text', name: 'text', type: 'string', default: '' } as const;
	const properties: INodeProperties[] = [
		{
			...{ displayName: 'Options', name: 'options', type: 'collection', default: {} },
			options: [{ displayName: 'More', name: 'more', type: 'boolean', default: false }],
		},
		{ ...text, name: 'shown', displayOptions: { show: { '/options.more': [true] } } },
		{ ...text, name: 'notHidden', displayOptions: { hide: { '/options.more': [true] } } },
	];
	const saved = { options: { more: true }, shown: 'a', notHidden: 'b' };
	expect(
		NodeHelpers.getNodeParameters(properties, saved, true, false, webhookNode(), description),
	).toEqual({ options: { more: true }, notHidden: 'b' });
});

describe('The subtitle', () => {
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
	])('for %j is %s', async (events, words) => {
		expect(await evaluateFor({ events: events as string[] })).toBe(words);
	});

	test('includes More Events', async () => {
		const rare = { options: { moreEvents: ['call_busy', 'call_ended'] } };
		expect(await evaluateFor({ events: [], ...rare })).toBe('2 Events');
		expect(await evaluateFor({ events: ['message_sent'], ...rare })).toBe('3 Events');
		expect(await evaluateFor({ events: [], options: { moreEvents: ['call_busy'] } })).toBe(
			'Call Recipient Busy',
		);
	});

	test("is the event's name in Title Case", async () => {
		for (const { name, value } of [...eventOptions, ...moreEvents]) {
			const words = await evaluateFor({ events: [value] });
			expect(words).toBe(name);
			expect(words).toMatch(/^[A-Z][a-z]+( (by|to|[A-Z][a-z]+))*$/);
		}
	});
});

test('creates and deletes no webhook in CometChat', async () => {
	const { create, delete: remove } = node.webhookMethods.default;
	const context: ThisParameterType<typeof create> = Object.create(null);
	expect(await create.call(context)).toBe(true);
	expect(await remove.call(context)).toBe(true);
});
