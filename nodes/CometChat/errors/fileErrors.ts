import { ConnectionError, SendError, StatusError } from '../transport/failure';
import { FileError, type FileProblem } from '../transport/fileError';
import { parseFileUrl } from '../transport/fileHosts';
import { asText } from '../helpers/json';
import { formatCount, joinSentences } from '../helpers/formatText';
import { DescribedError } from './inputError';

interface FileExplanation {
	message: string;
	advice?: string;
}

const SEND_AGAIN = 'The file has to be sent again, because CometChat stores only its address.';

/** Explanations of reasons that lie in the file or in the node's settings. */
const EXPLANATIONS: Record<FileProblem, (detail: string) => FileExplanation> = {
	noUrl: () => ({ message: "The file's address is not a URL", advice: SEND_AGAIN }),
	host: (host) => ({
		message: `Files are downloaded only from CometChat's media hosts, not from ${host}`,
		advice: `If you trust ${host}, add it to 'Other Hosts' under Options.`,
	}),
	redirects: () => ({ message: "The file's address redirects too often" }),
	size: (bytes) => ({
		message: `The file is larger than ${formatCount(Number(bytes) / 1_000_000)} MB`,
		advice: "Raise 'Largest File (MB)' under Options.",
	}),
	noAddress: () => ({
		message: "CometChat's media host sent JSON without the file's address",
		advice: 'Turn off token-based file access in the CometChat dashboard.',
	}),
};

/** Explanations of the statuses with which a host refuses a file. */
const EXPLANATIONS_BY_STATUS: Partial<Record<number, FileExplanation>> = {
	401: { message: 'is not allowed to be downloaded' },
	403: {
		message: 'is not allowed to be downloaded, or its address has expired',
		advice: SEND_AGAIN,
	},
	404: { message: 'does not exist any longer' },
	410: { message: 'does not exist any longer' },
};

function explain(error: unknown, host: string): FileExplanation {
	if (error instanceof FileError) return EXPLANATIONS[error.problem](error.detail);
	if (error instanceof StatusError) {
		const { statusCode } = error.response;
		const known = EXPLANATIONS_BY_STATUS[statusCode];
		if (known === undefined) {
			return { message: `${host} responded with status ${statusCode}`, advice: 'Try again later.' };
		}
		return {
			...known,
			message: `The file ${known.message} (${host} responded with status ${statusCode})`,
		};
	}
	if (error instanceof ConnectionError) {
		return {
			message: `The connection to ${host} failed before the whole file arrived`,
			advice: `Try again later. The connection reported: ${error.message} (${error.code}).`,
		};
	}
	return {
		message: 'The file could not be stored',
		advice: joinSentences([error instanceof Error ? error.message : asText(error)]),
	};
}

/** Explains why a file couldn't be downloaded. @param address URL of the file */
export function explainFileFailure(error: unknown, address: string): DescribedError {
	const cause = error instanceof SendError ? error.failure.error : error;
	const { message, advice } = explain(cause, parseFileUrl(address)?.host ?? 'The host');
	return new DescribedError(message, advice);
}
