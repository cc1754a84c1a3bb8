import type { INodeProperties } from 'n8n-workflow';

import { CometChatPollingTrigger } from '../../nodes/CometChat/CometChatPollingTrigger.node';
import { CometChatTrigger } from '../../nodes/CometChat/CometChatTrigger.node';

const { description } = new CometChatPollingTrigger();

const findProperty = (name: string): INodeProperties => {
	const found = description.properties.filter((property) => property.name === name);
	expect(found).toHaveLength(1);
	return found[0];
};

test('offers four events, with Message Reported first and by default', () => {
	const { options = [], default: chosen } = findProperty('event');
	expect(options).toHaveLength(4);
	expect(options[0]).toMatchObject({
		name: 'Message Reported',
		value: 'messageFlagged',
		description: 'When a user reports (flags) a message, once per report',
	});
	expect(chosen).toBe('messageFlagged');
	expect(description.description).toMatch(/^Starts the workflow when a user reports a message/);
});

test('offers Events Caused by the App Itself only if CometChat names the user', () => {
	const { options = [] } = findProperty('options');
	const shown = options.flatMap((option) =>
		'displayOptions' in option ? [[option.name, option.displayOptions]] : [],
	);
	const displayOptions = { show: { '/event': ['groupCreated', 'groupUpdated'] } };
	expect(shown).toEqual([['appEvents', displayOptions]]);
});

test.each([
	[
		'CometChat Trigger',
		new CometChatTrigger(),
		[
			'events',
			...['watch', 'watch', 'groupIds', 'groupIds', 'userIds', 'userIds'],
			...['appEvents', 'options', 'output', 'fields', 'usesApi'],
		],
	],
	[
		'CometChat Polling Trigger',
		new CometChatPollingTrigger(),
		['event', 'onBehalfOf', 'filters', 'onBehalfOf', 'options', 'output', 'fields'],
	],
])('%s has only Request Options under Settings', (...row) => {
	const [, { description: node }, expected] = row;
	const fields = node.properties.filter(({ type }) => type !== 'notice');
	const parameters = fields.filter(({ isNodeSetting = false }) => !isNodeSetting);
	const settings = fields.filter(({ isNodeSetting = false }) => isNodeSetting);
	expect(parameters.map(({ name }) => name)).toEqual(expected);
	expect(settings.every(({ name }) => name === 'requestOptions')).toBe(true);
});
