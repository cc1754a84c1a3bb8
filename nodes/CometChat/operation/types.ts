import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Change } from '../errors/nodeError';

/** Columns of a simplified item: the name of the column and how its value is read. */
export type Columns = Record<string, (entity: IDataObject) => unknown>;

/** What became of one entry of a list that was sent. */
export interface EntryResult {
	item: IDataObject;
	/** Why it failed, in the service's words; undefined when it did not */
	reason?: string;
}

/** What one thing of a resource is. */
export interface Entity {
	/** e.g. "group" */
	name: string;
	/** e.g. "groups" */
	plural: string;
	/** Name of the field that tells one from another */
	id: string;
	/** At most ten flat fields that people want most */
	columns: Columns;
	/** The thing itself, where the service sends a note about it */
	subject?: (sent: IDataObject) => IDataObject;
}

/** What an operation returns. */
export type ResponseKind =
	| {
			/** One thing */
			one: Entity;
			/** Columns of a simplified item that come from the request, by the name of their parameter */
			ids?: Record<string, string>;
	  }
	| {
			/**
			 * A list: page by page; from one thing to the next in time; or by nothing but the cursor that
			 * the service sends
			 */
			many: Entity;
			by: 'page' | 'time' | 'cursor';
	  }
	| {
			/** One thing for each entry of a list that is sent in parts */
			each: Entity & {
				/** @param sent what the service sent for a part of the list that holds the entry */
				resultOf: (
					sent: IDataObject,
					entry: string,
					values: Readonly<Record<string, unknown>>,
				) => EntryResult;
			};
			/** Parameter with the list */
			of: string;
			/** Most entries of a part */
			batchSize: number;
			/** What is said of entries that failed alone, after their number, e.g. "could not be added" */
			failed: string;
	  };

/**
 * An operation: n8n's own description of its entry in the menu, with method and path, and of its
 * fields, each of which says by its `routing` where its value goes.
 *
 * - `{name}` in `routing.request.url` is the value of the parameter `name`, as one segment
 * - `routing.send` puts the value of a field into the query or the body
 * - `routing.request` of a field or of a chosen option adds to the request; `={{ $value }}` in it is
 *   the value of the field
 */
export interface Operation extends INodePropertyOptions {
	value: string;
	response: ResponseKind;
	/** What it changes, if it does */
	change?: Change;
	fields: INodeProperties[];
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
