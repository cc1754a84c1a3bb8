import type { INodeCredentialDescription, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CometChatTrigger } from '../../../../nodes/CometChat/CometChatTrigger.node';
import { webhookNode } from '../../../trigger/harness';
import { subtitleOf } from '../context';

const node = new CometChatTrigger();

const { description } = node;

const notices = description.properties
	.filter(({ type }) => type === 'notice')
	.map(({ displayName }) => displayName);

const [offered, eventOptions] = description.properties
	.filter(({ name }) => name === 'events')
	.map(({ options = [] }) =>
		options
			.filter((option) => 'value' in option)
			.map(({ name, value }) => ({ name, value: String(value) })),
	);

/** The names that the editor shows, of what comes from `shown`, for these values. */
function shownFor(
	shown: Array<INodeProperties | INodeCredentialDescription>,
	parameters: INodeParameters,
): string[] {
	return shown
		.filter((each) =>
			NodeHelpers.displayParameter(parameters, each, { typeVersion: 1 }, description, parameters),
		)
		.map(({ name }) => name);
}

const subtitleFor = async (parameters: INodeParameters) =>
	await subtitleOf(webhookNode(parameters));

test('it is a webhook trigger without an input', () => {
	expect(description).toMatchObject({
		name: 'cometChatTrigger',
		displayName: 'CometChat Trigger',
		group: ['trigger'],
		inputs: [],
		outputs: ['main'],
		webhooks: [{ httpMethod: 'POST' }],
	});
	expect(description).not.toHaveProperty('usableAsTool');
});

test('its URL leaves room for the address of n8n: CometChat takes 255 characters', () => {
	const [{ path }] = description.webhooks ?? [];
	const withId = { ...webhookNode(), webhookId: crypto.randomUUID() };
	expect(NodeHelpers.getNodeWebhookPath('1', withId, path).length).toBeLessThan(64);
});

test('its credential is recommended, not required; the API is needed only to fetch messages', () => {
	const { credentials = [] } = description;
	expect(credentials.map(({ name, required }) => [name, required])).toEqual([
		['cometChatWebhookApi', false],
		['cometChatApi', true],
	]);
	expect(shownFor(credentials, { options: {} })).toEqual(['cometChatWebhookApi']);
	expect(shownFor(credentials, { options: { fetchMessage: false } })).toHaveLength(1);
	expect(shownFor(credentials, { options: { fetchMessage: true } })).toHaveLength(2);
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

test('says that without a credential everyone is let in', () => {
	expect(notices.at(-1)).toMatch(/Without one, everyone/);
});

test('the fields to keep are asked for only with that output', () => {
	const names = (output: string) => shownFor(description.properties, { output });
	expect(names('fields')).toContain('fields');
	expect(names('raw')).not.toContain('fields');
	expect(names('simplified')).not.toContain('fields');
});

/** The parameters of a node as n8n saves them, or as it runs with them. */
function parametersOf(values: INodeParameters, isSaved: boolean) {
	const node = { typeVersion: 1 };
	const { properties } = description;
	return NodeHelpers.getNodeParameters(properties, values, !isSaved, false, node, description);
}

test('a new node takes all events, simplified', () => {
	expect(parametersOf({}, false)).toMatchObject({
		events: ['*'],
		output: 'simplified',
		options: {},
	});
});

test('the option of ignored senders begins with the app itself, and can be emptied', () => {
	const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
	const ignored = options.find(({ name }) => name === 'ignoreSenders');
	expect(ignored).toMatchObject({ default: ['app_system'] });
	expect(Reflect.get(ignored ?? {}, 'description')).toContain('app_system is the app itself');
	for (const ignoreSenders of [[], ['app_system']]) {
		expect(parametersOf({ options: { ignoreSenders } }, true)).toEqual({
			options: { ignoreSenders },
		});
	}
});

test('the panel says what to do while the editor listens', () => {
	expect(description.triggerPanel).toEqual({
		header: 'Listen for CometChat events',
		activationHint: 'React or write in your app, and the event appears here',
	});
});

test('the menu begins with what most people look for', () => {
	expect(eventOptions.slice(0, 7).map(({ name }) => name)).toEqual([
		...['All Events', 'Message Sent', 'Message Edited', 'Message Deleted'],
		...['Message Reaction Added', 'Message Reaction Removed', 'User Mentioned'],
	]);
});

test("n8n's list of nodes offers a few of the events, and all of them last; the panel shows the field with all", () => {
	expect(offered.length).toBeLessThan(12);
	expect(offered.at(-1)?.value).toBe('*');
	expect(eventOptions).toEqual(expect.arrayContaining(offered));
	const shown = shownFor(description.properties, {});
	expect(shown.filter((name) => name === 'events')).toHaveLength(1);
	expect(parametersOf({ events: ['call_busy'] }, true)).toEqual({ events: ['call_busy'] });
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
		[['something_new'], 'something_new'],
	])('of %j is %s', async (events, words) => {
		expect(await subtitleFor({ events: events as string[] })).toBe(words);
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
