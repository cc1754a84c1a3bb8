import type { FetchPage } from '../../../../nodes/CometChat/results/numberedPages';
import { readList } from '../../../../nodes/CometChat/polling/groupList';
import { StoppedError } from '../../../../nodes/CometChat/transport/limiter';
import type { Page } from '../../../../nodes/CometChat/transport/response';

/** A page with these groups, and what the service says of the whole list. */
const pageOf = (guids: unknown[], pagination: object = {}): Page => ({
	data: guids.map((guid) => ({ guid: guid as string })),
	meta: { pagination: { ...pagination } },
});

/** Reads from a service that sends these responses, one after the other; a text is an error. */
async function read(
	responses: Array<Page | Error>,
	isEnd: (guid: unknown) => boolean = () => false,
) {
	const asked: Array<[number: number, perPage: number]> = [];
	const fetchPage: FetchPage = async (number, perPage) => {
		const response = responses[asked.push([number, perPage]) - 1];
		if (response instanceof Error) throw response;
		return response;
	};
	const { groups } = await readList(fetchPage, ({ guid }) => isEnd(guid));
	return {
		guids: [...groups.keys()],
		asked: asked.map(([number]) => number),
		perPage: asked[0][1],
	};
}

const more = { total_pages: 9 };

test('reads page after page to the end, each of the greatest length', async () => {
	const pages = [pageOf(['a', 'b'], more), pageOf(['c'], more), pageOf(['d'], { total_pages: 3 })];
	expect(await read(pages)).toEqual({
		guids: ['a', 'b', 'c', 'd'],
		asked: [1, 2, 3],
		perPage: 1_000,
	});
});

test('an empty list is one request', async () => {
	expect(await read([pageOf([])])).toMatchObject({ guids: [], asked: [1] });
});

test('ends where what follows is of no use', async () => {
	const pages = [pageOf(['a', 'b'], more), pageOf(['c', 'd'], more)];
	expect(await read(pages, (guid) => guid === 'd')).toMatchObject({ asked: [1, 2] });
	// Only the last group of a page tells
	expect(await read(pages, (guid) => guid !== 'b')).toMatchObject({ asked: [1, 2] });
});

test('gives a group that comes again once, as it came last, and leaves out one without a GUID', async () => {
	const pages = [pageOf(['a', 7, undefined], more), pageOf([7, 'c'], { total_pages: 2 })];
	expect(await read(pages)).toMatchObject({ guids: ['a', '7', 'c'], asked: [1, 2] });
});

test('counts the groups of earlier pages when only the total tells how many there are', async () => {
	const pages = [pageOf(['a', 'b'], { total: 3 }), pageOf(['c'], { total: 3, per_page: 2 })];
	expect(await read(pages)).toMatchObject({ guids: ['a', 'b', 'c'], asked: [1, 2] });
});

test('begins again when the total becomes smaller, and only then', async () => {
	const three = pageOf(['a', 'b'], { total: 3, ...more });
	const two = pageOf(['c'], { total: 2, total_pages: 2 });
	const four = pageOf(['c', 'd'], { total: 4, total_pages: 2 });
	expect(await read([three, two, three, four])).toMatchObject({
		guids: ['a', 'b', 'c', 'd'],
		asked: [1, 2, 1, 2],
	});
	// A page that says nothing of it is no shorter list
	const silent = pageOf(['c'], more);
	expect(await read([three, silent, two, three, four])).toMatchObject({ asked: [1, 2, 3, 1, 2] });
});

test('begins again at a page with nothing new, unless it is the last', async () => {
	const first = pageOf(['a', 'b'], more);
	const pages = [first, first, first, pageOf(['b'], { total_pages: 2 })];
	expect(await read(pages)).toMatchObject({ guids: ['a', 'b'], asked: [1, 2, 1, 2] });
});

test('gives up when the list is another one each of five times', async () => {
	const first = pageOf(['a'], more);
	await expect(read(Array.from({ length: 10 }, () => first))).rejects.toMatchObject({
		message: 'The list of groups changed each time it was read',
		description:
			"Wait for the next poll: nothing is lost. If it happens again, add 'Filters' to make the list shorter.",
	});
});

test('says so when the time is up before the end of the list', async () => {
	const pages = [pageOf(['a', 'b'], more), new StoppedError()];
	await expect(read(pages)).rejects.toMatchObject({
		message: 'The list of groups is too long to be read in one poll',
		description: expect.stringContaining('over after 2 groups.'),
	});
	await expect(read([new StoppedError()])).rejects.toBeInstanceOf(StoppedError);
	const failure = new Error('Ouch');
	await expect(read([pageOf(['a'], more), failure])).rejects.toBe(failure);
});
