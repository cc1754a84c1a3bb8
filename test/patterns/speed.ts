import { Script, createContext } from 'node:vm';

import { CometChat } from '../../nodes/CometChat/CometChat.node';
import { CometChatBotTrigger } from '../../nodes/CometChat/CometChatBotTrigger.node';
import { CometChatPollingTrigger } from '../../nodes/CometChat/CometChatPollingTrigger.node';
import { CometChatTrigger } from '../../nodes/CometChat/CometChatTrigger.node';
import { asObjectOrEmpty, isObjectOrArray } from '../../nodes/CometChat/helpers/json';
import { listSourcePatterns } from './listPatterns';
import { listNearMisses, writeNearMiss, type NearMiss } from './nearMisses';

/** Maximum CPU time for a near miss, in milliseconds. */
const MAX_CPU_MS = 50;

/** Time in milliseconds after which a match is stopped. Includes time in which other processes run. */
const MAX_MS = 1_000;

/** Time limit for all near misses of a pattern, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** Maximum number of measurements. The shortest counts, because other processes only add time. */
const MAX_TRIES = 3;

const search = new Script('text.replace(pattern, "")');

const context = createContext({});

/** Searches a text for all matches, and returns the CPU time in milliseconds. An endless search is stopped. */
function measureSearch(pattern: RegExp, text: string): number {
	Object.assign(context, { text, pattern });
	const start = process.threadCpuUsage();
	try {
		search.runInContext(context, { timeout: MAX_MS });
	} catch (error) {
		if (asObjectOrEmpty(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
		return Infinity;
	}
	const { user, system } = process.threadCpuUsage(start);
	return (user + system) / 1_000;
}

/** True if a pattern searches a text within the CPU time in at least one of several tries. */
function isFast(pattern: RegExp, text: string): boolean {
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const cpuMs = measureSearch(pattern, text);
		if (cpuMs <= MAX_CPU_MS) return true;
		if (cpuMs === Infinity) return false;
	}
	return false;
}

/** Lists the patterns in a node's description, with which the editor checks values. */
function listEditorPatterns(description: unknown): RegExp[] {
	if (!isObjectOrArray(description)) return [];
	return Object.entries(description).flatMap(([key, value]) =>
		key === 'regex' ? new RegExp(String(value)) : listEditorPatterns(value),
	);
}

const nodes = [CometChat, CometChatBotTrigger, CometChatPollingTrigger, CometChatTrigger];

/** Returns the first near miss of a length that takes a pattern too long. */
function findSlow({ source, flags }: RegExp, length: number): NearMiss | undefined {
	const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
	return listNearMisses(pattern).find(
		(nearMiss) => !isFast(pattern, writeNearMiss(nearMiss, length)),
	);
}

const inEditor = new Map(
	nodes
		.flatMap((Node) => listEditorPatterns(new Node().description))
		.map((pattern) => [pattern.source, { pattern, place: 'the editor' }]),
);

/** Defines a test for each pattern of the package. */
export function testPatterns(length: number): void {
	test.each([...listSourcePatterns(), ...inEditor.values()])(
		`$pattern in $place takes at most 50 ms for ${length} characters that almost match`,
		({ pattern }) => expect(findSlow(pattern, length)).toBeUndefined(),
		TIMEOUT_MS,
	);
}

/** Defines tests that slow patterns are found. */
export function testSlowPatterns(patterns: RegExp[], length: number): void {
	test.each(patterns)(`finds ${length} characters that take %s too long`, (pattern) => {
		expect(findSlow(pattern, length)).toBeDefined();
	});
}
