import * as fc from 'fast-check';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';

import { ERRORS_BY_COMETCHAT_CODE } from '../../nodes/CometChat/errors/table';
import { resources } from '../../nodes/CometChat/resources';
import { countCases } from '../countCases';
import { NODE, run, type ShownError } from './harness';
import { OPERATIONS, isSentOnce, type OperationCase } from './operations';
import { json, readBody, startRecorder, type Recorded, type Recorder } from './recorder';

/** Operations that change something. */
const CHANGES = OPERATIONS.filter(({ wire }) => !wire.startsWith('GET'));

/** Handling of a request: what the service does, and how it answers. */
type Fate =
	| { kind: 'done'; extra: unknown }
	| { kind: 'cut'; isDone: boolean }
	| { kind: 'status'; status: number; isDone: boolean; extra: unknown }
	| { kind: 'unusable'; body: unknown }
	| { kind: 'refused'; status: number; code: string; extra: unknown };

/** Values with keys and types that code can stumble over. */
const odd: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 3 },
		fc.constantFrom(null, 'x', 5, [], true),
		fc.array(tie('tree'), { maxLength: 2 }),
		fc.dictionary(
			fc.constantFrom('toString', 'valueOf', 'constructor', '__proto__', 'message', 'toJSON'),
			tie('tree'),
			{ minKeys: 1, maxKeys: 3, noNullPrototype: true },
		),
	),
})).tree;

/** Statuses after which a change may have been made. */
const UNCLEAR = [301, 302, 303, 408, 500, 502, 503, 504];

/** Statuses after which certainly nothing was done. */
const REFUSALS = [307, 308, 400, 401, 403, 404, 409];

const fate: fc.Arbitrary<Fate> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ kind: fc.constant('done' as const), extra: odd }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('cut' as const), isDone: fc.boolean() }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('status' as const),
			status: fc.constantFrom(...UNCLEAR),
			isDone: fc.boolean(),
			extra: odd,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('unusable' as const),
			body: fc.constantFrom<unknown>(null, [], 'x', { data: [] }, { data: null }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('refused' as const),
			status: fc.constantFrom(...REFUSALS),
			code: fc.constantFrom(...Object.keys(ERRORS_BY_COMETCHAT_CODE), 'toString', 'constructor'),
			extra: odd,
		}),
	},
);

interface Scenario {
	operation: OperationCase;
	/** Target of each item. Items can share a target. */
	targets: number[];
	/** Number of users per item, for an operation that sends batches */
	users: number;
	onError: INode['onError'];
	/** Tries of Retry On Fail */
	tries: number;
	/** Attempts of the node itself per request */
	attempts: number;
	ifExists: string;
	output: string;
	/** Handling of each target's requests, in order. All further requests succeed. */
	fates: Fate[][];
}

const scenariosOf = (operation: OperationCase): fc.Arbitrary<Scenario> =>
	fc.record({
		operation: fc.constant(operation),
		targets: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
		users: fc.constantFrom(1, 2, 26, 60),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		tries: fc.integer({ min: 1, max: 3 }),
		attempts: fc.constantFrom(1, 1, 2),
		ifExists: fc.constantFrom('fail', 'return', 'update'),
		output: fc.constantFrom('simplified', 'raw', 'fields'),
		fates: fc.array(fc.array(fate, { maxLength: 4 }), { minLength: 4, maxLength: 4 }),
	});

/** Parameters that name an item's target, in order of preference. */
const TARGETS = ['text', 'uid', 'guid', 'messageId', 'groupId', 'userId'];

/** Prefix of targets. Not part of any example's values. */
const TARGET = /zz(\d)zz/;

/** Answers to a repeated change that is made already, other than success. */
const ALREADY: Record<string, [status: number, code: string]> = {
	'message delete': [403, 'ERR_MESSAGE_ACTION_NOT_ALLOWED'],
	'message removeReaction': [404, 'ERR_REACTION_NOT_FOUND'],
	'group delete': [404, 'ERR_GUID_NOT_FOUND'],
	'group removeMember': [404, 'ERR_NOT_A_MEMBER'],
	'group unbanMember': [404, 'ERR_NOT_A_BANNED_USER'],
	'group changeScope': [403, 'ERR_SAME_SCOPE'],
	'user delete': [404, 'ERR_UID_NOT_FOUND'],
	'user removeFriends': [400, 'ERR_NOT_A_FRIEND'],
};

/** Codes that say that a change is made already. The service sends them only if that's true. */
const DONE_CODES = [
	...Object.values(ALREADY).map(([, code]) => code),
	...['ERR_MESSAGE_ID_NOT_FOUND', 'ERR_MSG_NOT_FOUND', 'ERR_BANNED_GROUPMEMBER'],
	...['ERR_AUTH_TOKEN_NOT_FOUND', 'ERR_REASON_NOT_FOUND', 'ERR_ROLE_NOT_FOUND'],
	...['ERR_UID_ALREADY_EXISTS', 'ERR_GUID_ALREADY_EXISTS', 'ERR_MESSAGE_NO_ACCESS'],
];

/** Names of the lists in answers about (de)activation: changed just now, and already in this state. */
const STATE_LISTS: Record<string, [changed: string, already: string]> = {
	'user deactivate': ['deactivatedUids', 'alreadyDeactivatedUids'],
	'user reactivate': ['reactivatedUids', 'nonDeactivatedUids'],
};

/** Books of the service for one target. */
interface Book {
	/** Number of times each part was changed. The only part of a change without users is "". */
	effects: Map<string, number>;
	/** Number of requests after which each part may have been changed, as far as the answer tells */
	possible: Map<string, number>;
	requests: number;
}

const count = (counts: Map<string, number>, part: string) =>
	void counts.set(part, (counts.get(part) ?? 0) + 1);

/** Answers requests as the scenario says, and keeps books. */
class Service {
	readonly books = new Map<number, Book>();

	constructor(private readonly scenario: Scenario) {}

	bookOf(target: number): Book {
		const known = this.books.get(target);
		const book = known ?? { effects: new Map(), possible: new Map(), requests: 0 };
		this.books.set(target, book);
		return book;
	}

	reply(response: ServerResponse, request: Recorded): void {
		const target = Number(TARGET.exec(`${request.url} ${request.body ?? ''}`)?.[1]);
		const book = this.bookOf(target);
		if (request.method === 'GET') {
			const isDone = (book.effects.get('') ?? 0) > 0;
			const deleted = this.scenario.operation.key === 'message delete' && isDone;
			json(response, 200, {
				data: { id: '5', ...(deleted ? { deletedAt: 1_760_000_000 } : {}) },
			});
			return;
		}
		const fates = this.scenario.fates[target];
		const drawn = fates[book.requests++] ?? { kind: 'done', extra: null };
		const parts = partsOf(request);
		const wasDone = parts.every((part) => (book.effects.get(part) ?? 0) > 0);
		const change = () => parts.forEach((part) => count(book.effects, part));
		const suspect = () => parts.forEach((part) => count(book.possible, part));
		if (drawn.kind === 'cut') {
			if (drawn.isDone) change();
			suspect();
			response.destroy();
		} else if (drawn.kind === 'status') {
			if (drawn.isDone) change();
			suspect();
			const { status, extra } = drawn;
			json(response, status, { error: { code: 'ERR_EXCEPTION', message: extra, details: extra } });
		} else if (drawn.kind === 'unusable') {
			change();
			suspect();
			json(response, 200, drawn.body);
		} else if (drawn.kind === 'refused' && !DONE_CODES.includes(drawn.code)) {
			const { status, code, extra } = drawn;
			json(response, status, { error: { code, message: 'No', details: extra, devMessage: extra } });
		} else this.answerHonestly(response, parts, wasDone, change, suspect, drawn);
	}

	private answerHonestly(
		response: ServerResponse,
		parts: string[],
		wasDone: boolean,
		change: () => void,
		suspect: () => void,
		drawn: Fate,
	): void {
		const { key } = this.scenario.operation;
		const already = wasDone ? ALREADY[key] : undefined;
		if (already) {
			json(response, already[0], { error: { code: already[1], message: 'Done already' } });
			return;
		}
		change();
		suspect();
		const extra = drawn.kind === 'done' ? { extra: drawn.extra } : {};
		const lists = STATE_LISTS[key];
		if (lists) json(response, 200, { data: { [lists[wasDone ? 1 : 0]]: ['leo'], ...extra } });
		else if (parts[0] !== '') {
			const results = Object.fromEntries(parts.map((uid) => [uid, { success: true, ...extra }]));
			json(response, 200, { data: { ...results, moderators: results, accepted: results } });
		} else
			json(response, 200, { data: { id: '5', guid: 'a', uid: 'b', authToken: 'c', ...extra } });
	}
}

/** Lists the users in a request that changes several users. Otherwise, the request has the single part "". */
function partsOf(request: Recorded): string[] {
	if (request.body === undefined) return [''];
	const { blockedUids, moderators, accepted, friends } = readBody(request);
	const uids = blockedUids ?? moderators ?? accepted ?? friends;
	return Array.isArray(uids) ? uids.map(String) : [''];
}

/** What the node says about a part of an item. */
type Verdict = 'done' | 'failed' | 'perhaps';

const DOUBT = /may already have|may have made the change anyway|may not have been/;

const judge = (text: string): Verdict => (DOUBT.test(text) ? 'perhaps' : 'failed');

const isBatch = ({ operation: { returns } }: Scenario) => returns === 'each';

const uidsOf = ({ users }: Scenario) => Array.from({ length: users }, (_, index) => `u${index}`);

function parametersOf(scenario: Scenario): INodeParameters {
	const { operation, output, ifExists, attempts } = scenario;
	// The message ID of Mark as Read must be a number
	const targets = operation.key === 'conversation markRead' ? ['groupId'] : TARGETS;
	const name = targets.find((each) => each in operation.parameters) ?? '';
	const [resource, value] = operation.key.split(' ');
	const { fields = [] } =
		resources
			.find((each) => each.value === resource)
			?.operations.find((each) => each.value === value) ?? {};
	const canExist = fields.some((field) =>
		(field.options ?? []).some((option) => option.name === 'ifExists'),
	);
	return {
		...operation.parameters,
		[name]: `={{ $json.target }}`,
		...(isBatch(scenario) ? { uids: uidsOf(scenario) } : {}),
		...(canExist ? { options: { ifExists } } : {}),
		...(output === 'fields' ? { fields: ['id', '__proto__', 'constructor.a'] } : {}),
		output,
		requestOptions: { maxTries: attempts },
	};
}

/** Reads the states of items from an error, e.g. "Items 0 to 2 and 4 were completed." */
function readStates(description: string): Map<number, string> {
	const states = new Map<number, string>();
	const sentences = description.matchAll(
		/Items? ((?:\d+(?: to \d+)?(?:, and |, | and )?)+) (?:was|were)? ?((?:possibly |partly )?completed(?: \([^)]*\))?|also failed|not started)/g,
	);
	for (const [, spans, state] of sentences) {
		for (const [, first, last = first] of spans.matchAll(/(\d+)(?: to (\d+))?/g)) {
			for (let index = Number(first); index <= Number(last); index++) states.set(index, state);
		}
	}
	return states;
}

/** Item's verdict, or numbers for an item with users. */
interface Account {
	done: number;
	perhaps: number;
	failed: number;
}

const account = (verdict: Verdict, number = 1): Account => ({
	...{ done: 0, perhaps: 0, failed: 0 },
	[verdict]: number,
});

/**
 * Converts an error about some of an item's users, such as "1 of 3 users could not be added, and 2 more may not
 * have been".
 */
function readCounts(text: string, total: number): Account {
	const [, certain = 0] = /(\d+) of \d+ users could not/.exec(text) ?? [];
	const [, doubted = 0] = /(\d+)(?: of \d+ users| more) may not have been/.exec(text) ?? [];
	if (Number(certain) + Number(doubted) > 0) {
		const [failed, perhaps] = [Number(certain), Number(doubted)];
		return { failed, perhaps, done: total - failed - perhaps };
	}
	return account(judge(text), total);
}

function readState(state: string | undefined, total: number): Account {
	if (state === undefined) throw new Error('An item has no state');
	const [, done, possible = done] = /\((\d+) of \d+(?:, possibly (\d+))?\)/.exec(state) ?? [];
	if (done !== undefined) {
		const perhaps = Number(possible) - Number(done);
		return { done: Number(done), perhaps, failed: total - Number(possible) };
	}
	if (state === 'completed') return account('done', total);
	return account(state === 'possibly completed' ? 'perhaps' : 'failed', total);
}

/** Runs a scenario, and returns violated rules as sentences. */
async function findViolations(scenario: Scenario, host: Host): Promise<string[]> {
	const { targets, onError, tries } = scenario;
	const service = new Service(scenario);
	const target = host.add(service);
	const result = await run(target, parametersOf(scenario), {
		input: targets.map((each) => ({ target: `zz${each}zz`, isInput: true })),
		onError,
		settings:
			tries > 1
				? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 }
				: { retryOnFail: false },
	});
	const total = isBatch(scenario) ? scenario.users : 1;
	const violations: string[] = [];
	const accounts: Account[] = [];
	const outputs = [...result.items(NODE, 0), ...result.items(NODE, 1)];
	// n8n itself adds the input item's fields to an item of the error output
	if (outputs.some(({ json: item }) => 'isInput' in item && !('error' in item))) {
		violations.push('input in an output');
	}
	if (result.error) {
		if (onError !== 'stopWorkflow') violations.push('the run failed although it continues');
		const error = result.error as ShownError;
		const text = `${error.message} ${error.description ?? ''}`;
		const failedIndex = Number(error.context?.itemIndex);
		const states = readStates(error.description ?? '');
		for (const index of targets.keys()) {
			const isFailed = index === failedIndex;
			accounts[index] = isFailed ? readCounts(text, total) : readState(states.get(index), total);
		}
	} else {
		for (const index of targets.keys()) {
			const own = outputs.filter(({ pairedItem }) => Object(pairedItem).item === index);
			const sum = account('done', 0);
			for (const { json: item } of own) {
				// A row about one of several users has the reason in a column of its own
				const error = item.error ?? item.reason;
				const verdict = typeof error === 'string' ? judge(error) : 'done';
				// A batch that fails before its users are known gives a single item
				sum[verdict] += own.length === 1 ? total : 1;
			}
			if (sum.done + sum.failed + sum.perhaps !== total) {
				violations.push(`item ${index} has ${own.length} output items`);
			}
			accounts[index] = sum;
		}
	}
	return [...violations, ...compare(scenario, service, accounts)];
}

/** Compares what the node says with the service's books. */
function compare(scenario: Scenario, { books }: Service, accounts: Account[]): string[] {
	const violations: string[] = [];
	const isOnce = isSentOnce(scenario.operation);
	for (const [target, book] of books) {
		const own = accounts.filter((_, index) => scenario.targets[index] === target);
		const parts = isBatch(scenario) ? uidsOf(scenario) : [''];
		const sum = (verdict: Verdict) => own.reduce((all, each) => all + each[verdict], 0);
		const effects = parts.reduce((all, part) => all + (book.effects.get(part) ?? 0), 0);
		const changed = parts.filter((part) => (book.effects.get(part) ?? 0) > 0).length;
		const certain = isOnce ? effects : changed;
		if (isOnce) {
			const twice = parts.filter((part) => (book.possible.get(part) ?? 0) > own.length);
			if (twice.length > 0) violations.push(`target ${target}: sent twice for ${twice.join()}`);
			if (certain < sum('done')) violations.push(`target ${target}: done, but not in the books`);
			if (certain > sum('done') + sum('perhaps')) {
				violations.push(`target ${target}: in the books ${certain}, but ${JSON.stringify(own)}`);
			}
			continue;
		}
		// Items with the same target make the same change, so one of them accounts for it
		const most = Math.max(...own.map(({ done }) => done));
		const possible = Math.min(parts.length, sum('done') + sum('perhaps'));
		if (changed < most) violations.push(`target ${target}: done, but not in the books`);
		if (changed > possible) {
			violations.push(`target ${target}: in the books ${changed}, but ${JSON.stringify(own)}`);
		}
	}
	return violations;
}

/** A server for many scenarios at once. Each scenario has its own path. */
class Host {
	private readonly services: Service[] = [];

	private constructor(private readonly recorder: Recorder) {}

	static async start(): Promise<Host> {
		const host: { services?: Service[] } = {};
		const recorder = await startRecorder((response, request) => {
			const [, number, url] = /^\/(\d+)(\/.*)$/.exec(request.url) ?? [];
			recorder.requests.splice(0);
			host.services?.[Number(number)].reply(response, { ...request, url });
		});
		const created = new Host(recorder);
		host.services = created.services;
		return created;
	}

	/** Adds a scenario's service, and returns its base URL and key. */
	add(service: Service): Pick<Recorder, 'apiKey' | 'baseUrl'> {
		const number = this.services.push(service) - 1;
		const { apiKey, baseUrl } = this.recorder;
		return { apiKey, baseUrl: `${baseUrl}/${number}` };
	}

	close = async (): Promise<void> => await this.recorder.close();
}

/** Number of scenarios that run at the same time, because most of their time is waiting. */
const AT_ONCE = 12;

let host: Host;
beforeAll(async () => {
	host = await Host.start();
});
afterAll(async () => await host.close());

/** Number of scenarios per operation. */
const NUM_RUNS = countCases({ eachChange: 4, nightly: 300 });

test(
	"What the node says about its changes agrees with the service's books",
	async () => {
		const { seed = 0 } = fc.readConfigureGlobal();
		const drawn = CHANGES.flatMap((operation, number) =>
			fc.sample(scenariosOf(operation), { numRuns: NUM_RUNS, seed: seed + number }),
		);
		const wrong: IDataObject[] = [];
		const next = drawn.entries();
		const work = async () => {
			for (const [number, scenario] of next) {
				const violations = await findViolations(scenario, host);
				const { operation, ...rest } = scenario;
				if (violations.length > 0) {
					wrong.push({
						number,
						violations,
						key: operation.key,
						...rest,
					});
				}
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		expect(wrong.slice(0, 3).map((each) => JSON.stringify(each))).toEqual([]);
	},
	Math.max(60_000, 6_000 * NUM_RUNS),
);
