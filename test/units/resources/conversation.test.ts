import { listConversationQueueKeys } from '../../../nodes/CometChat/resources/message/fields';

test.each([
	['both directions between two users', { userId: 'Leo', onBehalfOf: 'noor' }, 'leo_user_noor'],
	['both directions between two users', { userId: 'Noor', onBehalfOf: 'LEO' }, 'leo_user_noor'],
	['the app and a user', { userId: 'Leo' }, 'app_system_user_leo'],
	['a group', { receiverType: 'group', groupId: 'Team', onBehalfOf: 'leo' }, 'group_team'],
])('The messages in %s are sent in order', (_, values, conversation) => {
	expect(listConversationQueueKeys(values)).toEqual([conversation]);
});
