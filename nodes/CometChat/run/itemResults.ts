import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Operation, Result, Values } from '../description/types';
import { DescribedError } from '../errors/inputError';
import { toNodeError } from '../errors/nodeError';
import { ERRORS_BY_CODE, type Explanation } from '../errors/table';
import { prefixUids } from '../errors/serviceWords';
import { formatCount, formatError, joinSentences } from '../errors/formatText';
import { hasUnknownOutcome } from '../transport/failure';
import { StoppedError } from '../transport/limiter';
import type { Redact } from '../transport/redact';
import { isObject } from '../transport/json';
import { isEmpty } from '../values/convert';
import { getFieldLabels } from '../values/request';
import { isTool, type Item, type Run } from './run';

/** Maximum number of distinct failures to list in one error. */
const MAX_LISTED_FAILURES = 10;

/** List entries that failed for the same reason. */
interface FailedEntries {
	entries: string[];
	reason: string;
}

/** Collects an input item's output, and converts failures to n8n errors. */
export class ItemResults {
	/** Redacts the API key. Set as soon as the credential has been read. */
	redact: Redact = (value) => value;

	/** Parameter values. Set as soon as the parameters have been read. */
	values: Values = {};

	private readonly collected: INodeExecutionData[] = [];

	/** Failed list entries, keyed by CometChat's message or by their batch's error */
	private readonly failures = new Map<unknown, FailedEntries>();

	private succeeded = 0;

	constructor(
		private readonly operation: Operation,
		private readonly item: Item,
	) {}

	add(results: Result[]): void {
		for (const { entity, entry = '', failure } of results) {
			if (failure === undefined) {
				this.collect(entity);
				this.succeeded++;
				continue;
			}
			const known = this.failures.get(failure);
			const reason = known?.reason ?? this.formatFailure(failure);
			if (this.isContinuing) this.addFailed(entity, reason, prefixUids([entry], reason));
			else if (known) known.entries.push(entry);
			else this.failures.set(failure, { reason, entries: [entry] });
		}
	}

	/** @throws the batch's error or an error about all failed entries, unless the run continues on errors */
	getItems(): INodeExecutionData[] {
		if (this.failures.size > 0) throw this.createPartialError();
		return this.collected;
	}

	/**
	 * Handles the error that ended the item.
	 *
	 * @returns the output with the error as the last item, if the run continues on errors
	 * @throws an n8n error if the run doesn't continue, or the original error if the run was stopped
	 */
	handleError(error: unknown, run: Run): INodeExecutionData[] {
		if (error instanceof StoppedError || run.isCanceled) throw error;
		const nodeError = this.createNodeError(error, this.describeSuccesses());
		if (this.isContinuing) {
			// An error item created by n8n would lose the input item's fields and the item pairing
			this.collect({ error: formatError(nodeError) });
			return this.collected;
		}
		// Stop the run before the next change to the same target starts
		run.limiter.stop();
		if (isTool(this.item.context)) nodeError.message = formatError(nodeError);
		throw nodeError;
	}

	/** True if the node's 'On Error' setting lets the run continue. */
	private get isContinuing(): boolean {
		return this.item.context.continueOnFail();
	}

	private createNodeError(error: unknown, addition?: string): Error {
		return toNodeError(this.item.context.getNode(), error, {
			redact: this.redact,
			labels: getFieldLabels(this.operation.fields, this.values),
			isFilled: (name) => isFilled(this.values, name),
			change: this.operation.change,
			own: { ...explainUidAsGuid(this.item, this.values), ...this.operation.errors },
			itemIndex: this.item.index,
			addition,
		});
	}

	private collect(json: IDataObject): void {
		this.collected.push({ json: this.redact(json), pairedItem: { item: this.item.index } });
	}

	private formatFailure(failure: unknown): string {
		return typeof failure === 'string' ? failure : formatError(this.createNodeError(failure));
	}

	/** Adds an item for a failed entry. If 'Output' is 'Raw', the item keeps CometChat's error object. */
	private addFailed(entity: IDataObject, reason: string, reasonWithUid: string): void {
		// n8n sends an item to the error output only if `error` is the item's only field
		const hasErrorOutput = this.item.context.getNode().onError === 'continueErrorOutput';
		this.collect(
			hasErrorOutput ? { error: reasonWithUid } : { ...entity, error: entity.error ?? reason },
		);
	}

	/** Describes the results that were fetched before an error, and says whether the output includes them. */
	private describeSuccesses(): string | undefined {
		const { succeeded, isContinuing } = this;
		if (succeeded === 0) return undefined;
		if (this.operation.change) return `${formatCount(succeeded)} succeeded`;
		const items =
			succeeded === 1
				? 'The item fetched before the error is'
				: `The ${formatCount(succeeded)} items fetched before the error are`;
		return isContinuing
			? `${items} kept`
			: `${items} lost. To keep such items, set 'On Error' to 'Continue' in the node's Settings`;
	}

	/** Creates an error about all failed entries, or returns the error that all entries share. */
	private createPartialError(): unknown {
		const all = [...this.failures];
		const [[first]] = all;
		if (this.succeeded === 0 && all.length === 1 && typeof first !== 'string') return first;
		const unknown = countEntries(all.filter(([failure]) => hasUnknownOutcome(failure)));
		const refused = countEntries(all) - unknown;
		const sentences = all
			.slice(0, MAX_LISTED_FAILURES)
			.map(([, { entries, reason }]) => prefixUids(entries, reason));
		const more = countEntries(all.slice(MAX_LISTED_FAILURES));
		if (more > 0) sentences.push(`${formatCount(more)} more failed`);
		return new DescribedError(
			formatPartialFailure(this.operation, refused, unknown, this.succeeded),
			joinSentences(sentences),
		);
	}
}

function countEntries(failures: Array<[unknown, FailedEntries]>): number {
	return failures.reduce((count, [, { entries }]) => count + entries.length, 0);
}

/** Formats an error message, e.g. "2 of 5 users could not be added, and 1 may have been added" */
function formatPartialFailure(
	{ response }: Operation,
	refused: number,
	unknown: number,
	succeeded: number,
): string {
	const total = refused + unknown + succeeded;
	if (!('each' in response)) return `${refused + unknown} of ${total} failed`;
	const { entry, failedText, unknownText } = response;
	const [first, second] = [
		{ count: refused, text: failedText },
		{ count: unknown, text: unknownText },
	].filter(({ count }) => count > 0);
	if (total === 1) return `The ${entry} ${first.text}`;
	const text = `${formatCount(first.count)} of ${formatCount(total)} ${entry}s ${first.text}`;
	return second ? `${text}, and ${formatCount(second.count)} ${second.text}` : text;
}

/** True if a field has a value, either at the top level or inside a collection. */
function isFilled(values: Values, name: string): boolean {
	return [values, ...Object.values(values).filter(isObject)].some(
		(fields) => !isEmpty(fields[name]),
	);
}

/** Names of UID fields in the output of this package's nodes. */
const UID_FIELDS = ['uid', 'userId', 'sender', 'flaggedBy', 'owner', 'by'];

/** Explains an unknown GUID if the same ID appears in the input item as a user's UID. */
function explainUidAsGuid(
	{ context, index }: Item,
	{ groupId }: Values,
): Record<string, Explanation> {
	if (isTool(context) || isEmpty(groupId)) return {};
	const json = [context.getInputData()].flat()[index]?.json ?? {};
	const uidFields = json.receiverType === 'user' ? [...UID_FIELDS, 'receiver'] : UID_FIELDS;
	const name = uidFields.find((field) => json[field] === groupId);
	if (name === undefined) return {};
	const lookFor = `this is a user's ID, from the field ${name} of the input item`;
	const unknown = ERRORS_BY_CODE.ERR_GUID_NOT_FOUND;
	return { ERR_GUID_NOT_FOUND: { ...unknown, check: [['groupId', lookFor]] } };
}
