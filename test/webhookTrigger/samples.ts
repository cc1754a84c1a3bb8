import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import type { Envelope } from './envelopes';

export interface Sample {
	summary: string;
	value: Envelope;
	/** Columns of the simplified item. Times are in Unix seconds. */
	'x-item': IDataObject;
	/** True if the event doesn't name the user who caused it. Otherwise, Noor caused the event. */
	'x-nameless'?: boolean;
}

const { webhooks } = parse(
	readFileSync(join(__dirname, '../../tools/sandbox/webhooks.yaml'), 'utf8'),
);

/** Names of all triggers in the contract, `webhooks.yaml`. */
export const TRIGGERS = Object.keys(webhooks);

/** Events that a request of CometChat's REST API causes, but no operation on the sandbox. */
export const WITHOUT_OPERATION = new Set(
	TRIGGERS.filter((trigger) => webhooks[trigger].post['x-caused-by'] !== undefined),
);

export const SAMPLES = TRIGGERS.flatMap((trigger): Sample[] =>
	Object.values(webhooks[trigger].post.requestBody.content['application/json'].examples),
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
