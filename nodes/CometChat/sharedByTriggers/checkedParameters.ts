import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';

/**
 * Reads the parameters of a trigger whose errors can't contain the API key.
 *
 * @param read function that throws InputError for an invalid value
 * @throws NodeOperationError for an invalid value
 */
export function readChecked<C extends IHookFunctions | IWebhookFunctions, T>(
	context: C,
	read: (context: C) => T,
): T {
	try {
		return read(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { redact: (value) => value });
	}
}
