import type { IDataObject } from 'n8n-workflow';

import { InputError, toList } from './input';
import type { Reaction } from './types';
import { isObject } from './types';

/** Turns what the service sent into an item's JSON. */
export type Shape = (entity: IDataObject) => IDataObject;

/** Columns of a simplified item: the name of the column and where its value is. */
export type Columns = Record<string, (entity: IDataObject) => unknown>;

const field =
	(...path: string[]) =>
	(entity: IDataObject): unknown =>
		path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entity);

export const GROUP_COLUMNS: Columns = {
	guid: field('guid'),
	name: field('name'),
	description: field('description'),
	type: field('type'),
	membersCount: field('membersCount'),
	owner: field('owner'),
	tags: (group) => (Array.isArray(group.tags) ? group.tags.join(', ') : undefined),
	hasJoined: field('hasJoined'),
	scope: field('scope'),
	createdAt: field('createdAt'),
};

export const MESSAGE_COLUMNS: Columns = {
	id: field('id'),
	text: field('data', 'text'),
	reactions: (message) => reactionsText(field('data', 'reactions')(message)),
	sender: field('sender'),
	receiver: field('receiver'),
	receiverType: field('receiverType'),
	type: field('type'),
	conversationId: field('conversationId'),
	sentAt: field('sentAt'),
	updatedAt: field('updatedAt'),
};

function isReaction(value: unknown): value is Reaction {
	return isObject(value) && typeof value.reaction === 'string';
}

/** `[{reaction: '👍', count: 2}, {reaction: '🎉', count: 1}]` as `👍 2, 🎉 1` */
function reactionsText(reactions: unknown): string | undefined {
	if (!Array.isArray(reactions)) return undefined;
	return reactions
		.filter(isReaction)
		.map(({ reaction, count }) => `${reaction} ${count ?? 1}`)
		.join(', ');
}

function simplified(columns: Columns): Shape {
	const entries = Object.entries(columns);
	return (entity) => {
		const item: IDataObject = {};
		for (const [name, valueOf] of entries) {
			const value = valueOf(entity);
			if (value !== undefined && !isObject(value)) item[name] = value as IDataObject[string];
		}
		return item;
	};
}

const UNSAFE_NAMES = ['__proto__', 'prototype', 'constructor'];

function selected(names: string[]): Shape {
	const paths = names.map((name) => name.split('.'));
	return (entity) => {
		const item: IDataObject = {};
		for (const path of paths) {
			const value = field(...path)(entity);
			if (value !== undefined) setAt(item, path, value);
		}
		return item;
	};
}

function setAt(item: IDataObject, path: string[], value: unknown): void {
	let target = item;
	for (const key of path.slice(0, -1)) {
		const inner = target[key];
		// A copy, so that the parts of what the service sent are not changed
		target = target[key] = isObject(inner) ? { ...inner } : {};
	}
	target[path[path.length - 1]] = value as IDataObject[string];
}

/**
 * The shape that "Output" asks for.
 *
 * @param fields the value of "Fields": names, with dots for inner fields, e.g. data.text
 * @throws InputError for an unknown output or when no field is named
 */
export function shapeOf(output: unknown, fields: unknown, columns: Columns): Shape {
	if (output === 'raw') return (entity) => entity;
	if (output === 'simplified') return simplified(columns);
	if (output !== 'fields') {
		throw new InputError('Output', 'must be one of the outputs that this operation offers');
	}
	const names = toList('Fields', fields);
	if (names.length === 0) {
		throw new InputError('Fields', 'is empty', 'Name at least one field, e.g. guid or data.text.');
	}
	const unsafe = names.find((name) => name.split('.').some((key) => UNSAFE_NAMES.includes(key)));
	if (unsafe !== undefined) throw new InputError('Fields', `must not hold "${unsafe}"`);
	return selected(names);
}
