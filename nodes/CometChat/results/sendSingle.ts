import { readConfirmation, entityReader } from '../transport/response';
import { createOrFind, sendUpdate } from './createOrUpdate';
import { createShape } from './shape';
import type { SingleResponse, Result } from '../description/types';
import type { OperationCall } from './call';

/** Sends the request of an operation that returns a single entity. */
export async function* sendSingle(
	{ one, ids = {}, existing }: SingleResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const { request, values, client, outcomes } = call;
	const read = one.mayBeEmpty ? readConfirmation : entityReader(one.name);
	const send = async (): Promise<Result> => {
		if (existing) return await createOrFind(existing, call, read);
		const isUpdate = request.method === 'PUT';
		return {
			entity: await (isUpdate ? sendUpdate(request, call, read) : client.send(request, read)),
		};
	};
	const change = async () =>
		outcomes.recall('') ??
		(await send().then(
			(sent) => outcomes.record('', sent),
			(failure: unknown) => outcomes.record('', { entity: {}, failure }),
		));
	const { entity, columns, failure } = await (request.method === 'GET' ? send() : change());
	if (failure !== undefined) throw failure;
	const fromRequest = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shape = createShape(values, one, { ...Object.fromEntries(fromRequest), ...columns });
	yield [{ entity: shape(entity) }];
}
