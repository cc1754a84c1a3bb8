import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/CometChat/resources';
import type { Field } from '../../nodes/CometChat/types';
import { listPlaces, setAtPath, type Place } from '../fields';
import { CASES } from './cases';
import { run, useSandbox } from './harness';

const sandbox = useSandbox();

/** True if a field contains the ID of something in CometChat: a picker, a list from a picker, or a typed ID. */
const isIdField = ({ name, type, typeOptions }: Field): boolean =>
	type === 'resourceLocator' ||
	/Id$/.test(name) ||
	/^get(Users|Groups|Roles)$/.test(typeOptions?.loadOptionsMethod ?? '');

/** UID, GUID and other name that nothing has. */
const UNKNOWN = 'nobody-here';

const takesSeveral = ({ type, typeOptions }: Field): boolean =>
	type === 'multiOptions' || typeOptions?.multipleValues === true;

/** Returns an ID that nothing has. */
function unknownId(field: Field): INodeParameters[string] {
	const id = /^(message|parent|quotedMessage)Id$/.test(field.name) ? '999999' : UNKNOWN;
	return takesSeveral(field) ? [id] : id;
}

const QUESTION: INodeParameters = { groupId: 'makers', message: 'Order lamps?' };

/** Returns parameters of an operation in which all IDs exist. */
function parametersOf(resource: string, operation: string): INodeParameters {
	const { parameters } = CASES[`${resource} ${operation}`] ?? { parameters: QUESTION };
	return { resource, operation, ...structuredClone(parameters) };
}

interface IdPlace {
	name: string;
	parameters: INodeParameters;
	place: Place;
}

/** All ID fields of all operations, except of Answer, whose IDs come from the trigger. */
const PLACES: IdPlace[] = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ fromEarlierNodes }) => fromEarlierNodes === undefined)
		.flatMap(({ value, fields }) =>
			listPlaces(fields)
				.filter(({ field }) => isIdField(field))
				.map((place) => ({
					name: `${resource} ${value}: ${place.path.join('.')}`,
					parameters: parametersOf(resource, value),
					place,
				})),
		),
);

/** Fields whose unknown ID fails nothing: filters, and rows that say which user was not found. */
const ACCEPTED = [
	...['conversationId', 'mentionedUids', 'sender'].map((name) => `message list: filters.${name}`),
	...['admins', 'moderators', 'participants'].map((n) => `group create: additionalFields.${n}`),
	...['user list: filters.roles', 'user deactivate: userId', 'user reactivate: userId'],
];

test.each(PLACES)('An unknown ID in one field is blamed on this field: $name', async (each) => {
	const { name, parameters, place } = each;
	const { displayName, displayOptions, needs } = place.field;
	for (const [shown, choices] of Object.entries(displayOptions?.show ?? {})) {
		parameters[shown.replace('/', '')] = String(choices?.[0]);
	}
	if (needs) parameters.onBehalfOf = 'mira';
	// A group's owner excludes On Behalf Of
	if (place.field.name === 'onBehalfOf') delete Object(parameters.additionalFields).owner;
	setAtPath(parameters, place.path, unknownId(place.field));
	const { error } = await run(sandbox(), parameters);
	expect(error === undefined).toBe(ACCEPTED.includes(name));
	if (error === undefined) return;
	const text = `${error.message} ${'description' in error ? error.description : ''}`;
	// Of several users, the error names those who failed
	expect(text).toContain(takesSeveral(place.field) ? UNKNOWN : `'${displayName}'`);
});

test('The accepted fields exist', () => {
	expect(PLACES.map(({ name }) => name)).toEqual(expect.arrayContaining(ACCEPTED));
});
