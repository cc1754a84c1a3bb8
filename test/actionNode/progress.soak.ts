import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { seededRandom } from '../../tools/sandbox/faults';
import { countCases } from '../countCases';
import { group, run, type ShownError } from './harness';
import { json, uidsIn, withRecorder, type Recorded, type Reply } from './recorder';

/** The service's log of the changes that the service applied and confirmed. */
interface ServiceLog {
	/** All changes made. A change that was made twice appears twice. */
	made: string[];
	/** Changes that the service confirmed with a successful response */
	confirmed: Set<string>;
	/** Changes whose requests failed without a clear response, so the outcome is unknown to the node */
	unclear: Set<string>;
}

interface Scene {
	parameters: INodeParameters;
	/** Input items. Each item lists the UIDs to add or remove. */
	input: Array<{ uids: string[] }>;
	uidsIn: (request: Recorded) => string[];
	/** Builds the `data` field for a successful response. */
	respond: (uids: string[]) => IDataObject;
}

const numbered = (count: number, prefix: string) =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const REMOVALS: Scene = {
	parameters: group('removeMember', { groupId: 'lunch', userId: '={{ $json.uids[0] }}' }),
	input: numbered(12, 'i').map((uid) => ({ uids: [uid] })),
	uidsIn: ({ url }) => [url.split('/').at(-1) ?? ''],
	respond: () => ({ success: true, message: 'Done' }),
};

const ADDITIONS: Scene = {
	parameters: group('addMembers', { groupId: 'lunch', uids: '={{ $json.uids }}' }),
	input: numbered(6, 'i').map((name) => ({ uids: numbered(60, `${name}-`) })),
	uidsIn,
	respond: (uids) => ({
		participants: Object.fromEntries(uids.map((uid) => [uid, { success: true }])),
	}),
};

/** Parses each item's state from an error description such as "Items 0 to 2 and 4 were completed". */
function readStates(description: string): Map<number, string> {
	const states = new Map<number, string>();
	const sentence =
		/Items? ([\d, toand]+) (?:was |were )?((?:possibly |partly )?completed[^.]*|also failed|not started)\./g;
	for (const [, spans, state] of description.matchAll(sentence)) {
		for (const [, first, last = first] of spans.matchAll(/(\d+)(?: to (\d+))?/g)) {
			for (let index = Number(first); index <= Number(last); index++) states.set(index, state);
		}
	}
	return states;
}

/** Responds to each request with either success or a random failure. */
const respondAtRandom =
	(random: () => number, scene: Scene, log: ServiceLog): Reply =>
	(response, request) => {
		const uids = scene.uidsIn(request);
		const chance = random();
		if (chance < 0.08) return json(response, 429, {}, { 'retry-after': '0' });
		void wait(15 * random()).then(() => {
			if (chance < 0.14) return json(response, 400, { error: { code: 'ERR_BAD_REQUEST' } });
			const isUnclear = chance < 0.17 || chance > 0.97;
			// After an ambiguous response, e.g. a timeout, the service has still applied half of the changes
			if (!isUnclear || chance < 0.155 || chance > 0.985) log.made.push(...uids);
			for (const uid of uids) (isUnclear ? log.unclear : log.confirmed).add(uid);
			if (!isUnclear) json(response, 200, { data: scene.respond(uids) });
			else if (chance < 0.17) json(response, 500, {});
			else response.destroy();
		});
	};

/** Lists the states that are true for an item after the run, as worded in the error. */
function expectedStates(uids: string[], { confirmed, unclear }: ServiceLog): string[] {
	const done = uids.filter((uid) => confirmed.has(uid)).length;
	const possible = uids.filter((uid) => unclear.has(uid)).length;
	if (done === uids.length) return ['completed'];
	if (done > 0) {
		const most = possible > 0 ? `, possibly ${done + possible}` : '';
		return [`partly completed (${done} of ${uids.length}${most})`];
	}
	return possible > 0 ? ['possibly completed'] : ['also failed', 'not started'];
}

/**
 * Changes several items on a service that fails at random, with or without Retry On Fail. Expects that no
 * change is made twice and that the error reports each item's true state.
 *
 * @returns the states that the error reports
 */
async function expectTrueStates(seed: number): Promise<string[]> {
	const random = seededRandom(seed);
	const scene = random() < 0.5 ? REMOVALS : ADDITIONS;
	const log: ServiceLog = { made: [], confirmed: new Set(), unclear: new Set() };
	const maxTries = 1 + Math.floor(3 * random());
	const { error } = await withRecorder(
		respondAtRandom(random, scene, log),
		async (recorder) =>
			await run(
				recorder,
				{ ...scene.parameters, requestOptions: { maxTries: 2 } },
				{
					input: scene.input,
					settings: maxTries > 1 ? { retryOnFail: true, maxTries, waitBetweenTries: 1 } : {},
				},
			),
	);
	// Removing a member twice is the same as removing the member once
	if (scene === ADDITIONS) expect(new Set(log.made).size).toBe(log.made.length);
	if (!error) {
		expect(log.confirmed.size).toBe(scene.input.flatMap(({ uids }) => uids).length);
		return [];
	}
	const { description, context } = error as unknown as ShownError;
	const states = readStates(String(description));
	return scene.input.flatMap(({ uids }, index) => {
		if (index === context.itemIndex) return [];
		const state = String(states.get(index));
		expect({ seed, index, states: expectedStates(uids, log) }).toEqual({
			...{ seed, index },
			states: expect.arrayContaining([state]),
		});
		return [state];
	});
}

test("A run's error reports the true state of each other item", async () => {
	const count = countCases({ eachChange: 4, nightly: 300 });
	const { seed = 0 } = fc.readConfigureGlobal();
	const reported: string[] = [];
	for (let number = 0; number < count; number++) {
		reported.push(...(await expectTrueStates(seed + number)));
	}
	expect(reported).toContain('completed');
	expect(reported.length).toBeGreaterThan(countCases({ eachChange: 4, nightly: 500 }));
});
