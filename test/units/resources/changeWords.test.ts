import { resources } from '../../../nodes/CometChat/resources';

test('keeps the words for each change whose outcome can be unknown, and for where to look', () => {
	const changes = resources.flatMap(({ value, operations }) =>
		operations.flatMap(({ value: operation, change }) =>
			change ? `${value} ${operation}: ${change.done}; ${change.inspect}` : [],
		),
	);
	expect(changes.join('\n')).toMatchSnapshot();
});
