/** Explanation of an error: what happened, and what the user can do. */
export interface Explanation {
	/** Error message, as one short sentence without a period */
	message: string;
	/** Names of the fields to check. Fields that the operation doesn't have are ignored. */
	fieldsToCheck?: string[];
	/** Fields of the credential to check */
	credentialPartsToCheck?: CredentialPart[];
	/**
	 * Name of an option whose value the user should raise. Ignored if the operation doesn't have the option.
	 */
	optionToRaise?: string;
	/** Additional advice, without a final period */
	advice?: string;
	/** Advice for a credential with a custom base URL, instead of `credentialPartsToCheck` and `advice` */
	baseUrlAdvice?: string;
}

/** Part of the credential: `key` is the API key, and `address` is either 'App ID' and 'Region' or 'Base URL'. */
export type CredentialPart = 'key' | 'address';

export const TRY_LATER = 'Try again later';
const CHECK_NETWORK = "Check n8n's network connection";
const CHECK_PROXY = 'Check any proxy between n8n and CometChat';
const CHECK_BASE_URL_VERSION =
	"Check that 'Base URL' in the credential ends with the version segment, e.g. /v3";
const SEND_FEWER = 'Send fewer requests at the same time, or try again later';
const CHANGE_PLAN = 'Change the plan in the CometChat dashboard';

/** Names of the fields that contain the ID of a message. */
const MESSAGE_ID_FIELDS = ['messageId', 'parentId', 'quotedMessageId'];

/** Names of the fields that identify the entity that a request is about, and the user who acts. */
const ADDRESSED_ENTITY_FIELDS = [
	...MESSAGE_ID_FIELDS,
	'reaction',
	'groupId',
	'userId',
	'onBehalfOf',
];

const MESSAGE_NOT_FOUND: Explanation = {
	message: 'No message has this ID',
	fieldsToCheck: MESSAGE_ID_FIELDS,
};

const INSUFFICIENT_GROUP_SCOPE: Explanation = {
	message: "The user's role in the group does not allow this action",
	fieldsToCheck: ['onBehalfOf'],
	advice: 'Act on behalf of an admin of the group, or as the app',
};

export const REJECTED_VALUE_EXPLANATION: Explanation = {
	message: 'CometChat rejected a field value',
	advice: "Correct the field that CometChat's message mentions",
};

/** Advice if CometChat rejected a field value without naming the field. */
export const UNNAMED_FIELD_ADVICE = 'Check all field values, because CometChat names no field';

const RATE_LIMIT_REACHED: Explanation = {
	message: "CometChat's rate limit was reached",
	optionToRaise: 'maxWait',
	advice: SEND_FEWER,
};

/** Advice for errors that a missing role may have caused. */
export const UNKNOWN_ROLE_ADVICE =
	"Choose a role from the list of the app's roles, or create this role in the CometChat dashboard";

const BLOCKED_MESSAGE: Explanation = {
	message: 'CometChat blocked the message',
	advice: "Check the app's extensions and webhooks in the CometChat dashboard",
};

/** Explanation of a failure inside CometChat. */
export const SERVICE_FAILURE_EXPLANATION: Explanation = {
	message: 'CometChat could not process the request',
	advice: TRY_LATER,
};

/**
 * Explanations, keyed by CometChat's error code. The codes come from CometChat's documentation, client SDKs and
 * test code.
 */
export const ERRORS_BY_COMETCHAT_CODE = {
	AUTH_ERR_APIKEY_NOT_FOUND: {
		message: 'CometChat does not recognize this API key',
		credentialPartsToCheck: ['key', 'address'],
	},
	AUTH_ERR_EMPTY_APIKEY: {
		message: 'CometChat received no API key',
		advice: "Fill in 'REST API Key' in the credential",
	},
	AUTH_ERR_EMPTY_APPID: {
		message: 'CometChat received no App ID',
		advice: "Set 'Region' to the app's region, and fill in 'App ID' in the credential",
	},
	AUTH_ERR_INVALID_APPID: {
		message: 'No app in this region has this ID',
		credentialPartsToCheck: ['address'],
	},
	AUTH_ERR_NO_ACCESS: {
		message: 'This API key lacks full access',
		advice:
			"Use a key with the fullAccess scope as 'REST API Key' in the credential, not an Auth Key",
	},
	ERR_ALREADY_BANNED: {
		message: 'The user is already banned from the group',
		fieldsToCheck: ['userId', 'groupId'],
	},
	ERR_ALREADY_FRIEND: {
		message: 'The users are already friends',
		fieldsToCheck: ['uids', 'userId'],
	},
	ERR_ALREADY_JOINED: {
		message: 'The user is already a member of the group',
		fieldsToCheck: ['uids', 'userId', 'onBehalfOf'],
	},
	ERR_API_NOT_FOUND: {
		message: 'CometChat has no API at this address',
		credentialPartsToCheck: ['address'],
		baseUrlAdvice: CHECK_BASE_URL_VERSION,
	},
	ERR_AUTH_TOKEN_NOT_FOUND: {
		message: 'The user does not have this auth token',
		fieldsToCheck: ['userId'],
	},
	ERR_BAD_REQUEST: REJECTED_VALUE_EXPLANATION,
	ERR_BANNED_GROUPMEMBER: {
		message: 'The user is banned from the group',
		fieldsToCheck: ['uids', 'userId', 'onBehalfOf'],
		advice: 'Use Group → Unban Member to lift the ban',
	},
	ERR_BLOCKED_BY_EXTENSION: BLOCKED_MESSAGE,
	ERR_BLOCKED_BY_WEBHOOK: BLOCKED_MESSAGE,
	ERR_BLOCKED_RECEIVER: {
		message: 'The sender has blocked this user',
		fieldsToCheck: ['userId', 'onBehalfOf'],
	},
	ERR_BLOCKED_SENDER: {
		message: 'The user has blocked this sender',
		fieldsToCheck: ['userId', 'onBehalfOf'],
	},
	ERR_CANNOT_BLOCK_SELF: {
		message: 'A user cannot block themselves',
		fieldsToCheck: ['uids', 'userId'],
	},
	ERR_CANNOT_FORM_SELF_RELATION: {
		message: 'A user cannot be their own friend',
		fieldsToCheck: ['uids', 'userId'],
	},
	ERR_CONVERSATION_NOT_ACCESSIBLE: {
		message: 'This conversation does not exist for the user',
		fieldsToCheck: ['onBehalfOf', 'groupId', 'userId'],
	},
	ERR_EMPTY_MESSAGE_FILE: {
		message: 'The message has no file',
		fieldsToCheck: ['attachments', 'attachmentsJson', 'binaryProperties', 'mediaType'],
	},
	ERR_EMPTY_CUSTOM_DATA: { message: 'The custom data is empty', fieldsToCheck: ['customData'] },
	ERR_EMPTY_GROUP_PASS: { message: 'The group needs a password', fieldsToCheck: ['password'] },
	ERR_EMPTY_MESSAGE_TEXT: { message: 'The text of the message is empty', fieldsToCheck: ['text'] },
	ERR_EMPTY_RECEIVER: {
		message: 'The message has no receiver',
		fieldsToCheck: ['groupId', 'userId'],
	},
	ERR_EXCEPTION: SERVICE_FAILURE_EXPLANATION,
	ERR_FAILED_TO_ADD_FRIEND: { message: 'CometChat could not add the friend', advice: TRY_LATER },
	ERR_FEATURE_NOT_ACCESSIBLE: {
		message: "The app's plan does not include this feature",
		advice: CHANGE_PLAN,
	},
	ERR_GROUP_DELETE_FAILED: { message: 'CometChat could not delete the group', advice: TRY_LATER },
	ERR_GROUP_NOT_JOINED: {
		message: 'The user has not joined the group',
		fieldsToCheck: ['onBehalfOf', 'groupId'],
	},
	ERR_GROUP_NO_ADMIN_SCOPE: INSUFFICIENT_GROUP_SCOPE,
	ERR_GROUP_NO_CLEARANCE: INSUFFICIENT_GROUP_SCOPE,
	ERR_GROUP_NO_MODERATOR_SCOPE: INSUFFICIENT_GROUP_SCOPE,
	ERR_GROUP_NO_SCOPE_CLEARANCE: INSUFFICIENT_GROUP_SCOPE,
	ERR_GROUP_NO_SELF_ACTION: {
		message: 'A user cannot do this to themselves',
		fieldsToCheck: ['userId', 'onBehalfOf'],
	},
	ERR_GROUP_OWNER_DEMOTE_FORBIDDEN: {
		message: 'The owner of a group must stay an admin',
		fieldsToCheck: ['userId', 'uids'],
		advice: 'Make another member the owner first, with Group → Update',
	},
	ERR_GUID_ALREADY_EXISTS: {
		message: 'A group with this GUID already exists',
		fieldsToCheck: ['guid'],
	},
	ERR_GUID_NOT_FOUND: {
		message: 'No group has this ID (GUID)',
		fieldsToCheck: ['groupId', 'guid'],
	},
	ERR_INVALID_API_VERSION: {
		message: 'CometChat has no such version of its API',
		credentialPartsToCheck: ['address'],
		baseUrlAdvice: CHECK_BASE_URL_VERSION,
	},
	ERR_INVALID_CUSTOM_DATA: {
		message: 'CometChat does not accept the custom data',
		fieldsToCheck: ['customData'],
		advice: 'Custom data must be a JSON object',
	},
	ERR_INVALID_METADATA: {
		message: 'CometChat does not accept the metadata',
		fieldsToCheck: ['metadata'],
		advice: 'Metadata must be a JSON object',
	},
	ERR_INVALID_MEDIA_MESSAGE: {
		message: 'CometChat does not accept these attachments',
		fieldsToCheck: ['attachments', 'attachmentsJson', 'binaryProperties', 'mediaType'],
	},
	ERR_INVALID_MESSAGE_DATA: {
		message: 'CometChat does not accept the content of the message',
		fieldsToCheck: ['text', 'attachments', 'customData', 'card', 'metadata'],
	},
	ERR_INVALID_RECEIVER_TYPE: {
		message: 'CometChat does not recognize this receiver type',
		fieldsToCheck: ['receiverType'],
	},
	ERR_MEMBER_DELETE_FAILED: {
		message: 'CometChat could not remove the member',
		fieldsToCheck: ['userId'],
		advice:
			'The owner of a group cannot be removed or banned. To do so, first make another member the owner with Group → Update',
	},
	ERR_MESSAGE_ACTION_NOT_ALLOWED: {
		message: 'CometChat does not allow this action on this message',
		fieldsToCheck: [...MESSAGE_ID_FIELDS, 'onBehalfOf'],
	},
	ERR_MESSAGE_ID_NOT_FOUND: MESSAGE_NOT_FOUND,
	ERR_MESSAGE_NOT_A_SENDER: {
		message: 'Only the sender can change this message',
		fieldsToCheck: ['onBehalfOf'],
		advice: 'Act on behalf of the sender, or as the app',
	},
	ERR_MESSAGE_NO_ACCESS: {
		message: 'The user does not have access to this message',
		fieldsToCheck: ['onBehalfOf', ...MESSAGE_ID_FIELDS],
		advice: 'Moderation may still be checking a new message. If so, try again later',
	},
	ERR_MESSAGE_THREAD_NESTING: {
		message: 'A reply cannot have replies of its own',
		fieldsToCheck: ['messageId', 'parentId'],
		advice: 'Reply to the message that the thread starts with. Its ID is the parentId of the reply',
	},
	ERR_MISSION_FAILED: SERVICE_FAILURE_EXPLANATION,
	ERR_MSG_NOT_FOUND: MESSAGE_NOT_FOUND,
	ERR_NOT_A_BANNED_USER: {
		message: 'The user is not banned from the group',
		fieldsToCheck: ['userId', 'groupId'],
	},
	ERR_NOT_A_FRIEND: {
		message: 'The users are not friends',
		fieldsToCheck: ['uids', 'userId'],
	},
	ERR_NOT_A_MEMBER: {
		message: 'The user is not a member of the group',
		fieldsToCheck: ['userId', 'onBehalfOf', 'groupId'],
	},
	ERR_NO_VACANCY: { message: 'The group is full', fieldsToCheck: ['groupId'] },
	ERR_OPERATION_FAILED: SERVICE_FAILURE_EXPLANATION,
	ERR_PERMISSION_DENIED: {
		message: 'CometChat does not permit this action',
		fieldsToCheck: ['onBehalfOf'],
		advice:
			"In the CometChat dashboard, check the permissions of the user's role and scope, which must both allow the action, or act as the app",
	},
	ERR_PINNED_MESSAGES_LIMIT_EXCEEDED: {
		message: 'The conversation has reached its limit of pinned messages',
		advice: 'Unpin another message first',
	},
	ERR_PLAN_QUOTA_RESTRICTION: {
		message: "The app's quota is used up",
		advice: 'Wait until the quota renews, or change the plan in the CometChat dashboard',
	},
	ERR_PLAN_RESTRICTION: {
		message: "The app's plan does not include this feature",
		advice: CHANGE_PLAN,
	},
	ERR_REASON_NOT_FOUND: {
		message: 'The app has no reason with this ID for reports',
		fieldsToCheck: ['reasonId'],
		advice: 'Choose a reason from the list, or add this reason in the CometChat dashboard',
	},
	ERR_REACTION_NOT_FOUND: {
		message: 'The user did not add this reaction to this message',
		fieldsToCheck: ['reaction', 'onBehalfOf'],
		advice: '👎 and 👎🏽 differ. Use Message → List Reactions to see who reacted',
	},
	ERR_ROLE_NOT_FOUND: {
		message: 'The app does not have this role',
		fieldsToCheck: ['role', 'roles'],
		advice: UNKNOWN_ROLE_ADVICE,
	},
	ERR_SAME_SCOPE: {
		message: 'The member already has this scope',
		fieldsToCheck: ['userId', 'uids', 'scope'],
	},
	ERR_SUBSCRIPTION_EXPIRED: {
		message: "The app's subscription has expired",
		advice: 'Renew it in the CometChat dashboard',
	},
	ERR_TOO_MANY_REQUESTS: RATE_LIMIT_REACHED,
	ERR_UID_ALREADY_EXISTS: {
		message: 'A user with this UID already exists',
		fieldsToCheck: ['uid'],
	},
	ERR_UID_NOT_FOUND: {
		message: 'No active user has this UID',
		fieldsToCheck: ['onBehalfOf', 'userId', 'uids', 'owner', 'sender'],
	},
	ERR_WRONG_MESSAGE_THREAD: {
		message: 'The message that starts the thread belongs to another conversation',
		fieldsToCheck: ['messageId', 'parentId', 'onBehalfOf'],
	},
	ERR_WRONG_MESSAGE_THREAD_CATEGORY: {
		message: 'This kind of message cannot have replies',
		fieldsToCheck: ['messageId', 'parentId'],
		advice: 'Reply to a message that a user sent, not to a call or a system message',
	},
} satisfies Record<string, Explanation>;

const REDIRECTED: Explanation = {
	message: 'The request was redirected, so it was stopped to protect your API key',
	credentialPartsToCheck: ['address'],
};

/**
 * Replacements for advice in an error that says how long the next attempt would have to wait, keyed by the original
 * advice.
 */
export const ADVICE_REPLACEMENTS_FOR_LONG_WAIT: Record<string, string> = {
	[TRY_LATER]: 'Or try again after that time',
	[SEND_FEWER]: 'Or send fewer requests at the same time',
};

/**
 * Explanations, keyed by HTTP status. Used if neither `ERRORS_BY_COMETCHAT_CODE` nor
 * `UNKNOWN_CODE_ERRORS_BY_STATUS` explains the response.
 */
export const ERRORS_BY_STATUS: Record<number, Explanation> = {
	301: REDIRECTED,
	302: REDIRECTED,
	303: REDIRECTED,
	307: REDIRECTED,
	308: REDIRECTED,
	400: REJECTED_VALUE_EXPLANATION,
	401: { message: 'CometChat rejected the API key', credentialPartsToCheck: ['key', 'address'] },
	403: {
		message: 'CometChat denied access',
		fieldsToCheck: ['onBehalfOf'],
		advice: "Check that 'REST API Key' in the credential has the fullAccess scope",
	},
	404: {
		message: 'CometChat found nothing at this address',
		fieldsToCheck: ADDRESSED_ENTITY_FIELDS,
		credentialPartsToCheck: ['address'],
	},
	407: {
		message: 'The proxy requires a username and a password',
		advice: 'Check the proxy between n8n and CometChat',
	},
	408: { message: 'CometChat timed out waiting for the request', advice: TRY_LATER },
	409: { message: 'This ID is already in use', fieldsToCheck: ['guid', 'uid', 'muid'] },
	413: {
		message: 'The request is too large',
		advice: 'Shorten the field values, or send smaller files',
	},
	414: { message: 'The URL of the request is too long', advice: 'Shorten the filters' },
	422: REJECTED_VALUE_EXPLANATION,
	429: RATE_LIMIT_REACHED,
	502: { message: 'The gateway in front of CometChat received no response', advice: TRY_LATER },
	503: { message: 'CometChat is currently unavailable', advice: TRY_LATER },
	504: { message: 'The gateway in front of CometChat timed out', advice: TRY_LATER },
};

/**
 * Explanations, keyed by HTTP status, for responses with an unknown CometChat error code that doesn't begin with
 * AUTH_ERR. Such a response proves that the base URL and the API key are correct.
 */
export const UNKNOWN_CODE_ERRORS_BY_STATUS: Record<number, Explanation> = {
	401: {
		message: 'CometChat denied access',
		fieldsToCheck: ['onBehalfOf', 'groupId', ...MESSAGE_ID_FIELDS],
	},
	403: {
		message: 'CometChat denied access',
		fieldsToCheck: ['onBehalfOf', 'groupId', ...MESSAGE_ID_FIELDS],
	},
	404: {
		message: 'CometChat found nothing that matches these values',
		fieldsToCheck: [...ADDRESSED_ENTITY_FIELDS, 'owner', 'sender', 'role'],
	},
};

/** Explanation for a status below 500 that isn't in `ERRORS_BY_STATUS`. */
export const UNKNOWN_STATUS_BELOW_500_EXPLANATION: Explanation = {
	message: 'CometChat did not process the request',
};

const CERTIFICATE: Explanation = {
	message: "Couldn't connect to CometChat: its certificate is not trusted",
	credentialPartsToCheck: ['address'],
	advice:
		"If the server uses your own certificate, start n8n with NODE_EXTRA_CA_CERTS, or turn on 'Ignore SSL Issues (Insecure)' in the credential",
};

const HOST_UNREACHABLE: Explanation = {
	message: "Couldn't connect to CometChat: n8n's network has no route to the host",
	credentialPartsToCheck: ['address'],
	advice: CHECK_NETWORK,
};

const TOO_SLOW: Explanation = {
	message: 'CometChat did not respond in time',
	optionToRaise: 'timeout',
	advice: TRY_LATER,
};

const NO_TLS: Explanation = {
	message: "Couldn't connect to CometChat: the server does not use HTTPS",
	credentialPartsToCheck: ['address'],
	baseUrlAdvice: "Check the protocol and the port of 'Base URL' in the credential",
};

const NO_HTTP: Explanation = {
	message: "Couldn't read CometChat's response: it is not HTTP",
	credentialPartsToCheck: ['address'],
	baseUrlAdvice:
		"Check the protocol and the port of 'Base URL' in the credential. The server may need https://, or may not be a web server",
};

const INCOMPLETE: Explanation = {
	message: 'The connection closed before the response was complete',
	advice: TRY_LATER,
};

const NO_CLIENT_CERTIFICATE: Explanation = {
	message: "Couldn't connect to CometChat: the server requires a client certificate",
	credentialPartsToCheck: ['address'],
	advice: 'CometChat requires none, so a proxy may have answered in its place',
};

/**
 * Explanations for errors whose code has several meanings or depends on the version of n8n. The first pattern that
 * matches the error's message decides, before `ERRORS_BY_NETWORK_CODE` is consulted.
 */
export const CONNECTION_PATTERNS_BEFORE_CODES: ReadonlyArray<[pattern: RegExp, Explanation]> = [
	[
		/alert protocol version|unsupported protocol/,
		{
			message: "Couldn't connect to CometChat: the server offers only outdated versions of TLS",
			credentialPartsToCheck: ['address'],
			advice: 'The server or a proxy has to offer TLS 1.2 or later',
		},
	],
	[/alert certificate required|alert bad certificate/, NO_CLIENT_CERTIFICATE],
	[
		/alert handshake failure|no shared cipher|no ciphers available/,
		{
			message: "Couldn't connect to CometChat: the server refused the TLS handshake",
			credentialPartsToCheck: ['address'],
			advice:
				"The server may share no cipher with n8n, or may require a client certificate. A proxy may have answered in CometChat's place",
		},
	],
	[
		/^(incorrect (header|data) check|invalid (block type|stored block|distance|code|bit)|Decompression failed|unexpected end of file)/,
		{
			message: "CometChat's response can't be decompressed",
			advice: `${CHECK_PROXY}. Trying again doesn't help`,
		},
	],
	[
		/^Cannot create a string longer than/,
		{
			message: "CometChat's response is larger than 512 MB",
			advice: "Read less at a time, e.g. with Filters or a smaller page. Trying again doesn't help",
		},
	],
];

/** Explanations, keyed by the error code from Node.js or axios, for requests without a complete response. */
export const ERRORS_BY_NETWORK_CODE: Record<string, Explanation> = {
	CERT_HAS_EXPIRED: {
		message: "Couldn't connect to CometChat: its certificate has expired",
		credentialPartsToCheck: ['address'],
		advice:
			"Check the clock of the machine that runs n8n. Your own server's certificate must be renewed",
	},
	CERT_NOT_YET_VALID: CERTIFICATE,
	DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
	EAI_AGAIN: {
		message: "Couldn't connect to CometChat: the host name could not be looked up",
		advice: CHECK_NETWORK,
	},
	ECONNABORTED: TOO_SLOW,
	ECONNREFUSED: {
		message: "Couldn't connect to CometChat: the connection was refused",
		credentialPartsToCheck: ['address'],
		advice: CHECK_NETWORK,
		baseUrlAdvice: "Check 'Base URL' in the credential, and make sure that the service is running",
	},
	EHOSTUNREACH: HOST_UNREACHABLE,
	ENETDOWN: HOST_UNREACHABLE,
	ENETUNREACH: HOST_UNREACHABLE,
	ENOTFOUND: {
		message: "Couldn't connect to CometChat: the host does not exist",
		credentialPartsToCheck: ['address'],
	},
	EPROTO: NO_TLS,
	ERR_PROXY: {
		message: "Couldn't connect to CometChat: the proxy did not open a connection",
		advice: "Check the proxy that n8n's environment names, e.g. in HTTPS_PROXY",
	},
	ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
	ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
	ERR_TLS_CERT_ALTNAME_INVALID: {
		message: "Couldn't connect to CometChat: the certificate is for another host",
		credentialPartsToCheck: ['address'],
	},
	ETIMEDOUT: TOO_SLOW,
	HPE_HEADER_OVERFLOW: {
		message: "The headers of CometChat's response are too large",
		credentialPartsToCheck: ['address'],
		advice: CHECK_PROXY,
	},
	// These parser errors occur after a valid start of the response, so the response is HTTP, but incomplete
	HPE_INVALID_CHUNK_SIZE: INCOMPLETE,
	HPE_INVALID_EOF_STATE: INCOMPLETE,
	SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
	UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
};

/** Explanations for connection failures that the error code alone doesn't explain. */
export const CONNECTION_ERRORS_NOT_KEYED_BY_CODE = {
	connectTimeout: {
		message: "Couldn't connect to CometChat in time",
		credentialPartsToCheck: ['address'],
		advice: CHECK_NETWORK,
	},
	incompleteResponse: INCOMPLETE,
	notConnected: {
		message: "Couldn't connect to CometChat",
		credentialPartsToCheck: ['address'],
		advice: CHECK_NETWORK,
	},
	/** For errors of Node.js's HTTP parser (HPE_…) whose codes aren't in `ERRORS_BY_NETWORK_CODE` */
	notHttp: NO_HTTP,
} satisfies Record<string, Explanation>;

/** Explanation of a refusal that CometChat can't have sent, because the body is a web page or XML. */
export const FOREIGN_RESPONSE_EXPLANATION: Explanation = {
	message: "A web page came back instead of CometChat's response",
	credentialPartsToCheck: ['address'],
	advice: CHECK_PROXY,
};

/** Explanation, without its message, if a successful response lacks the expected data. */
export const UNUSABLE_RESPONSE_EXPLANATION_BASE: Omit<Explanation, 'message'> = {
	credentialPartsToCheck: ['address'],
	advice: CHECK_PROXY,
};

/** Explanation, without its message, if the JSON of a successful response is incomplete or broken. */
export const BROKEN_JSON_EXPLANATION_BASE: Omit<Explanation, 'message'> = {
	advice: `${TRY_LATER}. ${CHECK_PROXY}`,
};
