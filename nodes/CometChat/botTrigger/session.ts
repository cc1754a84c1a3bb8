import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { getApiKey } from '../../../credentials/CometChatApi.credentials';
import { DescribedError } from '../errors/inputError';
import { toNodeError } from '../errors/nodeError';
import { moveAdviceIntoMessage } from '../errors/publishingError';
import { getFieldLabels } from '../request/fieldTree';
import { API_CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { RequestLimiter } from '../transport/limiter';
import { createRedactor, type Redact } from '../helpers/redact';
import { BOT_EXPLANATIONS, BotApi } from './botApi';
import type { Login } from '../sharedByTriggers/basicAuth';
import { deriveLogin } from './login';
import { readParameters, type BotParameters } from './parameters';
import { createPasswordRedactor } from './secrets';
import { botProperties } from './properties';

/** Limits for a session's requests, during which a person or CometChat is waiting. */
const POLICY = { timeoutMs: 15_000, maxAttempts: 2, maxWaitMs: 20_000 };

const TIME_LIMIT_MS = 60_000;

const FIELD_LABELS = getFieldLabels(botProperties);

/** Values that the node needs to read and change its bot in CometChat. */
export interface Session {
	context: IHookFunctions | IWebhookFunctions;
	credentials: ICredentialDataDecryptedObject;
	api: BotApi;
	parameters: BotParameters;
	/** Login that the node derives for its bot */
	login: Login;
}

/**
 * Reads the node's parameters and credential, and runs a function with them.
 *
 * @throws NodeApiError, NodeOperationError or n8n's own error. The message includes the advice, but no API key
 * and no bot's password.
 */
export async function withSession<T>(
	context: IHookFunctions | IWebhookFunctions,
	run: (session: Session) => Promise<T>,
): Promise<T> {
	const limiter = new RequestLimiter(AbortSignal.timeout(TIME_LIMIT_MS));
	let redact: Redact = (value) => value;
	try {
		const credentials = await context.getCredentials(API_CREDENTIAL);
		const redactKey = createRedactor(credentials.apiKey);
		redact = redactKey;
		const apiKey = getApiKey(credentials);
		const parameters = readParameters(context);
		const login = await deriveLogin(context, apiKey, parameters.botId);
		const redactLogin = createPasswordRedactor(login);
		redact = (value) => redactLogin(redactKey(value));
		const api = new BotApi(new Client({ context, credentials, limiter, ...POLICY }), login);
		return await run({ context, credentials, api, parameters, login });
	} catch (error) {
		const cause = limiter.stopped
			? new DescribedError('CometChat did not respond in time', 'Try again later.')
			: error;
		const options = { redact, labels: FIELD_LABELS, ownExplanations: BOT_EXPLANATIONS };
		throw moveAdviceIntoMessage(toNodeError(context.getNode(), cause, options));
	} finally {
		limiter.stop();
	}
}
