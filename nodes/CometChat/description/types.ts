import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ChangeWords } from '../errors/nodeError';
import type { Explanation } from '../errors/table';
import type { RestRequest } from '../transport/types';

/** Columns of a simplified item by name. Each function reads the column's value from an entity. */
export type Columns = Record<string, (entity: IDataObject) => unknown>;

/** Description of a kind of entity, e.g. a group: names, ID field and columns. */
export interface Entity {
	/** e.g. "group" */
	name: string;
	/** e.g. "groups" */
	plural: string;
	/** Name of the field that identifies an entity, e.g. "guid" */
	id: string;
	/** The most useful fields, at most a dozen. A column whose name ends in `At` contains a time. */
	columns: Columns;
	/** True if a successful response may lack the entity */
	mayBeEmpty?: boolean;
	/** Selects columns by the values of the item's fields. `columns` contains all possible columns. */
	columnsFor?: (values: Values) => Columns;
	/** True if a list excludes the entity because of the values of its fields */
	isExcluded?: (entity: IDataObject, values: Values) => boolean;
	/** Returns a unique key of a list entry if `id` isn't unique in the list */
	keyOf?: (entity: IDataObject) => string;
	/** Returns the entity inside a note that CometChat sends about the entity */
	unwrap?: (sent: IDataObject) => IDataObject;
}

/** Checked and converted parameters of an item by name. A collection is an object of its parameters. */
export type Values = Readonly<Record<string, unknown>>;

/** Values of an item's parameters, and the request built from the values. */
export interface ItemRequest {
	values: Values;
	/** Contains only values that the user set and constants of the operation */
	request: RestRequest;
}

/** Result of an operation: an entity, or one entry of a list that is sent in batches. */
export interface Result {
	entity: IDataObject;
	/** The entry's result as CometChat sent it */
	sent?: IDataObject;
	/** Entry of the sent list, e.g. a UID */
	entry?: string;
	/** Reason why the entry failed: CometChat's message, or the error of its request */
	failure?: unknown;
}

/** A response that contains a single entity. */
export interface SingleResponse {
	one: Entity;
	/** Columns that come from the request, e.g. `{ guid: 'groupId' }` for the parameter `groupId` */
	ids?: Record<string, string>;
	/** Settings of an operation with 'If It Exists'. The entity's columns include `existed`. */
	existing?: IfExistsSettings;
}

/** Settings for 'If It Exists', which applies if the ID of a new entity is taken. */
export interface IfExistsSettings {
	/** CometChat's error code for a taken ID */
	code: string;
	/** Path of the existing entity, as in `routing.request.url` */
	path: string;
	/** Body fields sent only on create, not on update */
	onlyNew: string[];
	/** Words for errors of the update */
	change: ChangeWords;
	/** Reports body fields that an existing entity doesn't get, or returns undefined if the entity gets all fields */
	reportSkipped?: (body: IDataObject) => { columns: IDataObject; hint: string } | undefined;
}

/** A response that contains a page of a list. */
export interface ListResponse {
	many: Entity;
	/**
	 * Start of the next page:
	 *
	 * - `page`: a page number
	 * - `time`: the ID of the oldest or newest entity so far
	 * - `cursor`: the cursor in CometChat's response
	 * - `pageOrCursor`: a page number, or a cursor if CometChat ignores page numbers
	 * - `queue`: a cursor, if CometChat sends any. Otherwise only the first page is available.
	 */
	by: 'page' | 'time' | 'cursor' | 'pageOrCursor' | 'queue';
}

/** A response that contains a result for each entry of a list that is sent in batches. */
export interface BatchResponse {
	each: Entity & {
		/** @param sent response for the batch, or undefined if the whole batch failed */
		resultOf: (sent: IDataObject | undefined, entry: string, values: Values) => Result;
	};
	/** Name of the parameter that contains the list */
	listParameter: string;
	/** Maximum entries per batch */
	batchSize: number;
	/** Singular noun for an entry, e.g. "user" */
	entry: string;
	/** Words for failed entries, e.g. "could not be added" */
	failedText: string;
	/** Words for entries with an unknown outcome, e.g. "may have been added" */
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

/** n8n's type for an operation that runs its own code for all items. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** An n8n property, with rules for its value that n8n's description lacks. */
export interface Field extends INodeProperties {
	/** Checks rules that the field's n8n type can't express */
	check?: Check;
	/**
	 * Meaning of an empty value:
	 *
	 * - `refuse`: an error
	 * - `omit`: the field isn't sent
	 * - `unset`: the body's `unset` names the field, so CometChat clears it
	 * - `send`: an empty list is sent
	 *
	 * By default, a field that the user left empty isn't sent. An expression without a result is an error,
	 * since a missing filter could affect more than the user intended.
	 */
	whenEmpty?: 'refuse' | 'omit' | 'unset' | 'send';
	/** Body fields that a choice adds, by the value of another parameter and by the choice */
	bodies?: { parameter: string; bodies: Record<string, Record<string, IDataObject>> };
}

/**
 * An operation in n8n's own terms: an entry of the operations menu, with its fields and its `routing`.
 *
 * - `{name}` in `routing.request.url` is replaced by the parameter `name`, encoded as one path segment
 * - `routing.request.body` contains constants, or `={{ $parameter.name }}` for a parameter's value
 * - `routing.send` of a field puts the field's value into the query or the body
 * - `routing.request` of a field or a chosen option adds to the request. `={{ $value }}` is the field's
 *   value.
 */
export interface Operation extends INodePropertyOptions {
	value: string;
	action: string;
	/** CometChat's rate limit that the operation counts toward. Default: the standard limit. */
	rateLimit?: 'core' | 'send';
	response: SingleResponse | ListResponse | BatchResponse;
	/** Words for the operation's change. Undefined for an operation that only reads. */
	change?: ChangeWords;
	/**
	 * Parameters that identify the target of a change, or a function that returns the targets. Changes of
	 * the same target are sent one after another, in the order of the items. Each entry of a list is a
	 * target. Required if the operation has a `change`.
	 */
	sequentialBy?: string[] | ((values: Values) => string[]);
	/**
	 * Fields of the operation. `resources/completeOperations.ts` adds 'Output', 'Fields', 'Request Options'
	 * and the 'Options' of lists.
	 */
	fields: Field[];
	/** Explanations of CometChat's error codes that differ from the shared table, by code */
	errors?: Record<string, Explanation>;
	/** Checks rules that involve several fields. @throws InputError */
	check?: (values: Values) => void;
	/** Creates the function that n8n calls, if the operation needs more than a request per item */
	customRunner?: (operation: Operation) => CustomOperation;
}

/** An entry of the node's 'Resource' menu. */
export interface Resource {
	name: string;
	value: string;
	/** Description of the 'Operation' menu */
	description: string;
	operations: Operation[];
	/** Value of the operation that a new node starts with */
	defaultOperation: string;
}
