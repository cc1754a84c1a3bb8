import type { IDataObject, INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Field } from '../../nodes/CometChat/types';
import { isLeaf, listPlaces, setAtPath, type Place } from '../fields';
import { AS_TOOL, AS_TOOL_OF_NEW_AGENT, CONTINUE, NODE, run } from './harness';
import { DECLARED, OPERATIONS, REQUIRED, type OperationCase } from './operations';
import { anything, startRecorder, type Recorder } from './recorder';

let recorder: Recorder;

const isUser = ({ modes, typeOptions }: INodeProperties) =>
	typeOptions?.loadOptionsMethod === 'getUsers' ||
	modes?.some(({ displayName }) => displayName === 'By UID') === true;

const isList = ({ name, type, typeOptions }: INodeProperties) =>
	type === 'multiOptions' ||
	typeOptions?.multipleValues === true ||
	['attachmentsJson', 'binaryProperties'].includes(name);

/** The field is left out of the request. */
const LEFT_OUT = Symbol('left out');
/** The model receives an error that names the field and the value. */
const REFUSED = Symbol('refused');

type Outcome = typeof LEFT_OUT | typeof REFUSED | IDataObject[string];

const IDS = ['mira', 'leo'];
/** Forms in which models pass several values. */
const LISTS = [IDS, JSON.stringify(IDS), IDS.join('\n'), IDS.join(', ')];

/** Values that a model passes. `$fromAI` returns undefined if a model passes null. */
const VALUES = ['', null, undefined, '[]', 'true', '5', 'mira', '<@uid:mira>', ...LISTS];

const isEmpty = (field: Field, value: unknown) =>
	['', null, undefined].includes(value as string) || (value === '[]' && isList(field));

/** True if a field contains a single ID. Apps choose the IDs of reasons, so these IDs can be any text. */
const isId = ({ type, name }: INodeProperties) =>
	name !== 'reasonId' &&
	(type === 'resourceLocator' ||
		['guid', 'uid', 'messageId', 'parentId', 'quotedMessageId'].includes(name));

/** Returns the value that a field should have if a model passes a value that's not empty. */
function readFilled(field: Field, value: unknown): Outcome {
	const text = String(value);
	const isSeveral = ['[]', ...LISTS].includes(value as string);
	switch (field.type) {
		case 'boolean':
			return value === 'true' ? true : REFUSED;
		case 'number':
			return value === '5' ? 5 : REFUSED;
		case 'options':
			// A list from the app has more entries than the editor shows
			return field.typeOptions?.loadOptionsMethod && !Array.isArray(value) ? text : REFUSED;
		case 'json':
		case 'dateTime':
			return REFUSED;
	}
	// A mention isn't a host
	if (field.name === 'hosts' && text.includes('@')) return REFUSED;
	if (isList(field)) {
		if (field.type === 'multiOptions' && !field.typeOptions?.loadOptionsMethod) return REFUSED;
		if (isSeveral) return IDS;
		return [isUser(field) ? text.replace('<@uid:mira>', 'mira') : text];
	}
	if (Array.isArray(value) || ['email', 'url'].includes(field.name) || (isId(field) && isSeveral))
		return REFUSED;
	const isMessageId = ['messageId', 'parentId', 'quotedMessageId'].includes(field.name);
	if (text !== '<@uid:mira>' || isMessageId || !isId(field)) return text;
	return isUser(field) ? 'mira' : REFUSED;
}

function expectOutcome({ field }: Place, value: unknown): Outcome {
	// Mark as Read sends the message ID as a number
	const isNumber = field.routing?.send?.property === 'messageId';
	if (isNumber && !/^\s*\d+\s*$/.test(String(value))) return REFUSED;
	// A tool has no files
	if (field.name === 'binaryProperties') return REFUSED;
	if (!isEmpty(field, value)) return readFilled(field, value);
	const isRefused = field.required || /^refuse($|E)/.test(String(field.whenEmpty));
	return isRefused ? REFUSED : LEFT_OUT;
}

/** Returns a copy of values in which a field is set or left out. */
function place(values: IDataObject, path: string[], value: Outcome): IDataObject {
	const copy = structuredClone(values);
	setAtPath(copy, path, value === LEFT_OUT ? undefined : value);
	return copy;
}

/** Lists the names in a field's display conditions, each with a value that shows the field. */
const listChoosers = ({ displayOptions }: INodeProperties): IDataObject =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).map(([name, values = []]) => [
			name.replace('/', ''),
			values[0] as string,
		]),
	);

/** Sample value of a field that another field needs. */
const sampleOf = ({ name, type }: Field): Outcome =>
	type === 'boolean' || (type === 'dateTime' ? '2026-01-31' : (REQUIRED[name] ?? 'leo'));

/** Returns an operation's parameters with which a field may have a value. */
function createBase(
	{ parameters }: OperationCase,
	{ field, parents }: Place,
	places: Place[],
): IDataObject {
	let base: IDataObject = {
		...REQUIRED,
		...parameters,
		...listChoosers({ ...parents[0], ...field }),
	};
	// Without files, a message needs a caption
	if (field.name === 'attachmentsJson') base = { ...base, caption: 'Photos' };
	for (const other of places) {
		const { name, excludes = [] } = other.field;
		const isExcluded = field.excludes?.includes(name) || excludes.includes(field.name);
		if (field.needs?.includes(name)) base = place(base, other.path, sampleOf(other.field));
		else if (isExcluded) base = place(base, other.path, LEFT_OUT);
	}
	return base;
}

/** Runs an operation for each value of `$json.v`, and returns the requests and the error of each value. */
async function runWith(
	parameters: IDataObject,
	values: unknown[],
	settings: Partial<INode> = {},
): Promise<{ requests: string[]; errors: unknown[] }> {
	recorder.requests.length = 0;
	const input = values.map((v) => ({ v }) as IDataObject);
	const { items } = await run(recorder, parameters as INodeParameters, {
		...{ ...CONTINUE, settings, input },
	});
	const failed = items(NODE).filter(({ json }) => json.error !== undefined);
	const errors = values.map(
		(_, index) => failed.find(({ pairedItem }) => Object(pairedItem).item === index)?.json.error,
	);
	const requests = recorder.requests.map(({ method, url, headers, body }) =>
		[method, url, headers.onbehalfof, body].join(' '),
	);
	return { requests, errors };
}

/** True if a model can act on an error: it names the field, the value, and what is allowed. */
function isAdvice(field: Field, value: unknown, error: unknown): boolean {
	// An error about a list may name only the wrong entry
	const shown = LISTS.includes(value as string) ? 'mira' : String(value);
	// A row without a URL is left out
	const isRowLeftOut = field.name === 'url' && (value === '' || value === null);
	const label = isRowLeftOut ? 'Attachments' : field.displayName;
	return (
		String(error).startsWith(`'${label}' `) &&
		String(error).includes(isEmpty(field, value) ? 'is empty' : shown) &&
		/Fill in '.*'|must be|can contain only|give null or an empty text/.test(String(error)) &&
		!/n8n|\$|\{\{|expression/i.test(String(error))
	);
}

/** True if a request was sent. The recorder's response doesn't name the users whom some requests change. */
const isFromService = (error: unknown) =>
	error === undefined || String(error).startsWith('CometChat did not say');

/** True for the second request of Get Member, which reads the user. */
const isOfMember = ({ key }: OperationCase, request: string) =>
	key === 'group getMember' && !request.includes('/groups/');

/** Lists the operation's fields with a value, each with parameters in which the field may have a value. */
function listCases(operation: OperationCase) {
	const { fields = [] } = DECLARED.find(({ key }) => key === operation.key)?.operation ?? {};
	const places = listPlaces(fields.filter(({ name }) => name !== 'requestOptions')).filter(isLeaf);
	return places.map((each) => {
		const base = createBase(operation, each, places);
		return { ...each, base, parameters: place(base, each.path, '={{ $json.v }}') };
	});
}

const AGENTS: Array<[string, Partial<INode>]> = [
	['older agent', AS_TOOL],
	['new agent', AS_TOOL_OF_NEW_AGENT],
];

/** Returns the value that the editor saves after a user empties a field. */
function emptied({ type, typeOptions }: INodeProperties): IDataObject[string] {
	if (type === 'resourceLocator') return { __rl: true, mode: 'list', value: '' };
	return type === 'multiOptions' || typeOptions?.multipleValues ? [] : '';
}

beforeAll(async () => {
	recorder = await startRecorder(anything);
});
afterAll(async () => await recorder.close());

test.each(OPERATIONS)(
	'An agent fills in each field of "$name", or receives an error that names the field and the value',
	async (operation) => {
		for (const each of listCases(operation)) {
			const { field, path, base, parameters } = each;
			const outcomes = VALUES.map((value) => expectOutcome(each, value));
			const accepted = outcomes.filter((outcome) => outcome !== REFUSED);
			const filled = [...new Set(accepted)].filter((outcome) => outcome !== LEFT_OUT);
			const { requests } = await runWith(parameters, filled);
			if (accepted.includes(LEFT_OUT)) {
				requests.push(...(await runWith(place(base, path, LEFT_OUT), [undefined])).requests);
			}
			for (const [agent, settings] of AGENTS) {
				const called = await runWith(parameters, VALUES, settings);
				const wrong = VALUES.flatMap((value, index) => {
					const error = called.errors[index];
					const isRefused = outcomes[index] === REFUSED;
					// The workflow's author chooses the files, not the model
					const isForAuthor = field.name === 'binaryProperties' && error !== undefined;
					const isRight = isRefused
						? isForAuthor || isAdvice(field, value, error)
						: isFromService(error);
					return isRight ? [] : [{ value, error }];
				});
				const subject = [agent, field.displayName];
				expect([...subject, wrong]).toEqual([...subject, []]);
				expect([...subject, new Set(called.requests)]).toEqual([...subject, new Set(requests)]);
				// An update of private metadata also reads the user
				const [method] = operation.wire.split(' ');
				// 'Include First Message' also reads that message
				const isOfFirst = (request: string) =>
					field.name === 'includeFirst' && !request.includes('/thread?');
				const sent = called.requests.filter(
					(request) =>
						request.startsWith(method) && !isOfFirst(request) && !isOfMember(operation, request),
				);
				// Remove Friends sends a request per user
				const isPerUser = operation.key === 'user removeFriends' && field.name === 'uids';
				const bodies = isPerUser ? accepted.map((uids) => [uids].flat().length) : [];
				const more = bodies.reduce((sum, number) => sum + number - 1, 0);
				expect(sent).toHaveLength(accepted.length + more);
			}
		}
	},
);

test.each(OPERATIONS)(
	'$name rejects each optional field whose expression returns no value, and leaves out fields emptied by hand, except filters',
	async (operation) => {
		const optional = listCases(operation).filter(({ field, parents: [outer = field] }) => {
			const isOptional = !outer.required && !field.required;
			return isOptional && !['output', 'fields'].includes(outer.name);
		});
		for (const { field, path, base, parameters } of optional) {
			const { displayName, type } = field;
			const { requests, errors } = await runWith(parameters, [undefined]);
			const reason = `'${displayName}' is empty: its expression returned no value`;
			expect({ requests, errors }).toEqual({
				...{ requests: [], errors: [expect.stringContaining(reason)] },
			});
			// In an update, empty values clear fields. The editor keeps a value in the other fields.
			const isMenu = ['options', 'string'].includes(type) && Boolean(field.default);
			if (path[0] === 'updateFields' || isMenu || /boolean|number|json/.test(type)) continue;
			const byHand = await runWith(place(base, path, emptied(field)), [undefined]);
			if (path[0] === 'filters') {
				expect(byHand.errors).toEqual([expect.stringMatching(/ is empty\. .*, or remove it\.$/)]);
				continue;
			}
			const leftOut = await runWith(place(base, path, LEFT_OUT), [undefined]);
			expect([displayName, byHand]).toEqual([displayName, leftOut]);
		}
	},
);
