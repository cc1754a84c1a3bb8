import type { ParameterValues } from '../../types';

/** Returns a key for each friendship that an item changes. The order of the two friends doesn't affect the key. */
export const listQueueKeysOfFriendPairs = ({ userId, uids }: ParameterValues): string[] =>
	[uids].flat().map((uid) => {
		const friends = [userId, uid].map((each) => String(each).toLowerCase());
		return `friends ${friends.sort().join(' ')}`;
	});
