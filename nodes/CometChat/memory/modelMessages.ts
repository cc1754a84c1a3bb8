import type { IDataObject } from 'n8n-workflow';

import { truncateWithoutEllipsis } from '../helpers/formatText';
import { formatMessageForModel } from '../resources/message/chatText';
import type { MemoryParameters } from './conversation';
import type { MessagesForMemory } from './history';
import { isSentByBot, isStartOverMessage, isStartOverText, isThreadStart } from './messageFilters';

type Role = 'user' | 'assistant';

/**
 * A message for the agent's model. LangChain accepts any object with `role` and `content`. The agent's option
 * 'Max Tokens To Read From Memory' also calls `getType`, and Chat Memory Manager calls `getType` and `toJSON`.
 */
export class ModelMessage {
	constructor(
		readonly role: Role,
		readonly content: string,
	) {}

	getType(): string {
		return this.role === 'user' ? 'human' : 'ai';
	}

	toJSON() {
		return { role: this.role, content: this.content };
	}
}

/** A message or a note, before consecutive lines of the same role are joined. */
interface Line {
	role: Role;
	text: string;
}

/** Creates a note for the model about messages that are left out. */
const createNote = (text: string): Line => ({ role: 'user', text: `(${text})` });

const BEGIN_NOTE = createNote('The messages that you can see begin here.');

const GAP_NOTE = createNote('Some replies are not shown.');

const END_NOTE = createNote('The thread is too long. Its latest replies are not shown.');

/** Maximum share of the memory's characters that the message at the start of a thread may use. */
const MAX_THREAD_START_SHARE = 1 / 4;

/** Converts a message to a line. Unless the bot sent the message, the line includes the sender's name. */
function toLine(message: IDataObject, { conversation }: MemoryParameters): Line {
	const isOfBot = isSentByBot(message, conversation);
	const text = formatMessageForModel(message, conversation.bot, !isOfBot);
	return { role: isOfBot ? 'assistant' : 'user', text };
}

const shorten = ({ role, text }: Line, maxLength: number): Line => ({
	role,
	text: text.length > maxLength ? `${truncateWithoutEllipsis(text, maxLength - 1)}…` : text,
});

/** Keeps the latest lines that fit. Shortens the latest line if it alone is too long. */
function keepLatest(lines: Line[], maxCharacters: number): Line[] {
	let left = maxCharacters;
	const kept: Line[] = [];
	for (const line of lines.toReversed()) {
		if (line.text.length > left && kept.length > 0) break;
		kept.unshift(shorten(line, left));
		left -= line.text.length;
	}
	return kept;
}

/**
 * Joins consecutive lines of the same role, because some models refuse two messages in a row with the same role.
 */
function joinLines(lines: Line[]): ModelMessage[] {
	const joined: ModelMessage[] = [];
	for (const { role, text } of lines) {
		const last = joined.at(-1);
		if (last?.role === role)
			joined.splice(-1, 1, new ModelMessage(role, `${last.content}\n${text}`));
		else joined.push(new ModelMessage(role, text));
	}
	return joined;
}

/** Returns the messages since the conversation last started over. Returns all messages if it never started over. */
function sinceStartOver(messages: IDataObject[], parameters: MemoryParameters): IDataObject[] {
	const { conversation, limits } = parameters;
	if (isStartOverText(conversation.questionText ?? '', limits)) return [];
	return messages.slice(messages.findLastIndex((each) => isStartOverMessage(each, parameters)) + 1);
}

/**
 * Converts a conversation's history to messages for the agent's model. Leaves out messages beyond the limits, and may
 * add notes about the gaps.
 */
export function toLimitedModelMessages(
	{ messages, isEndMissing }: MessagesForMemory,
	parameters: MemoryParameters,
): ModelMessage[] {
	const { conversation, limits } = parameters;
	const since = sinceStartOver(messages, parameters);
	const isStart = (message: IDataObject) => isThreadStart(message, conversation);
	const start = since
		.filter(isStart)
		.map((message) => toLine(message, parameters))
		.map((line) => shorten(line, limits.maxCharacters * MAX_THREAD_START_SHARE));
	const others = since.filter((message) => !isStart(message));
	const [startLine] = start;
	const latest = keepLatest(
		others.slice(-limits.messages).map((message) => toLine(message, parameters)),
		limits.maxCharacters - (startLine?.text.length ?? 0),
	);
	const hasGap = startLine !== undefined && latest.length < others.length;
	const lines = [
		...start,
		...(hasGap ? [GAP_NOTE] : []),
		...latest,
		...(isEndMissing ? [END_NOTE] : []),
	];
	return joinLines(lines[0]?.role === 'assistant' ? [BEGIN_NOTE, ...lines] : lines);
}
