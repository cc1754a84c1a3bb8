import type { IDataObject } from 'n8n-workflow';

import { ChangeOutcomesOfItem } from '../../../nodes/CometChat/calls/outcomes';
import type { UnconvertedResult, ParameterValues } from '../../../nodes/CometChat/types';
import type { ItemRequestWithClient } from '../../../nodes/CometChat/calls/call';

/** Returns the response body for a request, given its query and its index among the item's requests. */
export type Respond = (query: IDataObject, part: number) => unknown;

/** Creates an operation call whose responses come from a function. */
export const createCall = (
	respond: Respond,
	values: ParameterValues = { returnAll: true },
	body?: IDataObject,
): ItemRequestWithClient => {
	let part = 0;
	const send: ItemRequestWithClient['client']['sendAndRead'] = async ({ query = {} }, read) =>
		read({ statusCode: 200, headers: {}, body: await respond(query, part++) });
	return {
		request: { method: 'GET', path: '/things', query: {}, body },
		values,
		client: {
			sendAndRead: send,
			sendAndReadAsOutcome: async (request, read) => ({
				value: await send(request, read),
				failedAttemptMayHaveWorked: false,
			}),
		},
		outcomes: new ChangeOutcomesOfItem(),
		hints: new Set(),
	};
};

/**
 * Collects all entities from the results. If reading fails, `kept` contains the entities received before
 * the failure.
 */
export async function collectEntities(
	results: AsyncIterable<UnconvertedResult[]>,
	kept: IDataObject[] = [],
): Promise<IDataObject[]> {
	for await (const some of results) kept.push(...some.map(({ received }) => received));
	return kept;
}
