import * as tables from '../../../../nodes/CometChat/errors/table';

test('every text is the one that was agreed: a change shows in the snapshot', () => {
	expect(tables).toMatchSnapshot();
});
