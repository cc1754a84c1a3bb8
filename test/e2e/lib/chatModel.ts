import type { IncomingMessage, ServerResponse } from 'node:http';

import { serve } from '../../../tools/n8nEngine/serve';

/** A tool as the agent offers it to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type?: string; description?: string }> };
}

export interface ChatMessage {
	role: string;
	content: string | null;
	tool_call_id?: string;
}

/** Request of the agent to the model. */
export interface ChatRequest {
	messages: ChatMessage[];
	tools: OfferedTool[];
	stream: boolean;
}

/** Response of the model: a tool call or its final text. */
export type Turn = (
	request: ChatRequest,
) => { tool: string; values: Record<string, unknown> } | { text: string };

/** A chat model with scripted responses and OpenAI's REST API. */
export interface ChatModel {
	/** Base URL for an OpenAI credential, including the version segment. */
	readonly url: string;
	readonly requests: ChatRequest[];
	/** Sets the responses to the next requests, one per request. */
	say(...turns: Turn[]): void;
	close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

function readRequest(text: string): ChatRequest {
	const { messages, tools = [], stream = false } = JSON.parse(text);
	const offered = tools.map((tool: { function: OfferedTool }) => tool.function);
	return { messages, tools: offered, stream };
}

function messageFor(turn: ReturnType<Turn>, call: number): Record<string, unknown> {
	if ('text' in turn) return { role: 'assistant', content: turn.text };
	const { tool: name, values } = turn;
	const asked = { name, arguments: JSON.stringify(values) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [{ index: 0, id: `call_${call}`, type: 'function', function: asked }],
	};
}

function sendJson(response: ServerResponse, body: unknown): void {
	response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

function sendCompletion(
	response: ServerResponse,
	message: Record<string, unknown>,
	stream: boolean,
): void {
	const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
	const common = { id: 'chat', created: 1, model: 'told' };
	if (!stream) {
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const choices = [{ index: 0, message, finish_reason: finish }];
		sendJson(response, { ...common, object: 'chat.completion', choices, usage });
		return;
	}
	const chunk = (delta: unknown, finish_reason: string | null) => {
		const choices = [{ index: 0, delta, finish_reason }];
		response.write(
			`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices })}\n\n`,
		);
	};
	response.setHeader('content-type', 'text/event-stream');
	chunk(message, null);
	chunk({}, finish);
	response.end('data: [DONE]\n\n');
}

/** Starts the model on loopback. */
export async function startChatModel(): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const turns: Turn[] = [];
	const served = await serve((request, response) => {
		void (async () => {
			if (request.url?.endsWith('/models')) {
				sendJson(response, { object: 'list', data: [{ id: 'told', object: 'model' }] });
				return;
			}
			const asked = readRequest(await bodyOf(request));
			requests.push(asked);
			const turn = turns.shift() ?? (() => ({ text: 'I was told nothing more' }));
			sendCompletion(response, messageFor(turn(asked), requests.length), asked.stream);
		})();
	});
	return {
		url: `${served.url}/v1`,
		requests,
		say: (...next) => void turns.splice(0, turns.length, ...next),
		close: served.close,
	};
}
