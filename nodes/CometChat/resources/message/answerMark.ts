import type { IDataObject } from 'n8n-workflow';

import { asObject, createFieldReader } from '../../helpers/json';
import type { Values } from '../../types';
import { sendCaptionAsText } from './attachments';

/** Key in the metadata of each message that the operation Answer sends. */
const ANSWER_KEY = 'n8nAnswer';

const readMark = createFieldReader('data', 'metadata', ANSWER_KEY);

/** Completes the body of an answer, and marks the answer, so that no Bot Trigger answers it. */
export function adjustAnswer(body: IDataObject, values: Values): IDataObject {
	const data = asObject(body.data);
	const metadata = { ...asObject(data.metadata), [ANSWER_KEY]: true };
	return { ...sendCaptionAsText(body, values), data: { ...data, metadata } };
}

/** True for a message that the operation Answer sent, in this n8n or another one. */
export const isAnswer = (message: IDataObject): boolean => readMark(message) === true;
