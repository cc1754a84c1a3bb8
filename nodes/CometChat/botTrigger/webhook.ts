import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { getCheckedApiKey } from '../../../credentials/CometChatApi.credentials';
import { createResultConverter } from '../output/shape';
import { API_CREDENTIAL } from '../transport/attempt';
import { asObjectOrEmpty } from '../helpers/json';
import { isEqualInConstantTime } from '../helpers/digest';
import { createSecretRedactor } from '../helpers/redact';
import {
	readMessageToBotOrProblem,
	type MessageToBotWithWebhookBody,
} from '../resources/message/relayedMessage';
import {
	encodeLoginAsBase64,
	readLoginFromHeaderOrEmpty,
	type Login,
} from '../sharedByTriggers/basicAuth';
import { readWithNodeErrors } from '../sharedByTriggers/readWithNodeErrors';
import {
	acceptUnlessRecentRepetition,
	type EventIdentifyingValues,
} from '../sharedByTriggers/dedupe';
import { createJsonResponderForRealm } from '../sharedByTriggers/reply';
import { deriveBotLogin } from './login';
import { giveBackBotBorrowedByExecuteStep } from './loans';
import { canMessageStartWorkflow, createBotMessageEntity } from './message';
import { readBotId, readBotParameters, type BotParameters } from './parameters';
import { createPasswordRedactor } from './secrets';
import { readInputsAndRunInTimedBotApiSession } from './session';

const respondJson = createJsonResponderForRealm('CometChat Bot');

const RECEIVED = 'The message was received.';

/**
 * True if a request contains the bot's login. If only the password differs, the bot may have been set up with another
 * API key. The function then compares the login with CometChat's record of the bot.
 *
 * @throws InputError for an invalid UID, or the session's errors if CometChat's record can't be read
 */
async function isBotLogin(
	context: IWebhookFunctions,
	sent: Login,
	apiKey: string,
): Promise<boolean> {
	const login = await deriveBotLogin(context, apiKey, readBotId(context));
	if (await isEqualInConstantTime(encodeLoginAsBase64(sent), encodeLoginAsBase64(login)))
		return true;
	if (!(await isEqualInConstantTime(sent.username, login.username))) return false;
	const bot = await readInputsAndRunInTimedBotApiSession(
		context,
		async ({ api, parameters }) => await api.findBot(parameters.botId),
	);
	return (
		bot !== undefined &&
		(await isEqualInConstantTime(encodeLoginAsBase64(sent), encodeLoginAsBase64(bot)))
	);
}

/** Reads the API key. If the credential can't be read, logs the reason and returns undefined. */
async function readApiKey(context: IWebhookFunctions): Promise<string | undefined> {
	try {
		return getCheckedApiKey(await context.getCredentials(API_CREDENTIAL));
	} catch (error) {
		// The credential may have been deleted. Throwing would create a failed execution for every request
		context.logger.error('The CometChat credential cannot be read', { error });
		return undefined;
	}
}

/** Checks the caller's login. Returns undefined if the caller is the bot. Otherwise, returns an error response. */
async function refuseStranger(
	context: IWebhookFunctions,
	sent: Login,
	apiKey: string,
): Promise<IWebhookResponseData | undefined> {
	try {
		if (await isBotLogin(context, sent, apiKey)) return undefined;
	} catch (error) {
		context.logger.error('The CometChat bot cannot be read', { error });
		return respondJson(context, 503, 'The bot cannot be read.');
	}
	return respondJson(context, 401, 'Unauthorized');
}

/** Converts a message to the event by which repeated deliveries are recognized (open question 31). */
const toEventIdentifyingValues = ({
	message,
	envelope,
}: MessageToBotWithWebhookBody): EventIdentifyingValues => ({
	trigger: 'after_message',
	appId: envelope.appId,
	key: [message.id],
	content: message,
	webhookName: envelope.webhook,
});

/** Creates the item that starts the workflow. */
function createItemJson(
	{ message, envelope }: MessageToBotWithWebhookBody,
	parameters: BotParameters,
): IDataObject {
	const { output, fields } = parameters;
	if (output === 'raw') return envelope;
	const entity = createBotMessageEntity({ ...parameters, appId: envelope.appId });
	const convert = createResultConverter({ output, fields }, entity);
	// Selected fields can be paths in the message or in the request body
	const data = { ...message, ...asObjectOrEmpty(message.data) };
	return convert({ received: output === 'fields' ? { ...envelope, ...message, data } : message });
}

/**
 * Handles a message to the bot. n8n stores the execution before it responds, so that no message is lost. During
 * Execute step, responds first, then gives the bot back before the step runs.
 *
 * @throws NodeOperationError for an invalid parameter, or n8n's own error for an expression. n8n shows both errors as
 * failed executions.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const sent = readLoginFromHeaderOrEmpty(this.getHeaderData().authorization);
	const apiKey = await readApiKey(this);
	if (apiKey === undefined) return respondJson(this, 401, 'Unauthorized');
	const refusal = await refuseStranger(this, sent, apiKey);
	if (refusal) return refusal;
	const relayed = readMessageToBotOrProblem(this.getBodyData());
	if (typeof relayed === 'string') return respondJson(this, 400, relayed);
	const parameters = readWithNodeErrors(this, readBotParameters);
	if (!canMessageStartWorkflow(relayed.message, parameters))
		return respondJson(this, 200, 'Ignored.');
	const isStep = this.getMode() === 'manual';
	if (!isStep && !(await acceptUnlessRecentRepetition(this, toEventIdentifyingValues(relayed)))) {
		return respondJson(this, 200, 'This message was received before.');
	}
	const redactKey = createSecretRedactor(apiKey);
	// The request body may contain the bot's password
	const redactLogin = createPasswordRedactor(sent);
	const workflowData = [[{ json: redactLogin(redactKey(createItemJson(relayed, parameters))) }]];
	if (!isStep) return { webhookResponse: { message: RECEIVED }, workflowData };
	const response = respondJson(this, 200, RECEIVED);
	await giveBackBotBorrowedByExecuteStep(this);
	return { ...response, workflowData };
}
