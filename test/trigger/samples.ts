import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { envelope, user, type Envelope } from './envelopes';

/** What happened, how it is told, and columns of the item; of the time in Unix seconds. */
type Doing = [what: string, told: (uid: string) => Envelope, item?: IDataObject];
type Nameless = [what: string, told: Envelope, item: IDataObject];

interface Sample {
	summary: string;
	value: Envelope;
	'x-item': IDataObject;
	'x-nameless'?: boolean;
}

const { webhooks } = parse(
	readFileSync(join(__dirname, '../../tools/sandbox/webhooks.yaml'), 'utf8'),
);

/** The triggers of all events that the contract has samples of. */
export const TRIGGERS = Object.keys(webhooks);

const samples = TRIGGERS.flatMap((trigger): Sample[] =>
	Object.values(webhooks[trigger].post.requestBody.content['application/json'].examples),
);

/** A sample as it is when another user than Noor did it. */
const toldOf = (value: Envelope, uid: string): Envelope =>
	JSON.parse(
		JSON.stringify(value)
			.replaceAll(/(?<=")noor(?=")/g, uid)
			.replaceAll('"NOOR"', `"${uid.toUpperCase()}"`),
	);

/**
 * The first sample of an event.
 *
 * @param by who did it
 * @param changes other texts in the place of these, wherever they stand
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
		JSON.stringify(toldOf(found.value, by)),
	);
	return JSON.parse(json) as Envelope;
}

/** What a user can do, as it is told; also what this version does not know. */
export const DOINGS: Doing[] = [
	...samples
		.filter((sample) => !sample['x-nameless'])
		.map((sample): Doing => [
			`${sample.value.trigger}: ${sample.summary}`,
			(uid) => toldOf(sample.value, uid),
			sample['x-item'],
		]),
	...[
		(uid: string) => ({ by: user(uid) }),
		(uid: string) => ({ user: user(uid) }),
		(uid: string) => ({ sender: uid }),
		(uid: string) => ({ body: { user: user(uid) } }),
		(uid: string) => ({ message: { sender: uid } }),
	].map((data): Doing => [
		`something new: ${JSON.stringify(data('noor'))}`,
		(uid) => envelope('something_new', data(uid)),
	]),
];

/** What nobody is said to have done, as it is told. */
export const NAMELESS: Nameless[] = samples
	.filter((sample) => sample['x-nameless'])
	.map(({ summary, value, 'x-item': item }): Nameless => [summary, value, item]);
