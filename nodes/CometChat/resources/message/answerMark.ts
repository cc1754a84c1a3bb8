import type { IDataObject } from 'n8n-workflow';

import { asObject, createFieldReader } from '../../helpers/json';
import type { Values } from '../../types';
import { convertLoneCaption } from './attachments';

/** Key in the metadata of each message that the operation Answer sends. */
const ANSWER_KEY = 'n8nAnswer';

const readAnswerMark = createFieldReader('data', 'metadata', ANSWER_KEY);

/**
 * Marks an answer, so that Bot Triggers ignore the answer unless their 'Only From' names its sender. Sends a
 * caption without files as a text message.
 */
export function adjustAnswer(body: IDataObject, values: Values): IDataObject {
	const data = asObject(body.data);
	const metadata = { ...asObject(data.metadata), [ANSWER_KEY]: true };
	return { ...convertLoneCaption(body, values), data: { ...data, metadata } };
}

/** True for a message that the operation Answer sent, in this n8n or another one. */
export const isAnswer = (message: IDataObject): boolean => readAnswerMark(message) === true;
