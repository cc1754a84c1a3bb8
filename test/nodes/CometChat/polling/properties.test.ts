import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CometChatPollingTrigger } from '../../../../nodes/CometChat/CometChatPollingTrigger.node';

const { description } = new CometChatPollingTrigger();

const EVENTS = ['groupCreated', 'groupJoined', 'groupUpdated'];

/** The properties that the editor shows for these values. */
function shownFor(parameters: INode['parameters']): INodeProperties[] {
	const node = { typeVersion: 1 };
	return description.properties.filter((property) =>
		NodeHelpers.displayParameterPath(parameters, property, '', node, description),
	);
}

function optionsOf(properties: INodeProperties[], name: string) {
	return properties.find((property) => property.name === name)?.options ?? [];
}

test('it is a polling trigger of the package, with its credential and no input', () => {
	expect(description).toMatchObject({
		name: 'cometChatPollingTrigger',
		displayName: 'CometChat Polling Trigger',
		group: ['trigger'],
		polling: true,
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'cometChatApi', required: true }],
	});
	expect(description).not.toHaveProperty('usableAsTool');
});

test('offers the three events, in the order of their names', () => {
	const values = optionsOf(description.properties, 'event').map((option) =>
		Reflect.get(option, 'value'),
	);
	expect(values).toEqual(EVENTS);
});

test('the subtitle is the name of the event', () => {
	const options = optionsOf(description.properties, 'event').filter((option) => 'value' in option);
	expect(options).toHaveLength(EVENTS.length);
	for (const { name, value } of options) {
		expect(description.subtitle).toContain(`${JSON.stringify(value)}:${JSON.stringify(name)}`);
	}
});

test('people pick the user from a list', () => {
	for (const event of EVENTS) {
		const user = shownFor({ event }).find(({ name }) => name === 'onBehalfOf');
		expect(user?.type).toBe('resourceLocator');
		const [list] = user?.modes ?? [];
		expect(Object.keys(new CometChatPollingTrigger().methods.listSearch)).toContain(
			list.typeOptions?.searchListMethod,
		);
	}
});

test('ends with the options', () => {
	for (const event of EVENTS) {
		const names = shownFor({ event, output: 'fields' }).map(({ name }) => name);
		expect(names[0]).toBe('event');
		expect(names.slice(-3)).toEqual(['output', 'fields', 'options']);
	}
});

test('the output "pages" is called what it is, in the order of the names', () => {
	const options = optionsOf(description.properties, 'output').filter((option) => 'value' in option);
	expect(options.map(({ name, value }) => [name, value])).toEqual([
		['Raw', 'raw'],
		['Selected Fields', 'fields'],
		['Simplified', 'simplified'],
		['Single Item', 'pages'],
	]);
});

test.each(EVENTS)('%s shows each field once', (event) => {
	const names = shownFor({ event, output: 'fields' }).map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
	expect([...names].sort()).toEqual(
		['event', 'fields', 'filters', 'onBehalfOf', 'options', 'output'].sort(),
	);
});

test('the fields to keep are asked for only with that output', () => {
	const names = shownFor({ event: 'groupCreated', output: 'raw' }).map(({ name }) => name);
	expect(names).not.toContain('fields');
});

test.each(EVENTS)('%s needs the user only when it is about a user', (event) => {
	const user = shownFor({ event, output: 'raw' }).find(({ name }) => name === 'onBehalfOf');
	expect(user?.required ?? false).toBe(event === 'groupJoined');
});

test('offers the filters that say which groups, and none that say when', () => {
	const names = optionsOf(description.properties, 'filters').map(({ name }) => name);
	expect(names).toEqual(['searchIn', 'searchKey', 'tags', 'type', 'types', 'withTags']);
});

test('offers how much one poll returns, and how long it waits', () => {
	const names = optionsOf(description.properties, 'options').map(({ name }) => name);
	expect(names).toEqual(['maxGroups', 'maxTries', 'maxWait']);
});

test('every field has a description, a default, and what is a collection a placeholder', () => {
	for (const property of description.properties) {
		expect(property).toHaveProperty('default');
		expect(property.description).toMatch(/\S/);
		if (property.type === 'collection') expect(property.placeholder).toMatch(/^Add /);
	}
});

test('the values that a new node has are complete but for the user', () => {
	const parameters = NodeHelpers.getNodeParameters(
		description.properties,
		{},
		true,
		false,
		{ typeVersion: 1 },
		description,
	);
	expect(parameters).toEqual({
		event: 'groupCreated',
		onBehalfOf: { __rl: true, mode: 'list', value: '' },
		output: 'raw',
		filters: {},
		options: {},
	});
});
