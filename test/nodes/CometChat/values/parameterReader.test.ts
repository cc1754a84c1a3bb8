import type { INodeParameters } from 'n8n-workflow';

import {
	hasExpression,
	createItemReaders,
} from '../../../../nodes/CometChat/values/parameterReader';
import { readRequestPolicy } from '../../../../nodes/CometChat/values/requestPolicy';
import { getFieldLabels } from '../../../../nodes/CometChat/values/shownFields';
import { createRunContext } from '../context';

const contextOf = (parameters: INodeParameters, count = 1) =>
	createRunContext({
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
	const sourceOf = createItemReaders(context);
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

test.each<[unknown, number, number, number]>([
	[undefined, 60_000, 6, 300_000],
	[{}, 60_000, 6, 300_000],
	[{ timeout: 1, maxTries: 1, maxWait: 0 }, 1, 1, 0],
	[{ maxTries: 100, maxWait: 86_400 }, 60_000, 100, 86_400_000],
])(
	'the request options %j mean %i ms for an attempt, and %i attempts within %i ms',
	(options, timeoutMs, maxAttempts, maxWaitMs) => {
		expect(readRequestPolicy(options)).toEqual({ timeoutMs, retry: { maxAttempts, maxWaitMs } });
	},
);

test('labels are those of all fields, those in collections too, and of no choices; in Settings they say so', () => {
	const field = (name: string, type: 'string' | 'options' | 'collection' = 'string') => ({
		displayName: name.toUpperCase(),
		name,
		type,
		default: '',
	});
	const choice = { ...field('b', 'options'), options: [{ name: 'X', value: 'x' }] };
	const collection = { ...field('c', 'collection'), isNodeSetting: true, options: [field('d')] };
	expect(getFieldLabels([field('a'), choice, collection])).toEqual({
		...{ a: 'A', b: 'B' },
		...{ c: 'Settings → C', d: 'D' },
	});
});
