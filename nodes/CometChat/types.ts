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
export type ColumnReaders = Record<string, (entity: IDataObject) => unknown>;

/** Describes the rows that an operation or a trigger returns. */
export interface OutputRowType {
	/** Singular name, e.g. "group" */
	name: string;
	/** Name of the column that identifies a row. If there is no such column, the first column identifies a row. */
	id?: string;
	/**
	 * The entity's most useful fields, usually at most ten, not counting columns that only some settings add. A column
	 * whose name ends in `At` contains a time.
	 */
	columns: ColumnReaders;
	/** Columns that 'Simplified' leaves out of rows where they are null or an empty list, e.g. `deletedAt` */
	columnsShownIfFilled?: ColumnReaders;
	/** Columns that 'Selected Fields' offers in addition to the columns of 'Simplified' */
	selectedOnlyColumns?: ColumnReaders;
	/** Nested fields that 'Selected Fields' also accepts by a short name, e.g. `metadata` for `data.metadata` */
	fieldShortcuts?: ColumnReaders;
	/** True if a successful response can lack the entity */
	mayBeEmpty?: boolean;
	/** Returns the columns of 'Simplified' for the given parameter values, or undefined for all of `columns` */
	columnsFor?: (values: ParameterValues) => ColumnReaders | undefined;
	/** True if 'Fields' offers only the columns from `columnsFor`. By default, 'Fields' also offers `columns`. */
	hidesOtherColumns?: boolean;
	/** True if a list with these parameter values leaves out the entity */
	isExcluded?: (entity: IDataObject, values: ParameterValues) => boolean;
	/** Returns the changed entity, which CometChat sends inside an action message about the change */
	unwrap?: (received: IDataObject) => IDataObject;
}

/** Describes a type of entity, e.g. groups. Contains the type's names, ID field and columns, but no entities. */
export interface EntityDefinition extends OutputRowType {
	/** Plural name, e.g. "groups" */
	plural: string;
	/** Name of the field that identifies an entity, e.g. "guid" */
	id: string;
}

/**
 * Parameters of an item or a trigger, keyed by name. A collection's value is an object that contains the collection's
 * parameters. The values are checked and converted, except if n8n loads the choices of 'Fields', and except values from
 * earlier nodes.
 */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** Parameter values of an item or a trigger, and the request built from the values. */
export interface RequestWithValues {
	values: ParameterValues;
	request: RestRequest;
	/** Hints about filters that were left out because their expressions returned no value */
	inputHints: string[];
}

/** An operation's result: an entity, a page of a list, a file, or the result for one entry of a batch. */
export interface UnconvertedResult {
	/** Data from CometChat's responses. Can be empty, e.g. after a failed request. */
	received: IDataObject;
	/** Column values, keyed by column name. They take precedence over values read from `received`. */
	columns?: IDataObject;
	/** The downloaded file, as n8n stores it */
	file?: IBinaryData;
	/** Entry of the sent list that the result is for, e.g. a UID, or the name of a downloaded file */
	entry?: string;
	/** Error of a failed change or download, or a text with the reason, e.g. CometChat's message */
	failure?: unknown;
}

/** Settings for a response that contains a single entity. */
export interface SingleResponseSettings {
	one: OutputRowType;
	/**
	 * Parameters whose values fill columns that are missing from CometChat's response. Keyed by column name, e.g.
	 * `{ guid: 'groupId' }`. If several parameters are listed, the first one with a value fills the column.
	 */
	columnParameters?: Record<string, string | string[]>;
	/** Settings for a PUT or DELETE that is repeated after an attempt that may have worked */
	repeated?: RepeatSettings;
	/** Refusals that count as success if the user sets an option of the operation */
	tolerated?: ToleratedRefusals;
	/** Paths for an operation that replies to a message */
	refusedReplyCorrection?: RefusedReplyCorrectionPaths;
	/**
	 * URL path of the user whose group membership the operation returns, with placeholders, e.g. `/users/{userId}`. The
	 * operation first reads the group, then this user, and returns both.
	 */
	memberUserPath?: string;
	/** Settings for an operation with the option 'If It Exists'. The operation's columns must include `existed`. */
	existing?: IfExistsSettings;
}

/** URL paths for correcting a reply that CometChat refused. Both have placeholders, e.g. `/messages/{messageId}`. */
export interface RefusedReplyCorrectionPaths {
	/** Path of the message to reply to. The message is read only if CometChat refuses the reply. */
	repliedTo: string;
	/** Path for sending the reply to the thread instead, if the message to reply to is a reply itself */
	threadReply: string;
}

/** Settings for recognizing that an earlier attempt already made a change. */
interface RepeatSettings {
	/**
	 * CometChat's error codes for a change that is already made. A DELETE that finds nothing to delete also counts as
	 * already made.
	 */
	doneCodes?: string[];
	/**
	 * Returns column values that override the response if an earlier attempt may have made the change.
	 *
	 * @param received the response. After a refusal, the message that was read back, or an empty object.
	 */
	doneColumns?: (received: IDataObject) => IDataObject;
	/** URL path of the changed message, with placeholders. The message is read and returned after a refusal. */
	readBack?: string;
	/** True if the message that was read back contains the change. By default, any message counts. */
	isDone?: (message: IDataObject) => boolean;
}

/** Refusals that count as success if the user chooses so, e.g. because a user to remove isn't a group member. */
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
	/** URL path of the existing entity, with placeholders, e.g. `/groups/{groupId}` */
	path: string;
	/** Body fields sent only on create, not on update */
	onlyNew: string[];
	/**
	 * Reports requested changes that 'If It Exists' doesn't make to an existing entity, e.g. adding members. Returns
	 * undefined if there are none.
	 */
	createSkippedChangesReport?: (
		body: IDataObject,
	) => { columns: IDataObject; hint: string } | undefined;
}

/** Settings for a response that contains a page of a list. */
export interface ListResponseSettings {
	many: EntityDefinition;
	/** Parameters that fill columns, keyed by column name, as in `SingleResponseSettings` */
	columnParameters?: Record<string, string>;
	/**
	 * Query value that selects the next page:
	 *
	 * - `page`: a page number
	 * - `id`: the cursor in CometChat's response. Without a cursor, the page's highest or lowest ID, depending on the
	 *   order.
	 * - `cursor`: the cursor in CometChat's response. Without a cursor, the highest ID of a full page.
	 * - `pageOrCursor`: a page number. After a page that only repeats entities, the same as `cursor`.
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

/** Settings for a response that contains a message whose files are downloaded. */
export interface DownloadFilesResponseSettings extends EntryWords {
	files: EntityDefinition & { listFiles: (message: IDataObject) => IDataObject[] };
	/** Parameters that fill columns, keyed by column name, as in `SingleResponseSettings` */
	columnParameters?: Record<string, string>;
}

/** Settings for sending a list in batches. The operation returns one result per entry. */
export interface BatchResponseSettings extends EntryWords {
	each: EntityDefinition & {
		/** True if an empty response leaves open whether the entries were changed */
		needsResults?: boolean;
		/**
		 * Returns an entry's result.
		 *
		 * @param received the batch's response, or undefined if the whole batch failed. Empty if CometChat refused the
		 * batch because an earlier attempt already made the change.
		 */
		resultOf: (
			received: IDataObject | undefined,
			entry: string,
			values: ParameterValues,
		) => UnconvertedResult;
	};
	/** Name of the parameter with the list to split into batches */
	listParameter: string;
	/** Maximum entries per batch */
	batchSize: number;
	/** CometChat's error codes that count as success after an attempt that may have worked */
	doneCodes?: string[];
}

/**
 * Checks a field's value, and may convert the value.
 *
 * @param label the field's label in the editor
 * @returns the value to send, or undefined to send nothing. The returned value is ignored for a collection.
 * @throws InputError
 */
export type ValidatingConverter = (value: unknown, label: string) => unknown;

/** Function that n8n calls to run an operation for all items. */
export type AllItemsRunner = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Names of other fields that a field's value requires or excludes, at the top level or in any collection. */
export interface FieldRelations {
	/** Fields that must also have a value */
	needs?: string[];
	/** Fields that must not have a value */
	excludes?: string[];
}

/** A choice of a dropdown field, with the relations that apply while the choice is selected. */
export type DropdownOptionWithRelations = INodePropertyOptions & FieldRelations;

/** An n8n property, extended with rules that n8n's own property type can't express. */
export interface Field extends INodeProperties, FieldRelations {
	options?: Array<DropdownOptionWithRelations | NonNullable<INodeProperties['options']>[number]>;
	/** Checks or converts the value after its conversion to the field's n8n type */
	check?: ValidatingConverter;
	/** Replaces the converter for the field's n8n type. @throws InputError */
	convert?: ValidatingConverter;
	/**
	 * True to ignore values in fields that this field's current choice hides. By default, such a value is an error,
	 * except in a top-level field that is required or whose type always has a value.
	 */
	ignoresHidden?: boolean;
	/**
	 * Name of the field that the editor shows instead of this field for another choice, e.g. `userId` instead of
	 * `groupId` if 'Send To' is User. If the choice is an expression, the editor shows only the field that matches the
	 * sample data. If this field is empty, the other field's expression then supplies the value.
	 */
	alternative?: string;
	/**
	 * Meaning of an empty value, if the field isn't required. An empty value of a required field is always an error.
	 * By default, an empty value is left out of the request.
	 *
	 * - `unset`: the body's `unset` lists the field's name, so CometChat clears the field. In a tool, an empty value
	 *   is left out.
	 * - `send`: an empty list is sent. In a tool, an empty value is left out.
	 * - `refuse`: an empty value is always an error. Replaces `required` in a field that only one choice shows. If the
	 *   choice is an expression, n8n shows the fields of all choices, and would insist on each required field.
	 * - `refuseExpression`: an empty value from an expression is an error, because without a user, the app itself
	 *   would act
	 * - `refuseFixed`: an empty fixed value is an error, because the user added the filter to narrow the list
	 *
	 * Outside a tool, an expression that returns undefined is always an error. Without a filter, for example, an
	 * operation could affect more than the user intended.
	 */
	whenEmpty?: 'unset' | 'send' | 'refuse' | 'refuseExpression' | 'refuseFixed';
	/** True if a date without a time means the end of the day */
	isEndOfRange?: boolean;
}

/**
 * An operation in n8n's declarative format: an entry in the 'Operation' menu, with its fields and `routing`.
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
		| SingleResponseSettings
		| ListResponseSettings
		| BatchResponseSettings
		| DownloadFilesResponseSettings;
	/** Words for the error about a POST or PATCH that may have made its change */
	changeWords?: ChangeWords;
	/**
	 * Parameters whose values together identify what the operation changes, or a function that returns such keys.
	 * Changes with the same key are sent one after another, in the order of the items. If a parameter is a list, each
	 * entry has its own key. Required if the operation changes something.
	 */
	sequentialBy?: string[] | ((values: ParameterValues) => string[]);
	/**
	 * The operation's own fields. `resources/addSharedFields.ts` adds 'Request Options' and, unless `hasOwnRunner`
	 * is true, 'Output' and 'Fields'.
	 */
	fields: Field[];
	fromEarlierNodes?: HiddenFieldsFromEarlierNodes;
	inputFiles?: BinaryFieldUploadSettings;
	/** Explanations that override the shared table, keyed by CometChat's error code */
	errors?: Record<string, Explanation>;
	/**
	 * Returns a hint for an item that succeeded.
	 *
	 * @param count number of the item's results
	 */
	hint?: (values: ParameterValues, count: number) => string | undefined;
	/** Checks rules that involve several fields. @throws InputError */
	check?: (values: ParameterValues) => void;
	/** Returns the request body with changes that `routing` can't express */
	adjustBody?: (body: IDataObject, values: ParameterValues) => IDataObject;
	/**
	 * True if the operation does more than send requests for each item, e.g. waits for a person's answer.
	 * `CometChat.node.ts` then supplies the function that n8n calls.
	 */
	hasOwnRunner?: boolean;
}

/** Settings for sending an item's binary fields as files. */
export interface BinaryFieldUploadSettings {
	/** Name of the parameter that lists the binary fields, by name or as objects */
	parameter: string;
	/** True if an item without files can be sent */
	areOptional: (values: ParameterValues) => boolean;
	/** Returns the request body with changes that depend on the files */
	adjustBody: (body: IDataObject, files: UploadFile[]) => IDataObject;
}

/** Access to the nodes that lead to this node, and to their items. */
export type EarlierNodesAccess = Pick<
	IExecuteFunctions | IExecutePaginationFunctions,
	'evaluateExpression' | 'getNode' | 'getParentNodes'
>;

/** Fields that the user doesn't see, because earlier nodes of the execution supply their values. */
export interface HiddenFieldsFromEarlierNodes {
	fields: Field[];
	/** Returns an item's values, keyed by field name. @throws DescribedError */
	read: (nodes: EarlierNodesAccess, itemIndex: number) => ParameterValues;
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
