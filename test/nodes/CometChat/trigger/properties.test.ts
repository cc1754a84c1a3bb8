import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CometChatTrigger } from '../../../../nodes/CometChat/CometChatTrigger.node';

const { description } = new CometChatTrigger();

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
		name: 'cometChatTrigger',
		displayName: 'CometChat Trigger',
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

test('the subtitle says each event in words', () => {
	for (const event of EVENTS) expect(description.subtitle).toContain(`${event}: "group `);
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

test('offers how much one poll hands over, and how long it tries', () => {
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
		onBehalfOf: '',
		output: 'raw',
		filters: {},
		options: {},
	});
});
