import type { IWebhookFunctions } from 'n8n-workflow';

import { stateOf } from '../../../../nodes/CometChat/trigger/nodeState';

afterEach(() => jest.restoreAllMocks());

/** All that is asked of the context. */
function contextOf(workflowId: string, nodeId: string): IWebhookFunctions {
	return Object.create(null, {
		getWorkflow: { value: () => ({ id: workflowId }) },
		getNode: { value: () => ({ id: nodeId }) },
	});
}

test('is the same for each delivery to a node, and another for another node or workflow', () => {
	const state = stateOf(contextOf('1', 'a'));
	expect(stateOf(contextOf('1', 'a'))).toBe(state);
	expect(stateOf(contextOf('1', 'b'))).not.toBe(state);
	expect(stateOf(contextOf('2', 'a'))).not.toBe(state);
	expect(stateOf(contextOf('1', 'a'))).toBe(state);
});

test('is dropped when the node gets nothing for an hour, and others do', () => {
	const start = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	const [idle, busy] = [stateOf(contextOf('3', 'idle')), stateOf(contextOf('3', 'busy'))];
	clock.mockReturnValue(start + 1_800_000);
	expect(stateOf(contextOf('3', 'busy'))).toBe(busy);
	clock.mockReturnValue(start + 3_700_000);
	expect(stateOf(contextOf('3', 'busy'))).toBe(busy);
	expect(stateOf(contextOf('3', 'idle'))).not.toBe(idle);
});
