import type { ICredentialDataDecryptedObject, IDataObject, IPollFunctions } from 'n8n-workflow';

import { baseUrlOf } from '../../../credentials/CometChatApi.credentials';
import { shapeOf } from '../results/shape';
import { requestPolicyOf, type RequestPolicy } from '../values/requestPolicy';
import { sourceOf } from '../values/source';
import { readRequest } from '../values/request';
import type { Entity } from '../description/types';
import { group } from '../resources/group/entity';
import { report } from '../resources/moderation/entity';
import type { RestRequest } from '../transport/types';
import { objectOf } from '../transport/json';
import { fingerprint, type Dated, type EventName } from './dated';
import { DEFAULT_MAX_GROUPS, triggerProperties } from './properties';

/** The trigger's parameters, checked. */
export interface PollParameters {
	event: EventName;
	/** With the filters, and the user in whose name the groups are listed */
	request: RestRequest;
	/** Most groups that one poll returns */
	maxGroups: number;
	policy: RequestPolicy;
	/** Whether the setting for events caused by the app itself lets an entry start the workflow */
	isWanted: (entry: Dated) => boolean;
	/** The JSON of the items for some groups */
	shape: (groups: IDataObject[]) => IDataObject[];
}

/** @throws InputError for anything that must not be sent */
export function readParameters(context: IPollFunctions): PollParameters {
	const routing = { request: { method: 'GET', url: '/groups' } } as const;
	const description = { routing, fields: triggerProperties };
	const { values, request } = readRequest(description, sourceOf(context));
	const { event, options, requestOptions, output, fields } = values;
	const isReport = event === 'messageFlagged';
	const { maxGroups = DEFAULT_MAX_GROUPS, appEvents = 'always' } = objectOf(options);
	return {
		// One of the options of 'Trigger On', or the reader would have refused it
		event: event as EventName,
		request,
		maxGroups: Number(maxGroups),
		policy: requestPolicyOf(requestOptions),
		isWanted: ({ byApp }) => !byApp || appEvents === 'always',
		shape: shapeOfAll(output, fields, isReport ? report : group),
	};
}

function shapeOfAll(output: unknown, fields: unknown, entity: Entity): PollParameters['shape'] {
	if (output === 'pages') return (groups) => [{ data: groups }];
	const shape = shapeOf(output, fields, entity);
	return (groups) => groups.map(shape);
}

/**
 * What a state is good for, in short: the app, however its address is written, and what is looked for
 * in it.
 *
 * @throws Error with a sentence for the user when the credential names no address
 */
export function purposeOf(
	{ event, request: { query = {}, headers = {} } }: PollParameters,
	credentials: ICredentialDataDecryptedObject,
): string {
	// In the same order in whatever order the user set them
	const filters = Object.entries(query).sort();
	return fingerprint([event, filters, headers.onBehalfOf, baseUrlOf(credentials)]);
}
