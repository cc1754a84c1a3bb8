/** What happened, and what to do about it. */
export interface Explanation {
	/** One short sentence without a period */
	message: string;
	/**
	 * Fields to check, by the names of the contract: those that the operation does not have are not
	 * mentioned. With what to look for in it, where that helps.
	 */
	check?: Array<string | [name: string, lookFor: string]>;
	/** Option whose larger value helps, by its name; not mentioned where the operation lacks it */
	raise?: string;
	/** What to do besides: one sentence without a period */
	advice?: string;
}

const CHECK_ADDRESS = "Check 'App ID' and 'Region', or 'Base URL', in the credential";
const CHECK_WAY = `${CHECK_ADDRESS}, and any proxy in between`;
const CHECK_KEY = "Check 'REST API Key', 'App ID' and 'Region', or 'Base URL', in the credential";
export const TRY_LATER = 'Try again later';
const CHANGE_PLAN = 'Change the plan in the CometChat dashboard';

const NO_MESSAGE: Explanation = { message: 'No message has this ID', check: ['messageId'] };

const NO_ROLE: Explanation = {
	message: "The user's role in the group does not allow this",
	check: ['onBehalfOf'],
	advice: 'Act on behalf of an admin of the group, or as the app',
};

const REJECTED: Explanation = {
	message: 'CometChat rejected a field value',
	advice: 'Correct the field that CometChat names',
};

const RATE_LIMIT: Explanation = {
	message: "CometChat's rate limit was reached",
	raise: 'maxWait',
	advice: 'Make fewer requests at the same time, or try again in a minute',
};

const BLOCKED: Explanation = {
	message: 'CometChat blocked the message',
	advice: 'Check the extensions and webhooks of the app in the CometChat dashboard',
};

const FAILED: Explanation = {
	message: 'CometChat could not carry out the request',
	advice: TRY_LATER,
};

/** By the service's code: from its public documentation and from clients that met them. */
export const ERRORS_BY_CODE: Record<string, Explanation> = {
	AUTH_ERR_APIKEY_NOT_FOUND: { message: 'CometChat does not know this API key', advice: CHECK_KEY },
	AUTH_ERR_EMPTY_APIKEY: {
		message: 'CometChat received no API key',
		advice: "Fill in 'REST API Key' in the credential",
	},
	AUTH_ERR_INVALID_APPID: {
		message: 'This region has no such app',
		advice: "Check 'App ID' and 'Region' in the credential",
	},
	AUTH_ERR_NO_ACCESS: {
		message: 'This API key lacks full access',
		advice:
			"Use a key with the fullAccess scope as 'REST API Key' in the credential, not an Auth Key",
	},
	ERR_ALREADY_BANNED: {
		message: 'The user is banned from the group already',
		check: ['userId', 'groupId'],
	},
	ERR_ALREADY_JOINED: {
		message: 'The user is already a member of the group',
		check: ['uids', 'userId', 'onBehalfOf'],
	},
	ERR_API_NOT_FOUND: {
		message: 'CometChat has nothing at this address',
		advice: "Check 'Base URL' in the credential: it ends with the version segment, e.g. /v3",
	},
	ERR_AUTH_TOKEN_NOT_FOUND: { message: 'The user has no such auth token', check: ['userId'] },
	ERR_BAD_REQUEST: REJECTED,
	ERR_BANNED_GROUPMEMBER: {
		message: 'The user is banned from the group',
		check: ['uids', 'userId', 'onBehalfOf'],
		advice: 'Group → Unban Member lifts the ban',
	},
	ERR_BLOCKED_BY_EXTENSION: BLOCKED,
	ERR_BLOCKED_BY_WEBHOOK: BLOCKED,
	ERR_BLOCKED_RECEIVER: {
		message: 'The sender has blocked this user',
		check: ['userId', 'onBehalfOf'],
	},
	ERR_BLOCKED_SENDER: {
		message: 'The user has blocked this sender',
		check: ['userId', 'onBehalfOf'],
	},
	ERR_CANNOT_BLOCK_SELF: {
		message: 'A user cannot block themselves',
		check: ['uids', 'userId'],
	},
	ERR_CONVERSATION_NOT_ACCESSIBLE: {
		message: 'The user has no such conversation',
		check: ['onBehalfOf', 'groupId', 'userId'],
	},
	ERR_EMPTY_CUSTOM_DATA: { message: 'The custom data is empty', check: ['customData'] },
	ERR_EMPTY_GROUP_PASS: { message: 'The group needs a password', check: ['password'] },
	ERR_EMPTY_MESSAGE_TEXT: { message: 'The text of the message is empty', check: ['text'] },
	ERR_EMPTY_RECEIVER: { message: 'The message has no receiver', check: ['groupId', 'userId'] },
	ERR_EXCEPTION: FAILED,
	ERR_FEATURE_NOT_ACCESSIBLE: {
		message: "The app's plan does not include this feature",
		advice: CHANGE_PLAN,
	},
	ERR_GROUP_DELETE_FAILED: { message: 'CometChat could not delete the group', advice: TRY_LATER },
	ERR_GROUP_NOT_JOINED: {
		message: 'The user has not joined the group',
		check: ['onBehalfOf', 'groupId'],
	},
	ERR_GROUP_NO_ADMIN_SCOPE: NO_ROLE,
	ERR_GROUP_NO_CLEARANCE: NO_ROLE,
	ERR_GROUP_NO_MODERATOR_SCOPE: NO_ROLE,
	ERR_GROUP_NO_SCOPE_CLEARANCE: NO_ROLE,
	ERR_GROUP_NO_SELF_ACTION: {
		message: 'A user cannot do this to themselves',
		check: ['userId', 'onBehalfOf'],
	},
	ERR_GROUP_OWNER_DEMOTE_FORBIDDEN: {
		message: 'The owner of a group stays its admin',
		check: ['userId', 'uids'],
		advice: 'Make another member the owner first',
	},
	ERR_GUID_ALREADY_EXISTS: { message: 'A group with this GUID exists already', check: ['guid'] },
	ERR_GUID_NOT_FOUND: { message: 'No group has this ID (GUID)', check: ['groupId', 'guid'] },
	ERR_INVALID_MEDIA_MESSAGE: {
		message: 'CometChat does not accept these attachments',
		check: ['attachments', 'mediaType'],
	},
	ERR_INVALID_MESSAGE_DATA: {
		message: 'CometChat does not accept the content of the message',
		check: ['text', 'attachments', 'customData', 'metadata'],
	},
	ERR_INVALID_RECEIVER_TYPE: {
		message: 'CometChat does not know this kind of receiver',
		check: ['receiverType'],
	},
	ERR_MEMBER_DELETE_FAILED: { message: 'CometChat could not remove the member', advice: TRY_LATER },
	ERR_MESSAGE_ACTION_NOT_ALLOWED: {
		message: 'CometChat does not allow this for this message',
		check: ['messageId', 'onBehalfOf'],
	},
	ERR_MESSAGE_ID_NOT_FOUND: NO_MESSAGE,
	ERR_MESSAGE_NOT_A_SENDER: {
		message: 'Only the sender may change this message',
		check: ['onBehalfOf'],
		advice: 'Act on behalf of the sender, or as the app',
	},
	ERR_MESSAGE_NO_ACCESS: {
		message: 'The user may not see this message',
		check: ['onBehalfOf', 'messageId'],
	},
	ERR_MISSION_FAILED: FAILED,
	ERR_MSG_NOT_FOUND: NO_MESSAGE,
	ERR_NOT_A_BANNED_USER: {
		message: 'The user is not banned from the group',
		check: ['userId', 'groupId'],
	},
	ERR_NOT_A_MEMBER: {
		message: 'The user is not a member of the group',
		check: ['userId', 'onBehalfOf', 'groupId'],
	},
	ERR_NO_VACANCY: { message: 'The group is full', check: ['groupId'] },
	ERR_OPERATION_FAILED: FAILED,
	ERR_PINNED_MESSAGES_LIMIT_EXCEEDED: {
		message: 'The conversation has as many pinned messages as it can have',
		advice: 'Unpin another one first',
	},
	ERR_PLAN_QUOTA_RESTRICTION: {
		message: "The app's quota is used up",
		advice: 'Wait until it is renewed, or change the plan in the CometChat dashboard',
	},
	ERR_PLAN_RESTRICTION: { message: "The app's plan does not include this", advice: CHANGE_PLAN },
	ERR_REASON_NOT_FOUND: {
		message: 'The app has no such reason',
		check: ['reasonId'],
		advice: 'Choose it from the list again: the reasons are set up in the CometChat dashboard',
	},
	ERR_REACTION_NOT_FOUND: {
		message: 'The user has not made this reaction to this message',
		check: [['reaction', '👎 and 👎🏽 differ'], 'onBehalfOf'],
		advice: 'Message → List Reactions shows who reacted',
	},
	ERR_ROLE_NOT_FOUND: {
		message: 'The app has no such role',
		check: ['role', 'roles'],
		advice: 'Create the role in the CometChat dashboard first',
	},
	ERR_SAME_SCOPE: {
		message: 'The member has this scope already',
		check: ['userId', 'uids', 'scope'],
	},
	ERR_SUBSCRIPTION_EXPIRED: {
		message: "The app's subscription has expired",
		advice: 'Renew it in the CometChat dashboard',
	},
	ERR_TOO_MANY_REQUESTS: RATE_LIMIT,
	ERR_UID_ALREADY_EXISTS: { message: 'A user with this UID exists already', check: ['uid'] },
	ERR_UID_NOT_FOUND: {
		message: 'No active user has this UID',
		check: ['onBehalfOf', 'userId', 'uids', 'owner', 'sender'],
	},
};

/** By status, when the service's code is missing or unknown. */
export const ERRORS_BY_STATUS: Record<number, Explanation> = {
	400: REJECTED,
	401: { message: 'CometChat rejected the API key', advice: CHECK_KEY },
	403: {
		message: 'CometChat denied access',
		check: ['onBehalfOf'],
		advice: "Check that 'REST API Key' in the credential has the fullAccess scope",
	},
	404: {
		message: 'CometChat found nothing at this address',
		check: ['messageId', 'reaction', 'groupId', 'userId', 'onBehalfOf'],
		advice: CHECK_ADDRESS,
	},
	407: {
		message: 'The proxy asks for a user name and a password',
		advice: 'Check the proxy between n8n and CometChat',
	},
	408: { message: 'CometChat waited too long for the request', advice: TRY_LATER },
	409: { message: 'CometChat already has this', check: ['guid', 'uid', 'muid'] },
	413: { message: 'The request is too large', advice: 'Shorten the values of the fields' },
	414: { message: 'The address of the request is too long', advice: 'Shorten the filters' },
	429: RATE_LIMIT,
	500: { message: 'CometChat had an internal error', advice: TRY_LATER },
	502: { message: 'The gateway before CometChat received no response', advice: TRY_LATER },
	503: { message: 'CometChat is not available right now', advice: TRY_LATER },
	504: { message: 'The gateway before CometChat waited too long', advice: TRY_LATER },
};

/**
 * By status, when CometChat itself answered with a code that is not known: then the address and the
 * key in the credential are right.
 */
export const ERRORS_BY_SERVICE_STATUS: Record<number, Explanation> = {
	401: { message: 'CometChat denied access', check: ['onBehalfOf', 'groupId', 'messageId'] },
	403: { message: 'CometChat denied access', check: ['onBehalfOf', 'groupId', 'messageId'] },
	404: {
		message: 'CometChat found nothing by these values',
		check: ['messageId', 'reaction', 'groupId', 'userId', 'onBehalfOf'],
	},
};

/** For the statuses of a redirect. */
export const REDIRECT_ERROR: Explanation = {
	message: 'The request was redirected, so it was stopped to protect your API key',
	advice: CHECK_ADDRESS,
};

export const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** For every other status. */
export const UNKNOWN_STATUS_ERROR: Explanation = {
	message: 'CometChat did not carry out the request',
};

const OWN_CERTIFICATE =
	"Check 'Base URL' in the credential. For a certificate of your own, start n8n with NODE_EXTRA_CA_CERTS";

const CERTIFICATE: Explanation = {
	message: "Couldn't connect to CometChat: its certificate is not trusted",
	advice: `${OWN_CERTIFICATE}, or turn on 'Ignore SSL Issues (Insecure)' in the credential`,
};

const NO_ROUTE: Explanation = {
	message: "Couldn't connect to CometChat: the network of n8n has no route to it",
	advice: "Check 'Base URL' in the credential and the network of n8n",
};

const TOO_SLOW: Explanation = {
	message: 'CometChat did not respond in time',
	raise: 'timeout',
	advice: TRY_LATER,
};

const NO_TLS: Explanation = {
	message: "Couldn't connect to CometChat: the server does not speak HTTPS",
	advice: "Check 'Base URL' in the credential: https:// or http://, and the port",
};

/** By the code of Node.js or axios for a request without a response. */
export const ERRORS_BY_NETWORK_CODE: Record<string, Explanation> = {
	CERT_HAS_EXPIRED: CERTIFICATE,
	CERT_NOT_YET_VALID: CERTIFICATE,
	DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
	EAI_AGAIN: {
		message: "Couldn't connect to CometChat: the host name could not be looked up",
		advice: 'Check the network of n8n',
	},
	ECONNABORTED: TOO_SLOW,
	ECONNREFUSED: {
		message: "Couldn't connect to CometChat: the connection was refused",
		advice: "Check 'Base URL' in the credential, and that the service is running",
	},
	EHOSTUNREACH: NO_ROUTE,
	ENETDOWN: NO_ROUTE,
	ENETUNREACH: NO_ROUTE,
	ENOTFOUND: {
		message: "Couldn't connect to CometChat: the host does not exist",
		advice: CHECK_ADDRESS,
	},
	EPROTO: NO_TLS,
	ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
	ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
	ERR_TLS_CERT_ALTNAME_INVALID: {
		message: "Couldn't connect to CometChat: the certificate is for another host",
		advice: "Check 'Base URL' in the credential",
	},
	ETIMEDOUT: TOO_SLOW,
	SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
	UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
};

/** For a connection that did not come about in time. */
export const CONNECT_TIMEOUT_ERROR: Explanation = {
	message: "Couldn't connect to CometChat in time",
	advice: "Check 'Base URL' in the credential and the network of n8n",
};

/** For other codes that can follow the sending of a request. */
export const INCOMPLETE_RESPONSE_ERROR: Explanation = {
	message: 'The connection closed before the response was complete',
	advice: TRY_LATER,
};

/** For codes of a response that cannot be read. */
export const INVALID_RESPONSE_ERROR: Explanation = {
	message: "CometChat's response could not be read",
	advice: CHECK_WAY,
};

/** For other codes: no connection came about. */
export const NOT_CONNECTED_ERROR: Explanation = {
	message: "Couldn't connect to CometChat",
	advice: "Check 'Base URL' in the credential and the network of n8n",
};

/** For a response with a status of success that holds nothing usable. */
export const MISSING_DATA_ERROR: Omit<Explanation, 'message'> = { advice: CHECK_WAY };
