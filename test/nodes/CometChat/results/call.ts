import type { IDataObject } from 'n8n-workflow';

import { ItemOutcomes } from '../../../../nodes/CometChat/results/outcomes';
import type { Result, Values } from '../../../../nodes/CometChat/description/types';
import type { OperationCall } from '../../../../nodes/CometChat/results/call';

/** What a service in memory sends, by the query of a request and its place among those of the item. */
export type Respond = (query: IDataObject, part: number) => unknown;

/** A call whose responses are made in memory. */
export const callOf = (
	respond: Respond,
	values: Values = { returnAll: true },
	body?: IDataObject,
): OperationCall => ({
	request: { method: 'GET', path: '/things', query: {}, body },
	values,
	client: {
		send: async ({ query = {} }, read, part = 0) =>
			read({ statusCode: 200, headers: {}, body: await respond(query, part) }),
	},
	outcomes: new ItemOutcomes(),
	hints: new Set(),
});

/** All things that an operation brings; also those that came before it failed, in `kept`. */
export async function thingsOf(
	results: AsyncIterable<Result[]>,
	kept: IDataObject[] = [],
): Promise<IDataObject[]> {
	for await (const some of results) kept.push(...some.map(({ entity }) => entity));
	return kept;
}
