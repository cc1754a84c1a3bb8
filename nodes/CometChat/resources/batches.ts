/**
 * Maximum number of users in one request that adds members, friends or blocked users, or creates a group.
 *
 * @see https://www.cometchat.com/docs/rest-api/group-members
 */
export const MAX_USERS_PER_REQUEST = 25;
