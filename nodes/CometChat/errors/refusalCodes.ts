import { getRefusalCodeFromError } from './refusal';

/** CometChat's error codes for a user who isn't a member of an existing group. */
export const NOT_A_MEMBER_CODES = [
	'ERR_BANNED_GROUPMEMBER',
	'ERR_GROUP_NOT_JOINED',
	'ERR_NOT_A_MEMBER',
] as const;

/**
 * CometChat's error codes for a group or user whose messages can't be read: the group or user doesn't exist, or the
 * acting user is deactivated, banned, not a member or not permitted.
 */
export const UNREADABLE_CONVERSATION_CODES = [
	...NOT_A_MEMBER_CODES,
	'ERR_CONVERSATION_NOT_ACCESSIBLE',
	'ERR_GUID_NOT_FOUND',
	'ERR_PERMISSION_DENIED',
	'ERR_UID_NOT_FOUND',
] as const;

/** Matches the codes with which CometChat reports that the target of a change is gone. */
const GONE_CODE_PATTERN = /^ERR_(?!API_)(.*_)?NOT_(FOUND|A_MEMBER|A_BANNED_USER)$/;

/** True if CometChat refused a request with one of these codes. */
export const isRefusedWith = (error: unknown, codes: readonly string[]): boolean =>
	codes.includes(getRefusalCodeFromError(error) ?? '');

/** True if CometChat refused a change because the target of the change is gone. */
export const isTargetGone = (error: unknown): boolean =>
	GONE_CODE_PATTERN.test(getRefusalCodeFromError(error) ?? '');
