import type { ICredentialDataDecryptedObject, IHookFunctions } from 'n8n-workflow';

import { getApiKey } from '../../../credentials/CometChatApi.credentials';
import { DescribedError } from '../errors/inputError';
import { toNodeError } from '../errors/nodeError';
import { getFieldLabels } from '../request/request';
import { CREDENTIAL_NAME } from '../transport/attempt';
import { Client } from '../transport/client';
import { RequestLimiter } from '../transport/limiter';
import { createRedactor, type Redact } from '../helpers/redact';
import { BOT_ERRORS, BotApi } from './botApi';
import { deriveLogin, type Login } from './login';
import { createLoginRedactor } from './secrets';
import { botProperties } from './properties';

/** Limits for the requests of publishing or unpublishing, during which a person is waiting. */
const POLICY = { timeoutMs: 15_000, maxAttempts: 2, maxWaitMs: 20_000 };

const DEADLINE_MS = 60_000;

const LABELS = getFieldLabels(botProperties);

/** Everything that publishing and unpublishing share. */
export interface Session {
	context: IHookFunctions;
	credentials: ICredentialDataDecryptedObject;
	apiKey: string;
	api: BotApi;
	/** The node's Production URL, or the Test URL in a test */
	url: string;
	/** Login of a bot that this node makes, and of a bot without a login that this node takes over */
	logins: Record<'made' | 'taken', Login>;
}

/**
 * Runs one of n8n's hooks with a session.
 *
 * @throws NodeApiError or NodeOperationError, without the API key and without passwords of bots
 */
export async function withSession<T>(
	context: IHookFunctions,
	run: (session: Session) => Promise<T>,
): Promise<T> {
	const limiter = new RequestLimiter(AbortSignal.timeout(DEADLINE_MS));
	let redact: Redact = (value) => value;
	try {
		const credentials = await context.getCredentials(CREDENTIAL_NAME);
		const redactKey = createRedactor(credentials.apiKey);
		redact = redactKey;
		const apiKey = getApiKey(credentials);
		const logins = {
			made: await deriveLogin(context, apiKey, 'made'),
			taken: await deriveLogin(context, apiKey, 'taken'),
		};
		const redactMade = createLoginRedactor(logins.made);
		const redactTaken = createLoginRedactor(logins.taken);
		const api = new BotApi(new Client({ context, credentials, limiter, ...POLICY }));
		redact = (value) => api.redact(redactMade(redactTaken(redactKey(value))));
		const url = context.getNodeWebhookUrl('default') ?? '';
		return await run({ context, credentials, apiKey, api, url, logins });
	} catch (error) {
		const cause = limiter.stopped
			? new DescribedError('CometChat did not respond in time', 'Try again later.')
			: error;
		throw toNodeError(context.getNode(), cause, { redact, labels: LABELS, own: BOT_ERRORS });
	} finally {
		limiter.stop();
	}
}
