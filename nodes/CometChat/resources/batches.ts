/**
 * Maximum number of users in a request that adds members or friends, blocks or unblocks users, or creates a group.
 *
 * @see https://www.cometchat.com/docs/rest-api/group-members
 */
export const MAX_USERS_PER_BATCH = 25;
