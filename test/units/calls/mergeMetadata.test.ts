import { mergeMetadataObjectsOrThrow } from '../../../nodes/CometChat/calls/mergeMetadata';

test.each(['constructor', 'toString', 'hasOwnProperty'])(
	'The key %s is added like any other, although every object inherits a value of this name',
	(key) => {
		const added = { [key]: { a: 1 } };
		expect(mergeMetadataObjectsOrThrow('user', { b: 2 }, added)).toEqual({ b: 2, ...added });
	},
);
