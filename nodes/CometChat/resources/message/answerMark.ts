import type { IDataObject } from 'n8n-workflow';

import { asObjectOrEmpty, createFieldReader } from '../../helpers/json';

/** Key in the metadata of each message that the operation Answer sends. */
const ANSWER_KEY = 'n8nAnswer';

const readAnswerMark = createFieldReader('data', 'metadata', ANSWER_KEY);

/** Returns a message's metadata with the key that marks the message as an answer. */
export const markAsAnswerInMetadata = (metadata: unknown): IDataObject => ({
	...asObjectOrEmpty(metadata),
	[ANSWER_KEY]: true,
});

/** True for a message that the operation Answer sent, from any n8n instance. */
export const hasAnswerMark = (message: IDataObject): boolean => readAnswerMark(message) === true;
