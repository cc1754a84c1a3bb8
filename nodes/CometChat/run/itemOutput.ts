import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type {
	BatchResponseSettings,
	DownloadFilesResponseSettings,
	Operation,
	UnconvertedResult,
	ParameterValues,
} from '../types';
import { DescribedError } from '../errors/describedErrors';
import { toNodeError } from '../errors/nodeError';
import type { Explanation } from '../errors/table';
import { getAdviceIfCometChatIgnoredFiles } from '../errors/fileErrors';
import { prefixReasonWithEntries } from '../errors/refusal';
import { formatNumber, joinMessageAndDescription, joinSentences } from '../helpers/formatText';
import {
	StoppedError,
	unwrapFailedAttemptsError,
	requestMayHaveWorked,
} from '../transport/failure';
import type { Redact } from '../helpers/redact';
import { asObjectOrEmpty, valueToText } from '../helpers/json';
import { isNullishOrBlankOrEmptyList } from '../request/texts';
import { flattenValues, getLabelsByFieldName } from '../request/fieldTree';
import { readInputFilesParameter } from './inputFiles';
import type { ItemAccess, SharedRunState } from './run';

/** Maximum number of distinct failures to list in one error. */
const MAX_LISTED_FAILURES = 10;

/** Default name of the output field for a file, as in n8n's own nodes. */
const DEFAULT_BINARY_PROPERTY = 'data';

/** Entries that failed for the same reason. */
interface FailedEntries {
	entries: string[];
	reason: string;
	/** The first entry's failure */
	failure: unknown;
}

/** A result whose data is converted to the JSON that 'Output' specifies. */
interface OutputResult extends Pick<UnconvertedResult, 'entry' | 'failure' | 'file'> {
	json: IDataObject;
}

/** State of an input item, from which the item's output is created. */
export interface ItemState {
	/** Parameter values. Empty until the parameters have been read. */
	values: ParameterValues;
	/** Redacts the API key. Redacts nothing until the credential has been read. */
	redact: Redact;
	/** The credential's region. Undefined until the credential has been read. */
	region?: unknown;
	results: OutputResult[];
	/** Index of the earlier item that created an entity with this item's ID */
	creator?: number;
	/** Error that ended the execution of the item */
	error?: unknown;
}

/**
 * Creates the output items for an input item, or throws the item's error.
 *
 * @returns one item per result. If the run continues on errors, this includes failed results and, as the last item,
 * the error that ended the input item.
 * @throws the original error if the run was stopped. Throws an n8n error if the input item or one of its results
 * failed and the run doesn't continue on errors.
 */
export function createItemOutputOrThrow(
	run: SharedRunState,
	operation: Operation,
	item: ItemAccess,
	{ values, redact, region, results, creator, error: thrown }: ItemState,
): INodeExecutionData[] {
	const { context, index } = item;
	const hasFiles = readInputFilesParameter(operation, values).length > 0;
	const toError = (error: unknown, addition?: string) =>
		toNodeError(context.getNode(), error, {
			redact,
			region,
			labels: getLabelsByFieldName(operation.fields),
			isFilled: (name) =>
				!isNullishOrBlankOrEmptyList(flattenValues(operation.fields, values)[name]),
			changeWords: operation.changeWords,
			ownExplanations: {
				...operation.errors,
				...explainSharedId(operation, creator),
			},
			itemIndex: index,
			addition:
				joinSentences([hasFiles ? getAdviceIfCometChatIgnoredFiles(error) : undefined, addition]) ||
				undefined,
		});
	const isContinuing = context.continueOnFail();
	const explanations = new Map<unknown, string>();
	// The entries of a batch share their failure, so each failure is explained once
	const explain = (failure: unknown) => {
		const known =
			explanations.get(failure) ??
			(typeof failure === 'string' ? failure : joinMessageAndDescription(toError(failure)));
		explanations.set(failure, known);
		return known;
	};
	const failed = results.filter(({ failure }) => failure !== undefined);
	const failures = groupByReason(failed, explain);
	const succeeded = results.length - failed.length;
	const partial = isContinuing ? undefined : combineFailures(operation.response, failures, results);
	const error = thrown ?? partial;
	if (error instanceof StoppedError || (run.isCanceled && error instanceof Error)) throw error;
	const describeProgress = () =>
		joinSentences([
			describeSuccesses(operation, succeeded, isContinuing),
			describeItemState(run.outcomes.findOrCreateForItem(index).state, thrown),
		]) || undefined;
	const nodeError = error === undefined ? undefined : toError(error, describeProgress());
	if (nodeError && !isContinuing) {
		// Stop the run before the next change to the same entity starts
		run.limiter.stop();
		throw nodeError;
	}
	// n8n sends an item to the error output only if its JSON contains just `error` and the error's details
	const hasErrorOutput = failed.length > 0 && context.getNode().onError === 'continueErrorOutput';
	const toRow = ({ json, entry = '', failure }: OutputResult): IDataObject => {
		if (failure === undefined) return json;
		const reason = explain(failure);
		if (hasErrorOutput) return { error: prefixReasonWithEntries([entry], reason) };
		// CometChat's own error message doesn't say that an earlier request may have made the change
		if (requestMayHaveWorked(failure)) return { ...json, reason };
		// If 'Output' is 'Raw', CometChat's error object already contains the reason
		return json.error ? json : { ...json, reason: json.reason ?? reason };
	};
	const pairedItem = { item: index };
	const items = results.map((result): INodeExecutionData => {
		const json = redact(toRow(result));
		if (result.file === undefined) return { json, pairedItem };
		return { json, binary: toBinary(result.file, values, redact), pairedItem };
	});
	// With the error in `error` instead of `json.error`, the error output would lack the input item's fields
	if (nodeError)
		items.push({ json: redact({ error: joinMessageAndDescription(nodeError) }), pairedItem });
	return items;
}

/** Returns a file in the output field that the user chose, or in the default field. Redacts the file's name. */
function toBinary(file: IBinaryData, { options }: ParameterValues, redact: Redact): IBinaryKeyData {
	const { binaryProperty } = asObjectOrEmpty(options);
	return {
		[valueToText(binaryProperty) || DEFAULT_BINARY_PROPERTY]: {
			...file,
			fileName: redact(file.fileName),
		},
	};
}

/** Explains the error for a taken ID if an earlier item of the run created the entity with the ID. */
function explainSharedId(
	{ response, errors = {} }: Operation,
	creatorIndex: number | undefined,
): Record<string, Explanation> {
	if (creatorIndex === undefined || !('one' in response) || !response.existing) return {};
	const { code } = response.existing;
	const advice = `Item ${creatorIndex} created it (n8n counts items from 0). Give each item its own ID`;
	const message = `An earlier item of this run has the same ID`;
	return { [code]: { ...errors[code], message, advice } };
}

/** Describes how many results precede an error and, for a list, whether the output includes them. */
function describeSuccesses(
	{ response }: Operation,
	succeeded: number,
	isContinuing: boolean,
): string | undefined {
	if (succeeded === 0) return undefined;
	if (!('many' in response)) return `${formatNumber(succeeded)} succeeded`;
	const fetched = `Items fetched before the error: ${formatNumber(succeeded)}`;
	return isContinuing
		? `${fetched} (kept)`
		: `${fetched} (lost). To keep such items, set 'On Error' to 'Continue' in the node's Settings`;
}

/**
 * Describes changes that the item has made or may have made before it failed for another reason. For example, a later
 * attempt by 'Retry On Fail' can fail to read the parameters.
 */
function describeItemState(state: string | undefined, thrown: unknown): string | undefined {
	if (thrown === undefined || state === undefined || requestMayHaveWorked(thrown)) return undefined;
	return `The item itself was ${state}`;
}

/** Groups failed entries by reason. */
function groupByReason(
	failed: OutputResult[],
	explain: (failure: unknown) => string,
): FailedEntries[] {
	const groups = new Map<string, FailedEntries>();
	for (const { failure, entry = '' } of failed) {
		const reason = explain(failure);
		const known = groups.get(reason);
		if (known) known.entries.push(entry);
		else groups.set(reason, { reason, failure, entries: [entry] });
	}
	return [...groups.values()];
}

/**
 * Creates an error about all failed entries. Returns the original error instead if it is the same for all entries, or
 * undefined if no entry failed.
 */
function combineFailures(
	response: Operation['response'],
	failures: FailedEntries[],
	results: OutputResult[],
): unknown {
	const [first] = failures;
	if (first === undefined || !('entry' in response)) return undefined;
	const cause = unwrapFailedAttemptsError(first.failure);
	const isShared =
		failures.length === 1 &&
		results.every(({ failure }) => unwrapFailedAttemptsError(failure) === cause);
	if (isShared && typeof first.failure !== 'string') return first.failure;
	const sentences = failures
		.slice(0, MAX_LISTED_FAILURES)
		.map(({ entries, reason }) => prefixReasonWithEntries(entries, reason));
	const more = failures.slice(MAX_LISTED_FAILURES).flatMap(({ entries }) => entries);
	if (more.length > 0) sentences.push(`${formatNumber(more.length)} more failed`);
	const message = describeFailedEntries(response, failures, results.length);
	return new DescribedError(message, joinSentences(sentences));
}

/** Describes how many entries failed, and how many may have failed. */
function describeFailedEntries(
	{ entry, changed }: BatchResponseSettings | DownloadFilesResponseSettings,
	failures: FailedEntries[],
	total: number,
): string {
	const countEntries = (groups: FailedEntries[]) =>
		groups.reduce((count, { entries }) => count + entries.length, 0);
	const uncertain = countEntries(failures.filter(({ failure }) => requestMayHaveWorked(failure)));
	const certain = countEntries(failures) - uncertain;
	const subject = (count: number) =>
		total === 1 ? `The ${entry}` : `${formatNumber(count)} of ${formatNumber(total)} ${entry}s`;
	if (uncertain === 0) return `${subject(certain)} could not be ${changed}`;
	if (certain === 0) return `${subject(uncertain)} may not have been ${changed}`;
	return `${subject(certain)} could not be ${changed}, and ${formatNumber(uncertain)} more may not have been`;
}
