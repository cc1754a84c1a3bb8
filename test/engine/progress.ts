import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { seededRandom } from '../../tools/sandbox/faults';
import { run } from './harness';
import { json, withRecorder, type Recorded } from './recorder';

/** What the service did with what it was asked, as it saw it itself. */
interface Seen {
	/** Requests but those that the rate limit refused */
	requests: number;
	/** Carried out, and said so */
	done: Set<string>;
	/** Carried out or not, without a word that says which */
	unclear: Set<string>;
	/** All that was carried out, however often */
	carriedOut: string[];
}

interface Scene {
	parameters: INodeParameters;
	input: IDataObject[];
	/** Names of the changes of an item */
	changesOf: (item: IDataObject) => string[];
	/** Names of the changes in a request */
	changesIn: (request: Recorded) => string[];
	/** The response of a success */
	answer: (changes: string[]) => IDataObject;
}

const numbered = (count: number, name: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => name(index));

const REMOVALS: Scene = {
	parameters: {
		resource: 'group',
		operation: 'removeMember',
		groupId: 'lunch',
		userId: '={{ $json.uids[0] }}',
	},
	input: numbered(12, (index) => `i${index}`).map((uid) => ({ uids: [uid] })),
	changesOf: ({ uids }) => uids as string[],
	changesIn: ({ url }) => [url.split('/').at(-1) ?? ''],
	answer: () => ({ success: true, message: 'Done' }),
};

const ADDITIONS: Scene = {
	...REMOVALS,
	parameters: {
		resource: 'group',
		operation: 'addMembers',
		groupId: 'lunch',
		uids: '={{ $json.uids }}',
	},
	input: numbered(6, (index) => `i${index}`).map((name) => ({
		uids: numbered(60, (index) => `${name}-${index}`),
	})),
	changesIn: ({ body = '' }) => (JSON.parse(body) as { participants: string[] }).participants,
	answer: (uids) => ({
		participants: Object.fromEntries(uids.map((uid) => [uid, { success: true }])),
	}),
};

/** Reads the states from a description, e.g. from "Items 0 to 2 and 4 were completed". */
function statesIn(description: string): Map<number, string> {
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

/** A service that fails in every way, in turns that the seed decides. */
function failing(random: () => number, scene: Scene, seen: Seen) {
	const carryOut = (changes: string[], isSaid: boolean) => {
		seen.carriedOut.push(...changes);
		for (const change of changes) (isSaid ? seen.done : seen.unclear).add(change);
	};
	return async (response: ServerResponse, request: Recorded): Promise<void> => {
		const changes = scene.changesIn(request);
		const dice = random();
		if (dice < 0.08) return json(response, 429, {}, { 'retry-after': '0' });
		seen.requests++;
		await wait(15 * random());
		if (dice < 0.14)
			return json(response, 400, { error: { code: 'ERR_BAD_REQUEST', message: 'No' } });
		if (dice < 0.17 || dice > 0.97) {
			// Half of those that say nothing were carried out
			if (dice < 0.155 || dice > 0.985) carryOut(changes, false);
			else for (const change of changes) seen.unclear.add(change);
			if (dice < 0.17) return json(response, 500, {});
			return void response.destroy();
		}
		carryOut(changes, true);
		json(response, 200, { data: scene.answer(changes) });
	};
}

/**
 * Runs an operation with several items against a service that fails now and then. The seed decides
 * about Retry On Fail. Expects the error to report for each item the state that the service saw.
 *
 * @returns the states in the error
 */
export async function expectTrueStates(seed: number): Promise<string[]> {
	const random = seededRandom(seed);
	const scene = random() < 0.5 ? REMOVALS : ADDITIONS;
	const seen: Seen = { requests: 0, done: new Set(), unclear: new Set(), carriedOut: [] };
	const fail = failing(random, scene, seen);
	const maxTries = 1 + Math.floor(3 * random());
	return await withRecorder(
		(response, request) => void fail(response, request),
		async (recorder) => {
			const { error } = await run(
				recorder,
				{ ...scene.parameters, requestOptions: { maxTries: 2 } },
				{
					input: scene.input,
					settings: maxTries > 1 ? { retryOnFail: true, maxTries, waitBetweenTries: 1 } : {},
				},
			);
			// Nothing twice, and nothing again that may have been carried out
			expect(new Set(seen.carriedOut).size).toBe(seen.carriedOut.length);
			if (!error) {
				expect(seen.done.size).toBe(scene.input.flatMap(scene.changesOf).length);
				return [];
			}
			const { description, context } = error as unknown as {
				description: string;
				context: IDataObject;
			};
			const states = statesIn(description);
			const first = Number(context.itemIndex);
			const told = scene.input.map((item, index) => {
				if (index === first) return undefined;
				const changes = scene.changesOf(item);
				const done = changes.filter((change) => seen.done.has(change)).length;
				const unclear = changes.filter((change) => seen.unclear.has(change)).length;
				const part = `partly completed (${done} of ${changes.length}${unclear > 0 ? `, possibly ${done + unclear}` : ''})`;
				const expected =
					done === changes.length
						? ['completed']
						: done > 0
							? [part]
							: unclear > 0
								? ['possibly completed']
								: ['also failed', 'not started'];
				const state = states.get(index);
				expect([seed, index, state, expected]).toEqual([
					seed,
					index,
					expected.find((each) => each === state),
					expected,
				]);
				return state;
			});
			return told.filter((state) => state !== undefined);
		},
	);
}
