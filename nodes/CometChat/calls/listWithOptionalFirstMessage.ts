import { asObject } from '../helpers/json';
import { expandPath } from '../transport/path';
import { createEntityReader } from '../transport/response';
import type { IDataObject } from 'n8n-workflow';
import type { RestResponse } from '../transport/types';
import type { ListResponse, Result } from '../types';
import type { OperationCall } from './call';
import { list } from './list';
import { getId } from './paging';

/**
 * Lists entities. If 'Include First Message' is on, the message that starts the thread comes first, unless the
 * list excludes the message.
 */
export async function* listWithOptionalFirstMessage(
	response: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const { many: entity, firstMessagePath: path } = response;
	const { client, values, request } = call;
	const { returnAll, limit, options, output } = values;
	if (path === undefined || asObject(options).includeFirst !== true) {
		yield* list(response, call);
		return;
	}
	const readMessage = createEntityReader(entity.name);
	const read = (answer: RestResponse) => ({ answer, message: readMessage(answer) });
	const { headers } = request;
	const { answer, message } = await client.send(
		{ method: 'GET', path: expandPath(path, values), headers },
		read,
	);
	if (output === 'pages') {
		yield [{ received: asObject(answer.body) }];
		yield* list(response, call);
		return;
	}
	const isShown = entity.isExcluded?.(message, values) !== true;
	if (isShown) yield [{ received: message }];
	const rest = Number(limit) - (isShown ? 1 : 0);
	if (returnAll !== true && rest === 0) return;
	const isOther = ({ received }: { received: IDataObject }) =>
		getId(received, entity.id) !== getId(message, entity.id);
	for await (const results of list(response, { ...call, values: { ...values, limit: rest } })) {
		yield results.filter(isOther);
	}
}
