import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CONTINUE, NODE, removeReaction, run } from '../actionNode/harness';
import { DECLARED, OPERATIONS, type OperationCase } from '../actionNode/operations';
import { startRecorder, type Recorded, type Recorder } from '../actionNode/recorder';
import { countCases } from '../countCases';
import { CONTRACT } from '../contract/document';
import { fromItem, hostileValues } from './fields';
import { hostile } from './hostile';

let service: Recorder;

beforeAll(async () => {
	service = await startRecorder();
});

beforeEach(() => void service.requests.splice(0));

afterAll(async () => await service.close());

/** Number of items per run. Each item is a separate test case. */
const BATCH = 25;

const HEADERS = [
	...['accept', 'accept-encoding', 'apikey', 'connection', 'content-length', 'content-type'],
	...['host', 'onbehalfof', 'user-agent'],
];

/** Pattern for a path segment that no server or proxy interprets as several segments or as "..". */
const SEGMENT = "(?!(?:\\.|%2e){1,2}(?:/|$))(?:[A-Za-z0-9\\-._~!'()*]|%[0-9A-F]{2})+";

/** Returns the wire formats of an operation's further requests, e.g. for a thread's first message. */
function listFurtherWires({ key }: OperationCase): string[] {
	const response = DECLARED.find((each) => each.key === key)?.operation.response;
	if (response === undefined) return [];
	const first = 'many' in response ? response.firstMessagePath : undefined;
	const member = 'one' in response ? response.memberUserPath : undefined;
	return [first, member].flatMap((path) => (path === undefined ? [] : `GET ${path}`));
}

/** Lists the endpoints in the API contract that an operation may call. */
const endpointsOf = (operation: OperationCase) =>
	CONTRACT.filter((each) => {
		const wires = [...operation.paths.map(({ wire }) => wire), ...listFurtherWires(operation)];
		const pattern = new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`);
		return wires.some((wire) => {
			const [method, target] = wire.split(' ');
			// An update may fetch the entity first
			const isCalled = each.method === method || (method === 'PUT' && each.method === 'GET');
			return isCalled && pattern.test(target.split('?')[0]);
		});
	});

type Endpoint = (typeof CONTRACT)[number];

function findViolations({ method, url, headers, body }: Recorded, endpoints: Endpoint[]): string[] {
	const [path, query = ''] = url.split('?');
	const paths = endpoints.map(
		(each) => new RegExp(`^${each.path.replace(/\{\w+\}/g, SEGMENT)}$`, 'i'),
	);
	const known = endpoints.flatMap(({ parameters }) => parameters.map(({ name }) => name));
	const keys = [...new URLSearchParams(query).keys()];
	const parts = endpoints.flatMap((each) => Object.keys(each.body?.properties ?? {}));
	const sent: unknown = body === undefined ? {} : JSON.parse(body);
	const uid = headers.onbehalfof;
	return [
		endpoints.some((each) => each.method === method) ? undefined : `method ${method}`,
		paths.some((each) => each.test(path)) ? undefined : `path ${path}`,
		keys.find((key) => !known.includes(key)),
		new Set(keys).size < keys.length ? `repeated key in ${url}` : undefined,
		Object.keys(Object(sent)).find((key) => !parts.includes(key)),
		Object.keys(headers).find((name) => !HEADERS.includes(name)),
		headers.apikey === service.apiKey ? undefined : 'key',
		uid === undefined || (typeof uid === 'string' && /^[a-zA-Z0-9_-]{1,100}$/.test(uid))
			? undefined
			: `onBehalfOf ${String(uid)}`,
	].filter((violation) => violation !== undefined);
}

const SENTENCE = /^['"A-Z][^]{8,}$/;

/** Pattern for messages of unexpected JavaScript errors. */
const ACCIDENT = /^(?:Cannot |Class |Invalid |Maximum |.* is not (?:a function|iterable|defined))/;

/** Lists error messages that aren't complete sentences or that come from unexpected JavaScript errors. */
const unclearErrorsIn = (items: INodeExecutionData[]) =>
	items
		.filter(({ json }) => 'error' in json && json.success === undefined)
		.map(({ json }) => String(json.error))
		.filter((text) => !SENTENCE.test(text) || ACCIDENT.test(text));

/** True if all values can be sent in a URL. Strings, numbers, and valid dates can. */
const isSendable = (values: unknown[]) =>
	values.every((value) => ['string', 'number'].includes(typeof value) || isDate(value));

const isDate = (value: unknown): value is Date =>
	value instanceof Date && !Number.isNaN(value.getTime());

const textOf = (value: unknown) => (isDate(value) ? value.toISOString() : String(value));

const OPTIONS = { numRuns: countCases({ eachChange: 1, nightly: 8 }), endOnFailure: true };

test.each(OPERATIONS)(
	'$name sends valid requests or returns a readable error for any values',
	async (operation) => {
		const endpoints = endpointsOf(operation);
		const parameters = fromItem(operation);
		const batches = fc.array(hostileValues(operation), { minLength: BATCH, maxLength: BATCH });
		let sent = 0;
		let refused = 0;
		await fc.assert(
			fc.asyncProperty(batches, async (input) => {
				service.requests.splice(0);
				const { error, items } = await run(service, parameters, {
					input,
					...CONTINUE,
				});
				expect(error).toBeUndefined();
				const violations = service.requests.flatMap((request) =>
					findViolations(request, endpoints),
				);
				expect(violations).toEqual([]);
				expect(unclearErrorsIn(items(NODE))).toEqual([]);
				sent += service.requests.length;
				refused += items(NODE).filter(({ json }) => 'error' in json).length;
			}),
			OPTIONS,
		);
		// Some values must be sent, and some must be rejected
		expect(sent).toBeGreaterThan(0);
		expect(refused).toBeGreaterThan(0);
	},
	90_000,
);

test('An ID and a reaction are sent as exactly two path segments', async () => {
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
				...CONTINUE,
			});
			const expected = new Set(
				cases
					.filter(isSendable)
					.map(([id, reaction]) => [textOf(id).trim(), textOf(reaction).trim()].join('\n')),
			);
			expect(service.requests.length).toBeGreaterThan(10);
			for (const { url } of service.requests) expect(expected).toContain(decoded(url).join('\n'));
		}),
		OPTIONS,
	);
});
