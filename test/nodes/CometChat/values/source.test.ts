import type { INodeParameters } from 'n8n-workflow';

import { hasExpression, sourcesOf, type Source } from '../../../../nodes/CometChat/values/source';
import {
	requestSettingsOf,
	retryPolicyOf,
} from '../../../../nodes/CometChat/values/requestOptions';
import { labelsOf } from '../../../../nodes/CometChat/values/shownFields';
import { runContextOf } from '../context';

const contextOf = (parameters: INodeParameters, count = 1) =>
	runContextOf({
		credentials: {},
		count,
		parameters: { resource: 'message', operation: 'get', ...parameters },
	});

test.each<[unknown, boolean]>([
	['={{ $json.a }}', true],
	['a={{ $json.a }}', false],
	[{ mode: 'id', value: '={{ 1 }}' }, true],
	[{ values: [{ deep: ['=a'] }] }, true],
	[{ values: [{ deep: ['a'] }] }, false],
	[null, false],
	[5, false],
])('whether %j holds an expression: %j', (saved, expected) => {
	expect(hasExpression(saved)).toBe(expected);
});

test('n8n evaluates a parameter once without an expression, and only where it must', () => {
	const parameters = {
		messageId: '={{ $json.i }}',
		output: '={{ String($json.i) }}',
		onBehalfOf: { __rl: true, mode: 'id', value: 'ann' },
	};
	const context = contextOf(parameters, 3);
	const evaluate = jest.spyOn(context, 'getNodeParameter');
	const item = jest.spyOn(context, 'getWorkflowDataProxy');
	const sourceOf = sourcesOf(context);
	const values = [0, 1, 2].map((index) =>
		['messageId', 'output', 'onBehalfOf', 'messageId', 'absent'].map((name) =>
			sourceOf(index).read(name, 'none'),
		),
	);
	expect(values).toEqual(
		[0, 1, 2].map((index) => [index, String(index), parameters.onBehalfOf, index, 'none']),
	);
	expect(evaluate.mock.calls.map(([name, index]) => [name, index])).toEqual([
		['output', 0],
		['onBehalfOf', 0],
		['absent', 0],
		['output', 1],
		['output', 2],
	]);
	expect(item).not.toHaveBeenCalled();
});

describe("n8n's request options", () => {
	const set = (given: unknown): Source => ({ read: () => given, parameters: {}, timezone: 'UTC' });

	test.each<[unknown, object]>([
		[{}, { timeout: 60_000 }],
		[{ timeout: 0, allowUnauthorizedCerts: false }, { timeout: 60_000 }],
		[{ timeout: 1 }, { timeout: 1 }],
		[{ timeout: '2147483647' }, { timeout: 2 ** 31 - 1 }],
		[{ allowUnauthorizedCerts: true }, { timeout: 60_000, skipSslCertificateValidation: true }],
	])('%j are the settings %j', (given, settings) => {
		expect(requestSettingsOf(set(given))).toEqual(settings);
	});

	test.each([-1, 2 ** 31, 1.5, Infinity, 'long'])('a time limit of %p is refused', (timeout) => {
		expect(() => requestSettingsOf(set({ timeout }))).toThrow(
			"'Timeout' must be a whole number from 1 to 2147483647",
		);
	});
});

test.each<[unknown, number, number]>([
	[{}, 6, 300_000],
	[undefined, 6, 300_000],
	[{ maxTries: 1, maxWait: 0 }, 1, 0],
	[{ maxTries: 100, maxWait: 86_400 }, 100, 86_400_000],
])('the options %j are a policy of %i attempts within %i ms', (options, maxAttempts, maxWaitMs) => {
	expect(retryPolicyOf(options)).toEqual({ maxAttempts, maxWaitMs });
});

test('labels are those of all fields, those in collections too, and of no choices; in Settings they say so', () => {
	const field = (name: string, type: 'string' | 'options' | 'collection' = 'string') => ({
		displayName: name.toUpperCase(),
		name,
		type,
		default: '',
	});
	const choice = { ...field('b', 'options'), options: [{ name: 'X', value: 'x' }] };
	const collection = { ...field('c', 'collection'), isNodeSetting: true, options: [field('d')] };
	expect(labelsOf([field('a'), choice, collection])).toEqual({
		...{ a: 'A', b: 'B' },
		...{ c: 'Settings → C', d: 'D' },
	});
});
