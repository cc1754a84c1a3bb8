import * as tables from '../../../nodes/CometChat/errors/table';

test.each(Object.entries(tables))('keeps all error texts: %s', (_name, table) => {
	const lines = Object.entries(Object(table)).map(([key, row]) => `${key}: ${JSON.stringify(row)}`);
	expect(typeof table === 'string' ? table : lines.join('\n')).toMatchSnapshot();
});
