import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { GROUP_QUERY } from '../../nodes/CometChat/resources/group/query';
import type { LogEntry } from '../../sandbox/server';
import { NODE, get, list, removeReaction, run, useSandbox } from '../engine/harness';
import { hostile, mostly } from './hostile';

const sandbox = useSandbox({ validate: false });

/** Items of one engine run, which tries as many cases. */
const BATCH = 100;

const HEADERS = [
	'accept',
	'accept-encoding',
	'apikey',
	'connection',
	'host',
	'onbehalfof',
	'user-agent',
];

/** A segment of a path that no server or proxy can take for more than one, or for none. */
const SEGMENT = "(?!(?:\\.|%2e){1,2}(?:/|$))(?:[A-Za-z0-9\\-._~!'()*]|%[0-9A-F]{2})+";

const PATHS = {
	list: /^\/v3\/groups$/,
	get: new RegExp(`^/v3/messages/${SEGMENT}$`, 'i'),
	remove: new RegExp(`^/v3/messages/${SEGMENT}/reactions/${SEGMENT}$`, 'i'),
};

const QUERY_KEYS = [...Object.keys(GROUP_QUERY), 'page', 'perPage'];

/** What is wrong with a request, if anything is. */
function stray(entry: LogEntry, method: string, path: RegExp, queryKeys: string[]) {
	const { headers } = entry;
	const uid = headers.onbehalfof;
	return [
		entry.method === method ? undefined : `method ${entry.method}`,
		path.test(entry.path) ? undefined : `path ${entry.path}`,
		Object.keys(entry.query).find((key) => !queryKeys.includes(key)),
		Object.values(entry.query).some(Array.isArray) ? `repeated key in ${entry.url}` : undefined,
		Object.keys(headers).find((name) => !HEADERS.includes(name)),
		entry.keyOk ? undefined : 'key',
		uid === undefined || (typeof uid === 'string' && /^[\x21-\x7e][\x20-\x7e]{0,99}$/.test(uid))
			? undefined
			: `onBehalfOf ${String(uid)}`,
	].filter((what) => what !== undefined);
}

const SENTENCE = /^["A-Z][^]{8,}[.!?…]$/;

/** What JavaScript says when a program did not expect a value. */
const ACCIDENT = /^(?:Cannot |Class |Invalid |Maximum |.* is not (?:a function|iterable|defined))/;

/** Texts of errors that are no sentences. */
const badErrors = (items: INodeExecutionData[]) =>
	items
		.filter(({ json }) => 'error' in json)
		.map(({ json }) => String(json.error))
		.filter((text) => !SENTENCE.test(text) || ACCIDENT.test(text));

/** Runs cases as items of one run after the other, and looks at every request that came of them. */
async function tryAll(
	cases: fc.Arbitrary<IDataObject>,
	numRuns: number,
	parameters: INodeParameters,
	check: (entry: LogEntry) => string[],
) {
	let sent = 0;
	let refused = 0;
	const batches = fc.array(cases, { minLength: BATCH, maxLength: BATCH });
	const batch = async (input: IDataObject[]) => {
		sandbox().reset();
		const result = await run(sandbox(), parameters, { input, onError: 'continueRegularOutput' });
		expect(result.error).toBeUndefined();
		const items = result.items(NODE);
		expect(sandbox().log.flatMap(check)).toEqual([]);
		expect(sandbox().violations).toEqual([]);
		expect(badErrors(items)).toEqual([]);
		sent += sandbox().log.length;
		refused += items.filter(({ json }) => 'error' in json).length;
		return items;
	};
	await fc.assert(
		fc.asyncProperty(batches, async (input) => void (await batch(input))),
		{ numRuns, endOnFailure: true },
	);
	// Both happened, so both were tested
	expect(sent).toBeGreaterThan(numRuns);
	expect(refused).toBeGreaterThan(numRuns);
}

/** Only texts and numbers can be sent; -0 and the like are shown as JavaScript shows them. */
const isText = (values: unknown[]) =>
	values.every((value) => typeof value === 'string' || typeof value === 'number');

const UIDS = ['', 'mira', 'jonas', ' mira '];

test('Get asks for one message and nothing else, whatever its fields hold', async () => {
	await tryAll(
		fc.record({ id: mostly('101', 101), uid: mostly(...UIDS) }) as fc.Arbitrary<IDataObject>,
		12,
		get('={{ $json.id }}', { onBehalfOf: '={{ $json.uid }}' }),
		(entry) => stray(entry, 'GET', PATHS.get, []),
	);
}, 90_000);

test('Get and Remove Reaction send every text as exactly the segment it was given as', async () => {
	const decoded = (path: string) =>
		path
			.split('/')
			.filter((_, index) => index === 3 || index === 5)
			.map(decodeURIComponent);
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(hostile, hostile), { minLength: BATCH, maxLength: BATCH }),
			async (cases) => {
				sandbox().reset();
				const input = cases.map(([id, reaction]) => ({ id, reaction })) as IDataObject[];
				await run(sandbox(), removeReaction('={{ $json.id }}', '={{ $json.reaction }}', 'mira'), {
					input,
					onError: 'continueRegularOutput',
				});
				const given = new Set(cases.filter(isText).map((pair) => pair.join('\n')));
				for (const entry of sandbox().log) {
					expect(stray(entry, 'DELETE', PATHS.remove, [])).toEqual([]);
					expect(given).toContain(decoded(entry.path).join('\n'));
				}
			},
		),
		{ numRuns: 10, endOnFailure: true },
	);
}, 90_000);

test('Remove Reaction removes that reaction and nothing else, whatever its fields hold', async () => {
	await tryAll(
		fc.record({
			id: mostly('101', '102'),
			reaction: mostly('👍', '🎉', 'token'),
			uid: mostly('mira', 'jonas'),
		}) as fc.Arbitrary<IDataObject>,
		10,
		removeReaction('={{ $json.id }}', '={{ $json.reaction }}', '={{ $json.uid }}'),
		(entry) => [
			...stray(entry, 'DELETE', PATHS.remove, []),
			...(entry.headers.onbehalfof === undefined ? ['no onBehalfOf'] : []),
		],
	);
}, 90_000);

/** One expression for each entry of a collection: n8n drops a collection that is one as a whole. */
const eachOf = (...names: string[]): INodeParameters =>
	Object.fromEntries(names.map((name) => [name, `={{ $json["${name}"] }}`]));

test('List asks for groups with known keys and nothing else, whatever its fields hold', async () => {
	const sort = ['sortBy', 'sortOrder'];
	const options = ['page', 'perPage', 'maxTries', 'maxWait'];
	const filters = Object.keys(GROUP_QUERY).filter((name) => !sort.includes(name));
	const single = ['returnAll', 'limit', 'onBehalfOf', 'output', 'fields'];
	const harmless = fc.constantFrom<IDataObject>(
		{ output: 'raw', returnAll: true },
		{ output: 'simplified', limit: 7, searchKey: 'a', searchIn: ['name'], tags: 'a,b' },
		{ output: 'pages', returnAll: 'true', perPage: 20, type: 'public', sortBy: 'guid' },
		{ output: 'fields', limit: 3, fields: ['guid'], types: ['private'], updatedAt: 1_700_000_000 },
		{ output: 'raw', limit: 1, onBehalfOf: 'mira', hasJoined: true, withTags: false },
	);
	const changes = fc.dictionary(
		fc.constantFrom(...filters, ...sort, ...options, ...single),
		hostile,
		{ minKeys: 1, maxKeys: 2 },
	);
	await tryAll(
		fc.tuple(harmless, changes).map(([fields, changed]) => ({
			limit: 5,
			...fields,
			...changed,
		})) as fc.Arbitrary<IDataObject>,
		8,
		list({
			...eachOf(...single),
			filters: eachOf(...filters),
			sort: eachOf(...sort),
			options: eachOf(...options),
		}),
		(entry) => stray(entry, 'GET', PATHS.list, QUERY_KEYS),
	);
}, 90_000);
