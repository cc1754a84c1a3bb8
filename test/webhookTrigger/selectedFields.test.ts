import { CometChatTrigger } from '../../nodes/CometChat/CometChatTrigger.node';
import { choicesOf, listPlaces } from '../fields';
import { listFields, OPTIONAL_SUFFIX, readDocumentedColumns } from '../fieldList';
import { envelope, message, reaction } from './envelopes';
import { activate, itemsFrom } from './harness';
import { SAMPLES, TRIGGERS } from './samples';

const TYPE = 'cometChatTrigger';

/** Columns of all events, which the docs list only once. */
const OF_ALL = ['event', 'at', 'by', 'byName'];

/** Labels of the events, by CometChat's names. */
const LABELS = new Map(
	listPlaces(new CometChatTrigger().description.properties)
		.filter(({ field: { name } }) => ['events', 'moreEvents'].includes(name))
		.flatMap(({ field }) => choicesOf(field).map(({ value, name }) => [value, name] as const)),
);

const documented = readDocumentedColumns('events.md');

/** Parameters that choose an event. More Events also takes the common ones. */
const choose = (...moreEvents: string[]) => ({ events: [], options: { moreEvents } });

const select = async (delivery: object, fields: string[], options = {}) =>
	await itemsFrom(
		await activate({ output: 'fields', fields, appEvents: 'always', options }),
		delivery,
	);

test.each(TRIGGERS)('Fields lists the documented columns of %s', async (trigger) => {
	const names = await listFields(TYPE, choose(trigger));
	expect(names).toEqual([...new Set(names)]);
	const columns = documented.get(LABELS.get(trigger) ?? '') ?? [];
	expect(columns.length).toBeGreaterThan(1);
	const shown = names.filter((name) => !OF_ALL.includes(name)).slice(0, columns.length);
	expect(shown).toEqual(columns);
	expect(await listFields(TYPE, { events: [trigger], options: {} })).toEqual(names);
});

test('each documented column of events has a value in a sample', async () => {
	const webhook = await activate({ appEvents: 'always', options: { includeActions: true } });
	const items = await Promise.all(
		SAMPLES.map(async ({ value }) => await itemsFrom(webhook, value)),
	);
	const filled = items
		.flat()
		.flatMap((item) => Object.keys(item).filter((name) => item[name] !== null));
	const columns = new Set(
		[...LABELS.values()]
			.flatMap((label) => [label, label + OPTIONAL_SUFFIX])
			.flatMap((name) => documented.get(name) ?? []),
	);
	expect([...columns].filter((name) => !filled.includes(name))).toEqual([]);
});

test.each(SAMPLES)(
	'Fields lists the columns of Simplified first, and items have all of them: $value.trigger: $summary',
	async ({ value }) => {
		const names = await listFields(TYPE, choose(value.trigger));
		const [simplified] = await itemsFrom(await activate({ appEvents: 'always' }), value);
		const columns = Object.keys(simplified);
		const optional = documented.get((LABELS.get(value.trigger) ?? '') + OPTIONAL_SUFFIX) ?? [];
		// A row has an optional column only with a value
		const shown = names.filter((name) => name in simplified || !optional.includes(name));
		expect(shown.slice(0, columns.length)).toEqual(columns);
		const [item] = await select(value, names);
		expect(Object.keys(item)).toEqual(names);
		expect(item).toMatchObject({ ...simplified, at: expect.any(String) });
	},
);

test.each(SAMPLES)(
	'Selected Fields always return the ID of what the event is about: $value.trigger: $summary',
	async ({ value }) => {
		const [simplified] = await itemsFrom(await activate({ appEvents: 'always' }), value);
		const [, , first] = Object.keys(simplified);
		// Events about reactions begin with the person
		const id = value.trigger.includes('reaction') ? 'messageId' : first;
		expect(id).toMatch(/^(id|uid|guid|\w+Id)$/);
		expect(Object.entries((await select(value, ['event']))[0])).toEqual([
			[id, simplified[id]],
			['event', value.trigger],
		]);
		expect(Object.keys((await select(value, ['event', id]))[0])).toEqual(['event', id]);
	},
);

test('Fields lists the columns of several events once, those of Simplified first', async () => {
	const both = await listFields(TYPE, {
		events: ['message_sent'],
		options: { moreEvents: ['user_blocked'] },
	});
	expect(both).toEqual([...new Set(both)]);
	expect(both.indexOf('avatar')).toBeLessThan(both.indexOf('conversationId'));
	const single = await Promise.all(
		['message_sent', 'user_blocked'].map(async (each) => await listFields(TYPE, choose(each))),
	);
	expect(new Set(both)).toEqual(new Set(single.flat()));
});

test.each([
	['All Events', { events: ['*'] }],
	['an expression without a result', {}],
])('Fields lists the columns of all events for %s', async (_name, parameters) => {
	const names = await listFields(TYPE, parameters);
	const single = await Promise.all(
		TRIGGERS.map(async (each) => await listFields(TYPE, choose(each))),
	);
	expect(new Set(names)).toEqual(new Set(single.flat()));
});

test('Fields lists the columns of a fetched message, which items then have', async () => {
	const options = { fetchMessage: true, moreEvents: ['message_reaction_added'] };
	const names = await listFields(TYPE, { events: [], options });
	const added = ['messageText', 'messageError', 'messageConversationId'];
	expect(names).toEqual(expect.arrayContaining(added));
	// The message can't be fetched, because no service runs
	const [item] = await select(reaction('added'), names, { fetchMessage: true });
	expect(Object.keys(item)).toEqual(names);
	expect(await listFields(TYPE, choose('message_reaction_added'))).not.toContain('messageText');
});

test('Selected Fields can say what happened to whom with Include Actions', async () => {
	const noor = { entity: { uid: 'noor', name: 'Noor' }, entityType: 'user' };
	const data = { action: 'joined', entities: { by: noor } };
	const note = message(9, { category: 'action', type: 'groupMember', data });
	const delivery = envelope('message_sent', { message: note });
	const [item] = await select(delivery, ['action', 'uid', 'name'], { includeActions: true });
	expect(item).toEqual({ id: '9', action: 'joined', uid: 'noor', name: 'Noor' });
	expect(await listFields(TYPE, choose('message_sent'))).toContain('action');
});

test('Selected Fields of an unknown event have no ID of their own', async () => {
	const delivery = envelope('something_new', { id: '1' });
	expect(await select(delivery, ['trigger', 'data.id'])).toEqual([
		{ trigger: 'something_new', data: { id: '1' } },
	]);
});
