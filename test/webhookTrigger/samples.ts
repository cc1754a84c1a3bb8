import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { envelope, user, type Envelope } from './envelopes';

/** An event caused by a user, with the expected columns. Times are in Unix seconds. */
type UserEvent = [name: string, build: (uid: string) => Envelope, item?: IDataObject];
/** An event that doesn't name the user who caused it. */
type NamelessEvent = [name: string, envelope: Envelope, item: IDataObject];

interface Sample {
	summary: string;
	value: Envelope;
	'x-item': IDataObject;
	'x-nameless'?: boolean;
}

const { webhooks } = parse(
	readFileSync(join(__dirname, '../../tools/sandbox/webhooks.yaml'), 'utf8'),
);

/** Names of all triggers in the contract, `webhooks.yaml`. */
export const TRIGGERS = Object.keys(webhooks);

const samples = TRIGGERS.flatMap((trigger): Sample[] =>
	Object.values(webhooks[trigger].post.requestBody.content['application/json'].examples),
);

/** Replaces Noor, the default user in the samples, with another user. */
const replaceUser = (value: Envelope, uid: string): Envelope =>
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
	const found = samples.find(({ value }) => value.trigger === trigger);
	if (!found) throw new Error(`tools/sandbox/webhooks.yaml has no ${trigger}`);
	const json = Object.entries(changes).reduce(
		(text, [from, to]) => text.replaceAll(from, to),
		JSON.stringify(replaceUser(found.value, by)),
	);
	return JSON.parse(json) as Envelope;
}

/** All samples that contain a user, plus unknown events with a user. */
export const USER_EVENTS: UserEvent[] = [
	...samples
		.filter((sample) => !sample['x-nameless'])
		.map((sample): UserEvent => [
			`${sample.value.trigger}: ${sample.summary}`,
			(uid) => replaceUser(sample.value, uid),
			sample['x-item'],
		]),
	...[
		(uid: string) => ({ by: user(uid) }),
		(uid: string) => ({ user: user(uid) }),
		(uid: string) => ({ sender: uid }),
		(uid: string) => ({ body: { user: user(uid) } }),
		(uid: string) => ({ message: { sender: uid } }),
	].map((data): UserEvent => [
		`something new: ${JSON.stringify(data('noor'))}`,
		(uid) => envelope('something_new', data(uid)),
	]),
];

/** All samples that don't name a user. */
export const NAMELESS_EVENTS: NamelessEvent[] = samples
	.filter((sample) => sample['x-nameless'])
	.map(({ summary, value, 'x-item': item }): NamelessEvent => [summary, value, item]);
