import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { getApiKey } from '../../../credentials/CometChatApi.credentials';
import { toNodeError } from '../errors/nodeError';
import { createShape } from '../output/shape';
import { CREDENTIAL_NAME } from '../transport/attempt';
import { asObject } from '../helpers/json';
import { createRedactor } from '../helpers/redact';
import { respond } from '../helpers/webhookResponse';
import { isDuplicate } from '../webhookTrigger/dedupe';
import { readHold } from './hold';
import { computeFingerprint, deriveLogin, isFromBot, readLogin } from './login';
import { canStart, getBotEntity, readMessage, type RelayedMessage } from './message';
import { readParameters, type BotParameters } from './parameters';
import { createLoginRedactor } from './secrets';

const REPLY_HEADERS = {
	'Content-Type': 'application/json; charset=utf-8',
	'WWW-Authenticate': 'Basic realm="CometChat Bot", charset="UTF-8"',
};

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
 * True if a request contains the bot's login. Without a record of the login, e.g. because n8n was stopped before
 * it saved the record, only the login of a bot that this node made is accepted.
 */
async function isAuthorizedCaller(context: IWebhookFunctions): Promise<boolean> {
	let apiKey: string;
	try {
		apiKey = getApiKey(await context.getCredentials(CREDENTIAL_NAME));
	} catch (error) {
		// The credential may have been deleted. Throwing would create a failed execution for every request
		context.logger.error('The CometChat credential cannot be read', { error });
		return false;
	}
	const { authorization } = context.getHeaderData();
	const hold = readHold(context, context.getMode() === 'manual');
	if (hold && (await isFromBot(authorization, hold.fingerprint, apiKey))) return true;
	if (hold && !hold.isMade) return false;
	const made = await deriveLogin(context, apiKey, 'made');
	const fingerprint = await computeFingerprint(made, 'derived', apiKey);
	return await isFromBot(authorization, fingerprint, apiKey);
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
 * Handles a message to the bot. n8n stores the execution before it responds, so that no message is lost.
 *
 * @throws NodeOperationError for an invalid parameter, which n8n shows as a failed execution
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!(await isAuthorizedCaller(this))) return reply(this, 401, 'Unauthorized');
	const relayed = readMessage(this.getBodyData());
	if (typeof relayed === 'string') return reply(this, 400, relayed);
	const { message, envelope } = relayed;
	const parameters = readCheckedParameters(this);
	if (!canStart(message, parameters)) return reply(this, 200, 'Ignored.');
	// Open question 31: CometChat may repeat a message, whose ID is then the same, as that of an event
	const event = { trigger: 'message_sent', data: { message }, appId: envelope.appId, envelope };
	if (this.getMode() !== 'manual' && (await isDuplicate(this, event))) {
		return reply(this, 200, 'This message was received before.');
	}
	const { apiKey } = await this.getCredentials(CREDENTIAL_NAME);
	const redactKey = createRedactor(apiKey);
	// The body can contain the bot with its password
	const redactLogin = createLoginRedactor(readLogin(this.getHeaderData().authorization));
	return {
		webhookResponse: { message: 'The message was received.' },
		workflowData: [[{ json: redactLogin(redactKey(createItem(relayed, parameters))) }]],
	};
}
