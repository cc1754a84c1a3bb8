import fc from 'fast-check';

import type { FaultEffect } from '../../sandbox/server';

/** What may happen to the service, to n8n and to the trigger. */
export type Action =
	| { do: 'create'; fits: boolean }
	| { do: 'change'; group: number; fits: boolean }
	| { do: 'join' | 'leave' | 'delete'; group: number }
	/** Many groups at once, more than a page holds where pages are short */
	| { do: 'burst'; count: number }
	| { do: 'wait'; seconds: number }
	| { do: 'poll' | 'manual' }
	/** A poll that meets a fault at every request */
	| { do: 'failingPoll'; effect: FaultEffect }
	/** A poll whose n-th request meets a rate limit that is longer than it may wait */
	| { do: 'interruptedPoll'; request: number }
	/** n8n ends in good order and starts again */
	| { do: 'restart' }
	/** n8n dies, and starts again from what it had saved */
	| { do: 'crash' }
	/** n8n dies right after a poll, before anything of it was saved or handed over */
	| { do: 'crashInPoll' };

/** One history, and the circumstances in which it happens. */
export interface History {
	event: 'groupCreated' | 'groupUpdated' | 'groupJoined';
	boundary: 'inclusive' | 'exclusive';
	totalPages: 'count' | 'next';
	hideUpdatedAt: boolean;
	/** Groups on a page at most; 0 for as many as are asked for */
	maxPerPage: number;
	/** Whether the service says how many groups there are */
	totalShown: 'right' | 'missing';
	/** Seconds by which the service's clock is ahead of the time that n8n has */
	clockSkew: number;
	isFiltered: boolean;
	maxGroups: number;
	/** Groups that are there before the trigger is activated, and the time that passes after each */
	before: Array<{ fits: boolean; isJoined: boolean; seconds: number }>;
	actions: Action[];
}

const FAULTS: FaultEffect[] = [
	{ status: { status: 500, body: { error: { code: 'ERR', message: 'Ouch' } } } },
	{ echoKey: { status: 401 } },
	{ html: true },
	{ cutBefore: true },
	{ brokenJson: true },
	{ nullData: true },
];

/** Counted from the newest on. */
const group = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 60 }));
const fits = fc.boolean();
const only = <T>(value: T) => fc.constant(value);

const action: fc.Arbitrary<Action> = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: only('create' as const), fits }) },
	{ weight: 5, arbitrary: fc.record({ do: only('change' as const), group, fits }) },
	{ weight: 4, arbitrary: fc.record({ do: only('join' as const), group }) },
	{ weight: 1, arbitrary: fc.record({ do: only('leave' as const), group }) },
	{ weight: 1, arbitrary: fc.record({ do: only('delete' as const), group }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: only('burst' as const), count: fc.integer({ min: 5, max: 45 }) }),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			do: only('wait' as const),
			seconds: fc.oneof(fc.nat({ max: 7 }), only(60)),
		}),
	},
	{ weight: 6, arbitrary: only<Action>({ do: 'poll' }) },
	{ weight: 1, arbitrary: only<Action>({ do: 'manual' }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: only('failingPoll' as const),
			effect: fc.constantFrom(...FAULTS),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: only('interruptedPoll' as const),
			request: fc.integer({ min: 1, max: 4 }),
		}),
	},
	{ weight: 1, arbitrary: only<Action>({ do: 'restart' }) },
	{ weight: 1, arbitrary: only<Action>({ do: 'crash' }) },
	{ weight: 1, arbitrary: only<Action>({ do: 'crashInPoll' }) },
);

/** Histories of one event. */
export const historyOf = (event: History['event']): fc.Arbitrary<History> =>
	fc.record({
		event: only(event),
		boundary: fc.constantFrom('inclusive', 'exclusive'),
		totalPages: fc.constantFrom('count', 'next'),
		hideUpdatedAt: fc.boolean(),
		maxPerPage: fc.constantFrom(0, 20, 25),
		totalShown: fc.constantFrom('right', 'missing'),
		clockSkew: fc.constantFrom(0, 3_600, -3_600),
		isFiltered: fc.boolean(),
		maxGroups: fc.constantFrom(1, 2, 15, 10_000),
		before: fc.array(fc.record({ fits, isJoined: fc.boolean(), seconds: fc.nat({ max: 60 }) }), {
			maxLength: 3,
		}),
		actions: fc.array(action, { minLength: 3, maxLength: 14 }),
	});
