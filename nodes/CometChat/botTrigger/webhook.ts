import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { getApiKey } from '../../../credentials/CometChatApi.credentials';
import { toNodeError } from '../errors/nodeError';
import { createShape } from '../output/shape';
import { CREDENTIAL_NAME } from '../transport/attempt';
import { asObject } from '../helpers/json';
import { isEqual } from '../helpers/digest';
import { createRedactor } from '../helpers/redact';
import { respond } from '../helpers/webhookResponse';
import { isDuplicate } from '../webhookTrigger/dedupe';
import { deriveLogin, encodeLogin, readLogin, type Login } from './login';
import { readRelayedMessage, type RelayedMessage } from '../resources/message/relayedMessage';
import { canStart, getBotEntity } from './message';
import { readBotId, readParameters, type BotParameters } from './parameters';
import { createLoginRedactor } from './secrets';
import { withSession } from './session';
import { giveBackBorrowedBot } from './setUp';

const REPLY_HEADERS = {
	'Content-Type': 'application/json; charset=utf-8',
	'WWW-Authenticate': 'Basic realm="CometChat Bot", charset="UTF-8"',
};

const RECEIVED = 'The message was received.';

/**
 * Responds without starting the workflow.
 *
 * @param message one sentence that explains the response to the caller
 */
function reply(
	context: IWebhookFunctions,
	statusCode: number,
	message: string,
): IWebhookResponseData {
	return respond(context, statusCode, REPLY_HEADERS, JSON.stringify({ message }));
}

/**
 * True if a request contains the login of the bot. The password of a bot that was set up with another API key
 * differs from the password that the node derives now, so CometChat's record of the bot is read.
 *
 * @throws NodeApiError if CometChat's record can't be read
 */
async function isFromBot(
	context: IWebhookFunctions,
	sent: Login,
	apiKey: string,
): Promise<boolean> {
	const login = await deriveLogin(context, apiKey, readBotId(context));
	if (await isEqual(encodeLogin(sent), encodeLogin(login))) return true;
	if (!(await isEqual(sent.username, login.username))) return false;
	const bot = await withSession(
		context,
		async ({ api, parameters }) => await api.find(parameters.botId),
	);
	return bot !== undefined && (await isEqual(encodeLogin(sent), encodeLogin(bot)));
}

/** Checks the caller's login. Returns the response to a caller who isn't the bot, or undefined. */
async function refuseStranger(
	context: IWebhookFunctions,
	sent: Login,
): Promise<IWebhookResponseData | undefined> {
	let apiKey: string;
	try {
		apiKey = getApiKey(await context.getCredentials(CREDENTIAL_NAME));
	} catch (error) {
		// The credential may have been deleted. Throwing would create a failed execution for every request
		context.logger.error('The CometChat credential cannot be read', { error });
		return reply(context, 401, 'Unauthorized');
	}
	try {
		if (await isFromBot(context, sent, apiKey)) return undefined;
	} catch (error) {
		context.logger.error('The CometChat bot cannot be read', { error });
		return reply(context, 503, 'The bot cannot be read.');
	}
	return reply(context, 401, 'Unauthorized');
}

/** @throws NodeOperationError for an invalid parameter */
function readCheckedParameters(context: IWebhookFunctions): BotParameters {
	try {
		return readParameters(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { redact: (value) => value });
	}
}

/** Creates the item that starts the workflow. */
function createItem({ message, envelope }: RelayedMessage, parameters: BotParameters): IDataObject {
	const { output, fields } = parameters;
	if (output === 'raw') return envelope;
	const shape = createShape({ output, fields }, getBotEntity(parameters));
	// Selected fields can be paths in the message or in the request body
	const data = { ...message, ...asObject(message.data) };
	return shape({ sent: output === 'fields' ? { ...envelope, ...message, data } : message });
}

/**
 * Handles a message to the bot. n8n stores the execution before it responds, so that no message is lost. During
 * Execute step, the response comes first, because the bot is given back before the step runs.
 *
 * @throws NodeOperationError for an invalid parameter, which n8n shows as a failed execution
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const sent = readLogin(this.getHeaderData().authorization);
	const refusal = await refuseStranger(this, sent);
	if (refusal) return refusal;
	const relayed = readRelayedMessage(this.getBodyData());
	if (typeof relayed === 'string') return reply(this, 400, relayed);
	const { message, envelope } = relayed;
	const parameters = readCheckedParameters(this);
	if (!canStart(message, parameters)) return reply(this, 200, 'Ignored.');
	// Open question 31: CometChat may repeat a message, whose ID is then the same, as that of an event
	const event = { trigger: 'message_sent', data: { message }, appId: envelope.appId, envelope };
	const isStep = this.getMode() === 'manual';
	if (!isStep && (await isDuplicate(this, event))) {
		return reply(this, 200, 'This message was received before.');
	}
	const { apiKey } = await this.getCredentials(CREDENTIAL_NAME);
	const redactKey = createRedactor(apiKey);
	// The body can contain the bot with its password
	const redactLogin = createLoginRedactor(sent);
	const workflowData = [[{ json: redactLogin(redactKey(createItem(relayed, parameters))) }]];
	if (!isStep) return { webhookResponse: { message: RECEIVED }, workflowData };
	const response = reply(this, 200, RECEIVED);
	await giveBackBorrowedBot(this);
	return { ...response, workflowData };
}
