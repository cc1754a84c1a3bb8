import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { NODE, removeReaction, run } from '../engine/harness';
import { OPERATIONS, type OperationCase } from '../engine/operations';
import { startRecorder, type Recorded, type Recorder } from '../engine/recorder';
import { CONTRACT } from '../contract/document';
import { fromItem, hostileValues } from './fields';
import { hostile } from './hostile';

let service: Recorder;

beforeAll(async () => {
	service = await startRecorder();
});

beforeEach(() => void service.requests.splice(0));

afterAll(async () => await service.close());

/** Items of one engine run, which tries as many cases. */
const BATCH = 25;

const HEADERS = [
	...['accept', 'accept-encoding', 'apikey', 'connection', 'content-length', 'content-type'],
	...['host', 'onbehalfof', 'user-agent'],
];

/** A segment of a path that no server or proxy can take for more than one, or for none. */
const SEGMENT = "(?!(?:\\.|%2e){1,2}(?:/|$))(?:[A-Za-z0-9\\-._~!'()*]|%[0-9A-F]{2})+";

/** What the contract says of the requests of an operation, by its method and the start of its path. */
function contractOf({ wire }: OperationCase) {
	const [method, target] = wire.split(' ');
	const depth = (path: string) => path.split('/').length;
	const first = CONTRACT.filter((each) => {
		const pattern = new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`);
		return each.method === method && pattern.test(target.split('?')[0]);
	});
	// The entity that an update reads first, and lists that a field leads elsewhere
	const others = CONTRACT.filter(
		(each) =>
			(method === 'PUT' && each.method === 'GET' && first.some(({ path }) => path === each.path)) ||
			(target.startsWith('/moderation/') &&
				/^(list|review)(Flagged|Blocked|Reviewed|BlockedMessages)$/.test(each.operationId) &&
				each.operationId.startsWith(method === 'GET' ? 'list' : 'review')) ||
			(target.includes('/messages?') && /^list(User)?Messages$/.test(each.operationId)) ||
			(depth(target) === 4 &&
				target.endsWith('/reactions') &&
				each.operationId === 'listReactionsOf'),
	);
	return [...first, ...others];
}

type Contract = ReturnType<typeof contractOf>;

/** What is wrong with a request, if anything is. */
function stray({ method, url, headers, body }: Recorded, contract: Contract): string[] {
	const [path, query = ''] = url.split('?');
	const paths = contract.map(
		(each) => new RegExp(`^${each.path.replace(/\{\w+\}/g, SEGMENT)}$`, 'i'),
	);
	const known = contract.flatMap(({ parameters }) => parameters.map(({ name }) => name));
	const keys = [...new URLSearchParams(query).keys()];
	const parts = contract.flatMap((each) => Object.keys(each.body?.properties ?? {}));
	const sent: unknown = body === undefined ? {} : JSON.parse(body);
	const uid = headers.onbehalfof;
	return [
		contract.some((each) => each.method === method) ? undefined : `method ${method}`,
		paths.some((each) => each.test(path)) ? undefined : `path ${path}`,
		keys.find((key) => !known.includes(key)),
		new Set(keys).size < keys.length ? `repeated key in ${url}` : undefined,
		Object.keys(Object(sent)).find((key) => !parts.includes(key)),
		Object.keys(headers).find((name) => !HEADERS.includes(name)),
		headers.apikey === service.apiKey ? undefined : 'key',
		uid === undefined || (typeof uid === 'string' && /^[a-zA-Z0-9_-]{1,100}$/.test(uid))
			? undefined
			: `onBehalfOf ${String(uid)}`,
	].filter((what) => what !== undefined);
}

const SENTENCE = /^['"A-Z][^]{8,}$/;

/** What JavaScript says when a program did not expect a value. */
const ACCIDENT = /^(?:Cannot |Class |Invalid |Maximum |.* is not (?:a function|iterable|defined))/;

/** Texts of errors that are no sentences. */
const badErrors = (items: INodeExecutionData[]) =>
	items
		.filter(({ json }) => 'error' in json && json.success === undefined)
		.map(({ json }) => String(json.error))
		.filter((text) => !SENTENCE.test(text) || ACCIDENT.test(text));

const badCount = (items: INodeExecutionData[]) =>
	items.filter(({ json }) => 'error' in json).length;

/** Only texts, numbers and dates can be sent; -0 and the like are shown as JavaScript shows them. */
const isText = (values: unknown[]) =>
	values.every((value) => ['string', 'number'].includes(typeof value) || isDate(value));

const isDate = (value: unknown): value is Date =>
	value instanceof Date && !Number.isNaN(value.getTime());

const textOf = (value: unknown) => (isDate(value) ? value.toISOString() : String(value));

/**
 * Tests that whatever the fields of an operation hold, its requests keep to the contract, or are
 * refused in words.
 *
 * @param options how many runs of 25 items each operation has
 */
export function testHostileValues(options: fc.Parameters<unknown>): void {
	test.each(OPERATIONS)(
		'$name, whatever its fields hold, sends what the contract allows, or refuses in words',
		async (operation) => {
			const contract = contractOf(operation);
			const parameters = fromItem(operation);
			const batches = fc.array(hostileValues(operation), { minLength: BATCH, maxLength: BATCH });
			let sent = 0;
			let refused = 0;
			await fc.assert(
				fc.asyncProperty(batches, async (input) => {
					service.requests.splice(0);
					const { error, items } = await run(service, parameters, {
						input,
						onError: 'continueRegularOutput',
					});
					expect(error).toBeUndefined();
					const strays = service.requests.flatMap((request) => stray(request, contract));
					expect(strays).toEqual([]);
					expect(badErrors(items(NODE))).toEqual([]);
					sent += service.requests.length;
					refused += badCount(items(NODE));
				}),
				{ endOnFailure: true, ...options },
			);
			// Both happened, so both were tested
			expect(sent).toBeGreaterThan(0);
			expect(refused).toBeGreaterThan(0);
		},
		90_000,
	);

	test('An ID and a reaction are sent as exactly the segments that they were', async () => {
		const decoded = (url: string) =>
			url
				.split('/')
				.filter((_, index) => index === 2 || index === 4)
				.map(decodeURIComponent);
		const pair = fc.tuple(fc.oneof(fc.constantFrom<unknown>('101', 7), hostile), hostile);
		await fc.assert(
			fc.asyncProperty(fc.array(pair, { minLength: 100, maxLength: 100 }), async (cases) => {
				service.requests.splice(0);
				const input = cases.map(([id, reaction]) => ({ id, reaction })) as IDataObject[];
				await run(service, removeReaction('={{ $json.id }}', '={{ $json.reaction }}', 'mira'), {
					input,
					onError: 'continueRegularOutput',
				});
				// White space around an ID means nothing; around a reaction it is part of it
				const given = new Set(
					cases
						.filter(isText)
						.map(([id, reaction]) => [textOf(id).trim(), textOf(reaction)].join('\n')),
				);
				expect(service.requests.length).toBeGreaterThan(10);
				for (const { url } of service.requests) expect(given).toContain(decoded(url).join('\n'));
			}),
			{ endOnFailure: true, ...options },
		);
	}, 90_000);
}
