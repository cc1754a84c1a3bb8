import fc from 'fast-check';

import type { ClockedSandbox } from './harness';
import { START, startClockedSandbox } from './harness';
import type { History } from './history';
import { historyOf } from './history';
import { Play } from './play';

/** Histories per event; COMETCHAT_HISTORIES asks for more, COMETCHAT_SEED for certain ones. */
const HISTORIES = Number(process.env.COMETCHAT_HISTORIES ?? 700);
const SEED = Number(process.env.COMETCHAT_SEED ?? 20_261_120);

const EVENTS: Array<History['event']> = ['groupCreated', 'groupUpdated', 'groupJoined'];

let sandbox: ClockedSandbox;
beforeAll(async () => {
	sandbox = await startClockedSandbox({ validate: false, logLimit: 10 });
	// When time passes for the service, it passes for the trigger too
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + (sandbox.clock.now - START) * 1_000);
});
afterAll(async () => {
	jest.restoreAllMocks();
	await sandbox.close();
});

test.each(EVENTS)(
	'%s: whatever happens, what is due is given, once',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(historyOf(event), async (history) => {
				await new Play(sandbox, history).run();
			}),
			{ numRuns: HISTORIES, seed: SEED },
		);
	},
	600_000,
);
