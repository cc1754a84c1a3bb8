import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Operation, Result, Values } from '../description/types';
import { DescribedError } from '../errors/inputError';
import { toNodeError } from '../errors/nodeError';
import { ERRORS_BY_CODE, type Explanation } from '../errors/table';
import { prefixUids } from '../errors/serviceWords';
import { formatCount, joinSentences, formatError } from '../errors/formatText';
import { hasUnknownOutcome } from '../transport/failure';
import { StoppedError } from '../transport/limiter';
import type { Redact } from '../transport/redact';
import { isObject } from '../transport/json';
import { isEmpty } from '../values/convert';
import { getFieldLabels } from '../values/shownFields';
import { isTool, type Item, type Run } from './run';

/** What entries of a list failed with is told in an error up to so many times. */
const MAX_NAMED = 10;

/** Whether a field, or one in a collection, holds something. */
function isFilled(values: Values, name: string): boolean {
	return [values, ...Object.values(values).filter(isObject)].some(
		(fields) => !isEmpty(fields[name]),
	);
}

/** Fields of an input item that hold a UID, as this node and the triggers name them. */
const UID_FIELDS = ['uid', 'userId', 'sender', 'flaggedBy', 'owner', 'by'];

/** Explains an unknown GUID if the input item contains the same ID as a user's. */
function explainUidAsGuid(
	{ context, index }: Item,
	{ groupId }: Values,
): Record<string, Explanation> {
	// An agent's tool has no input item
	const items = isTool(context) ? [] : [context.getInputData()].flat();
	const json = items[index]?.json ?? {};
	const known = json.receiverType === 'user' ? [...UID_FIELDS, 'receiver'] : UID_FIELDS;
	const name = known.find((each) => isId(groupId) && json[each] === groupId);
	if (name === undefined) return {};
	const lookFor = `it is a user's ID: ${name} in the input item`;
	const unknown = ERRORS_BY_CODE.ERR_GUID_NOT_FOUND;
	return { ERR_GUID_NOT_FOUND: { ...unknown, check: [['groupId', lookFor]] } };
}

const isId = (value: unknown) => typeof value === 'string' && value !== '';

/** What came of one item. */
export class ItemResults {
	redact: Redact | undefined;

	/** Of the parameters, as soon as they are read */
	values: Values = {};

	private readonly collected: INodeExecutionData[] = [];

	/** Entries of a list that failed, by the words or the error that they failed with */
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
			const reason = known?.reason ?? this.reasonOf(failure);
			if (this.continues) this.addFailed(entity, reason, prefixUids([entry], reason));
			else if (known) known.entries.push(entry);
			else this.failures.set(failure, { reason, entries: [entry] });
		}
	}

	private reasonOf(failure: unknown): string {
		return typeof failure === 'string' ? failure : formatError(this.createNodeError(failure));
	}

	/** @throws what says which entries of a list failed, when the run does not continue */
	getItems(): INodeExecutionData[] {
		if (this.failures.size > 0) throw this.partialError();
		return this.collected;
	}

	/**
	 * @throws n8n's error, unless the run continues; what was thrown, when the run was stopped
	 */
	handleError(error: unknown, run: Run): INodeExecutionData[] {
		if (error instanceof StoppedError || run.isCancelled) throw error;
		const nodeError = this.createNodeError(error, this.keptText());
		if (this.continues) {
			// n8n's own error item would lose the input's fields and the pairing
			this.collect({ error: formatError(nodeError) });
			return this.collected;
		}
		// Before the next change of the same target begins
		run.limiter.stop();
		if (isTool(this.item.context)) nodeError.message = formatError(nodeError);
		throw nodeError;
	}

	private get continues(): boolean {
		return this.item.context.continueOnFail();
	}

	private createNodeError(error: unknown, addition?: string): Error {
		const { redact = (value) => value } = this;
		return toNodeError(this.item.context.getNode(), error, {
			redact,
			labels: getFieldLabels(this.operation.fields, this.values),
			isFilled: (name) => isFilled(this.values, name),
			change: this.operation.change,
			own: { ...explainUidAsGuid(this.item, this.values), ...this.operation.errors },
			itemIndex: this.item.index,
			addition,
		});
	}

	private collect(json: IDataObject): void {
		const { redact = (value) => value } = this;
		this.collected.push({ json: redact(json), pairedItem: { item: this.item.index } });
	}

	/** Adds an item for an entry that failed. With 'Raw', the item keeps the error as CometChat sent it. */
	private addFailed(thing: IDataObject, reason: string, named: string): void {
		if (this.item.context.getNode().onError === 'continueErrorOutput') {
			// n8n sends only items with nothing but `error` to the error output
			this.collect({ error: named });
		} else this.collect({ ...thing, error: thing.error ?? reason });
	}

	/** What becomes of what came before the error. */
	private keptText(): string | undefined {
		const { succeeded, continues } = this;
		if (succeeded === 0) return undefined;
		if (this.operation.change) return `${formatCount(succeeded)} succeeded`;
		const items =
			succeeded === 1
				? 'The item fetched before this is'
				: `The ${formatCount(succeeded)} items fetched before this are`;
		return continues
			? `${items} kept`
			: `${items} lost: to keep what was fetched, set 'On Error' in the node's Settings to continue`;
	}

	/** What all entries of a list failed with together is the error. */
	private partialError(): unknown {
		const { failures, succeeded, operation } = this;
		const [[first]] = failures;
		if (succeeded === 0 && failures.size === 1 && typeof first !== 'string') return first;
		const all = [...failures];
		const unknown = listEntries(all.filter(([failure]) => hasUnknownOutcome(failure)));
		const refused = listEntries(all.filter(([failure]) => !hasUnknownOutcome(failure)));
		const sentences = all
			.slice(0, MAX_NAMED)
			.map(([, { entries, reason }]) => prefixUids(entries, reason));
		const more = listEntries(all.slice(MAX_NAMED)).length;
		const words = formatPartialFailure(operation, refused.length, unknown.length, succeeded);
		return new DescribedError(
			words,
			joinSentences([...sentences, more > 0 ? `${formatCount(more)} more failed` : undefined]),
		);
	}
}

/** Entries of a list that failed with the same. */
interface FailedEntries {
	entries: string[];
	reason: string;
}

const listEntries = (failures: Array<[unknown, FailedEntries]>): string[] =>
	failures.flatMap(([, { entries }]) => entries);

/** E.g. "2 of 5 users could not be added, and 1 may have been added". */
function formatPartialFailure(
	{ response }: Operation,
	refused: number,
	unknown: number,
	succeeded: number,
): string {
	const total = refused + unknown + succeeded;
	if (!('each' in response)) return `${refused + unknown} of ${total} failed`;
	const { entry, failedText: failed, unknownText: maybe } = response;
	if (total === 1) return `The ${entry} ${refused === 1 ? failed : maybe}`;
	const [first, second] = [
		{ count: refused, words: failed },
		{ count: unknown, words: maybe },
	].filter(({ count }) => count > 0);
	const text = `${formatCount(first.count)} of ${formatCount(total)} ${entry}s ${first.words}`;
	return second ? `${text}, and ${formatCount(second.count)} ${second.words}` : text;
}
