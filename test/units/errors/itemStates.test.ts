import { NodeOperationError } from 'n8n-workflow';

import {
	COMPLETED_STATE,
	NOT_STARTED_STATE,
	addStatesOfOtherItems,
} from '../../../nodes/CometChat/errors/itemStates';
import { NODE } from '../context';

test('of one other item, an error says what became of it', () => {
	const error = addStatesOfOtherItems(
		new NodeOperationError(NODE, 'Failed'),
		['', COMPLETED_STATE],
		0,
	);
	expect((error as NodeOperationError).description).toBe(
		'Item 1 was completed. (n8n counts items from 0.)',
	);
});

test.each([
	[10, '18, and 20 were completed.'],
	[11, '20, and others were completed.'],
])('of %i separate items, an error lists ten: %s', (count, end) => {
	const states = Array.from({ length: 2 * count + 1 }, (_, index) =>
		index > 0 && index % 2 === 0 ? COMPLETED_STATE : NOT_STARTED_STATE,
	);
	const error = addStatesOfOtherItems(new NodeOperationError(NODE, 'Failed'), states, 0);
	expect((error as NodeOperationError).description).toContain(end);
});
