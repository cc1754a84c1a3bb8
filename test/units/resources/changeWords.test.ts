import { resources } from '../../../nodes/CometChat/resources';

test('keeps the words for each change whose outcome can be unknown, and for where to look', () => {
	const changes = resources.flatMap(({ value, operations }) =>
		operations.flatMap(({ value: operation, changeWords }) =>
			changeWords ? `${value} ${operation}: ${changeWords.done}; ${changeWords.placeToCheck}` : [],
		),
	);
	expect(changes.join('\n')).toMatchSnapshot();
});
