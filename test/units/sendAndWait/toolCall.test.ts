import type { IExecuteFunctions } from 'n8n-workflow';

import {
	addToolCallToText,
	readToolCallToReviewOrThrow,
} from '../../../nodes/CometChat/sendAndWait/toolCall';

test("n8n's own record names the tool, whatever the input item says", () => {
	const record = (id: string, toolName: string) => ({
		action: { id, input: {}, metadata: { hitl: { toolName } } },
	});
	const actions = [record('call_1', 'Get_user'), record('call_2', 'Ban_user')];
	const entry = { metadata: { subNodeExecutionData: { actions } } };
	const json = { tool: 'Get_user', toolCallId: 'call_2', toolParameters: { User: 'noor' } };
	const context = {
		getNode: () => ({ type: 'n8n-nodes-cometchat.cometChatHitlTool' }),
		getInputData: () => [{ json }],
		runExecutionData: { executionData: { nodeExecutionStack: [entry] } },
	};
	expect(readToolCallToReviewOrThrow(context as unknown as IExecuteFunctions)).toEqual({
		tool: 'Ban_user',
		parameters: { User: 'noor' },
	});
});

test.each([
	[1_000, ''],
	[1_001, '… (cut, 1,001 characters in all)'],
])('shows at most 1,000 of the %i characters of an argument: %s', (length, end) => {
	const parameters = { Text: 'x'.repeat(length - 'Text: '.length) };
	expect(addToolCallToText('Ban?', { tool: 'Ban_user', parameters })).toBe(
		`Ban?\n\nTool to run: Ban_user\nText: ${'x'.repeat(994)}${end}`,
	);
});
