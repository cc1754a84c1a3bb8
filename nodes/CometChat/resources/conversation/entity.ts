import type { IDataObject } from 'n8n-workflow';

import {
	toNumberOrNaN,
	asObjectOrEmpty,
	toTrimmedText,
	createFieldReader,
} from '../../helpers/json';
import type { ColumnReaders, OutputRowType, EntityDefinition } from '../../types';
import {
	readNothingFromEntity,
	createConfirmationRowType,
	createColumnsNamedAsFields,
} from '../entityParts';
import { messageSelectedOnlyColumns, messageColumns } from '../message/entity';

/** Creates a column that applies `read` to the conversation's last message. */
const inLastMessage =
	(read: (message: IDataObject) => unknown) =>
	({ lastMessage }: IDataObject) =>
		read(asObjectOrEmpty(lastMessage));

/** Reads the ID of the conversation's group or other user. */
function readPartnerId({ conversationWith }: IDataObject): unknown {
	const { guid, uid } = asObjectOrEmpty(conversationWith);
	return guid ?? uid;
}

/**
 * Reads the number of unread messages, which CometChat sends as text. Returns undefined if the number is missing,
 * as it can be for groups with more than 300 members.
 */
export function readUnreadCount({ unreadMessageCount }: IDataObject): number | undefined {
	const count = toNumberOrNaN(unreadMessageCount);
	return toTrimmedText(unreadMessageCount) === '' || Number.isNaN(count) ? undefined : count;
}

/** Columns without `tags`, which only the filter 'With Tags' adds. */
const columnsWithoutTags: ColumnReaders = {
	...createColumnsNamedAsFields('conversationId'),
	name: createFieldReader('conversationWith', 'name'),
	unreadMessageCount: readUnreadCount,
	sentAt: inLastMessage(messageColumns.sentAt),
	senderName: inLastMessage(messageColumns.senderName),
	text: inLastMessage(messageColumns.text),
	sender: inLastMessage(messageColumns.sender),
	receiver: readPartnerId,
	receiverType: createFieldReader('conversationType'),
	messageId: inLastMessage(messageColumns.id),
};

const tags = createFieldReader('tags');

/** A conversation of the user in 'On Behalf Of', with its last message. */
export const conversationEntity: EntityDefinition = {
	name: 'conversation',
	plural: 'conversations',
	id: 'conversationId',
	columns: { ...columnsWithoutTags, tags },
	columnsShownIfFilled: { deletedAt: inLastMessage(messageSelectedOnlyColumns.deletedAt) },
	columnsFor: ({ filters }) =>
		asObjectOrEmpty(filters).withTags === true ? conversationEntity.columns : columnsWithoutTags,
};

/**
 * Row that confirms that messages were marked as read. The response may be empty, because its content is undocumented
 * (open question 28 in docs/status.md).
 */
export const markReadConfirmationRowType: OutputRowType = {
	...createConfirmationRowType({
		receiver: readNothingFromEntity,
		receiverType: readNothingFromEntity,
		messageId: readNothingFromEntity,
		uid: readNothingFromEntity,
		read: () => true,
	}),
	mayBeEmpty: true,
};
