import { entityOf } from '../transport/response';
import type { Call } from './executeItem';
import { shapeOf } from './output';
import type { One, Result } from './types';

/** One request, and the thing in its response. */
export async function* one(
	{ one: entity, ids = {} }: One,
	{ request, values, send }: Call,
): AsyncGenerator<Result[]> {
	const columns = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shape = shapeOf(values.output, values.fields, entity, Object.fromEntries(columns));
	yield [{ thing: shape(await send(request, entityOf(entity.name), 0)) }];
}
