import { entityOf } from '../transport/response';
import { shapeOf } from './output';
import type { Call, One, Result } from './types';

/** One request, and the thing in its response. */
export async function* one(
	{ one: entity, ids = {} }: One,
	{ request, values, send }: Call,
): AsyncGenerator<Result[]> {
	const columns = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shape = shapeOf(values.output, values.fields, entity, Object.fromEntries(columns));
	yield [{ thing: shape(await send(request, entityOf(entity.name), 0)) }];
}
