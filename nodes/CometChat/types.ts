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
export interface RowType {
	/** Singular name, e.g. "group" */
	name: string;
	/** Name of the column that identifies a row. If no column has this name, the first column identifies a row. */
	id?: string;
	/**
	 * The entity's most useful fields: at most ten, plus fields that only some settings show. A column whose name
	 * ends in `At` contains a time.
	 */
	columns: Columns;
	/**
	 * Columns that matter only in some rows, e.g. `deletedAt`. 'Simplified' adds each of these columns to the rows
	 * that have a value for the column.
	 */
	optionalColumns?: Columns;
	/** Columns that 'Selected Fields' offers in addition to the columns of 'Simplified' */
	furtherColumns?: Columns;
	/** Further fields that 'Selected Fields' finds under a short name, e.g. `metadata` for `data.metadata` */
	fieldShortcuts?: Columns;
	/** True if a successful response may not contain the entity */
	mayBeEmpty?: boolean;
	/** Returns the columns of 'Simplified' for these parameter values, or undefined for all of `columns` */
	columnsFor?: (values: Values) => Columns | undefined;
	/** True if 'Fields' offers the columns from `columnsFor` instead of `columns`. By default, it offers both. */
	hidesOtherColumns?: boolean;
	/** True if a list with these parameter values excludes the entity */
	isExcluded?: (entity: IDataObject, values: Values) => boolean;
	/** Returns the changed entity from the action message with which CometChat reports the change */
	unwrap?: (received: IDataObject) => IDataObject;
}

/** Describes an entity type, such as a group, with its names, ID field and columns. */
export interface Entity extends RowType {
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
	/** Hints about values that are left out */
	inputHints: string[];
}

/** An operation's result: an entity, a page of a list, a file, or the result for one entry of a batch. */
export interface Result {
	/** Data from CometChat's responses. Can be empty, e.g. after a failed request. */
	received: IDataObject;
	/** Values of columns, which take precedence over values read from `received` */
	columns?: IDataObject;
	/** The downloaded file, as n8n stores it */
	file?: IBinaryData;
	/** An entry from the list in the request, e.g. a UID, or the name of a file */
	entry?: string;
	/** Reason why the change or the download failed: a text, e.g. CometChat's message, or an error */
	failure?: unknown;
}

/** A response that contains a single entity. */
export interface SingleResponseSettings {
	one: RowType;
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
	/** Path of the user whose membership is read, in the format of `routing.request.url` */
	memberUserPath?: string;
	/** Settings for an operation that has the 'If It Exists' option. The entity's columns include `existed`. */
	existing?: IfExistsSettings;
}

/** Paths for correcting a refused reply, in the format of `routing.request.url`. */
export interface ReplyCorrectionPaths {
	/** The message that the reply is for. Read only if CometChat refuses the reply. */
	repliedTo: string;
	/** The thread that the reply is sent to instead if the message is a reply itself */
	threadReply: string;
}

/** Settings for recognizing that an earlier attempt already made a change. */
interface RepeatSettings {
	/** CometChat's error codes for a change that is made already. For a DELETE, a missing target counts, too. */
	doneCodes?: string[];
	/**
	 * Returns columns that differ because an earlier attempt may have made the change. After a refusal, `received` is
	 * the message that was read back, or empty.
	 */
	doneColumns?: (received: IDataObject) => IDataObject;
	/** Path of the message to return after a refusal, in the format of `routing.request.url` */
	readBack?: string;
	/** True if the message that was read back shows that the change is made. Default: true for any message. */
	isDone?: (message: IDataObject) => boolean;
}

/** Refusals that count as success if the user has chosen so, e.g. because a member to remove isn't a member. */
export interface ToleratedRefusals {
	/** Name of the option. The refusals count as success if its value is "succeed". */
	option: string;
	/** CometChat's error codes */
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

/** A response that contains a page of a list. */
export interface ListResponseSettings {
	many: Entity;
	/** Parameters that fill columns, as in `SingleResponseSettings` */
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

/** A response that contains a message, whose files are downloaded. */
export interface FilesResponseSettings extends EntryWords {
	files: Entity & { listFiles: (message: IDataObject) => IDataObject[] };
	/** Parameters that fill columns, as in `SingleResponseSettings` */
	columnParameters?: Record<string, string>;
}

/** A response that contains a result for each entry of a list that is sent in batches. */
export interface BatchResponseSettings extends EntryWords {
	each: Entity & {
		/** True if an empty response doesn't say whether the entries were changed */
		needsResults?: boolean;
		/**
		 * @param received response for the batch, or undefined if the whole batch failed. Empty if CometChat refused
		 * the batch because an earlier attempt made the change.
		 */
		resultOf: (received: IDataObject | undefined, entry: string, values: Values) => Result;
	};
	/** Name of the parameter that contains the list */
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
 * @returns the value to send, or undefined to send nothing. Ignored for a collection.
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
	/** Checks rules that the field's n8n type can't express. The value is already converted to the type. */
	check?: Check;
	/** Replaces the converter for the field's n8n type. @throws InputError */
	convert?: Check;
	/**
	 * True if values in fields that another choice shows are ignored, e.g. because the choice differs by item. By
	 * default, such a value is refused. Exceptions are top-level fields that are required, or whose type always has
	 * a value.
	 */
	ignoresHidden?: boolean;
	/**
	 * Name of the field that another choice shows instead. If the choice is an expression and this field is empty,
	 * the other field's expression also applies to this field, because the editor shows only the field that
	 * matches the sample data.
	 */
	alternative?: string;
	/**
	 * Meaning of an empty value. By default, an empty value is left out of the request, or refused if the field is
	 * required.
	 *
	 * - `unset`: the body's `unset` names the field, so CometChat clears the field. Left out in a tool.
	 * - `send`: an empty list is sent. Left out in a tool.
	 * - `refuse`: always an error. An empty field with `required` would keep n8n from starting the node if the
	 *   choice that shows the field is an expression, because n8n then shows the field for every choice.
	 * - `refuseExpression`: an expression without a result is an error, since it would change who acts
	 * - `refuseFixed`: an error unless it comes from an expression, since the user has added a filter to select items
	 *
	 * Except in a tool, an expression that returns undefined is always an error, since a missing filter could
	 * affect more than the user intended.
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
	 * Parameters that together identify the target of a change, or a function that returns the targets. Changes
	 * to the same target are sent one after another, in the order of the items. Each entry of a list is a target
	 * of its own. Required if the operation changes something.
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
	 * @param count number of the item's results
	 */
	hint?: (values: Values, count: number) => string | undefined;
	/** Checks rules that involve several fields. @throws InputError */
	check?: (values: Values) => void;
	/** Returns the request body with changes that `routing` can't express */
	adjustBody?: (body: IDataObject, values: Values) => IDataObject;
	/**
	 * True if the operation does more than send requests for each item, as Send and Wait for Response does. Then
	 * `CometChat.node.ts` supplies the function that n8n calls.
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
