import type { FaultEffect } from '../../sandbox/server';
import { NODE, removeReaction, run, useSandbox } from './harness';
import { expectRemovedOrReported } from './removals';

const sandbox = useSandbox();

/** Longer than the machine needs, shorter than the faults take. */
const TIMEOUT = { requestOptions: { timeout: 1_000 } };

/** Each of the first messages of the sample data meets one of the effects, the first time it is asked for. */
function meet(effects: FaultEffect[]) {
	const messages = sandbox().store.messages.all().slice(0, effects.length);
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

describe('Remove Reaction', () => {
	const REMOVE_EACH = removeReaction('={{ $json.id }}', 'mark', '={{ $json.sender }}', TIMEOUT);

	const isThere = (id: string) =>
		sandbox()
			.store.messages.reactionsOf(id)
			.some(({ reaction }) => reaction === 'mark');

	/** Reactions of their senders to messages that meet the effects. */
	function reactions(effects: FaultEffect[]) {
		const input = meet(effects);
		for (const { id, sender } of input) sandbox().store.addReaction(id, sender, 'mark');
		return input;
	}

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

	test('under random faults is carried out once or reported, each of many', async () => {
		expect(await expectRemovedOrReported(sandbox(), 60, 11)).toBeGreaterThan(3);
	});
});
