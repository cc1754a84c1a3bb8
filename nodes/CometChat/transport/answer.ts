import type { IDataObject } from 'n8n-workflow';

import type { Answer, GroupPage, Message } from './types';
import { isObject } from './types';

/** An answer with a status of success that is no answer. The message is a whole sentence. */
export class AnswerError extends Error {
	constructor(
		message: string,
		readonly answer: Answer,
	) {
		super(message);
	}
}

/** What a body is when it is not the JSON object that the service answers with. */
export function describeBody(answer: Answer): string {
	const { body, headers } = answer;
	if (body === undefined || body === null || body === '') return 'nothing';
	if (typeof body !== 'string') return Array.isArray(body) ? 'a list' : 'JSON of another shape';
	const isHtml = /^\s*<(?:!doctype|html|head|body)/i.test(body);
	if (isHtml || String(headers['content-type'] ?? '').includes('text/html')) {
		return 'a web page (HTML)';
	}
	return /^\s*[[{]/.test(body) ? 'broken JSON' : 'text that is not JSON';
}

function envelope(answer: Answer): { data: unknown } {
	const { body, statusCode } = answer;
	if (!isObject(body)) {
		throw new AnswerError(
			`CometChat answered ${describeBody(answer)} with status ${statusCode} instead of JSON`,
			answer,
		);
	}
	if (!('data' in body)) throw new AnswerError('The answer has no "data"', answer);
	if (body.data === null) throw new AnswerError('The answer\'s "data" is null', answer);
	return { data: body.data };
}

/** Reads one thing out of an answer. @throws AnswerError unless the answer holds one */
export const entityOf =
	(entity: string) =>
	(answer: Answer): IDataObject => {
		const { data } = envelope(answer);
		if (!isObject(data)) throw new AnswerError(`The answer's "data" is not a ${entity}`, answer);
		return data;
	};

export const messageOf: (answer: Answer) => Message = entityOf('message');

/** @throws AnswerError unless the answer holds a list of groups */
export function groupPageOf(answer: Answer): GroupPage {
	const { data } = envelope(answer);
	if (!Array.isArray(data) || !data.every(isObject)) {
		throw new AnswerError('The answer\'s "data" is not a list of groups', answer);
	}
	return answer.body as GroupPage;
}
