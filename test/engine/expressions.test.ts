import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NODE, run } from './harness';
import { anything, withRecorder } from './recorder';

/** Names that mean something to JavaScript, too. */
const NAMES = ['v', 'length', 'toString', 'constructor', '__proto__', 'caller', 'valueOf'];

const leaf = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 12 }),
	fc.constantFrom('', ' ', '={{ 1 + 1 }}', '{{ $json.v }}', '101', 'true', '2026-11-21'),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.boolean(),
	fc.constant(null),
	fc.array(fc.string(), { maxLength: 2 }),
);

const json = fc.dictionary(
	fc.constantFrom(...NAMES),
	fc.oneof(leaf, fc.dictionary(fc.constantFrom(...NAMES), leaf, { maxKeys: 3 })),
	{ maxKeys: 4 },
);

const PATHS = ['v', 'v.v', 'v.length', 'length', 'toString', 'caller', 'v.valueOf'];

/** What was sent for each of the items, and what became of it. */
async function outcomes(input: IDataObject[], parameters: INodeParameters) {
	return await withRecorder(anything, async (recorder) => {
		const result = await run(recorder, parameters, { input, onError: 'continueRegularOutput' });
		const sent = recorder.requests.map(({ url, headers, body }) => [url, headers.onbehalfof, body]);
		return { sent: sent.map(String).sort(), items: result.items(NODE) };
	});
}

/** The same field of the item, in words that only n8n's evaluator understands. */
const inOtherWords = (parameters: INodeParameters) =>
	JSON.parse(
		JSON.stringify(parameters).replace(/\{\{ (\$json[\w.]+) \}\}/g, '{{ ($1) }}'),
	) as INodeParameters;

describe.each(PATHS)('An expression that only names the field %s of the item', (path) => {
	const field = `={{ $json.${path} }}`;
	const guid = { __rl: true, mode: 'guid', value: 'all-hands' };

	test.each<[string, INodeParameters]>([
		['a text', { text: field, groupId: guid, onBehalfOf: 'noor' }],
		['a resource locator', { text: 'Hi', groupId: { ...guid, value: field }, onBehalfOf: 'noor' }],
		[
			'a collection',
			{ text: 'Hi', groupId: guid, onBehalfOf: 'noor', additionalFields: { muid: field } },
		],
	])("gives what n8n's evaluator gives, in %s", async (_, changes) => {
		const parameters = { resource: 'message', operation: 'send', ...changes };
		await fc.assert(
			fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 15 }), async (input) => {
				expect(await outcomes(input as IDataObject[], parameters)).toEqual(
					await outcomes(input as IDataObject[], inOtherWords(parameters)),
				);
			}),
			{ numRuns: 3 },
		);
	});
});
