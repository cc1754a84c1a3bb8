import { readConfirmation, entityReader } from '../transport/response';
import { createOrFind, sendMerged } from './ifExists';
import { createShape, applyVariant } from './shape';
import type { SingleResponse, Result } from '../description/types';
import type { OperationCall } from './call';

/** Sends the request of an operation that returns a single entity. */
export async function* sendSingle(
	{ one: entity, ids = {}, existing }: SingleResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const { request, values, outcomes } = call;
	const read = entity.mayBeEmpty ? readConfirmation : entityReader(entity.name);
	const sending = async () =>
		existing
			? await createOrFind(existing, call, read)
			: { entity: await sendMerged(request, call, read), columns: {} };
	const { entity: sent, columns } = await (request.method === 'GET'
		? sending()
		: outcomes.once(sending));
	const fromRequest = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shape = createShape(values.output, values.fields, applyVariant(entity, values), {
		...Object.fromEntries(fromRequest),
		...columns,
	});
	yield [{ entity: shape(sent) }];
}
