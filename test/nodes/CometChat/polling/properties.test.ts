import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { CometChatPollingTrigger } from '../../../../nodes/CometChat/CometChatPollingTrigger.node';

const { description, methods } = new CometChatPollingTrigger();

const EVENTS = ['groupCreated', 'groupJoined', 'groupUpdated', 'messageFlagged'];

/** The properties that the editor shows for these values. */
function shownFor(parameters: INode['parameters']): INodeProperties[] {
	const node = { typeVersion: 1 };
	return description.properties.filter((property) =>
		NodeHelpers.displayParameterPath(parameters, property, '', node, description),
	);
}

const namesIn = (name: string) =>
	description.properties
		.find((property) => property.name === name)
		?.options?.map((option) => [option.name, Reflect.get(option, 'value')]);

test('the subtitle is the name of the event', () => {
	expect(namesIn('event')?.map(([, value]) => value)).toEqual(EVENTS);
	for (const [name, value] of namesIn('event') ?? []) {
		expect(description.subtitle).toContain(`${JSON.stringify(value)}:${JSON.stringify(name)}`);
	}
});

test('a queue has no filters and no user', () => {
	const shown = shownFor({ event: 'messageFlagged', output: 'fields' });
	expect(shown.map(({ name }) => name)).toEqual(['event', 'output', 'fields', 'options']);
});

test.each(EVENTS.slice(0, 3))(
	'%s shows each field once, and needs the user only to join',
	(event) => {
		const shown = shownFor({ event, output: 'fields' });
		const user = shown.find(({ name }) => name === 'onBehalfOf');
		const filtersAndUser =
			event === 'groupJoined' ? ['onBehalfOf', 'filters'] : ['filters', 'onBehalfOf'];
		expect(shown.map(({ name }) => name)).toEqual([
			'event',
			...filtersAndUser,
			...['output', 'fields', 'options'],
		]);
		expect(user?.required ?? false).toBe(event === 'groupJoined');
		const [list] = user?.modes ?? [];
		expect(Object.keys(methods.listSearch)).toContain(list.typeOptions?.searchListMethod);
	},
);
