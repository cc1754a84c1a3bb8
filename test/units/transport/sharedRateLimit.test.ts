import { RateLimit } from '../../../nodes/CometChat/transport/rateLimit';
import { AllMessageSendersRateLimit } from '../../../nodes/CometChat/transport/sharedRateLimit';

/** Lets two senders report numbers of remaining requests in turns. Returns how many requests may then be sent. */
function countAllowed(reports: number[]): number {
	const shared = new AllMessageSendersRateLimit();
	const senders = [new RateLimit(), new RateLimit()];
	for (const [index, remaining] of reports.entries()) {
		shared.start(0);
		const answer = { name: 'accepted', remaining, resetAfterMs: 60_000 } as const;
		shared.release({ sentAt: 0, verdict: answer, senderLimit: senders[index % 2] }, 0);
	}
	let count = 0;
	for (; shared.opensAt(0) === 0; count++) shared.start(0);
	return count;
}

test.each([
	[[9, 8], 62],
	[[9, 8, 7], 7],
])(
	'senders who count down together seem to share a limit after two steps: after %j, %i requests may be sent',
	(reports, count) => {
		expect(countAllowed(reports)).toBe(count);
	},
);
