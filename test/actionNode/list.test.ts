import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import {
	NODE,
	errorOf,
	hintsOf,
	itemsOf,
	jsonOf,
	list,
	message,
	refusalOf,
	run,
	useSandbox,
} from './harness';
import { json, withRecorder, type Reply } from './recorder';

const sandbox = useSandbox();

type Page = [guids: string[], pagination: object];

/** Responds with pages of groups. */
const pagesOf =
	(...pages: Page[]): Reply =>
	(response, { url }) => {
		const page = Number(new URLSearchParams(url.split('?')[1]).get('page'));
		const [guids, pagination] = pages[page - 1] ?? [[], {}];
		json(response, 200, { data: guids.map((guid) => ({ guid })), meta: { pagination } });
	};

test('Page requires Per Page if the Limit is larger than a page can be', async () => {
	const parameters = list({ limit: 1_001, options: { page: 2 } });
	const { message: sentence } = await refusalOf(sandbox(), parameters);
	expect(sentence).toBe("'Per Page' is empty, but 'Page' requires it if 'Limit' is above 1,000");
	expect(await itemsOf(sandbox(), list({ limit: 1_001, options: { page: 1 } }))).toHaveLength(46);
	expect(await itemsOf(sandbox(), list({ limit: 1_000, options: { page: 2 } }))).toEqual([]);
});

test('Return All continues after a full page whose total_pages is the current page, without a total', async () => {
	sandbox().setSettings({ totalPages: 'next', totalShown: 'missing', totalPagesShown: 'asked' });
	const items = await jsonOf(sandbox(), list({ returnAll: true, options: { perPage: 23 } }));
	expect(items).toHaveLength(46);
});

const ALL = list({ returnAll: true, options: { perPage: 2 } });

const OF_SIX = { total: 12, total_pages: 6 };

test.each<[string, INodeParameters, Reply, string[], string[]]>([
	[
		'passes over empty pages while CometChat promises more',
		ALL,
		pagesOf(...[['a', 'b'], [], [], [], ['c'], ['d']].map((guids): Page => [guids, OF_SIX])),
		['a', 'b', 'c', 'd'],
		[],
	],
	[
		'passes over an empty page that was chosen',
		list({ limit: 2, options: { page: 2 } }),
		pagesOf([['a', 'b'], OF_SIX], [[], OF_SIX], [['c', 'd'], OF_SIX]),
		['c', 'd'],
		[],
	],
	[
		'ends at a short page that comes again, if CometChat ignores page numbers',
		ALL,
		(response) => json(response, 200, { data: [{ guid: 'a' }], meta: {} }),
		['a'],
		[],
	],
	[
		'continues after a page that is as long as the first one, if CometChat sends fewer groups than requested',
		list({ returnAll: true, options: { perPage: 3 } }),
		pagesOf(...[['a', 'b'], ['c', 'd'], ['e']].map((guids): Page => [guids, { total_pages: 2 }])),
		['a', 'b', 'c', 'd', 'e'],
		[],
	],
	[
		'hints at missing groups if groups are deleted while the list is read',
		ALL,
		pagesOf([['a', 'b'], { total: 5, total_pages: 3 }], [['d', 'e'], { total: 4, total_pages: 2 }]),
		['a', 'b', 'd', 'e'],
		[
			'The number of groups changed while the list was read, so some may be missing. Run the node again to get all of them.',
		],
	],
])('A list %s', async (_, parameters, reply, guids, hints) => {
	await withRecorder(reply, async (recorder) => {
		const result = await run(recorder, parameters);
		expect(result.items(NODE).map((item) => item.json.guid)).toEqual(guids);
		expect(hintsOf(result)).toEqual(hints);
	});
});

test('Return All fails after more than three empty pages in a row', async () => {
	const meta = { total: 99, total_pages: 50 };
	const reply = pagesOf([['a', 'b'], meta], ...Array<Page>(9).fill([[], meta]));
	await withRecorder(reply, async (recorder) => {
		const { message: sentence } = await errorOf(recorder, ALL);
		expect(sentence).toBe('CometChat sent nothing new, so the list stopped after 2 groups');
	});
});

test('Messages are sorted by time, then by ID', async () => {
	const data = [
		{ id: '7', sentAt: 30 },
		{ id: '9', sentAt: 10 },
		{ id: '10', sentAt: 20 },
		{ id: '8', sentAt: 20 },
	];
	const reply: Reply = (response) => json(response, 200, { data, meta: {} });
	await withRecorder(reply, async (recorder) => {
		const parameters = message('list', { groupId: 'lunch', limit: 4 });
		expect((await jsonOf(recorder, parameters)).map(({ id }) => id)).toEqual(['7', '10', '8', '9']);
	});
});

test.each<[INodeParameters[string], string[]]>([
	['={{ $json.name }}', ["No item has the field 'nme'"]],
	[['Name', 'ownr'], ["No item has the fields 'Name', 'ownr'"]],
])('A hint names selected fields that no item has: %j', async (fields, hints) => {
	const input = [{ name: 'name' }, { name: 'nme' }];
	// Different searches, because equal requests have a hint of their own
	const filters = { searchKey: '={{ ["a", "e"][$itemIndex] }}' };
	const result = await run(sandbox(), list({ output: 'fields', fields, filters }), { input });
	expect(hintsOf(result)).toEqual(hints);
});

test.each([
	[49, 1],
	[50, 1],
	[51, 2],
	[100, 2],
	[101, 3],
])(
	'A Limit of %i with pages of 50 needs %i requests, and no page in advance',
	async (limit, count) => {
		const pagination = { total: 1_000, total_pages: 20, count: 50, per_page: 50 };
		const reply: Reply = (response, { url }) => {
			const page = Number(new URLSearchParams(url.split('?')[1]).get('page'));
			const data = Array.from({ length: 50 }, (_, index) => ({ guid: `g${page}-${index}` }));
			json(response, 200, { data, meta: { pagination: { ...pagination, current_page: page } } });
		};
		await withRecorder(reply, async (recorder) => {
			const items = await jsonOf(recorder, list({ limit, options: { perPage: 50 } }));
			// A page in advance would be requested at once
			await wait(20);
			expect([items.length, recorder.requests.length]).toEqual([limit, count]);
		});
	},
);

test.each([
	['a message', {}, ['101', '102']],
	['a deleted message, which the list leaves out', { deletedAt: 1_760_000_000 }, ['102', '103']],
])(
	'Include First Message counts %s toward the Limit only if it is returned',
	async (_, fields, ids) => {
		const reply: Reply = (response, { url }) => {
			if (!url.includes('thread'))
				json(response, 200, { data: { id: '101', ...fields, data: {} } });
			else json(response, 200, { data: ['102', '103', '104'].map((id) => ({ id, data: {} })) });
		};
		await withRecorder(reply, async (recorder) => {
			const options = { includeFirst: true };
			const parameters = message('listReplies', { messageId: '101', limit: 2, options });
			expect((await jsonOf(recorder, parameters)).map(({ id }) => id)).toEqual(ids);
		});
	},
);
