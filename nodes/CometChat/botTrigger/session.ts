import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { getCheckedApiKey, getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { DescribedError } from '../errors/describedErrors';
import { toNodeError } from '../errors/nodeError';
import { moveAdviceIntoMessage } from '../errors/publishingError';
import { getLabelsByFieldName } from '../request/fieldTree';
import { API_CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { RequestLimiter } from '../transport/limiter';
import { createSecretRedactor, type Redact } from '../helpers/redact';
import { BOT_ERROR_EXPLANATIONS, BotApi } from './botApi';
import type { Login } from '../sharedByTriggers/basicAuth';
import { deriveBotLogin } from './login';
import { readBotParameters, type BotParameters } from './parameters';
import { createPasswordRedactor } from './secrets';
import { botProperties } from './properties';
import { runAfterEarlierChangesOfBot } from './botTurns';

/**
 * Time limits in milliseconds for all requests of a session together. n8n 2.x makes five attempts to publish a
 * workflow within 84 seconds, including 15 seconds of pauses. Each attempt may need `normal` to set up the bot,
 * and `undo` to turn the bot off after a failure.
 */
const TIME_LIMITS_MS = { normal: 8_000, undo: 4_000 };

export type BotApiTimeLimitName = keyof typeof TIME_LIMITS_MS;

const SESSION_POLICY = { timeoutMs: 5_000, maxAttempts: 2, maxWaitMs: TIME_LIMITS_MS.normal };

const FIELD_LABELS = getLabelsByFieldName(botProperties);

type Context = IHookFunctions | IWebhookFunctions;

/** Parameters, credential and login that the node needs to access its bot in CometChat. */
export interface BotApiSessionInputs {
	context: Context;
	credentials: ICredentialDataDecryptedObject;
	parameters: BotParameters;
	/** Login that the node derives for its bot */
	login: Login;
	/** Redacts the API key and the login's password */
	redact: Redact;
}

/** Session in which the node sends requests about its bot. One time limit applies to all requests together. */
export interface BotApiSession extends BotApiSessionInputs {
	api: BotApi;
	/** Waits until no other session in this process has a turn for the same bot, then runs a function. */
	runAfterEarlierChangesOfBot: <T>(run: () => Promise<T>) => Promise<T>;
}

/**
 * Creates the error that n8n shows. The message includes the advice, because n8n doesn't show an error's description
 * when publishing fails.
 */
function toPublishingError(context: Context, error: unknown, redact: Redact, region?: unknown) {
	const options = { redact, region, labels: FIELD_LABELS, ownExplanations: BOT_ERROR_EXPLANATIONS };
	return moveAdviceIntoMessage(toNodeError(context.getNode(), error, options));
}

/**
 * Reads the node's parameters and credential, and derives the bot's login.
 *
 * @throws NodeOperationError or n8n's own error. The message contains no API key.
 */
export async function readBotApiSessionInputs(context: Context): Promise<BotApiSessionInputs> {
	let redact: Redact = (value) => value;
	try {
		const credentials = await context.getCredentials(API_CREDENTIAL);
		const redactKey = createSecretRedactor(credentials.apiKey);
		redact = redactKey;
		const apiKey = getCheckedApiKey(credentials);
		const parameters = readBotParameters(context);
		const login = await deriveBotLogin(context, apiKey, parameters.botId);
		const redactLogin = createPasswordRedactor(login);
		redact = (value) => redactLogin(redactKey(value));
		return { context, credentials, parameters, login, redact };
	} catch (error) {
		throw toPublishingError(context, error, redact);
	}
}

/**
 * Opens a session with a time limit, and runs a function in the session.
 *
 * @throws NodeApiError or NodeOperationError. The message includes the advice, but neither the API key nor a bot's
 * password.
 */
export async function runInTimedBotApiSession<T>(
	access: BotApiSessionInputs,
	run: (session: BotApiSession) => Promise<T>,
	timeLimit: BotApiTimeLimitName = 'normal',
): Promise<T> {
	const { context, credentials, login, parameters, redact } = access;
	const signal = AbortSignal.timeout(TIME_LIMITS_MS[timeLimit]);
	const limiter = new RequestLimiter(signal);
	try {
		const api = new BotApi(new Client({ context, credentials, limiter, ...SESSION_POLICY }), login);
		const bot = JSON.stringify([getBaseUrl(credentials), parameters.botId]);
		return await run({
			...access,
			api,
			runAfterEarlierChangesOfBot: async (work) =>
				await runAfterEarlierChangesOfBot(bot, signal, work),
		});
	} catch (error) {
		const cause = limiter.stopped
			? new DescribedError('CometChat did not respond in time', 'Try again later.')
			: error;
		throw toPublishingError(context, cause, redact, credentials.region);
	} finally {
		limiter.stop();
	}
}

/**
 * Reads the node's parameters and credential, opens a session, and runs a function in the session.
 *
 * @throws NodeApiError, NodeOperationError, or n8n's own error
 */
export async function readInputsAndRunInTimedBotApiSession<T>(
	context: Context,
	run: (session: BotApiSession) => Promise<T>,
): Promise<T> {
	return await runInTimedBotApiSession(await readBotApiSessionInputs(context), run);
}
