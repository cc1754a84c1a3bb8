import type {
	IDataObject,
	INodeProperties,
	INodePropertyRouting,
	NodeParameterValue,
	NodeParameterValueType,
} from 'n8n-workflow';

import { expandPath, namesIn, pathSegment, segmentProblem } from '../transport/path';
import type { RestRequest } from '../transport/types';
import { isObject } from '../transport/types';
import { CHECKS, COLLECTION_CHECKS, REQUEST_CHECKS, checkId } from './checks';
import { InputError } from '../errors/inputError';
import type { Operation } from './types';
import type { Destination } from './values';
import { convert, isEmpty, toObject } from './values';

/** Longest text in a query or a path, in UTF-16 code units. */
const MAX_IN_ADDRESS = 1_000;

/** Longest text in a body: the service's own limit for a whole message. */
const MAX_IN_BODY = 65_536;

/** Types of fields that always have a value. */
const HAS_DEFAULT: Array<INodeProperties['type']> = ['boolean', 'number', 'options'];

/** Reads a parameter of the item, expressions resolved; the fallback is for one that is not there. */
export type ReadParameter = (name: string, fallback: NodeParameterValueType) => unknown;

/** The parameters of an item, checked and converted, by their names; those of collections in an object. */
export type Values = Readonly<Record<string, unknown>>;

/** The parameters of an item and the request that the description makes of them. */
export interface ItemRequest {
	request: RestRequest;
	values: Values;
}

/** Turns the parameters of an item into a request: the one reader of the description. */
export class RequestReader {
	private readonly query: IDataObject = {};

	private readonly body: IDataObject = {};

	private readonly headers: Record<string, string> = {};

	private readonly values: Record<string, unknown> = {};

	private url = '';

	constructor(
		private readonly read: ReadParameter,
		private readonly timezone: string,
	) {}

	/**
	 * @returns the request, with nothing in it but what the user set
	 * @throws InputError for a value that must not be sent
	 */
	of({ routing, fields }: Pick<Operation, 'routing' | 'fields'>): ItemRequest {
		const { method = 'GET', url = '' } = routing?.request ?? {};
		this.url = url;
		for (const field of fields) {
			if (!isShown(field, this.values)) continue;
			const raw = this.rawValueOf(field);
			// A choice that was cleared is the one that a new node has
			const isCleared = isEmpty(raw) && HAS_DEFAULT.includes(field.type);
			const value = this.valueOf(field, isCleared ? field.default : raw);
			this.values[field.name] = value;
			this.place(field, value);
		}
		for (const check of REQUEST_CHECKS) check(this.query, this.values);
		const hasBody = Object.keys(this.body).length > 0;
		return {
			request: {
				method,
				path: this.path(this.url, fields),
				query: this.query,
				headers: this.headers,
				...(hasBody ? { body: this.body } : {}),
			},
			values: this.values,
		};
	}

	/** The fields of a description without a request of its own: a trigger. */
	valuesOf(fields: INodeProperties[]): { values: Values; query: IDataObject } {
		const { values } = this.of({ fields });
		return { values, query: this.query };
	}

	/** @throws n8n's own errors, and an InputError for what n8n itself stumbles over */
	private rawValueOf({ name, displayName, default: fallback }: INodeProperties): unknown {
		try {
			return this.read(name, fallback);
		} catch (error) {
			return notRead(displayName, error);
		}
	}

	private valueOf(field: INodeProperties, raw: unknown): unknown {
		if (field.type === 'collection') return this.collection(field, raw);
		if (field.type === 'fixedCollection') return this.entries(field, raw);
		return this.simple(field, field.type === 'resourceLocator' ? located(raw) : raw);
	}

	private simple(field: INodeProperties, raw: unknown): unknown {
		const { name, displayName, required, type } = field;
		if (isEmpty(raw)) {
			if (required) throw emptyError(displayName);
			return undefined;
		}
		const value = convert(raw, field, this.destinationOf(field));
		if (Array.isArray(value) && value.length === 0 && required) throw emptyError(displayName);
		const check = type === 'resourceLocator' ? checkId : CHECKS[name];
		return check === undefined ? value : check(value, displayName);
	}

	private destinationOf({ routing }: INodeProperties): Destination {
		const isInBody = routing?.send?.type === 'body';
		return {
			maxLength: isInBody ? MAX_IN_BODY : MAX_IN_ADDRESS,
			joinsByComma: !isInBody,
			timezone: this.timezone,
		};
	}

	private collection({ name, displayName, options, required }: INodeProperties, raw: unknown) {
		const set = isEmpty(raw) ? {} : toObject(displayName, raw);
		const fields = (options ?? []).filter(isField);
		const values: IDataObject = {};
		for (const [key, entry] of Object.entries(set)) {
			const field = fields.find((each) => each.name === key);
			if (field === undefined) {
				if (isEmpty(entry)) continue;
				throw new InputError(key, `is not one of the fields of '${displayName}'`);
			}
			if (!isShown(field, this.values)) continue;
			const value = this.valueOf(field, entry);
			if (value === undefined) continue;
			values[key] = value as NodeParameterValue;
			this.place(field, value);
		}
		COLLECTION_CHECKS[name]?.(values, set as IDataObject);
		if (required && Object.keys(values).length === 0) {
			throw new InputError(displayName, 'is empty', 'Add at least one field.');
		}
		return values;
	}

	/** Entries of a fixed collection of one kind, each as an object. */
	private entries({ displayName, options = [], required }: INodeProperties, raw: unknown) {
		const [kind] = options.filter((option) => 'values' in option);
		const set = isEmpty(raw) ? {} : toObject(displayName, raw);
		const entries = [set[kind.name] ?? []].flat();
		if (required && entries.length === 0) throw emptyError(displayName);
		return entries.map((entry) => {
			const raws = toObject(displayName, entry);
			const values = kind.values.map((field) => [
				field.name,
				this.simple({ routing: { send: { type: 'body' } }, ...field }, raws[field.name]),
			]);
			return Object.fromEntries(values.filter(([, value]) => value !== undefined));
		});
	}

	/** Puts a value where the field, and the option that was chosen, say. */
	private place(field: INodeProperties, value: unknown): void {
		if (value === undefined) return;
		if (field.routing) this.follow(field.routing, value);
		if (field.type !== 'options') return;
		for (const option of field.options ?? []) {
			if ('value' in option && String(option.value) === value && option.routing) {
				this.follow(option.routing, value);
			}
		}
	}

	private follow({ send, request = {} }: INodePropertyRouting, value: unknown): void {
		if (request.url !== undefined) this.url = request.url;
		for (const [key, text] of Object.entries(request.headers ?? {})) {
			this.headers[key] = String(this.resolved(text, value));
		}
		for (const [key, constant] of Object.entries(Object(request.body))) {
			setAt(this.body, key, this.resolved(constant, value));
		}
		if (send?.property === undefined) return;
		const sent = send.value === undefined ? value : this.resolved(send.value, value);
		if (isEmpty(sent)) return;
		if (send.type === 'body') setAt(this.body, send.property, sent);
		else this.query[send.property] = Array.isArray(sent) ? sent.join(',') : (sent as string);
	}

	/** The few expressions that a description may hold: the field's value, or that of another one. */
	private resolved(text: unknown, value: unknown): unknown {
		if (typeof text !== 'string' || !text.startsWith('=')) return text;
		if (/^=\{\{ \$value(?:\.\w+)? \}\}$/.test(text)) return value;
		const [, name] = /^=\{\{ \$parameter\.(\w+) \}\}$/.exec(text) ?? [];
		if (name === undefined) throw new Error(`The description has an unknown expression: ${text}`);
		return this.values[name];
	}

	private path(template: string, fields: INodeProperties[]): string {
		const segments = namesIn(template).map((name): [string, string] => {
			const text = String(this.values[name] ?? '');
			const problem = segmentProblem(text);
			if (problem !== undefined) {
				const label = fields.find((field) => field.name === name)?.displayName ?? name;
				throw new InputError(label, problem, 'It would change the address of the request.');
			}
			return [name, pathSegment(text)];
		});
		return expandPath(template, Object.fromEntries(segments));
	}
}

/** n8n does not expect an expression to return an object that holds itself. */
function notRead(label: string, error: unknown): never {
	throw error instanceof RangeError ? new InputError(label, 'is an object without end') : error;
}

function emptyError(label: string): InputError {
	return new InputError(label, 'is empty', `Fill in '${label}'.`);
}

function isField(option: object): option is INodeProperties {
	return 'type' in option;
}

/** The value of n8n's resource locator; a plain text is one that was saved, or given, without a mode. */
function located(raw: unknown): unknown {
	return isObject(raw) && 'value' in raw ? raw.value : raw;
}

/**
 * Whether n8n shows a field. Its names are of fields that come before it; a name that is not there is
 * that of the resource or the operation, which is right already.
 */
function isShown({ displayOptions }: INodeProperties, values: Values): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const matches = ([path, allowed]: [string, unknown]) => {
		const name = path.replace(/^\//, '');
		return !(name in values) || (Array.isArray(allowed) && allowed.includes(values[name]));
	};
	const isHidden = ([path, hidden]: [string, unknown]) =>
		path.replace(/^\//, '') in values && matches([path, hidden]);
	return Object.entries(show).every(matches) && !Object.entries(hide).some(isHidden);
}

/** Sets an inner field, e.g. "data.text". */
function setAt(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() ?? path;
	let inner = target;
	for (const key of keys) {
		const next = inner[key];
		inner = isObject(next) ? next : (inner[key] = {});
	}
	inner[last] = value as IDataObject[string];
}
