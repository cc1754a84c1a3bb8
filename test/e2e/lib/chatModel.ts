import { text } from 'node:stream/consumers';

import { serve } from '../../../tools/n8nEngine/serve';

/** An agent's request to the model. */
export interface ChatRequest {
	messages: Array<{ role: string; content: string | null }>;
	/** Tools that the agent offers the model */
	tools: Array<{ name: string }>;
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

/** Sound that the model speaks, whatever the text. */
export const SOUND = Buffer.from('ID3 a spoken answer');

export async function startChatModel(): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const turns: Turn[] = [];
	const served = await serve(async (incoming, response) => {
		if (incoming.url?.endsWith('/audio/speech')) {
			response.setHeader('content-type', 'audio/mpeg').end(SOUND);
			return;
		}
		const { messages, tools = [], stream } = JSON.parse(await text(incoming));
		const request = { messages, tools: tools.map((tool: { function: object }) => tool.function) };
		requests.push(request);
		const turn = turns.shift() ?? (() => ({ text: 'The script has ended' }));
		const message = messageFor(turn(request), requests.length);
		const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
		const completion = {
			...{ id: 'chat', created: 1, model: 'scripted' },
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		// Old agents request a stream
		if (stream) {
			const choices = [{ index: 0, delta: message, finish_reason }];
			const chunk = JSON.stringify({ ...completion, object: 'chat.completion.chunk', choices });
			response.setHeader('content-type', 'text/event-stream');
			response.end(`data: ${chunk}\n\ndata: [DONE]\n\n`);
			return;
		}
		const choices = [{ index: 0, message, finish_reason }];
		response
			.setHeader('content-type', 'application/json')
			.end(JSON.stringify({ ...completion, object: 'chat.completion', choices }));
	});
	return {
		url: `${served.url}/v1`,
		requests,
		respond: (...next) => void turns.splice(0, turns.length, ...next),
		close: served.close,
	};
}
