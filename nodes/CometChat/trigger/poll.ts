import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ListError } from '../operation/lists';
import { retryPolicyOf } from '../operation/retryPolicy';
import { toNodeError } from '../transport/errors';
import { RequestLimiter } from '../transport/limiter';
import { redactor } from '../transport/redact';
import type { Connection } from '../transport/send';
import { CREDENTIAL } from '../transport/send';
import { fingerprint } from './events';
import type { Mark } from './mark';
import { advance, freshness } from './mark';
import type { Settings } from './parameters';
import { readSettings } from './parameters';
import { firstMark, newestMatching, search } from './search';

/** How long one request of a poll may take, in milliseconds; polls have no request options. */
const TIMEOUT_MS = 120_000;

/** What the workflow's static data holds for this node. */
interface State {
	/** Of what the mark was made for: another event or filter needs another mark */
	purpose: string;
	mark: Mark;
}

function purposeOf({ event, filters, onBehalfOf }: Settings, { credentials }: Connection): string {
	const { region, appId, baseUrl } = credentials;
	// In the same order in whatever order the user set them
	const filterList = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
	return fingerprint([event, filterList, onBehalfOf, region, appId, baseUrl]);
}

function stateOf(data: IDataObject, purpose: string): State | undefined {
	const { state } = data as { state?: State };
	return state?.purpose === purpose ? state : undefined;
}

/** What "Fetch Test Event" shows. The mark does not move. */
async function showNewest(
	connection: Connection,
	settings: Settings,
): Promise<INodeExecutionData[]> {
	const newest = await newestMatching(connection, settings);
	if (newest.length > 0) return settings.toItems(newest);
	throw new ListError(
		'There is no group yet that fits "Event" and "Filters": create one in CometChat, or change the filters',
	);
}

/** What is new since the mark in the static data; moves the mark. */
async function takeNew(
	connection: Connection,
	settings: Settings,
	staticData: IDataObject,
): Promise<INodeExecutionData[] | undefined> {
	const purpose = purposeOf(settings, connection);
	const mark = stateOf(staticData, purpose)?.mark;
	if (mark === undefined) {
		staticData.state = { purpose, mark: await firstMark(connection, settings) };
		return undefined;
	}
	const found = await search(connection, settings, mark, freshness(mark));
	const { occurrences } = found;
	const items = occurrences.length > 0 ? settings.toItems(occurrences) : undefined;
	// Last, so that a poll that did not get this far is repeated
	staticData.state = { purpose, mark: advance(mark, found) };
	return items;
}

/** Static data of triggers that are at it: n8n starts a poll even when the one before goes on. */
const polling = new WeakSet<object>();

async function pollOnce(
	context: IPollFunctions,
	connection: Connection,
): Promise<INodeExecutionData[] | undefined> {
	const settings = readSettings(context);
	if (context.getMode() === 'manual') return await showNewest(connection, settings);
	const staticData = context.getWorkflowStaticData('node');
	// It would give the same groups again, and could put the mark back
	if (polling.has(staticData)) return undefined;
	polling.add(staticData);
	try {
		return await takeNew(connection, settings, staticData);
	} finally {
		polling.delete(staticData);
	}
}

/**
 * One poll of the trigger: what is new since the last one, oldest first.
 *
 * @returns null when there is nothing, so that no workflow starts
 * @throws NodeApiError or NodeOperationError, without the API key; the mark has not moved then
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const credentials = await this.getCredentials(CREDENTIAL);
	try {
		const items = await pollOnce(this, {
			context: this,
			credentials,
			settings: { timeout: TIMEOUT_MS },
			limiter: new RequestLimiter(),
			retry: retryPolicyOf(this.getNodeParameter('options', {})),
			order: 0,
		});
		return items === undefined ? null : [items];
	} catch (error) {
		throw toNodeError(this.getNode(), error, { redact: redactor(credentials.apiKey) });
	}
}
