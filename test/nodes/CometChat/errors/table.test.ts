import * as tables from '../../../../nodes/CometChat/errors/table';

test('keeps all error texts', () => {
	expect(tables).toMatchSnapshot();
});
