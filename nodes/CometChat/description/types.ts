import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Change } from '../errors/nodeError';
import type { Explanation } from '../errors/table';
import type { RestRequest } from '../transport/types';

/** Columns of a simplified item: the name of the column and how its value is read. */
export type Columns = Record<string, (entity: IDataObject) => unknown>;

/** What one thing of a resource is. */
export interface Entity {
	/** e.g. "group" */
	name: string;
	/** e.g. "groups" */
	plural: string;
	/** Name of the field that tells one from another */
	id: string;
	/** At most a dozen flat fields that people want most. A name that ends in `At` is that of a time. */
	columns: Columns;
	/** Whether a response of success says enough, whatever it holds */
	mayBeEmpty?: boolean;
	/** The columns, where they depend on what was asked for; `columns` has all that there can be */
	columnsFor?: (values: Values) => Columns;
	/** Whether a list leaves this out, for the values of its fields */
	isExcluded?: (entity: IDataObject, values: Values) => boolean;
	/** Tells one entry of a list from another, where the ID does not */
	keyOf?: (entity: IDataObject) => string;
	/** The thing itself, where the service sends a note about it */
	unwrap?: (sent: IDataObject) => IDataObject;
}

/** The parameters of an item, checked and converted, by their names; those of collections in an object. */
export type Values = Readonly<Record<string, unknown>>;

/** What the fields of a description make of the parameters. */
export interface ItemRequest {
	values: Values;
	/** With nothing in it but what the user set */
	request: RestRequest;
}

/** Result of an operation: an entity, or one entry of a list that is sent in batches. */
export interface Result {
	entity: IDataObject;
	/** The entry's result as CometChat sent it */
	sent?: IDataObject;
	/** The entry of the list that was sent, e.g. a UID */
	entry?: string;
	/** Why the entry failed: CometChat's words, or the error thrown when it was sent */
	failure?: unknown;
}

/** One thing. */
export interface SingleResponse {
	one: Entity;
	/** Columns of a simplified item that come from the request, by the name of their parameter */
	ids?: Record<string, string>;
	/** How 'If It Exists' returns or updates an entity. Its columns include `existed`. */
	existing?: Existing;
}

/** An entity whose ID is taken when a new one is created. */
export interface Existing {
	/** CometChat's code for an ID that is taken */
	code: string;
	/** Path of the existing entity, as in `routing.request.url` */
	path: string;
	/** Body fields sent only on create, not on update */
	onlyNew: string[];
	/** The update, for its errors */
	change: Change;
	/** Reports the part of the body that an existing entity doesn't get, if any */
	reportSkipped?: (body: IDataObject) => { columns: IDataObject; hint: string } | undefined;
}

/**
 * A list: page by page; from one thing to the next in time; by nothing but the cursor that the service
 * sends; page by page unless the service turns out to know only cursors, where that is open; or a queue,
 * of which it gives what fits into one response, and perhaps a cursor.
 */
export interface ListResponse {
	many: Entity;
	by: 'page' | 'time' | 'cursor' | 'pageOrCursor' | 'queue';
}

/** One thing for each entry of a list that is sent in batches. */
export interface BatchResponse {
	each: Entity & {
		/** @param sent what the service sent for the batch; undefined when that failed as a whole */
		resultOf: (sent: IDataObject | undefined, entry: string, values: Values) => Result;
	};
	/** Parameter with the list */
	listParameter: string;
	/** Most entries of a batch */
	batchSize: number;
	/** What an entry is, e.g. "user" */
	entry: string;
	/** What is said of entries that failed, e.g. "could not be added" */
	failedText: string;
	/** What is said of entries of which nobody knows, e.g. "may have been added" */
	unknownText: string;
}

/**
 * Checks a value that already matches the type of its field.
 *
 * @param label label of the field
 * @param saved value as saved in the workflow, perhaps an expression
 * @returns the value to send, or undefined to send nothing
 * @throws InputError
 */
export type Check = (value: unknown, label: string, saved?: unknown) => unknown;

/** What n8n gives an operation that runs itself. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** A field of n8n, with what n8n's description cannot say of its value. */
export interface Field extends INodeProperties {
	/** What the type of the field cannot say */
	check?: Check;
	/**
	 * What an empty value means: it is refused; nothing is sent; the field is named in `unset`, which
	 * clears it; or it is sent, as an empty list. By default a field that is left empty is not sent, and
	 * one whose expression gives nothing is refused: without a filter more would happen than was meant.
	 */
	whenEmpty?: 'refuse' | 'omit' | 'unset' | 'send';
	/** Body fields that a choice adds if they depend on another parameter: by its value and the choice */
	bodies?: { parameter: string; bodies: Record<string, Record<string, IDataObject>> };
}

/**
 * An operation: n8n's own description of its entry in the menu, with method and path, and of its
 * fields, each of which says by its `routing` where its value goes.
 *
 * - `{name}` in `routing.request.url` is the value of the parameter `name`, as one segment
 * - `routing.request.body` is sent as it is; `={{ $parameter.name }}` in it is the value of a parameter
 * - `routing.send` puts the value of a field into the query or the body
 * - `routing.request` of a field or of a chosen option adds to the request; `={{ $value }}` in it is
 *   the value of the field
 */
export interface Operation extends INodePropertyOptions {
	value: string;
	action: string;
	/** Which of the service's rate limits it counts for; the standard one by default */
	rateLimit?: 'core' | 'send';
	response: SingleResponse | ListResponse | BatchResponse;
	/** What it changes, if it does */
	change?: Change;
	/**
	 * Names of the parameters that tell what it changes: what is the same there goes in the order of the
	 * items, one after another; everything else side by side. Each entry of a list counts by itself. A
	 * function gives the names of the things themselves. Every operation with a `change` says it.
	 */
	sequentialBy?: string[] | ((values: Values) => string[]);
	/**
	 * Fields of the operation. Operation files leave out 'Output', 'Fields', 'Request Options' and the
	 * 'Options' of lists: `resources/operationsOf.ts` adds them.
	 */
	fields: Field[];
	/** What the service's codes mean for it, where that is something else than for others */
	errors?: Record<string, Explanation>;
	/** Checks what several fields say together. @throws InputError */
	check?: (values: Values) => void;
	/** Makes what n8n calls for a run, where that is more than a request for each item; has no 'Output' */
	customRunner?: (operation: Operation) => CustomOperation;
}

/** What the node works with: one entry of its first menu. */
export interface Resource {
	name: string;
	value: string;
	/** Description of the operations' menu */
	description: string;
	operations: Operation[];
	/** Operation that a new node has */
	defaultOperation: string;
}
