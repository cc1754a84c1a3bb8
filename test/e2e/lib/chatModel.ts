import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { serve } from '../../../tools/n8nEngine/serve';

/** A tool that the agent offers the model. */
export interface OfferedTool {
	name: string;
	parameters: { properties: Record<string, unknown> };
}

export interface ChatMessage {
	role: string;
	content: string | null;
	tool_call_id?: string;
}

/** An agent's request to the model. */
export interface ChatRequest {
	messages: ChatMessage[];
	tools: OfferedTool[];
	stream: boolean;
}

/** Responds to one request as the model, either with a tool call or with the final text. */
export type Turn = (
	request: ChatRequest,
) => { tool: string; values: Record<string, unknown> } | { text: string };

/** A mock server for OpenAI's REST API that returns scripted responses. */
export interface ChatModel {
	/** Base URL for an OpenAI credential, including the version segment. */
	readonly url: string;
	readonly requests: ChatRequest[];
	/** Scripts the responses to the next requests, in order. */
	respond(...turns: Turn[]): void;
	close: () => Promise<void>;
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
	const common = { id: 'chat', created: 1, model: 'scripted' };
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

export async function startChatModel(): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const turns: Turn[] = [];
	const served = await serve((request, response) => {
		void (async () => {
			if (request.url?.endsWith('/models')) {
				sendJson(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
				return;
			}
			const asked = readRequest(await text(request));
			requests.push(asked);
			const turn = turns.shift() ?? (() => ({ text: 'The script has ended' }));
			sendCompletion(response, messageFor(turn(asked), requests.length), asked.stream);
		})();
	});
	return {
		url: `${served.url}/v1`,
		requests,
		respond: (...next) => void turns.splice(0, turns.length, ...next),
		close: served.close,
	};
}
