/**
 * HTTP status and message for each error code. The codes come from the contract, except those in `INVENTED`.
 * Statuses missing from the contract are assumptions.
 */
export const REFUSALS = {
	ERR_BAD_REQUEST: [400, () => 'Failed to validate the data sent with the request.'],
	AUTH_ERR_EMPTY_APIKEY: [401, () => 'The header apikey is missing or empty.'],
	// Like the real service, these messages contain the API key
	AUTH_ERR_APIKEY_NOT_FOUND: [401, (key) => `The API key ${key} does not exist.`],
	AUTH_ERR_NO_ACCESS: [403, (key) => `The API key ${key} has no access to this resource.`],
	AUTH_ERR_INVALID_APPID: [404, () => 'The App ID is not valid in this region.'],
	ERR_API_NOT_FOUND: [404, () => 'The API endpoint is invalid. Please verify the API call.'],
	ERR_TOO_MANY_REQUESTS: [429, () => 'Too many requests. Please try again later.'],

	ERR_UID_NOT_FOUND: [
		404,
		(uid) =>
			`The UID ${uid.toLowerCase()} does not exist, please make sure you have created a user with UID ${uid.toLowerCase()}.`,
	],
	ERR_UID_ALREADY_EXISTS: [400, (uid) => `The UID ${uid} already exists.`],
	ERR_ROLE_NOT_FOUND: [404, (role) => `The role ${role} does not exist.`],

	ERR_GUID_NOT_FOUND: [404, (guid) => `The GUID ${guid} does not exist.`],
	ERR_GUID_ALREADY_EXISTS: [400, (guid) => `The GUID ${guid} already exists.`],
	ERR_EMPTY_GROUP_PASS: [400, () => 'A group of the type password needs a password.'],
	ERR_GROUP_NOT_JOINED: [401, (uid) => `The user ${uid} has not joined the group.`],
	ERR_GROUP_NO_ADMIN_SCOPE: [403, (uid) => `The user ${uid} is not an admin of the group.`],
	ERR_GROUP_NO_MODERATOR_SCOPE: [
		403,
		(uid) => `The user ${uid} is neither admin nor moderator of the group.`,
	],
	ERR_GROUP_NO_SCOPE_CLEARANCE: [403, (uid) => `The user ${uid} cannot grant this scope.`],
	ERR_GROUP_NO_CLEARANCE: [403, (uid) => `The user ${uid} cannot do this to the member.`],
	ERR_GROUP_NO_SELF_ACTION: [403, (uid) => `The user ${uid} cannot do this to themselves.`],
	ERR_NOT_A_MEMBER: [404, (uid) => `The user ${uid} is not a member of the group.`],
	ERR_ALREADY_JOINED: [409, (uid) => `The user ${uid} has already joined the group.`],
	ERR_BANNED_GROUPMEMBER: [403, (uid) => `The user ${uid} is banned from the group.`],
	ERR_ALREADY_BANNED: [403, (uid) => `The user ${uid} is banned from the group already.`],
	ERR_NOT_A_BANNED_USER: [404, (uid) => `The user ${uid} is not banned from the group.`],
	ERR_SAME_SCOPE: [403, (uid) => `The user ${uid} has this scope already.`],
	ERR_GROUP_OWNER_DEMOTE_FORBIDDEN: [403, (uid) => `The owner ${uid} stays an admin of the group.`],
	ERR_NO_VACANCY: [403, () => 'The group has no room for another member.'],
	ERR_MEMBER_DELETE_FAILED: [400, (uid) => `The owner ${uid} cannot be removed from the group.`],

	ERR_MESSAGE_ID_NOT_FOUND: [404, (id) => `The message ${id} does not exist.`],
	ERR_MESSAGE_NO_ACCESS: [403, (id) => `The user has no access to the message ${id}.`],
	ERR_MESSAGE_NOT_A_SENDER: [403, (uid) => `The user ${uid} did not send this message.`],
	ERR_MESSAGE_THREAD_NESTING: [400, (id) => `The message ${id} is a reply itself.`],
	ERR_MESSAGE_ACTION_NOT_ALLOWED: [403, (id) => `The message ${id} does not allow this action.`],
	ERR_EMPTY_RECEIVER: [400, () => 'The message has no receiver.'],
	ERR_INVALID_RECEIVER_TYPE: [400, () => 'The receiverType must be user or group.'],
	ERR_EMPTY_MESSAGE_TEXT: [400, () => 'The text of the message is empty.'],
	ERR_INVALID_MESSAGE_DATA: [400, () => 'The data of the message is not valid.'],
	ERR_EMPTY_CUSTOM_DATA: [400, () => 'The customData of the message is empty.'],
	ERR_EMPTY_MESSAGE_FILE: [400, () => 'The message has no file.'],
	ERR_INVALID_MEDIA_MESSAGE: [400, () => 'A media message needs attachments, each with a URL.'],
	ERR_MUID_ALREADY_EXISTS: [400, (muid) => `The muid ${muid} already exists.`],
	ERR_BLOCKED_RECEIVER: [403, (uid) => `You have blocked the user ${uid}.`],
	ERR_BLOCKED_SENDER: [403, (uid) => `The user ${uid} has blocked you.`],

	ERR_CONVERSATION_NOT_ACCESSIBLE: [403, (id) => `The conversation ${id} is not accessible.`],
	ERR_REASON_NOT_FOUND: [404, (id) => `The reason ${id} does not exist.`],
	ERR_FEATURE_NOT_ACCESSIBLE: [403, () => 'The plan of the app does not include this feature.'],
	ERR_CANNOT_BLOCK_SELF: [400, (uid) => `The user ${uid} cannot block themselves.`],

	ERR_ALREADY_FRIEND: [400, (uid) => `The user ${uid} is a friend already.`],
	ERR_NOT_A_FRIEND: [400, (uid) => `The user ${uid} is not a friend.`],
	ERR_CANNOT_FORM_SELF_RELATION: [400, (uid) => `The user ${uid} cannot befriend themselves.`],

	ERR_BOT_NOT_FOUND: [404, (uid) => `The bot ${uid} does not exist.`],
	ERR_BOT_ALREADY_EXISTS: [400, (uid) => `The bot ${uid} already exists.`],
	ERR_BOT_LIMIT_EXCEEDED: [403, () => 'The app has no room for another bot.'],

	ERR_REACTION_NOT_FOUND: [404, (id) => `The user did not add this reaction to the message ${id}.`],
} as const satisfies Record<string, readonly [number, (subject: string) => string]>;

export type RefusalCode = keyof typeof REFUSALS;

/** Codes for refusals that CometChat describes without naming a code. The sandbox chose these codes. */
const INVENTED: readonly RefusalCode[] = [
	'ERR_MUID_ALREADY_EXISTS',
	'ERR_BOT_ALREADY_EXISTS',
	'ERR_BOT_LIMIT_EXCEEDED',
];

/** Body of an error response. */
export interface Failure {
	error: {
		code: string;
		message: string;
		devMessage: string;
		/** "chat-api" for CometChat's codes, "sandbox" for codes that the sandbox chose. */
		source: string;
		details?: Record<string, string[]>;
	};
}

/** An API response with an HTTP status and a JSON body. */
export interface ApiResponse {
	status: number;
	body: unknown;
}

/**
 * Builds an error response. The developer message is the message, with the subject in quotation marks. In
 * recorded responses, both are equal or nearly equal.
 *
 * @param subject key, UID, GUID, or message ID to include in the error message
 * @param details error texts by field, for ERR_BAD_REQUEST
 */
export function refuse(
	code: RefusalCode,
	subject = '',
	details?: Record<string, string[]>,
): ApiResponse & { body: Failure } {
	const [status, message] = REFUSALS[code];
	const error: Failure['error'] = {
		code,
		message: message(subject),
		devMessage: message(subject && `"${subject}"`),
		source: INVENTED.includes(code) ? 'sandbox' : 'chat-api',
	};
	if (details) error.details = details;
	return { status, body: { error } };
}

/** Thrown to refuse a request with an error response. */
export class Refusal extends Error {
	readonly response: ApiResponse & { body: Failure };

	/** Takes the same parameters as `refuse`. */
	constructor(code: RefusalCode, subject?: string, details?: Record<string, string[]>) {
		super(code);
		this.response = refuse(code, subject, details);
	}
}
