import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { DISPLAY_NAME } from '../../../credentials/CometChatWebhookApi.credentials';
import { toNodeError } from '../errors/nodeError';
import { isAuthorized } from './basicAuth';
import type { Delivery } from './delivery';
import { deliveryOf } from './delivery';
import { familyOf } from './events';
import { fetchMessage } from './fetchMessage';
import type { Fetched } from './items';
import { envelopeItem, simplifiedItems } from './items';
import type { Occurrence } from './occurrence';
import { objectAt } from './occurrence';
import { isFirst, saveMemory } from './once';
import { respond } from './respond';
import { groupOfMessage, isIgnored, isWanted, isWantedGroup } from './selection';
import type { Settings } from './settings';
import { readSettings } from './settings';

const WEBHOOK_CREDENTIAL = 'cometChatWebhookApi';

/** Nothing starts; the response was sent. */
const NOTHING: IWebhookResponseData = { noWebhookResponse: true };

/** The node's settings, with an error for the executions list of n8n when they are wrong. */
function settingsOf(context: IHookFunctions | IWebhookFunctions): Settings {
	try {
		return readSettings(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { redact: (value) => value });
	}
}

/** Whether the caller may start the workflow. Without a credential everybody may. */
async function isCallerKnown(context: IWebhookFunctions): Promise<boolean> {
	if (context.getNode().credentials?.[WEBHOOK_CREDENTIAL] === undefined) return true;
	let credentials: ICredentialDataDecryptedObject;
	try {
		credentials = await context.getCredentials(WEBHOOK_CREDENTIAL);
	} catch (error) {
		// One that was deleted, for instance. An error that is thrown would be an execution
		context.logger.error(`The ${DISPLAY_NAME} credential cannot be read`, { error });
		return false;
	}
	return await isAuthorized(context.getHeaderData().authorization, credentials);
}

/** What an event is about, without what others than the wanted users did; undefined for none. */
function occurrencesOf({ trigger, data }: Delivery, settings: Settings): Occurrence[] | undefined {
	const all = familyOf(trigger)?.occurrences(data) ?? [];
	const wanted = all.filter((occurrence) => !isIgnored(occurrence, settings));
	if (all.length > 0) return wanted.length > 0 ? wanted : undefined;
	// An event of a shape that is not known may still say who did it
	const [by, sender] = [objectAt(data, 'by'), { uid: objectAt(data, 'message').sender }];
	return [by, sender].some((user) => isIgnored({ by: user }, settings)) ? undefined : [];
}

function itemsOf(
	delivery: Delivery,
	occurrences: Occurrence[],
	fetched: Fetched,
	{ isSimplified, shape }: Settings,
): IDataObject[] {
	const family = familyOf(delivery.trigger);
	if (!isSimplified || family === undefined || occurrences.length === 0) {
		return [envelopeItem(delivery, fetched, shape)];
	}
	const now = Math.floor(Date.now() / 1000);
	return simplifiedItems(delivery, family.entity, occurrences, fetched, now);
}

/** The message of a reaction, when it is asked for. */
async function fetchedFor(
	context: IWebhookFunctions,
	{ data }: Delivery,
	settings: Settings,
): Promise<Fetched> {
	const { messageId } = objectAt(data, 'reaction');
	if (!settings.fetchMessage || messageId === undefined) return {};
	const fetched = await fetchMessage(context, messageId);
	// Other deliveries have come meanwhile
	if (context.getMode() !== 'manual') saveMemory(context);
	return fetched;
}

function started(items: IDataObject[]): IWebhookResponseData {
	const output: INodeExecutionData[] = items.map((json) => ({ json }));
	return { noWebhookResponse: true, workflowData: [output] };
}

/**
 * One delivery: what starts the workflow, if anything does. The caller gets the response before the
 * workflow starts and before a message is fetched.
 *
 * @throws NodeOperationError for wrong settings: n8n shows it as a failed execution
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = this.getResponseObject();
	if (!(await isCallerKnown(this))) {
		const challenge = 'Basic realm="CometChat Webhook", charset="UTF-8"';
		respond(response, 401, 'Unauthorized', { 'WWW-Authenticate': challenge });
		return NOTHING;
	}
	const delivery = deliveryOf(this.getBodyData());
	if ('fault' in delivery) {
		respond(response, 400, delivery.fault);
		return NOTHING;
	}
	const settings = settingsOf(this);
	const occurrences = isWanted(delivery, settings) ? occurrencesOf(delivery, settings) : undefined;
	if (occurrences === undefined) {
		respond(response, 200, 'The settings of the node leave this event out.');
		return NOTHING;
	}
	// Whoever tries the workflow out sends the same event again and again
	if (this.getMode() !== 'manual' && !(await isFirst(this, delivery))) {
		respond(response, 200, 'This event was received before.');
		return NOTHING;
	}
	respond(response, 200, 'The event was received.');
	const fetched = await fetchedFor(this, delivery, settings);
	if (fetched.message && !isWantedGroup(groupOfMessage(fetched.message), settings)) return NOTHING;
	return started(itemsOf(delivery, occurrences, fetched, settings));
}

/**
 * What n8n calls when the workflow is activated and deactivated. CometChat's webhooks are set up by
 * hand; but wrong settings are told then, and not only with the first delivery.
 */
export const webhookMethods = {
	default: {
		async checkExists(this: IHookFunctions): Promise<boolean> {
			settingsOf(this);
			return true;
		},
		async create(this: IHookFunctions): Promise<boolean> {
			return true;
		},
		async delete(this: IHookFunctions): Promise<boolean> {
			return true;
		},
	},
};
