import type { IDataObject } from 'n8n-workflow';

import { readYaml } from '../../tools/sandbox/readYaml';
import type { Envelope } from './envelopes';

export interface Sample {
	summary: string;
	value: Envelope;
	/** Columns of the simplified item. Times are in Unix seconds. */
	'x-item': IDataObject;
	/** True if the event doesn't name the user who caused it. Otherwise, Noor caused the event. */
	'x-nameless'?: boolean;
}

interface Trigger {
	'x-caused-by'?: string;
	requestBody: { content: { 'application/json': { examples: Record<string, Sample> } } };
}

const { webhooks } = readYaml('webhooks.yaml') as { webhooks: Record<string, { post: Trigger }> };
const triggers = Object.entries(webhooks);

/** Names of all triggers in the contract, `webhooks.yaml`. */
export const TRIGGERS = triggers.map(([name]) => name);

/** Events that a request of CometChat's REST API causes, but no operation on the sandbox. */
export const WITHOUT_OPERATION = new Set(
	triggers.flatMap(([name, { post }]) => (post['x-caused-by'] === undefined ? [] : [name])),
);

export const SAMPLES = triggers.flatMap(([, { post }]) =>
	Object.values(post.requestBody.content['application/json'].examples),
);

/** Replaces Noor, the default user in the samples, with another user. */
export const replaceUser = (value: Envelope, uid: string): Envelope =>
	JSON.parse(
		JSON.stringify(value)
			.replaceAll(/(?<=")noor(?=")/g, uid)
			.replaceAll('"NOOR"', `"${uid.toUpperCase()}"`),
	);

/**
 * Returns an event's first sample.
 *
 * @param by UID of the user that replaces Noor, the default user in the samples
 * @param changes strings to replace anywhere in the sample, mapped to their replacements
 */
export function sampled(
	trigger: string,
	by = 'noor',
	changes: Record<string, string> = {},
): Envelope {
	const found = SAMPLES.find(({ value }) => value.trigger === trigger);
	if (!found) throw new Error(`tools/sandbox/webhooks.yaml has no ${trigger}`);
	const json = Object.entries(changes).reduce(
		(text, [from, to]) => text.replaceAll(from, to),
		JSON.stringify(replaceUser(found.value, by)),
	);
	return JSON.parse(json) as Envelope;
}
