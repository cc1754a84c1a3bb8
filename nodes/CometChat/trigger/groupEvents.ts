import type { IDataObject } from 'n8n-workflow';

import { field } from '../operation/output';
import type { Entity } from '../operation/types';
import { group, member } from '../resources/group/entity';
import { isObject } from '../transport/types';
import type { EventFamily } from './occurrence';
import { idAt, objectAt, secondsAt } from './occurrence';

/** A group whose owner changed. */
const transferredGroup: Entity = {
	...group,
	columns: { ...group.columns, oldOwner: field('oldOwner') },
};

/** A user and the group that they are, or were, a member of. */
const memberOfGroup: Entity = {
	...member,
	columns: {
		...member.columns,
		oldScope: field('oldScope'),
		guid: field('group', 'guid'),
		groupName: field('group', 'name'),
	},
};

interface GroupFamilyOptions {
	entity?: Entity;
	/** Name of the field that says when it happened */
	time: string;
	/** Who did it when the delivery does not say */
	byDefault?: (group: IDataObject) => IDataObject;
	/** What tells two events of the same group and time apart */
	content?: (group: IDataObject) => unknown;
}

function groups({ entity = group, time, byDefault, content }: GroupFamilyOptions): EventFamily {
	return {
		entity,
		occurrences: (data) => {
			const thing = objectAt(data, 'group');
			if (Object.keys(thing).length === 0) return [];
			const by = isObject(data.by) ? data.by : (byDefault?.(thing) ?? {});
			return [{ thing, by, at: secondsAt(thing, time) }];
		},
		identity: (data) => {
			const thing = objectAt(data, 'group');
			return [idAt(thing, 'guid'), thing[time], content?.(thing) ?? 0];
		},
	};
}

/** A group belongs to the user who creates it, unless they name another one. */
export const createdGroups = groups({
	time: 'createdAt',
	byDefault: ({ owner }) => ({ uid: owner }),
});

/** Times have whole seconds: two changes in one second differ only in the content. */
export const updatedGroups = groups({ time: 'updatedAt', content: (changed) => changed });

export const deletedGroups = groups({ time: 'deletedAt' });

export const transferredGroups = groups({
	entity: transferredGroup,
	time: 'updatedAt',
	content: (changed) => changed,
});

/** `members` is an object with the members by their UIDs; a list is read too. */
function membersOf(data: IDataObject): IDataObject[] {
	if (Array.isArray(data.members)) return data.members.filter(isObject);
	const byUid = Object.entries(objectAt(data, 'members'));
	return byUid.flatMap(([uid, user]) => (isObject(user) ? { uid, ...user } : []));
}

/**
 * What happened to members of a group. Nothing in it is sure to differ when the same happens again:
 * a user can leave, and join again.
 *
 * @param time name of the member's field that says when it happened
 * @param isOwnDoing whether the members did it themselves
 */
function members(time: string | undefined, isOwnDoing: boolean): EventFamily {
	return {
		entity: memberOfGroup,
		occurrences: (data) =>
			membersOf(data).map((user) => ({
				thing: { ...user, group: data.group },
				by: isObject(data.by) ? data.by : isOwnDoing ? user : {},
				at: time === undefined ? undefined : secondsAt(user, time),
			})),
		identity: () => [undefined],
	};
}

export const joinedMembers = members('joinedAt', true);

export const leftMembers = members(undefined, true);

export const addedMembers = members('joinedAt', false);

export const changedMembers = members(undefined, false);
