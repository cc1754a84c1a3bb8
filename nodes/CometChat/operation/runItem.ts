import type {
	DeclarativeRestApiSettings,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { ErrorContext } from '../errors/nodeError';
import { toNodeError, wholeText } from '../errors/nodeError';
import { DescribedError } from '../errors/describedError';
import { StoppedError } from '../transport/limiter';
import type { Redact } from '../transport/redact';
import type { RequestSettings } from '../transport/send';
import { CREDENTIAL } from '../transport/send';
import { carryOut } from './carryOut';
import { labelsOf } from './labels';
import { count } from './lists';
import { Outcomes } from './outcomes';
import { RequestReader } from './request';
import { retryPolicyOf } from './retryPolicy';
import type { ItemContext, Run } from './runState';
import { runOf } from './runState';
import type { Operation } from './types';
import { toInteger } from './values';

/** What the description says about the request, and n8n's own request options. */
export type Template = DeclarativeRestApiSettings.ResultOptions;

/** A pagination function of n8n: the one place where a declarative node may decide what is sent. */
export type Pagination = (this: ItemContext, template: Template) => Promise<INodeExecutionData[]>;

/**
 * Most items that one input item may return through n8n's RoutingNode, which agents and older
 * versions use: it passes them as arguments of one function call, and that overflows its stack
 * somewhere above 120,000.
 */
const MAX_ITEMS_OF_ROUTING = 100_000;

/** n8n's own time limit for a request of a declarative node, in milliseconds. */
const DEFAULT_TIMEOUT = 300_000;

/** Longest timer of Node.js, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Entries of a list that failed are named in an error up to so many. */
const MAX_NAMED = 10;

/**
 * Makes the function that n8n calls for each item. It pairs every item with its input, keeps the API
 * key out of items and errors, and on "Continue" returns what was fetched and one item that says why
 * the rest is missing. When the workflow is to stop instead, no further item is sent.
 */
export function runItem(operation: Operation): Pagination {
	const labels = labelsOf(operation.fields);
	return async function (template) {
		const run = runOf(this);
		if (run.isOver) return [];
		return await run.during(async () => {
			const credentials = await this.getCredentials(CREDENTIAL);
			const redact = run.redactorFor(credentials.apiKey);
			const { change } = operation;
			const words = { redact, labels, hasSettings: true, change };
			return await new ItemRun(operation, this, run, credentials, words).items(template);
		});
	};
}

class ItemRun {
	private readonly collected: INodeExecutionData[] = [];

	private readonly failures: string[] = [];

	private readonly redact: Redact;

	constructor(
		private readonly operation: Operation,
		private readonly context: ItemContext,
		private readonly run: Run,
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly words: ErrorContext,
	) {
		this.redact = words.redact;
	}

	async items(template: Template): Promise<INodeExecutionData[]> {
		const { context, run } = this;
		try {
			await this.work(template);
			if (this.failures.length > 0) throw this.partialError();
			return this.collected;
		} catch (error) {
			// The run ends with the error of another item, or the user stopped it: then n8n says so, and
			// would call it a failure if there were an error
			if (error instanceof StoppedError || run.isCancelled) return [];
			const nodeError = toNodeError(context.getNode(), error, {
				...this.words,
				itemIndex: context.getItemIndex(),
				addition: this.keptText(),
			});
			if (context.continueOnFail()) {
				// n8n's own error item would lose the input's fields and the pairing
				this.collect([{ error: wholeText(nodeError) }]);
				return this.collected;
			}
			run.fail();
			await allStarted(context, run);
			if (isTool(context)) nodeError.message = wholeText(nodeError);
			throw nodeError;
		}
	}

	private async work(template: Template): Promise<void> {
		const { context, operation, run, credentials } = this;
		const reader = new RequestReader(
			(name, fallback) => context.getNodeParameter(name, fallback),
			context.getTimezone(),
		);
		const { request, values } = reader.of(operation);
		const itemIndex = context.getItemIndex();
		const limiter = run.limiter;
		const connection = {
			context,
			credentials,
			settings: settingsOf(template.options as IHttpRequestOptions),
			limiter,
			retry: retryPolicyOf(values.options),
			order: itemIndex,
		};
		await carryOut(operation.response, {
			request,
			values,
			connection,
			itemIndex,
			outcomes: this.isRepeatable ? run.outcomes : new Outcomes(),
			maxItems: 'makeRoutingRequest' in context ? MAX_ITEMS_OF_ROUTING : Infinity,
			keep: (items) => this.collect(items),
			keepFailed: (item, reason) => this.collectFailed(item, reason),
		});
	}

	/** Whether n8n may run all items again. The calls of an agent are calls of their own. */
	private get isRepeatable(): boolean {
		return this.context.getNode().retryOnFail === true && !isTool(this.context);
	}

	private collect(items: IDataObject[]): void {
		const pairedItem = { item: this.context.getItemIndex() };
		for (const json of items) this.collected.push({ json: this.redact(json), pairedItem });
	}

	private collectFailed(item: IDataObject, reason: string): void {
		const { context } = this;
		if (!context.continueOnFail()) this.failures.push(reason);
		// n8n takes nothing but an item with a lone `error` to the error output
		else if (context.getNode().onError === 'continueErrorOutput') this.collect([{ error: reason }]);
		else this.collect([item]);
	}

	/** What becomes of what came before the error. */
	private keptText(): string | undefined {
		const kept = this.collected.length;
		if (kept === 0) return undefined;
		if (this.operation.change) return `${count(kept)} succeeded`;
		const items =
			kept === 1
				? 'The item fetched before this is'
				: `The ${count(kept)} items fetched before this are`;
		return this.context.continueOnFail()
			? `${items} kept`
			: `${items} lost: to keep what was fetched, set 'On Error' in the node's Settings to continue`;
	}

	private partialError(): DescribedError {
		const { failures, collected } = this;
		const named = failures.slice(0, MAX_NAMED).join('; ');
		const more = failures.length > MAX_NAMED ? `; and ${failures.length - MAX_NAMED} more` : '';
		const { response } = this.operation;
		const words = 'each' in response ? response.failed : 'failed';
		return new DescribedError(
			`${failures.length} of ${failures.length + collected.length} ${words}`,
			`${named}${more}.`,
		);
	}
}

/** @returns n8n's request options (timeout, proxy, certificates), without what the request itself sets */
function settingsOf({
	timeout,
	proxy,
	skipSslCertificateValidation,
}: IHttpRequestOptions): RequestSettings {
	return {
		timeout:
			timeout === undefined ? DEFAULT_TIMEOUT : toInteger('Timeout', timeout, 1, MAX_TIMEOUT),
		...(proxy === undefined ? {} : { proxy }),
		...(skipSslCertificateValidation ? { skipSslCertificateValidation } : {}),
	};
}

/** Whether an AI agent runs the node: it sees only the message of an error. */
function isTool(context: ItemContext): boolean {
	return context.getNode().type.endsWith('Tool');
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
	const items = itemCountOf(context);
	let before = -1;
	// While n8n is at it, an interval that begins after one of n8n's ends after it too
	while (interval > 0 && run.lastIndex + 1 < items && run.lastIndex > before) {
		before = run.lastIndex;
		await sleep(interval + 1);
	}
}
