import { confirmationIn, entityOf } from '../transport/response';
import { shapeOf, variantOf } from './output';
import type { Call, One, Result } from './types';

/** One request, and the thing in its response. */
export async function* one(
	{ one: entity, ids = {} }: One,
	{ request, values, send, outcomes }: Call,
): AsyncGenerator<Result[]> {
	const columns = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shaped = variantOf(entity, values);
	const shape = shapeOf(values.output, values.fields, shaped, Object.fromEntries(columns));
	const read = entity.mayBeEmpty ? confirmationIn : entityOf(entity.name);
	const sending = async () => await send(request, read, 0);
	const thing = await (request.method === 'GET' ? sending() : outcomes.once(sending));
	yield [{ thing: shape(thing) }];
}
