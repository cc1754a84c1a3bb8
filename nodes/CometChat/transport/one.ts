import type { IDataObject } from 'n8n-workflow';

import { InputError, toUid } from './input';
import { shapeOf } from './output';
import type { Columns } from './output';
import { expandPath } from './path';
import type { Pagination } from './run';
import { operation } from './run';
import { send } from './send';
import type { Answer } from './types';

/** An operation that is one request about one thing, which answers that thing. */
export interface One {
	/** Labels of the parameters that the path names */
	labels: Record<string, string>;
	/** @throws AnswerError unless the answer holds it */
	read: (answer: Answer) => IDataObject;
	/** Columns of a simplified item */
	columns: Columns;
	/** What to do when "On Behalf Of" is empty, where the service demands it */
	userAdvice?: string;
}

/** Makes the operation out of its description; method and path come from its `routing.request`. */
export function one({ labels, read, columns, userAdvice }: One): Pagination {
	return operation(async (context, { options }, channel, keep) => {
		const path = expandPath(String(options.url), (name) => ({
			field: labels[name],
			value: context.getNodeParameter(name, ''),
		}));
		const onBehalfOf = toUid('On Behalf Of', context.getNodeParameter('onBehalfOf', ''));
		if (userAdvice !== undefined && onBehalfOf === undefined) {
			throw new InputError('On Behalf Of', 'is empty', userAdvice);
		}
		const shape = shapeOf(
			context.getNodeParameter('output', 'raw'),
			context.getNodeParameter('fields', []),
			columns,
		);
		const method = options.method ?? 'GET';
		keep([shape(await send(channel, { method, path, query: {}, onBehalfOf }, read))]);
	});
}
