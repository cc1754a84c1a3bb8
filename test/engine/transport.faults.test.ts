import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FaultEffect } from '../../sandbox/server';
import {
	NODE,
	errorOf,
	get,
	itemsOf,
	jsonOf,
	removeReaction,
	run,
	useSandbox,
	wire,
} from './harness';
import { expectRemovedOrReported } from './removals';

const sandbox = useSandbox();

/** Longer than the machine needs, shorter than the faults take. */
const TIMEOUT = { requestOptions: { timeout: 1_000 } };

/** Each of the first messages of the sample data meets one of the effects, the first time it is asked for. */
function meet(effects: FaultEffect[]) {
	const messages = sandbox().store.messages().slice(0, effects.length);
	sandbox().setFaults(
		effects.map((effect, index) => ({
			match: { path: `^/v3/messages/${messages[index].id}(/|$)`, nth: [1] },
			effect,
		})),
	);
	return messages.map(({ id, sender }) => ({ id, sender }));
}

/** How often each of the messages was asked for. */
const timesSent = (input: Array<{ id: string }>) =>
	input.map(({ id }) => sandbox().log.filter(({ path }) => path.split('/')[3] === id).length);

const NO_ANSWER: FaultEffect = { latency: { ms: 2_500 } };

describe('Get', () => {
	test('is sent again after what may pass', async () => {
		const effects: FaultEffect[] = [
			{ status: { status: 502, body: 'Bad gateway' } },
			{ status: { status: 503 } },
			{ status: { status: 504 } },
			{ status: { status: 408 } },
			{ cutBefore: true },
			{ cutAfter: true },
			NO_ANSWER,
			{ slowBody: { ms: 4_000 } },
		];
		const input = meet(effects);
		const items = await jsonOf(sandbox(), get('={{ $json.id }}', TIMEOUT), { input });
		expect(items.map(({ id }) => id)).toEqual(input.map(({ id }) => id));
		expect(timesSent(input)).toEqual(effects.map(() => 2));
	});

	test('says how often it was sent, and that the service does not respond in time', async () => {
		sandbox().setFaults([{ effect: NO_ANSWER }]);
		const limits = { requestOptions: { timeout: 200 }, options: { maxTries: 2 } };
		const { message, description } = await errorOf(sandbox(), get('101', limits));
		expect(message).toBe('CometChat did not respond in time');
		expect(description).toMatch(
			/^Raise 'Timeout' under Settings → Request Options\. Stopped after 2 attempts and (?:0\.\d seconds|1 second) of waiting\. The connection reported: no complete response within 200 ms \(ETIMEDOUT\)/,
		);
	});

	test('is sent again when a response breaks off in the middle', async () => {
		let requests = 0;
		const server = createServer((_, response) => {
			requests++;
			const body = JSON.stringify({ data: { id: '7', data: { text: 'x'.repeat(5_000) } } });
			response.writeHead(200, {
				'content-type': 'application/json',
				'content-length': body.length,
			});
			if (requests > 1) response.end(body);
			else response.write(body.slice(0, 2_000), () => response.destroy());
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		try {
			const { port } = server.address() as AddressInfo;
			const target = { apiKey: sandbox().apiKey, baseUrl: `http://127.0.0.1:${port}/v3` };
			expect(await jsonOf(target, get('7'))).toMatchObject([{ id: '7' }]);
			expect(requests).toBe(2);
		} finally {
			server.close();
		}
	});
});

describe('Remove Reaction', () => {
	const REMOVE_EACH = removeReaction('={{ $json.id }}', 'mark', '={{ $json.sender }}', TIMEOUT);

	const isThere = (id: string) =>
		sandbox()
			.store.reactions(id)
			.some(({ reaction }) => reaction === 'mark');

	/** Reactions of their senders to messages that meet the effects. */
	function reactions(effects: FaultEffect[]) {
		const input = meet(effects);
		for (const { id, sender } of input) sandbox().store.addReaction(id, sender, 'mark');
		return input;
	}

	test('is sent again after a refusal by the rate limit, where nothing was carried out', async () => {
		const input = reactions([{ tooManyRequests: { retryAfter: 'none' } }]);
		expect(await itemsOf(sandbox(), REMOVE_EACH, { input })).toHaveLength(1);
		expect(sandbox().log.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
		expect(isThere(input[0].id)).toBe(false);
	});

	test('is never sent again after what leaves its outcome unknown, and says so', async () => {
		/** Whether the reaction is still there. */
		const unsafe: Array<[FaultEffect, boolean]> = [
			[{ cutBefore: true }, true],
			[{ cutAfter: true }, false],
			[NO_ANSWER, true],
			[{ slowBody: { ms: 4_000 } }, false],
			[{ status: { status: 500 } }, true],
			[{ status: { status: 502, body: 'Bad gateway' } }, true],
			[{ status: { status: 503 } }, true],
			[{ status: { status: 408 } }, true],
			[{ status: { status: 504 } }, true],
			[{ html: true }, true],
			[{ empty: true }, false],
			[{ brokenJson: true }, false],
		];
		const input = reactions(unsafe.map(([effect]) => effect));
		const { items } = await run(sandbox(), REMOVE_EACH, {
			input,
			onError: 'continueRegularOutput',
		});
		const errors = items(NODE).map(({ json }) => String(json.error));
		expect(errors).toHaveLength(unsafe.length);
		for (const error of errors) {
			expect(error).toMatch(
				/^CometChat may already have removed the reaction\. Check the message before you run this item again\. /,
			);
			expect(error).not.toContain('Try again');
		}
		expect(timesSent(input)).toEqual(unsafe.map(() => 1));
		expect(input.map(({ id }) => isThere(id))).toEqual(unsafe.map(([, stays]) => stays));
	});

	test('does not say so when the service refused it', async () => {
		const error = await errorOf(sandbox(), removeReaction('101', 'never-made', 'mira'));
		expect(`${error.message} ${error.description}`).not.toContain('may already have');
		expect(wire(sandbox())).toHaveLength(1);
	});

	test('under random faults is carried out once or reported, each of many', async () => {
		expect(await expectRemovedOrReported(sandbox(), 60, 11)).toBeGreaterThan(3);
	});
});
