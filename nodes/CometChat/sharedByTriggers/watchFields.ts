import { updateDisplayOptions } from 'n8n-workflow';

import type { Field } from '../types';
import { createGroupsField, createUserListField } from '../fields/commonFields';
import { requiredWithBuilderHint } from '../fields/userAndGroup';

/** Values of 'Watch'. */
export type WatchKind = 'groups' | 'users' | 'app';

/** Field that selects whether to watch groups, users or the whole app. */
export const watchField: Field = {
	displayName: 'Watch',
	name: 'watch',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Groups',
			value: 'groups',
			description: 'Messages and other events in these groups',
		},
		{
			name: 'Users',
			value: 'users',
			description:
				'Private messages to these users, messages that mention them, and other events about them',
		},
		{
			name: 'Whole App',
			value: 'app',
			description: 'All events, including messages in all private conversations',
		},
	],
	default: 'groups',
	description: 'Groups or users whose events start the workflow',
};

/** Field for the groups to watch, shown if 'Watch' is Groups. */
export const [watchedGroupsField] = updateDisplayOptions({ show: { watch: ['groups'] } }, [
	{
		...createGroupsField(
			'Groups to Watch',
			'groupIds',
			'An expression may return GUIDs separated by commas, or a list',
		),
		...requiredWithBuilderHint,
	},
]) as [Field];

/** Field for the users to watch, shown if 'Watch' is Users. */
export const [watchedUsersField] = updateDisplayOptions({ show: { watch: ['users'] } }, [
	{
		...createUserListField(
			'Users to Watch',
			'userIds',
			'Private messages to these users, messages that mention them, and other events about them',
		),
		...requiredWithBuilderHint,
	},
]) as [Field];

/** Warning shown if 'Watch' is Whole App. */
export const [wholeAppNotice] = updateDisplayOptions({ show: { watch: ['app'] } }, [
	{
		displayName: 'Every private conversation of the app starts the workflow',
		name: 'wholeAppNotice',
		type: 'notice',
		default: '',
	},
]) as [Field];

/** 'Watch' and the fields that depend on its value. */
export const watchFields: Field[] = [
	watchField,
	watchedGroupsField,
	watchedUsersField,
	wholeAppNotice,
];
