import type { IDataObject } from 'n8n-workflow';

import { SendError, StatusError } from '../transport/failure';
import { StoppedError } from '../transport/limiter';
import { entityOf } from '../transport/response';
import { objectOf } from '../transport/types';
import { shapeOf } from './output';
import type { Call, Each, Result } from './types';

interface Attempt {
	data?: IDataObject;
	error?: unknown;
}

/** Sends a list in batches. Each entry gets a result of its own, also in a batch that failed. */
export async function* batches(
	{ each, of: name, batchSize }: Each,
	{ request, values, send }: Call,
): AsyncGenerator<Result[]> {
	const attempt = async (...args: Parameters<typeof send<IDataObject>>): Promise<Attempt> =>
		await send(...args).then(
			(data) => ({ data }),
			(error: unknown) => {
				if (error instanceof StoppedError) throw error;
				return { error };
			},
		);
	const shape = shapeOf(values.output, values.fields, each);
	const list = values[name];
	const entries = [list].flat().map(String);
	/** Set when no further batch can succeed */
	let over: Attempt | undefined;
	for (let start = 0; start < entries.length; start += batchSize) {
		const batch = entries.slice(start, start + batchSize);
		const body = withBatch(objectOf(request.body), list, batch);
		const { data, error } =
			over ?? (await attempt({ ...request, body }, entityOf(each.name), start / batchSize));
		if (error !== undefined && !isAboutBatch(error)) over = { error };
		yield batch.map((entry) => {
			const { thing, failure } = each.resultOf(data, entry, values);
			return { thing: shape(thing), entry, failure: error ?? failure };
		});
	}
}

/** Whether another batch may succeed: not when there is no connection, no key, or no room in the rate limit. */
function isAboutBatch(error: unknown): boolean {
	if (!(error instanceof SendError)) return false;
	const { error: cause, outcomeUnknown } = error.failure;
	const isRefusal = cause instanceof StatusError && ![401, 429].includes(cause.response.statusCode);
	return outcomeUnknown || isRefusal;
}

/** The body with a batch in the place of the whole list. */
function withBatch(body: IDataObject, list: unknown, batch: string[]): IDataObject {
	const entries = Object.entries(body).map(([key, value]) => [key, value === list ? batch : value]);
	return Object.fromEntries(entries);
}
