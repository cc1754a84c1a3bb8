import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { formatCount } from '../errors/formatText';
import { field, isObject, asObject } from '../transport/json';
import { truncate } from './question';

/** A tool call of an AI agent, as it will run if a person approves it. */
export interface ToolCall {
	tool: string;
	parameters: unknown;
}

/** Maximum number of arguments that a review shows. */
const MAX_ARGUMENTS = 50;

/** Maximum length of an argument's line, in UTF-16 code units. */
const MAX_LINE_LENGTH = 1_000;

/**
 * Reads the tool call that a human review is about. n8n merges the model's `hitlParameters` into the
 * item, so only `toolParameters` and n8n's own record of the call are certain.
 *
 * @returns undefined if the node isn't a human review
 * @throws DescribedError if the arguments would make n8n show another call than the one that will run
 */
export function readToolCall(context: IExecuteFunctions): ToolCall | undefined {
	if (!context.getNode().type.endsWith('HitlTool')) return undefined;
	const { json } = context.getInputData()[0];
	const record = findCallRecord(context, json.toolCallId);
	const reviewInput = asObject(record.input ?? json);
	const tool = String(field('metadata', 'hitl', 'toolName')(record) ?? json.tool);
	const call = { tool, parameters: json.toolParameters };
	const forged = findForgedArgument(call, reviewInput);
	if (forged === undefined) return call;
	throw new DescribedError(
		`The model's arguments for ${tool} include "${forged}", which can hide what will run`,
		'Nobody was asked, and the tool did not run.',
	);
}

/**
 * Finds an argument that makes n8n show another call than the one that will run.
 *
 * @param reviewInput the arguments as n8n passes them to the review node
 */
function findForgedArgument(call: ToolCall, reviewInput: IDataObject): string | undefined {
	const { tool, hitlParameters, query } = asObject(call.parameters);
	// `$fromAI` and `$tool` prefer the values in an object `query`
	if (isContainer(query) || isContainer(reviewInput.query)) return 'query';
	if (tool !== undefined || (reviewInput.tool ?? call.tool) !== call.tool) return 'tool';
	return hitlParameters === undefined ? undefined : 'hitlParameters';
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Finds n8n's record of a tool call, in the agent's entry on the execution stack. n8n's types don't
 * declare the stack for nodes, so the record may be missing.
 */
function findCallRecord(context: IExecuteFunctions, toolCallId: unknown): IDataObject {
	const readStack = field('runExecutionData', 'executionData', 'nodeExecutionStack');
	const readActions = field('metadata', 'subNodeExecutionData', 'actions');
	const entries = [readStack(context as unknown as IDataObject)].flat().filter(isObject);
	const actions = entries.flatMap((entry) => readActions(entry)).filter(isObject);
	const records = actions.map(({ action }) => asObject(action));
	return records.find(({ id }) => id === toolCallId) ?? {};
}

/** End of n8n's default message, in which arguments become "[object Object]". */
const UNREADABLE_ARGUMENTS = /\s*Input:\s*(?:\[object Object\]\s*)?$/;

/** Adds a tool call below a message, in place of arguments that nobody can read. */
export const addToolCall = (message: string, call: ToolCall): string =>
	`${message.replace(UNREADABLE_ARGUMENTS, '')}\n\n${formatToolCall(call)}`;

/**
 * Formats a tool call as one line for the tool and one line per argument.
 *
 * @throws DescribedError if the call has too many arguments
 */
function formatToolCall({ tool, parameters }: ToolCall): string {
	const entries = Object.entries(
		isContainer(parameters) ? Object(parameters) : { input: parameters },
	);
	if (entries.length > MAX_ARGUMENTS) {
		throw new DescribedError(
			`The call to ${tool} has ${formatCount(entries.length)} arguments, more than the ${MAX_ARGUMENTS} that a review can show`,
			'Nobody was asked, and the tool did not run.',
		);
	}
	const lines = entries
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => formatLine(name, value));
	return [formatLine('Tool to run', tool), ...lines].join('\n');
}

/** Characters that break lines, reorder text or are invisible, except the joiners of emoji and scripts. */
const UNSAFE_CHARACTER = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function formatLine(name: string, value: unknown): string {
	const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
	const line = `${name}: ${text}`.replace(UNSAFE_CHARACTER, escapeCharacter);
	if (line.length <= MAX_LINE_LENGTH) return line;
	return `${truncate(line, MAX_LINE_LENGTH)}… (cut, ${formatCount(line.length)} characters in all)`;
}

function escapeCharacter(character: string): string {
	if (character === '\n') return '\\n';
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
