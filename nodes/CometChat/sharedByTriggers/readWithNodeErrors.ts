import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';

/**
 * Reads a trigger's parameters. Doesn't redact errors, because `read` doesn't use the API key.
 *
 * @param read function that throws InputError for an invalid value
 * @throws NodeOperationError for an invalid value, or n8n's own error for an expression
 */
export function readWithNodeErrors<C extends IHookFunctions | IWebhookFunctions, T>(
	context: C,
	read: (context: C) => T,
): T {
	try {
		return read(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { redact: (value) => value });
	}
}
