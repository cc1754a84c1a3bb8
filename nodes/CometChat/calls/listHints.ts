import { formatNumber } from '../helpers/formatText';
import type { ListResponseSettings } from '../types';
import { readPositivePaginationNumber } from './numberedPages';
import type { PageWithItemsWithinLimit } from './pages';
import { MAX_PER_MODERATION_PAGE, type PagedListSettings } from './paging';

/** Requested part of a list, and the list's name in hints. */
interface CountedList extends Pick<PagedListSettings, 'firstPageNumber'> {
	plural: string;
	pagedBy: ListResponseSettings['pagedBy'];
	limit: number;
}

/** Counts a list's pages and items to create hints, e.g. about items missing from the output. */
export class ListCounter {
	/** Number of the list's items in the output. With 'Pages', these items are inside the pages. */
	count = 0;

	private pages = 0;

	private latest?: PageWithItemsWithinLimit;

	private total = 0;

	/**
	 * True if a page reports a lower total than the page before. The list has shrunk, or it has grown and CometChat
	 * answered parallel requests out of order.
	 */
	private hasLowerTotal = false;

	private isComplete = false;

	constructor(private readonly range: CountedList) {}

	addPage(part: PageWithItemsWithinLimit): void {
		this.latest = part;
		this.pages++;
		this.count += part.items.length;
		const total = readPositivePaginationNumber(part.page, 'total') ?? this.total;
		this.hasLowerTotal ||= total < this.total;
		this.total = total;
	}

	/** Records that the list ended without an error. */
	recordEndWithoutError(): void {
		this.isComplete = true;
	}

	get hints(): string[] {
		const { count, pages, latest } = this;
		const { plural, pagedBy, limit, firstPageNumber } = this.range;
		const { overLimit = 0, page } = latest ?? {};
		const isBeyondEnd =
			this.isComplete && count === 0 && firstPageNumber !== undefined && firstPageNumber > 1;
		const isCut =
			pagedBy === 'queue' && count < limit && (page?.data.length ?? 0) >= MAX_PER_MODERATION_PAGE;
		const hints: Array<[isNeeded: boolean, hint: string]> = [
			[
				this.hasLowerTotal,
				`The number of ${plural} changed while the list was read, so some may be missing. Run the node again to get all of them.`,
			],
			[
				firstPageNumber !== undefined && overLimit > 0,
				`Limit left out ${formatNumber(overLimit)} of the ${plural} on page ${(firstPageNumber ?? 1) + pages - 1}. Set Limit to a multiple of Per Page.`,
			],
			[isBeyondEnd, `Page ${firstPageNumber} is beyond the last page`],
			[
				isCut,
				`CometChat sent ${formatNumber(count)} ${plural} from the queue and does not say how to get more, so there may be more. Review some of these, then list the queue again.`,
			],
		];
		return hints.flatMap(([isNeeded, hint]) => (isNeeded ? hint : []));
	}
}
