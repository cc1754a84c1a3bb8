import { confirmationIn, entityOf } from '../transport/response';
import { createOrFind, send } from './ifExists';
import { shapeOf, variantOf } from './shape';
import type { One, Result } from '../description/types';
import type { Call } from './call';

/** Sends the request of an operation that returns a single entity. */
export async function* one(
	{ one: entity, ids = {}, existing }: One,
	call: Call,
): AsyncGenerator<Result[]> {
	const { request, values, outcomes } = call;
	const read = entity.mayBeEmpty ? confirmationIn : entityOf(entity.name);
	const sending = async () =>
		existing
			? await createOrFind(existing, call, read)
			: { thing: await send(request, call, read), columns: {} };
	const { thing, columns } = await (request.method === 'GET' ? sending() : outcomes.once(sending));
	const fromRequest = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shape = shapeOf(values.output, values.fields, variantOf(entity, values), {
		...Object.fromEntries(fromRequest),
		...columns,
	});
	yield [{ thing: shape(thing) }];
}
