import * as fc from 'fast-check';

import { SAMPLES } from './samples';
import { activate, expectNoCrash } from './harness';

const SETTINGS = { watch: 'groups', groupIds: ['support'], options: { ignoreUsers: ['bot'] } };

const oddValue = fc.oneof(
	fc.constantFrom(null, true, '', 0, -1, 1e308, '٣', '\ud83d', [], {}, [[]], '__proto__'),
	fc.constantFrom({ length: -1 }, { toString: 1 }, { toJSON: 'x' }, { uid: { uid: 1 } }, [null]),
	fc.jsonValue(),
);

/** Lists the paths to all nested values, including objects and arrays. */
function listPaths(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [path];
	return [
		path,
		...Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...path, key])),
	];
}

function replaceAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
	if (key === undefined) return by;
	return { ...Object(value), [key]: replaceAt(Object(value)[key], rest, by) };
}

test('a delivery with any changed part causes no crash', async () => {
	const webhooks = await Promise.all([
		activate(SETTINGS),
		activate({ output: 'simplified' }),
		activate({ output: 'fields', fields: ['data.message.id', 'data.members.0.uid'] }),
	]);
	const mutated = fc
		.constantFrom(...SAMPLES)
		.chain(({ value }) =>
			fc
				.tuple(fc.constantFrom(...listPaths(value)), oddValue)
				.map(([path, odd]) => JSON.stringify(replaceAt(value, path, odd))),
		);
	await fc.assert(
		fc.asyncProperty(mutated, async (body) => {
			for (const webhook of webhooks) await expectNoCrash(webhook, body);
		}),
		{ numRuns: 1_000 },
	);
});

test('any JSON and any text get a clear response', async () => {
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
