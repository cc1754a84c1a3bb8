import { errorOf, get, itemsOf, jsonOf, list, useSandbox } from './harness';

const sandbox = useSandbox();

describe('Values of JavaScript:', () => {
	test('a BigInt is taken where digits are', async () => {
		expect(await jsonOf(sandbox(), get('={{ BigInt("101") }}'))).toMatchObject([{ id: '101' }]);
		const limited = list({ limit: '={{ BigInt(3) }}', options: { perPage: '={{ BigInt(2) }}' } });
		expect(await itemsOf(sandbox(), limited)).toHaveLength(3);
	});

	test('a circular object is refused by the name of its field', async () => {
		const circular = '={{ (() => { const o = {}; o.o = o; return o; })() }}';
		const { message } = await errorOf(sandbox(), get('101', { onBehalfOf: circular }));
		expect(message).toMatch(/^'On Behalf Of' is an object without end/);
	});
});

describe('A value that must not be sent', () => {
	const options = { maxTries: 0 };

	test('says so when its field is in the Settings', async () => {
		const { message, description } = await errorOf(sandbox(), get('101', { options }));
		expect(message).toMatch(/^'Max Attempts' must be/);
		expect(description).toMatch(/(^|\. )'Max Attempts' is in the node's Settings\.$/);
	});

	test('does not say so when it is among the parameters', async () => {
		const { message, description } = await errorOf(sandbox(), {
			resource: 'user',
			operation: 'create',
			uid: 'ada',
			name: 'Ada',
			options,
		});
		expect(message).toMatch(/^'Max Attempts' must be/);
		expect(String(description)).not.toContain('Settings');
	});
});
