import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DescribedError } from '../errors/describedErrors';
import { formatNumber, truncateWithoutEllipsis } from '../helpers/formatText';
import {
	valueToText,
	createFieldReader,
	isObjectOrArray,
	isObject,
	asObjectOrEmpty,
} from '../helpers/json';

/** An AI agent's tool call, as it will run if a person approves it. */
export interface ToolCallToReview {
	tool: string;
	parameters: unknown;
}

/** Maximum number of arguments to show in a review. */
const MAX_ARGUMENTS = 50;

/** Maximum length of the line that shows an argument, in UTF-16 code units. */
const MAX_LINE_LENGTH = 1_000;

/**
 * Reads the tool call that a person reviews. n8n merges the model's `hitlParameters` into the item, so
 * only `toolParameters` and n8n's own record of the call can be trusted.
 *
 * @returns the tool call, or undefined if the node isn't a human review
 * @throws DescribedError if the arguments would make n8n display a different call from the one it will run
 */
export function readToolCallToReviewOrThrow(
	context: IExecuteFunctions,
): ToolCallToReview | undefined {
	if (!context.getNode().type.endsWith('HitlTool')) return undefined;
	const json = context.getInputData()[0]?.json ?? {};
	const record = findCallRecord(context, json.toolCallId);
	const reviewInput = asObjectOrEmpty(record.input ?? json);
	const tool = valueToText(createFieldReader('metadata', 'hitl', 'toolName')(record) ?? json.tool);
	const call = { tool, parameters: json.toolParameters };
	const forged = findMisleadingArgument(call, reviewInput);
	if (forged === undefined) return call;
	throw new DescribedError(
		`The model's arguments for ${tool} include "${forged}", which can hide what will run`,
		'Nobody was asked, and the tool did not run.',
	);
}

/**
 * Finds an argument that would make n8n display a different call from the one it will run.
 *
 * @param reviewInput the arguments as n8n passes them to the review node
 */
function findMisleadingArgument(
	call: ToolCallToReview,
	reviewInput: IDataObject,
): string | undefined {
	const { tool, hitlParameters, query } = asObjectOrEmpty(call.parameters);
	// If `query` is an object, `$fromAI` and `$tool` prefer the values inside `query`
	if (isObjectOrArray(query) || isObjectOrArray(reviewInput.query)) return 'query';
	if (tool !== undefined || (reviewInput.tool ?? call.tool) !== call.tool) return 'tool';
	return hitlParameters === undefined ? undefined : 'hitlParameters';
}

/**
 * Finds n8n's record of a tool call in the agent's entry on the execution stack. The stack isn't part of
 * n8n's public types for nodes, so the record may be missing.
 */
function findCallRecord(context: IExecuteFunctions, toolCallId: unknown): IDataObject {
	const readStack = createFieldReader('runExecutionData', 'executionData', 'nodeExecutionStack');
	const readActions = createFieldReader('metadata', 'subNodeExecutionData', 'actions');
	const entries = [readStack(context)].flat().filter(isObject);
	const actions = entries.flatMap((entry) => readActions(entry)).filter(isObject);
	const records = actions.map(({ action }) => asObjectOrEmpty(action));
	return records.find(({ id }) => id === toolCallId) ?? {};
}

/** End of n8n's default message, which shows arguments as "[object Object]". */
const DEFAULT_INPUT_ENDING_PATTERN = /(?<!\s)\s*Input:\s*(?:\[object Object\]\s*)?$/;

/**
 * Appends a tool call to a message. Removes n8n's unreadable list of arguments from the message.
 *
 * @throws DescribedError if the call has too many arguments
 */
export const addToolCallToText = (message: string, call: ToolCallToReview): string =>
	`${message.replace(DEFAULT_INPUT_ENDING_PATTERN, '')}\n\n${formatToolCall(call)}`;

/**
 * Formats a tool call as one line for the tool and one line per argument.
 *
 * @throws DescribedError if the call has too many arguments
 */
function formatToolCall({ tool, parameters }: ToolCallToReview): string {
	const entries = Object.entries(isObjectOrArray(parameters) ? parameters : { input: parameters });
	if (entries.length > MAX_ARGUMENTS) {
		throw new DescribedError(
			`The call to ${tool} has ${formatNumber(entries.length)} arguments, more than the ${MAX_ARGUMENTS} that a review can show`,
			'Nobody was asked, and the tool did not run.',
		);
	}
	const lines = entries
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => formatLine(name, value));
	return [formatLine('Tool to run', tool), ...lines].join('\n');
}

/**
 * Characters that break lines, reorder text or are invisible. Zero-width joiners are excluded, because emojis and some
 * scripts need them.
 */
const UNSAFE_CHARACTER_PATTERN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function formatLine(name: string, value: unknown): string {
	const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
	const line = `${name}: ${text}`.replace(UNSAFE_CHARACTER_PATTERN, escapeCharacter);
	if (line.length <= MAX_LINE_LENGTH) return line;
	return `${truncateWithoutEllipsis(line, MAX_LINE_LENGTH)}… (cut, ${formatNumber(line.length)} characters in all)`;
}

function escapeCharacter(character: string): string {
	if (character === '\n') return '\\n';
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
