import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { createDoneColumnsUnlessNotFound, deactivationRowType } from './entity';

export const deactivateUser: Operation = {
	name: 'Deactivate',
	value: 'deactivate',
	action: 'Deactivate user',
	description:
		'Deactivate a user. Reactivate undoes this. If nobody has the UID, the item says so.',
	routing: {
		request: {
			method: 'DELETE',
			url: '/users',
			body: { uidsToDeactivate: ['={{ $parameter.userId }}'] },
		},
	},
	response: {
		one: deactivationRowType,
		columnParameters: { uid: 'userId' },
		repeated: {
			doneColumns: createDoneColumnsUnlessNotFound({
				deactivated: true,
				alreadyDeactivated: false,
			}),
		},
	},
	sequentialBy: ['userId'],
	fields: [userIdField],
};
