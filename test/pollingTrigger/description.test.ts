import type { INodeProperties } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CometChatPollingTrigger } from '../../nodes/CometChat/CometChatPollingTrigger.node';
import { CometChatTrigger } from '../../nodes/CometChat/CometChatTrigger.node';
import { relatedNodes } from '../../nodes/CometChat/description/hints';
import { POLLED_EVENTS } from '../../nodes/CometChat/pollingTrigger/polledEvents';

const { description } = new CometChatPollingTrigger();

const findProperty = (name: string): INodeProperties => {
	const found = description.properties.filter((property) => property.name === name);
	expect(found).toHaveLength(1);
	return found[0];
};

test('offers five events, with Message Reported first and by default', () => {
	const { options = [], default: chosen } = findProperty('event');
	expect(options).toHaveLength(5);
	expect(options[0]).toMatchObject({
		name: 'Message Reported',
		value: 'messageFlagged',
		description: 'When a user reports (flags) a message, once per report',
	});
	expect(chosen).toBe('messageFlagged');
	expect(description.description).toMatch(
		/^Starts the workflow when a message is sent or reported/,
	);
});

test("the node's description and the README name what each event is about", () => {
	const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
	const [line] = /^- \*\*CometChat Polling Trigger\*\*.*/m.exec(readme) ?? [''];
	for (const { name } of findProperty('event').options ?? []) {
		const [thing] = name.toLowerCase().split(' ');
		expect(description.description).toContain(thing);
		expect(line).toContain(thing);
	}
});

test('the hint for AI builders names each event', () => {
	const [{ relationHint }] = relatedNodes.filter(({ nodeType }) =>
		nodeType.endsWith('PollingTrigger'),
	);
	const words = (findProperty('event').options ?? []).flatMap(({ name }) =>
		name.toLowerCase().split(' '),
	);
	expect(words.filter((word) => !relationHint.includes(word))).toEqual([]);
});

test('has the same columns whatever its parameters are, because no operation set them', () => {
	const varying = Object.entries(POLLED_EVENTS).filter(([, { entity }]) => entity.columnsFor);
	expect(varying.map(([name]) => name)).toEqual([]);
});

test('offers options about users only for events that name the user', () => {
	const { options = [] } = findProperty('options');
	const shown = options.flatMap((option) =>
		'displayOptions' in option ? [[option.name, option.displayOptions]] : [],
	);
	const showFor = (...events: string[]) => ({ show: { '/event': events } });
	expect(shown).toEqual([
		['appEvents', showFor('groupCreated', 'groupUpdated')],
		['appEvents', showFor('messageSent')],
		['ignoreUsers', showFor('messageSent')],
	]);
});

test('asks from the start whose messages to ignore, because answers would start the workflow again', () => {
	const { default: added, options } = findProperty('options');
	expect(added).toEqual({ ignoreUsers: [] });
	expect(options).toContainEqual(
		expect.objectContaining({
			name: 'ignoreUsers',
			hint: 'Add the user whom this workflow sends as, or it starts itself',
		}),
	);
});

test('says at the users to watch, and at no other field of Watch, which messages polls find', () => {
	const fields = description.properties.filter(({ name }) =>
		['watch', 'groupIds', 'userIds'].includes(name),
	);
	expect(
		fields.map(({ name, hint = '' }) => [name, hint.startsWith("Others' private messages")]),
	).toEqual([
		['watch', false],
		['groupIds', false],
		['userIds', true],
	]);
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
		[
			...['event', 'onBehalfOf', 'watch', 'groupIds', 'userIds'],
			...['filters', 'onBehalfOf', 'options', 'output', 'fields'],
		],
	],
])('%s has only Request Options under Settings', (...row) => {
	const [, { description: node }, expected] = row;
	const fields = node.properties.filter(({ type }) => type !== 'notice');
	const parameters = fields.filter(({ isNodeSetting = false }) => !isNodeSetting);
	const settings = fields.filter(({ isNodeSetting = false }) => isNodeSetting);
	expect(parameters.map(({ name }) => name)).toEqual(expected);
	expect(settings.every(({ name }) => name === 'requestOptions')).toBe(true);
});
