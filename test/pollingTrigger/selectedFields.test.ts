import type { INodeParameters } from 'n8n-workflow';

import type { EventName } from '../../nodes/CometChat/pollingTrigger/polledEvents';
import { listFields, OPTIONAL_SUFFIX, readDocumentedColumns } from '../fieldList';
import { activate, useClockedSandbox } from './harness';

const TYPE = 'cometChatPollingTrigger';

const sandbox = useClockedSandbox();

/** Labels, ID columns and further parameters of all polled events. */
const CASES: Record<EventName, [label: string, id: string, parameters?: INodeParameters]> = {
	messageFlagged: ['Message Reported', 'id'],
	messageSent: ['Message Sent', 'id', { watch: 'app' }],
	groupCreated: ['Group Created', 'guid'],
	groupJoined: ['Group Joined', 'guid', { onBehalfOf: 'leo' }],
	groupUpdated: ['Group Updated', 'guid'],
};

const EVENTS = Object.entries(CASES).map(
	([event, [label, id, parameters]]): [string, string, INodeParameters] => [
		label,
		id,
		{ event, ...parameters },
	],
);

const documented = readDocumentedColumns('output-and-errors.md');

/** Fetches a test event. */
async function fetchItem(parameters: INodeParameters) {
	const [item] = (await activate(sandbox(), parameters).poll('manual')) ?? [];
	return item.json;
}

describe.each(EVENTS)('%s', (label, id, parameters) => {
	test('lists its columns under Fields, those of Simplified first, and its items have all of them', async () => {
		const names = await listFields(TYPE, parameters);
		expect(names).toEqual([...new Set(names)]);
		const columns = documented.get(`CometChat Polling Trigger ${label}`) ?? [];
		const columnsShownIfFilled =
			documented.get(`CometChat Polling Trigger ${label}${OPTIONAL_SUFFIX}`) ?? [];
		const row = await fetchItem(parameters);
		// A row has an optional column only with a value
		const isShown = (name: string) => row[name] === null || !columnsShownIfFilled.includes(name);
		expect(Object.keys(row).filter(isShown)).toEqual(columns);
		const all = [...columns, ...columnsShownIfFilled];
		expect(names.slice(0, all.length)).toEqual(all);
		const item = await fetchItem({ ...parameters, output: 'fields', fields: names });
		expect(Object.keys(item)).toEqual(names);
	});

	test('always returns the ID', async () => {
		const [name] = (await listFields(TYPE, parameters)).slice(-1);
		const item = await fetchItem({ ...parameters, output: 'fields', fields: [name] });
		expect(Object.keys(item)).toEqual([id, name]);
		expect(item[id]).toEqual(expect.any(String));
	});
});

test('Fields lists the columns of all events for an unknown event', async () => {
	const names = await listFields(TYPE, {});
	const single = EVENTS.map(async ([, , parameters]) => await listFields(TYPE, parameters));
	expect(new Set(names)).toEqual(new Set((await Promise.all(single)).flat()));
});
