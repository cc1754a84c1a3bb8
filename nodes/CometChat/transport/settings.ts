import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IHttpRequestOptions,
	NodeParameterValueType,
} from 'n8n-workflow';

import { InputError, toInteger } from './input';
import { DEFAULT_MAX_TRIES, DEFAULT_MAX_WAIT } from './retry';
import type { Patience } from './retry';

/** Where parameters are read from: an item of the node, or the trigger. */
export interface Parameters {
	getNodeParameter(name: string, fallback?: unknown): NodeParameterValueType | object;
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/** The options "Max Tries" and "Max Wait". */
export function patienceOf(options: IDataObject): Patience {
	const { maxTries, maxWait } = options;
	return {
		maxTries: isSet(maxTries) ? toInteger('Max Tries', maxTries, 1, 100) : DEFAULT_MAX_TRIES,
		maxWaitMs:
			1000 * (isSet(maxWait) ? toInteger('Max Wait', maxWait, 0, 86_400) : DEFAULT_MAX_WAIT),
	};
}

/** A collection parameter, also when the whole of it is an expression. */
export function collection(context: Parameters, name: string, label: string): IDataObject {
	const value = context.getNodeParameter(name, {});
	if (!isSet(value)) return {};
	if (typeof value !== 'object' || Array.isArray(value)) {
		throw new InputError(label, 'must be an object with one entry for each field that is set');
	}
	return value as IDataObject;
}

/** n8n's own request options (timeout, proxy, certificates), without what the request itself sets. */
export function settingsOf({
	options,
}: DeclarativeRestApiSettings.ResultOptions): Partial<IHttpRequestOptions> {
	const { timeout, proxy, skipSslCertificateValidation } = options as IHttpRequestOptions;
	return {
		...(timeout === undefined ? {} : { timeout }),
		...(proxy === undefined ? {} : { proxy }),
		...(skipSslCertificateValidation ? { skipSslCertificateValidation } : {}),
	};
}
