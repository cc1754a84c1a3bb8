import { InputError } from '../../../../nodes/CometChat/errors/inputError';
import { DescribedError } from '../../../../nodes/CometChat/errors/describedError';

test('the message of a refused value begins with the label of its field in single quotes', () => {
	const error = new InputError('Message ID', 'is empty', 'Fill it in.');
	expect(error).toBeInstanceOf(DescribedError);
	expect(error).toMatchObject({
		field: 'Message ID',
		message: "'Message ID' is empty",
		description: 'Fill it in.',
	});
	expect(new InputError('Limit', 'is wrong').description).toBeUndefined();
});
