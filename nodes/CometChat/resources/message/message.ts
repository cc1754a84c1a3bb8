import { messageOf } from '../../transport/answer';
import { one } from '../../transport/one';
import { MESSAGE_COLUMNS } from '../../transport/output';

/**
 * One request about one message, which answers that message.
 *
 * @param needsUser whether the service demands "On Behalf Of"
 */
export const oneMessage = (needsUser: boolean) =>
	one({
		labels: { messageId: 'Message ID', reaction: 'Reaction' },
		read: messageOf,
		columns: MESSAGE_COLUMNS,
		userAdvice: needsUser ? 'Fill in the UID of the user whose reaction is removed.' : undefined,
	});
