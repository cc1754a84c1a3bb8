import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { asObject, asText } from '../../helpers/json';
import type { Check, Values } from '../../types';
import { isDeleted } from './entity';

/** Rejects a time range that ends before or when it starts. */
export const checkTimeRange: Check = (value) => {
	const { fromTimestamp, toTimestamp } = asObject(value);
	if (Number(fromTimestamp) >= Number(toTimestamp)) {
		throw new InputError(
			'Sent Before',
			"must be later than 'Sent After'",
			"Enter a later 'Sent Before', or remove one of the two.",
		);
	}
	return value;
};

/** Returns a hint if the requested message is deleted, because such a message has no text. */
export function hintAtDeletedMessage(
	{ messageId }: Values,
	_count: number,
	message: IDataObject = {},
): string | undefined {
	if (!isDeleted(message)) return undefined;
	return `Message ${asText(messageId)} was deleted, so it has no text. Selected Fields returns deletedAt.`;
}
