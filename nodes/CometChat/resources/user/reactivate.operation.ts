import { deactivatedUserIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { createDoneColumnsUnlessNotFound, reactivationRowType } from './entity';

export const reactivateUser: Operation = {
	name: 'Reactivate',
	value: 'reactivate',
	action: 'Reactivate user',
	description: 'Reactivate a user who was deactivated. If nobody has the UID, the item says so.',
	routing: {
		request: {
			method: 'PUT',
			url: '/users',
			body: { uidsToActivate: ['={{ $parameter.userId }}'] },
		},
	},
	response: {
		one: reactivationRowType,
		columnParameters: { uid: 'userId' },
		repeated: {
			doneColumns: createDoneColumnsUnlessNotFound({ reactivated: true, alreadyActive: false }),
		},
	},
	sequentialBy: ['userId'],
	fields: [deactivatedUserIdField],
};
