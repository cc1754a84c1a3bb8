import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { errorItem, toNodeError } from './errors';
import { MAX_IN_FLIGHT, Pace, StoppedError } from './pace';
import { redactor } from './redact';
import type { Channel } from './send';
import { CREDENTIAL } from './send';
import { collection, patienceOf, settingsOf } from './settings';

export type ItemContext = IExecutePaginationFunctions;

/** What the description says about the request, and n8n's own request options. */
export type Template = DeclarativeRestApiSettings.ResultOptions;

/** A pagination function of n8n: the one place where a declarative node may decide what is sent. */
export type Pagination = (this: ItemContext, template: Template) => Promise<INodeExecutionData[]>;

/**
 * The work for one item. What it has given to `keep` is not lost when it fails later on.
 *
 * @throws anything that `toNodeError` can put into words
 */
export type Work = (
	context: ItemContext,
	template: Template,
	channel: Channel,
	keep: (entities: IDataObject[]) => void,
) => Promise<void>;

interface Run {
	pace: Pace;
	/** Index of the item that was started last */
	lastIndex: number;
}

const runs = new WeakMap<object, Run>();

/** n8n's signal that the user stopped the execution; only production contexts have one. */
function cancelSignal(context: ItemContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * State that all items of a run share. n8n starts the items in order, so an index that does not
 * grow is another run of the same execution data: "Retry on Fail".
 */
function runOf(context: ItemContext, itemIndex: number): Run {
	const key = context.getExecuteData();
	let run = runs.get(key);
	if (!run || itemIndex <= run.lastIndex) {
		run = { pace: new Pace(MAX_IN_FLIGHT, cancelSignal(context)), lastIndex: itemIndex };
		runs.set(key, run);
	}
	run.lastIndex = itemIndex;
	return run;
}

/** n8n's pause between two batches, in milliseconds; NaN and 0 mean that there is none. */
function batchIntervalOf(context: ItemContext): number {
	return Number(context.getNodeParameter('requestOptions.batching.batch.batchInterval', 0));
}

/**
 * How many items n8n is about to start. As the tool of an agent the node is given the agent's data
 * here, so the number may be too high.
 */
function itemCountOf(context: ItemContext): number {
	const { main, ai_tool: tool } = context.getExecuteData().data;
	return context.getNode().executeOnce ? 1 : ((main ?? tool)?.[0]?.length ?? 1);
}

/**
 * Waits until n8n has started every item of the run. With its "Batching" n8n sleeps between items
 * and looks at what became of them only after the last one: an item that is rejected sooner is an
 * unhandled rejection, which can end the whole process.
 */
async function allStarted(context: ItemContext, run: Run): Promise<void> {
	// Only n8n's runner for declarative nodes does that, and only it gives this function
	if (!('makeRoutingRequest' in context)) return;
	const interval = batchIntervalOf(context);
	const count = itemCountOf(context);
	let before = -1;
	// While n8n is at it, an interval that begins after one of n8n's ends after it too
	while (interval > 0 && run.lastIndex + 1 < count && run.lastIndex > before) {
		before = run.lastIndex;
		await sleep(interval + 1);
	}
}

/**
 * Makes an operation out of the work for one item: what all operations have in common.
 * It pairs every item with its input, keeps the API key out of errors, and on "Continue" gives back
 * what was fetched and one item that says why the rest is missing. When the workflow is to stop
 * instead, no further item is sent.
 */
export function operation(work: Work): Pagination {
	return async function (template) {
		const itemIndex = this.getItemIndex();
		const run = runOf(this, itemIndex);
		const { pace } = run;
		const pairedItem = { item: itemIndex };
		const items: INodeExecutionData[] = [];
		const keep = (entities: IDataObject[]) => {
			for (const json of entities) items.push({ json, pairedItem });
		};
		const credentials = await this.getCredentials(CREDENTIAL);
		try {
			const patience = patienceOf(collection(this, 'options', 'Options'));
			const settings = settingsOf(template);
			await work(this, template, { context: this, credentials, settings, pace, patience }, keep);
			return items;
		} catch (error) {
			// The run ends with the error of another item, or the user stopped it: then n8n says so, and
			// would call it a failure if there were an error
			if (error instanceof StoppedError) return [];
			const nodeError = toNodeError(this.getNode(), error, {
				redact: redactor(credentials.apiKey),
				itemIndex,
				addition: keptText(items.length, this.continueOnFail()),
			});
			if (!this.continueOnFail()) {
				pace.abort();
				await allStarted(this, run);
				throw nodeError;
			}
			// n8n's own error item would lose the input's fields and the pairing
			return [...items, { json: errorItem(nodeError), pairedItem }];
		}
	};
}

function keptText(count: number, continues: boolean): string | undefined {
	if (count === 0) return undefined;
	return continues
		? `The ${count} items that came before are kept`
		: `${count} items had come before: to keep them, set "On Error" in the node's Settings to continue`;
}
