import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { parseJsonOrText, toJsonRestoringMarkedNumbers } from '../helpers/exactJson';
import { getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { ConnectionError, toProxyErrorIfOtherTarget } from './failure';
import { UploadForm } from './form';
import type { RequestLimiter } from './limiter';
import type { RequestPolicy } from './retry';
import { sendWithinTimeLimit } from './sendWithinTimeLimit';
import type { RestRequest, RestResponse } from './restTypes';

export const API_CREDENTIAL = 'cometChatApi';

type TextResponse = Omit<RestResponse, 'text'> & { body: string };

/**
 * The part of n8n's execution, poll or webhook context that sends requests. `httpRequestWithAuthentication` returns a
 * TextResponse, because every request sets `returnFullResponse` and the encoding `text`.
 */
interface RequestContext {
	helpers: {
		httpRequestWithAuthentication(
			this: unknown,
			credential: string,
			request: IHttpRequestOptions,
			options: IAdditionalCredentialOptions,
		): Promise<TextResponse>;
	};
}

/** Options shared by all attempts to send a request. */
export interface SendingContext extends Pick<RequestPolicy, 'timeoutMs'> {
	context: RequestContext;
	/**
	 * The credential's data, read in advance, because n8n would otherwise read the credential for each request.
	 */
	credentials: ICredentialDataDecryptedObject;
	limiter: RequestLimiter;
}

/**
 * Sends a request once with n8n's request helper.
 *
 * @returns the response, whatever its status
 * @throws ConnectionError, StoppedError, an error from reading a file, or an Error whose message is meant for the
 * user
 */
export async function fetchResponseOnce(
	connection: SendingContext,
	request: RestRequest,
): Promise<RestResponse> {
	const timeoutMs = Math.min(connection.timeoutMs + computeUploadMs(request), MAX_TIMER_MS);
	const limits = { ...connection, timeoutMs };
	let form: UploadForm | undefined;
	const start = async (controller: AbortController) => {
		const { files, body = {} } = request;
		if (files) form = new UploadForm(body, files, () => controller.abort());
		return await startRequest(limits, request, form?.data, controller.signal);
	};
	try {
		const { statusCode, headers, body } = await sendWithinTimeLimit(
			limits,
			start,
			() => new ConnectionError('ETIMEDOUT', `no complete response within ${timeoutMs} ms`),
		);
		return { statusCode, headers, body: parseJsonOrText(body), text: body };
	} catch (error) {
		throw (
			form?.failure ?? toProxyErrorIfOtherTarget(error, new URL(getBaseUrl(connection.credentials)))
		);
	} finally {
		form?.stopReading();
	}
}

/** Maximum duration of a timer, in milliseconds. Node.js fires a timer with a longer duration immediately. */
const MAX_TIMER_MS = 2_147_483_647;

/** Minimum upload speed that the time limit of a request with files assumes: 1 Mbit/s. */
const MIN_UPLOAD_BYTES_PER_MS = 125;

/** Computes the time that an upload adds to a request's time limit, in milliseconds. */
const computeUploadMs = ({ files = [] }: Pick<RestRequest, 'files'>): number =>
	Math.ceil(files.reduce((bytes, { size }) => bytes + size, 0) / MIN_UPLOAD_BYTES_PER_MS);

/** Builds the `headers` and `body` options of n8n's request helper. */
function buildContent({ headers = {}, body }: RestRequest, form: FormData | undefined) {
	// n8n's HTTP client sets the content type of a form
	if (form) return { headers, body: form };
	if (body === undefined) return { headers };
	return {
		headers: { ...headers, 'content-type': 'application/json' },
		// The body is a string, because n8n's HTTP client drops keys such as `constructor` from objects
		body: toJsonRestoringMarkedNumbers(body),
	};
}

function startRequest(
	{ context, credentials, timeoutMs }: SendingContext,
	request: RestRequest,
	form: FormData | undefined,
	signal: AbortSignal,
): Promise<TextResponse> {
	const { method, path, query = {} } = request;
	return context.helpers.httpRequestWithAuthentication.call(
		// n8n overwrites the `abortSignal` option with the result of `getExecutionCancelSignal`, so the method returns
		// `signal` here
		Object.create(context, { getExecutionCancelSignal: { value: () => signal } }),
		API_CREDENTIAL,
		{
			timeout: timeoutMs,
			method,
			url: path,
			qs: query,
			...buildContent(request, form),
			json: true,
			// n8n's HTTP client would round large numbers if it parsed the JSON
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: signal,
		},
		{ credentialsDecrypted: { id: '', name: '', type: API_CREDENTIAL, data: credentials } },
	);
}
