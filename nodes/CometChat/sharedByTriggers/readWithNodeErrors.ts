import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';

/**
 * Calls a function that reads a trigger's parameters, and converts its InputErrors to n8n's errors. Redacts
 * nothing, because parameters don't contain the API key.
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
