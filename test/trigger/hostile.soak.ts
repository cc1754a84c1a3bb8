import * as fc from 'fast-check';

import {
	deleted,
	edited,
	editedLive,
	envelope,
	groupEvent,
	memberEvent,
	reaction,
	sent,
	type Envelope,
} from './envelopes';
import { sampled } from './samples';
import { activate, expectNoCrash } from './harness';

const SETTINGS = {
	output: 'simplified',
	options: { ignoreSenders: ['bot'], groupIds: ['support'], appId: '' },
};

const TEMPLATES: Envelope[] = [
	sent(501),
	edited(501, 'x'),
	deleted(501),
	reaction('added'),
	reaction('removed'),
	groupEvent('created', 'support'),
	groupEvent('updated', 'support'),
	groupEvent('owner_transferred', 'support'),
	memberEvent('member_joined', 'support', { noor: { joinedAt: 1 }, theo: {} }),
	memberEvent('member_scope_changed', 'support', { noor: { scope: 'admin' } }, 'mira'),
	editedLive(501, 'x', { editedBy: 'noor' }),
	...['message_read_receipt', 'message_pinned', 'moderation_engine_blocked', 'user_blocked'].map(
		(trigger) => sampled(trigger),
	),
	sampled('user_connection_status_changed'),
	sampled('call_rejected'),
	sampled('call_participant_left'),
	envelope('user_mentioned', { message: { id: 1, data: { mentions: { noor: {} } } } }),
];

const oddValue = fc.oneof(
	fc.constantFrom(null, true, '', 0, -1, 1e308, '٣', '\ud83d', [], {}, [[]], '__proto__'),
	fc.constantFrom({ length: -1 }, { toString: 1 }, { toJSON: 'x' }, { uid: { uid: 1 } }, [null]),
	fc.jsonValue(),
);

/** Every path in a value. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
	if (key === undefined) return by;
	return { ...Object(value), [key]: replaced(Object(value)[key], rest, by) };
}

test('any part of a delivery may be anything', async () => {
	const webhooks = await Promise.all([
		activate(SETTINGS),
		activate({ output: 'simplified' }),
		activate({ output: 'fields', fields: ['data.message.id', 'data.members.0.uid'] }),
	]);
	const mutated = fc
		.constantFrom(...TEMPLATES)
		.chain((template) =>
			fc
				.tuple(fc.constantFrom(...pathsIn(template)), oddValue)
				.map(([path, odd]) => JSON.stringify(replaced(template, path, odd))),
		);
	await fc.assert(
		fc.asyncProperty(mutated, async (body) => {
			for (const webhook of webhooks) await expectNoCrash(webhook, body);
		}),
		{ numRuns: 1_000 },
	);
});

test('any JSON, and any bytes, get a clear response', async () => {
	const webhook = await activate(SETTINGS);
	const anything = fc.oneof(
		fc.json(),
		fc.string({ unit: 'binary' }),
		fc.jsonValue().map((data) => JSON.stringify({ trigger: 'message_sent', data })),
		fc.jsonValue().map((data) => JSON.stringify({ trigger: 'any_event', data: { data } })),
	);
	await fc.assert(
		fc.asyncProperty(anything, async (body) => {
			await expectNoCrash(webhook, body);
		}),
		{ numRuns: 1_000 },
	);
});
