import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ChangeWords } from './errors/nodeError';
import type { Explanation } from './errors/table';
import type { RestRequest, UploadFile } from './transport/restTypes';

/** Columns of output items, keyed by name. Each function returns the column's value for an entity. */
export type Columns = Record<string, (entity: IDataObject) => unknown>;

/** Names and columns of the rows that an operation or a trigger returns. */
export interface OutputRowType {
	/** Singular name, e.g. "group" */
	name: string;
	/** Name of the column that identifies a row. If no column has this name, the first column identifies a row. */
	id?: string;
	/**
	 * The entity's most useful fields, at most ten. Columns that only some settings add, e.g. a filter, don't count.
	 * A column whose name ends in `At` contains a time.
	 */
	columns: Columns;
	/** Columns that 'Simplified' adds only to rows with a value for the column, e.g. `deletedAt` */
	optionalColumns?: Columns;
	/** Columns that 'Selected Fields' offers in addition to the columns of 'Simplified' */
	furtherColumns?: Columns;
	/** Nested fields that 'Selected Fields' also accepts by a short name, e.g. `metadata` for `data.metadata` */
	fieldShortcuts?: Columns;
	/** True if a successful response can lack the entity */
	mayBeEmpty?: boolean;
	/** Returns the columns of 'Simplified' for the given parameter values, or undefined for all of `columns` */
	columnsFor?: (values: Values) => Columns | undefined;
	/**
	 * True if 'Fields' offers the columns from `columnsFor` instead of `columns`. By default, 'Fields' offers both.
	 */
	hidesOtherColumns?: boolean;
	/** True if a list with the given parameter values leaves out the entity */
	isExcluded?: (entity: IDataObject, values: Values) => boolean;
	/** Returns the changed entity from the action message with which CometChat reports the change */
	unwrap?: (received: IDataObject) => IDataObject;
}

/** Describes an entity type, such as a group, with its names, ID field and columns. */
export interface Entity extends OutputRowType {
	/** Plural name, e.g. "groups" */
	plural: string;
	/** Name of the field that identifies an entity, e.g. "guid" */
	id: string;
}

/**
 * Checked and converted parameters of an item or a trigger, keyed by name. A collection's value is an object
 * that contains the collection's parameters.
 */
export type Values = Readonly<Record<string, unknown>>;

/** Parameter values of an item or a trigger, and the request built from the values. */
export interface ItemRequest {
	values: Values;
	request: RestRequest;
	/** Hints about filters that were left out, because their expressions returned no value */
	inputHints: string[];
}

/** An operation's result: an entity, a page of a list, a file, or the result for one entry of a batch. */
export interface Result {
	/** Data from CometChat's responses. Can be empty, e.g. after a failed request. */
	received: IDataObject;
	/** Column values, keyed by column name. They take precedence over values read from `received`. */
	columns?: IDataObject;
	/** The downloaded file, as n8n stores it */
	file?: IBinaryData;
	/** Subject of the result: an entry of the list in the request, e.g. a UID, or the name of a file */
	entry?: string;
	/** Reason why the change or the download failed: a text, e.g. CometChat's message, or an error */
	failure?: unknown;
}

/** Settings for a response that contains a single entity. */
export interface SingleResponseSettings {
	one: OutputRowType;
	/**
	 * Parameters that fill columns if CometChat's response doesn't contain the values, keyed by column name, e.g.
	 * `{ guid: 'groupId' }`. If several parameters are listed, the first one that has a value fills the column.
	 */
	columnParameters?: Record<string, string | string[]>;
	/** Settings for a PUT or DELETE that is sent again after an attempt that may have worked */
	repeated?: RepeatSettings;
	/** Settings for an operation that has an option to count a refusal as success */
	tolerated?: ToleratedRefusals;
	/** Paths for an operation that replies to a message */
	replyCorrection?: ReplyCorrectionPaths;
	/**
	 * Path of the user whose membership the operation returns, in the format of `routing.request.url`. The operation
	 * always reads the user after the group, and the result contains both.
	 */
	memberUserPath?: string;
	/** Settings for an operation that has the 'If It Exists' option. The entity's columns include `existed`. */
	existing?: IfExistsSettings;
}

/** Paths for resending a refused reply in a thread. Both have the format of `routing.request.url`. */
export interface ReplyCorrectionPaths {
	/** The message that the reply is for. Read only if CometChat refuses the reply. */
	repliedTo: string;
	/** Thread to which the reply is resent, if the message that the reply is for is a reply itself */
	threadReply: string;
}

/** Settings for recognizing that an earlier attempt already made a change. */
interface RepeatSettings {
	/**
	 * CometChat's error codes that mean that the change is already made. If a DELETE finds nothing to delete, the
	 * change also counts as made.
	 */
	doneCodes?: string[];
	/**
	 * Returns column values that replace values from the response if an earlier attempt may have made the change. If
	 * CometChat refused the repeated request, `received` is the message that was read back, or empty.
	 */
	doneColumns?: (received: IDataObject) => IDataObject;
	/** Path of the message to read and return after a refusal, in the format of `routing.request.url` */
	readBack?: string;
	/** True if the message that was read back shows that the change is made. Default: true for any message. */
	isDone?: (message: IDataObject) => boolean;
}

/** Refusals that the user can choose to count as success, e.g. that a user to remove isn't a group member. */
export interface ToleratedRefusals {
	/** Name of the option that the user sets. The value "succeed" counts the refusals as success. */
	option: string;
	/** CometChat's error codes for the refusals */
	codes: string[];
	/** Column values that report the refusal */
	columns: IDataObject;
}

/** Settings for 'If It Exists', which applies if the ID of a new entity is taken. */
export interface IfExistsSettings {
	/** CometChat's error code for a taken ID */
	code: string;
	/** Path of the existing entity, in the format of `routing.request.url` */
	path: string;
	/** Body fields sent only on create, not on update */
	onlyNew: string[];
	/**
	 * Reports requested changes that aren't made to an existing entity, e.g. members to add. Returns undefined if
	 * there is nothing to report.
	 */
	reportSkippedChanges?: (body: IDataObject) => { columns: IDataObject; hint: string } | undefined;
}

/** Settings for a response that contains a page of a list. */
export interface ListResponseSettings {
	many: Entity;
	/** Parameters that fill columns, keyed by column name, as in `SingleResponseSettings` */
	columnParameters?: Record<string, string>;
	/**
	 * Value that marks the start of the next page:
	 *
	 * - `page`: a page number
	 * - `id`: the cursor in CometChat's response, or else the page's highest or lowest ID, depending on the order
	 * - `cursor`: the cursor in CometChat's response, or else the highest ID of a full page
	 * - `pageOrCursor`: a page number, and after a page that only repeats entities, the same as `cursor`
	 * - `queue`: none, because only the first page is available
	 */
	pagedBy: 'page' | 'id' | 'cursor' | 'pageOrCursor' | 'queue';
	/** Path of the message that the option 'Include First Message' returns before the list */
	firstMessagePath?: string;
}

/** Wording for the error about failed entries. */
interface EntryWords {
	/** Singular noun for an entry, e.g. "user" */
	entry: string;
	/** The change as a past participle, e.g. "added" */
	changed: string;
}

/** Settings for a response that contains a message, whose files are then downloaded. */
export interface FilesResponseSettings extends EntryWords {
	files: Entity & { listFiles: (message: IDataObject) => IDataObject[] };
	/** Parameters that fill columns, keyed by column name, as in `SingleResponseSettings` */
	columnParameters?: Record<string, string>;
}

/** Settings for sending a list in batches. Each response contains a result for each entry of the batch. */
export interface BatchResponseSettings extends EntryWords {
	each: Entity & {
		/** True if an empty response leaves open whether the entries were changed */
		needsResults?: boolean;
		/**
		 * Returns an entry's result.
		 *
		 * @param received response to the batch, or undefined if the whole batch failed. Empty if CometChat refused
		 * the batch because an earlier attempt made the change.
		 */
		resultOf: (received: IDataObject | undefined, entry: string, values: Values) => Result;
	};
	/** Name of the parameter with the list to split into batches */
	listParameter: string;
	/** Maximum entries per batch */
	batchSize: number;
	/** CometChat's error codes that mean success after an attempt that may have worked */
	doneCodes?: string[];
}

/**
 * Checks a field's value, and may convert the value.
 *
 * @param label the field's label in the editor
 * @returns the value to send, or undefined to send nothing. For a collection, the returned value is ignored.
 * @throws InputError
 */
export type Check = (value: unknown, label: string) => unknown;

/** Function that n8n calls to run an operation for all items. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Names of fields that a value requires or excludes. The fields can be top-level or in any collection. */
export interface FieldRelations {
	/** Fields that must also have a value */
	needs?: string[];
	/** Fields that must not have a value */
	excludes?: string[];
}

/** A choice of a field, with the relations that apply if the choice is selected. */
export type DropdownOption = INodePropertyOptions & FieldRelations;

/** An n8n property, extended with rules that n8n's own property type can't express. */
export interface Field extends INodeProperties, FieldRelations {
	options?: Array<DropdownOption | NonNullable<INodeProperties['options']>[number]>;
	/** Checks or converts the value further, after the value was converted to the field's n8n type */
	check?: Check;
	/** Replaces the converter for the field's n8n type. @throws InputError */
	convert?: Check;
	/**
	 * True if values are ignored in fields that this field's current choice hides. By default, such a value is
	 * refused, unless the hidden field is top-level and either required or of a type that always has a value.
	 */
	ignoresHidden?: boolean;
	/**
	 * Name of the field that another choice shows instead, e.g. `userId` for `groupId`. If the choice is an
	 * expression and this field is empty, the other field's expression also applies to this field, because the
	 * editor shows only the field that matches the sample data.
	 */
	alternative?: string;
	/**
	 * Meaning of an empty value, if the field isn't required. An empty value of a required field is always an error.
	 * By default, an empty value is left out of the request.
	 *
	 * - `unset`: the body's `unset` lists the field's name, so CometChat clears the field. In a tool, an empty value
	 *   is left out.
	 * - `send`: an empty list is sent. In a tool, an empty value is left out.
	 * - `refuse`: an empty value is always an error. Used instead of `required` for a field that a choice shows. If
	 *   the choice is an expression, n8n shows the fields of all choices, and won't start a node with an empty
	 *   required field.
	 * - `refuseExpression`: an empty value from an expression is an error, since the app itself would act instead of
	 *   a user
	 * - `refuseFixed`: an empty fixed value is an error, since the user added the filter to select items
	 *
	 * Except in a tool, an expression that returns undefined is always an error, since a missing filter could affect
	 * more than the user intended.
	 */
	whenEmpty?: 'unset' | 'send' | 'refuse' | 'refuseExpression' | 'refuseFixed';
	/** True if a date without a time means the end of the day */
	isEndOfRange?: boolean;
}

/**
 * An operation in n8n's own format: an entry in the 'Operation' menu, with fields and `routing`.
 *
 * - `{name}` in `routing.request.url` is replaced by the parameter `name`, encoded as one path segment
 * - `routing.request.body` contains constants, or `={{ $parameter.name }}` for a parameter's value
 * - `routing.send` of a field or a chosen option puts the field's value into the query or the body
 * - `routing.request` of a field or a chosen option adds to the request, or replaces the method or the path.
 *   `={{ $value }}` is the field's value.
 */
export interface Operation extends INodePropertyOptions {
	value: string;
	action: string;
	/** CometChat rate limit that the operation's requests count toward. Default: the standard limit. */
	rateLimit?: 'core' | 'send';
	response:
		SingleResponseSettings | ListResponseSettings | BatchResponseSettings | FilesResponseSettings;
	/** Error wording that describes the change of a POST or PATCH, whose outcome can be unknown */
	changeWords?: ChangeWords;
	/**
	 * Parameters whose values together form a key for what the operation changes, or a function that returns keys.
	 * Changes with the same key are sent one after another, in the order of the items. Each entry of a list has its
	 * own key. Required if the operation changes something.
	 */
	sequentialBy?: string[] | ((values: Values) => string[]);
	/**
	 * Fields of the operation. `resources/completeOperations.ts` adds 'Request Options' and, unless the operation
	 * has a runner of its own, 'Output' and 'Fields'.
	 */
	fields: Field[];
	derived?: DerivedFields;
	inputFiles?: InputFileSettings;
	/** Explanations that override the shared table, keyed by CometChat's error code */
	errors?: Record<string, Explanation>;
	/**
	 * Returns a hint about an item that succeeded.
	 *
	 * @param count number of results that the item has
	 */
	hint?: (values: Values, count: number) => string | undefined;
	/** Checks rules that involve several fields. @throws InputError */
	check?: (values: Values) => void;
	/** Returns the request body with changes that `routing` can't express */
	adjustBody?: (body: IDataObject, values: Values) => IDataObject;
	/**
	 * True if the operation does more than send requests for each item, e.g. waits for a response.
	 * `CometChat.node.ts` then supplies the function that n8n calls.
	 */
	hasOwnRunner?: boolean;
}

/** Settings for sending an item's binary fields as files. */
export interface InputFileSettings {
	/** Name of the parameter that lists the binary fields, by name or as objects */
	parameter: string;
	/** True if the request can be sent without files, for an item that has none */
	areOptional: (values: Values) => boolean;
	/** Returns the request body with changes that depend on the files */
	adjustBody: (body: IDataObject, files: UploadFile[]) => IDataObject;
}

/** Access to the nodes that lead to this node, and to their items. */
export type EarlierNodesAccess = Pick<
	IExecuteFunctions | IExecutePaginationFunctions,
	'evaluateExpression' | 'getNode' | 'getParentNodes'
>;

/** Fields that the user doesn't see, because earlier nodes of the execution supply their values. */
export interface DerivedFields {
	fields: Field[];
	/** Returns an item's values, keyed by field name. @throws DescribedError */
	read: (nodes: EarlierNodesAccess, itemIndex: number) => Values;
}

/** An entry of the node's 'Resource' menu. */
export interface Resource {
	name: string;
	value: string;
	/** Description of the 'Operation' menu */
	description: string;
	operations: Operation[];
	/** Value of the operation that is selected by default */
	defaultOperation: string;
}
