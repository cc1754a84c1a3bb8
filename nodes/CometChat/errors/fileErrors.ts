import {
	ConnectionError,
	FailedAttemptsError,
	ErrorResponseError,
	getErrorResponseOfFailedAttempts,
} from '../transport/failure';
import type { FileHost } from '../transport/download';
import {
	NonRetryableDownloadError,
	type NonRetryableDownloadReason,
} from '../transport/downloadError';
import type { FileHostAccess } from '../transport/fileHosts';
import { wasNotSent } from '../transport/retry';
import {
	formatNumber,
	formatMsAsSeconds,
	getErrorMessage,
	joinSentences,
} from '../helpers/formatText';
import { DescribedError } from './describedErrors';
import { readRefusalOfResponseOrEmpty } from './refusal';

interface FileExplanation {
	message: string;
	advice?: string;
}

const SEND_AGAIN = 'The file has to be sent again, because CometChat stores only its address.';

const TRY_LATER = 'Try again later.';

const OPEN_ADDRESS = "Open the file's address in a browser to see the reason.";

const NO_LOGIN =
	'Download Files sends no login to this host. Use the HTTP Request node for this file.';

/**
 * Explanations, keyed by problem. Each function gets the `NonRetryableDownloadError`'s detail, and the name of the host
 * that the file was last requested from.
 */
const EXPLANATIONS: Record<
	NonRetryableDownloadReason,
	(detail: string, host: string) => FileExplanation
> = {
	noUrl: () => ({ message: "The file's address is not a URL", advice: SEND_AGAIN }),
	login: () => ({
		message: "The file's address contains a username or password",
		advice: NO_LOGIN,
	}),
	insecure: (host) => ({
		message: `The file's address on ${host} is not encrypted, because it starts with http://`,
		advice: `If you trust your network, add ${host} to 'Other Hosts' under Options.`,
	}),
	host: (host) => ({
		message: `Files are downloaded only from CometChat's media hosts, not from ${host}`,
		advice: `If you trust ${host}, add it to 'Other Hosts' under Options.`,
	}),
	redirect: (_, host) => ({
		message: `${host} redirected the download without a URL`,
		advice: OPEN_ADDRESS,
	}),
	redirects: () => ({ message: "The file's address redirects too often" }),
	size: (bytes) => ({
		message: `The file is larger than ${formatNumber(Number(bytes) / 1_000_000)} MB`,
		advice: "Raise 'Largest File (MB)' under Options.",
	}),
	noAddress: () => ({
		message: "CometChat's media host sent JSON without the file's address",
		advice: 'Turn off token-based file access in the CometChat dashboard.',
	}),
	replaced: (content, host) => ({
		message: `${host} sent ${content} in place of the file`,
		advice: `The file may require a login, or may no longer exist. ${OPEN_ADDRESS}`,
	}),
	storage: (message) => ({ message: 'The file could not be stored', advice: message }),
};

/**
 * Explains the HTTP status of a failed download. The advice depends on whether the host is a media host of the
 * credential's app (`own`).
 */
interface FileStatusExplanation {
	/** Rest of the error message, which begins with "The file" */
	predicate: string;
	advice?: Record<FileHostAccess, string>;
}

const GONE: FileStatusExplanation = { predicate: 'does not exist any longer' };

const INCOMPLETE: FileStatusExplanation = {
	predicate: 'did not arrive as a whole',
	advice: { own: TRY_LATER, other: TRY_LATER },
};

/** Explanations of failed downloads, keyed by HTTP status. */
const EXPLANATIONS_BY_STATUS: Partial<Record<number, FileStatusExplanation>> = {
	202: { predicate: 'is not ready yet', advice: { own: TRY_LATER, other: TRY_LATER } },
	204: INCOMPLETE,
	206: INCOMPLETE,
	401: {
		predicate: 'is not allowed to be downloaded',
		advice: {
			own: "Check 'REST API Key' and 'App ID' in the credential.",
			other: NO_LOGIN,
		},
	},
	403: {
		predicate: 'is not allowed to be downloaded, or its address has expired',
		advice: {
			own: 'Run the node again for a fresh address. A file that was forwarded by its address has to be sent again.',
			other: SEND_AGAIN,
		},
	},
	404: GONE,
	410: GONE,
};

/** Statuses below 500 after which another attempt may succeed. */
const TRY_LATER_4XX_STATUS = [408, 425, 429];

function explainFileStatus(statusCode: number, { name, access }: Host): FileExplanation {
	const response = `${name} responded with status ${statusCode}`;
	const known = EXPLANATIONS_BY_STATUS[statusCode];
	if (known) {
		return { message: `The file ${known.predicate} (${response})`, advice: known.advice?.[access] };
	}
	const isTemporary = statusCode >= 500 || TRY_LATER_4XX_STATUS.includes(statusCode);
	return { message: response, advice: isTemporary ? TRY_LATER : OPEN_ADDRESS };
}

function explainConnection(error: ConnectionError, { name }: Host): FileExplanation {
	const details = `The connection reported: ${error.message} (${error.code}).`;
	return wasNotSent(error)
		? {
				message: `Couldn't connect to ${name}`,
				advice: `Check the file's address and n8n's network connection. ${details}`,
			}
		: {
				message: `The connection to ${name} failed before the whole file arrived`,
				advice: `${TRY_LATER} ${details}`,
			};
}

const UNKNOWN_HOST: Host = { name: 'The host', access: 'other' };

/** A host to name in a download's error: the file was requested from it, or would have been. */
type Host = Pick<FileHost, 'name' | 'access'>;

function explain(error: unknown, host: Host): FileExplanation {
	if (error instanceof NonRetryableDownloadError)
		return EXPLANATIONS[error.problem](error.detail, host.name);
	if (error instanceof ErrorResponseError)
		return explainFileStatus(error.response.statusCode, host);
	if (error instanceof ConnectionError) return explainConnection(error, host);
	return {
		message: 'The file could not be downloaded',
		advice: getErrorMessage(error),
	};
}

/** Explains why a file wasn't requested from a host that limits downloads. */
const explainRateLimit = ({ name }: Host, waitMs: number): FileExplanation => ({
	message: `The file was not requested, because ${name} limits downloads`,
	advice: `Try again in ${formatMsAsSeconds(waitMs)}, or raise 'Longest Retry Wait (Seconds)' under Settings → Request Options.`,
});

/**
 * Creates the error that explains why a file couldn't be downloaded.
 *
 * @param host host that the file was last requested from
 */
export function toDescribedDownloadError(
	error: unknown,
	host: Host = UNKNOWN_HOST,
): DescribedError {
	const failure = error instanceof FailedAttemptsError ? error.failure : undefined;
	const { message, advice } =
		failure?.attempts === 0 && failure.disallowedWaitMs !== undefined
			? explainRateLimit(host, failure.disallowedWaitMs)
			: explain(failure ? failure.error : error, host);
	return new DescribedError(message, advice && joinSentences([advice]));
}

/**
 * Error codes that CometChat may return if it ignored a message's files, or the whole form. CometChat documents
 * uploads only for its client SDKs (open question 33).
 */
const IGNORED_FILES_CODES = [
	'ERR_EMPTY_MESSAGE_FILE',
	'ERR_EMPTY_RECEIVER',
	'ERR_INVALID_MEDIA_MESSAGE',
	'ERR_INVALID_MESSAGE_DATA',
];

/**
 * Names of fields that every message has. If CometChat reports a problem with one of these fields, CometChat may have
 * ignored the form.
 */
const BASIC_FIELDS = ['category', 'data', 'receiver', 'receiverType', 'type'];

/** Returns additional advice about a refused message with files, if CometChat may have ignored the files. */
export function getAdviceIfCometChatIgnoredFiles(error: unknown): string | undefined {
	const { code = '', fields = [] } = readRefusalOfResponseOrEmpty({
		body: getErrorResponseOfFailedAttempts(error)?.body,
	});
	const isIgnored =
		IGNORED_FILES_CODES.includes(code) || fields.some((name) => BASIC_FIELDS.includes(name));
	return isIgnored
		? "CometChat may not take files from this API key. Attachments by URL work: set 'Specify Attachments' to Using Fields or Using JSON, and give the URLs of the files"
		: undefined;
}
