import { confirmationIn, entityOf } from '../transport/response';
import { createOrFind } from './ifExists';
import { shapeOf, variantOf } from './shape';
import type { One, Result } from '../description/types';
import type { Call } from './call';

/** One request, and the thing in its response. */
export async function* one(
	{ one: entity, ids = {}, existing }: One,
	call: Call,
): AsyncGenerator<Result[]> {
	const { request, values, client, outcomes } = call;
	const read = entity.mayBeEmpty ? confirmationIn : entityOf(entity.name);
	const sending = async () =>
		existing
			? await createOrFind(existing, call, read)
			: { thing: await client.send(request, read), existed: false };
	const { thing, existed } = await (request.method === 'GET' ? sending() : outcomes.once(sending));
	const columns = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const asked = { ...Object.fromEntries(columns), ...(existing ? { existed } : {}) };
	const shape = shapeOf(values.output, values.fields, variantOf(entity, values), asked);
	yield [{ thing: shape(thing) }];
}
