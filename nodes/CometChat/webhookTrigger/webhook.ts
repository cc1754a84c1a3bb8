import type {
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { InputError } from '../errors/describedErrors';
import { moveAdviceIntoMessage } from '../errors/publishingError';
import { createSendOutsideRun, sendRequestByMessageId } from '../calls/sendOutsideRun';
import { getErrorMessage } from '../helpers/formatText';
import { readWithNodeErrors } from '../sharedByTriggers/readWithNodeErrors';
import { acceptUnlessRecentRepetition } from '../sharedByTriggers/dedupe';
import { createJsonResponderForRealm, RESPOND_WITHIN_MS } from '../sharedByTriggers/reply';
import { API_CREDENTIAL } from '../transport/attempt';
import { isAuthorizedCaller } from './auth';
import { readDeliveryOrProblem, type Delivery } from './delivery';
import { toEventIdentifyingValues } from './events';
import { createItemJsonList, type FetchedReactedMessageOrError } from './eventItems';
import { readNestedObjectOrEmpty } from './eventReaders';
import { readParameters, type TriggerParameters } from './parameters';
import { readEventIfAllowedApartFromWatch, selectWatchedEntities } from './selection';

const IGNORED = "Ignored because of the node's settings.";

const fetchNeedsCredentialError = new InputError(
	'Fetch Message',
	'requires the CometChat API credential',
	'Choose a credential, or remove the option.',
);

const watchNeedsCredentialError = new InputError(
	'Watch',
	'requires the CometChat API credential for reactions, whose events contain no message',
	"Choose a credential, remove reactions and All Events from 'Trigger On', or set 'Watch' to Whole App.",
);

const respondJson = createJsonResponderForRealm('CometChat Webhook');

/**
 * Creates the result that starts the workflow. n8n stores the execution before responding, so that no event is
 * lost.
 */
function createStartResponse(items: IDataObject[]): IWebhookResponseData {
	return {
		webhookResponse: { message: 'The event was received.' },
		workflowData: [items.map((json): INodeExecutionData => ({ json }))],
	};
}

/**
 * Fetches the message that a reaction belongs to if 'Fetch Message' is on, or if 'Watch' is Groups or Users.
 * Otherwise, returns undefined.
 */
async function fetchReactedMessage(
	context: IWebhookFunctions,
	{ data }: Delivery,
	parameters: TriggerParameters,
): Promise<FetchedReactedMessageOrError | undefined> {
	const { messageId } = readNestedObjectOrEmpty(data, 'reaction');
	const isNeeded = parameters.fetchMessage || parameters.watch.kind !== 'app';
	if (!isNeeded || messageId === undefined) return undefined;
	const request = { method: 'GET', path: '/messages/{messageId}' } as const;
	const fetching = sendRequestByMessageId(
		createSendOutsideRun(context),
		request,
		messageId,
		RESPOND_WITHIN_MS,
	);
	return await fetching.then(
		(message) => ({ message }),
		(error: unknown) => ({
			messageError: getErrorMessage(error),
		}),
	);
}

/** Logs that an event is ignored because the group or the users to compare with 'Watch' are unknown. */
function logIgnoredForMissingData(
	{ logger }: IWebhookFunctions,
	{ trigger }: Delivery,
	{ watch }: TriggerParameters,
	fetched: FetchedReactedMessageOrError | undefined,
): void {
	const reason =
		watch.kind === 'groups'
			? "its group is unknown and 'Watch' is Groups"
			: "the users it concerns are unknown and 'Watch' is Users";
	logger.warn(`Ignored ${trigger}, because ${reason}. ${fetched?.messageError ?? ''}`.trimEnd());
}

/**
 * Handles a delivery. For an event that starts the workflow, n8n responds only after this function returns. If a
 * restart interrupts the delivery, CometChat therefore retries it, provided that the webhook's retries are on.
 *
 * @throws NodeOperationError for an invalid parameter, or n8n's own error for an expression. n8n shows either as
 * a failed execution.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!(await isAuthorizedCaller(this))) return respondJson(this, 401, 'Unauthorized');
	const delivery = readDeliveryOrProblem(this.getBodyData());
	if (typeof delivery === 'string') return respondJson(this, 400, delivery);
	const parameters = readWithNodeErrors(this, readParameters);
	// Duplicates are allowed while testing a workflow, because people send the same event several times
	if (
		this.getMode() !== 'manual' &&
		!(await acceptUnlessRecentRepetition(this, toEventIdentifyingValues(delivery)))
	) {
		return respondJson(this, 200, 'This event was received before.');
	}
	const event = readEventIfAllowedApartFromWatch(delivery, parameters);
	if (event === undefined) return respondJson(this, 200, IGNORED);
	const fetched = await fetchReactedMessage(this, delivery, parameters);
	const message = fetched && (fetched.message ?? {});
	const entities = selectWatchedEntities(delivery, event, message, parameters);
	if (entities === undefined) logIgnoredForMissingData(this, delivery, parameters, fetched);
	if (entities === undefined || entities.length === 0) return respondJson(this, 200, IGNORED);
	const shown = parameters.fetchMessage ? fetched : undefined;
	return createStartResponse(
		createItemJsonList(delivery, { ...event, entities }, shown, parameters),
	);
}

/** @throws InputError for an invalid value, or if a setting needs a credential that isn't chosen */
function checkSettings(context: IHookFunctions): void {
	const { fetchMessage: isFetched, hasReactions, watch } = readParameters(context);
	const isCompared = hasReactions && watch.kind !== 'app';
	const hasCredential = context.getNode().credentials?.[API_CREDENTIAL] !== undefined;
	if (hasCredential || !(isFetched || isCompared)) return;
	throw isFetched ? fetchNeedsCredentialError : watchNeedsCredentialError;
}

/**
 * Hooks that n8n calls when it publishes or unpublishes the workflow, and before and after Execute step. They
 * create nothing, because users set up webhooks manually in CometChat's dashboard. `checkExists` throws for
 * invalid parameters and for a missing credential, so that users see the error before the first delivery.
 */
export const webhookMethods = {
	default: {
		async checkExists(this: IHookFunctions): Promise<boolean> {
			try {
				readWithNodeErrors(this, checkSettings);
			} catch (error) {
				throw error instanceof Error ? moveAdviceIntoMessage(error) : error;
			}
			return Promise.resolve(true);
		},
		async create(this: IHookFunctions): Promise<boolean> {
			return Promise.resolve(true);
		},
		async delete(this: IHookFunctions): Promise<boolean> {
			return Promise.resolve(true);
		},
	},
};
