import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import {
	ADVICE_REPLACEMENTS_FOR_LONG_WAIT,
	BROKEN_JSON_EXPLANATION_BASE,
	CONNECTION_ERRORS_NOT_KEYED_BY_CODE,
	CONNECTION_PATTERNS_BEFORE_CODES,
	ERRORS_BY_COMETCHAT_CODE,
	ERRORS_BY_NETWORK_CODE,
	UNKNOWN_CODE_ERRORS_BY_STATUS,
	ERRORS_BY_STATUS,
	SERVICE_FAILURE_EXPLANATION,
	FOREIGN_RESPONSE_EXPLANATION,
	UNUSABLE_RESPONSE_EXPLANATION_BASE,
	REJECTED_VALUE_EXPLANATION,
	UNKNOWN_ROLE_ADVICE,
	TRY_LATER,
	UNKNOWN_STATUS_BELOW_500_EXPLANATION,
	UNNAMED_FIELD_ADVICE,
	type CredentialPart,
	type Explanation,
} from './table';
import {
	ConnectionError,
	FailedAttemptsError,
	ErrorResponseError,
	type FailedAttemptsSummary,
} from '../transport/failure';
import { DescribedError } from './describedErrors';
import { valueToText, getOwnProperty } from '../helpers/json';
import type { Redact } from '../helpers/redact';
import {
	UnusableResponseError,
	detectBodyFormat,
	describeUnexpectedBody,
} from '../transport/response';
import { wasNotSent } from '../transport/retry';
import { listRefusalQuotes, readRefusalOfResponseOrEmpty, type Refusal } from './refusal';
import {
	joinMessageAndDescription,
	formatList,
	formatMsAsSeconds,
	getErrorMessage,
	joinSentences,
} from '../helpers/formatText';
import { isTool } from '../helpers/tool';
import type { RestResponse } from '../transport/restTypes';

/** Description of an operation's change, for errors that can't say whether the change was made. */
export interface ChangeWords {
	/** The change as a past participle, e.g. "removed the reaction" */
	done: string;
	/** The place where the user can see the outcome, e.g. "the message" */
	placeToCheck: string;
}

/** Context needed to write an error's message and description. */
export interface ErrorMessageContext {
	redact: Redact;
	/**
	 * The credential's region, or "custom" for a base URL. Decides which fields of the credential the advice names.
	 */
	region?: unknown;
	itemIndex?: number;
	/** Labels of the fields of the operation or the trigger, keyed by name */
	labels?: Readonly<Record<string, string>>;
	/**
	 * True if the named field has a value. Advice names only fields with a value, unless all fields to check are empty.
	 */
	isFilled?: (name: string) => boolean;
	changeWords?: ChangeWords;
	/** Operation-specific explanations, keyed by CometChat's error code */
	ownExplanations?: Readonly<Record<string, Explanation>>;
	/** Sentence to append to the description, e.g. about the results in the output */
	addition?: string;
}

/** Details of a failure that CometChat or the connection caused. */
interface FailureReport {
	explanation: Explanation;
	/** Sentences about the response or the connection's error. The final period can be missing. */
	quotes: Array<string | undefined>;
	/** Status and error of the response, or the connection's error. n8n stores this object with the error. */
	errorResponse: JsonObject;
}

/**
 * Lists the labels of the credential's fields to check. The address is 'Base URL' if the region is custom, and
 * otherwise 'App ID' and 'Region'.
 */
function listCredentialLabels(fields: CredentialPart[], isCustom: boolean): string[] {
	const address = isCustom ? ["'Base URL'"] : ["'App ID'", "'Region'"];
	return fields.flatMap((field) => (field === 'key' ? "'REST API Key'" : address));
}

function buildAdvice(
	{
		fieldsToCheck = [],
		credentialPartsToCheck = [],
		optionToRaise = '',
		advice,
		baseUrlAdvice,
	}: Explanation,
	{ labels = {}, isFilled = () => true, region }: ErrorMessageContext,
): Array<string | undefined> {
	const isCustom = region === 'custom';
	const labelsInCredential = listCredentialLabels(credentialPartsToCheck, isCustom);
	const filled = fieldsToCheck.filter(isFilled);
	const places = (filled.length > 0 ? filled : fieldsToCheck)
		.filter((name) => name in labels)
		.map((name) => `'${labels[name]}'`);
	return [
		places.length > 0 ? `Check ${formatList([...new Set(places)])}` : undefined,
		optionToRaise in labels
			? `Raise '${labels[optionToRaise]}' under Settings → ${labels.requestOptions}`
			: undefined,
		...(isCustom && baseUrlAdvice
			? [baseUrlAdvice]
			: [
					labelsInCredential.length > 0
						? `Check ${formatList(labelsInCredential)} in the credential`
						: undefined,
					advice,
				]),
	];
}

/**
 * Adds advice to raise 'Longest Retry Wait' if this limit stopped the request, and the node has the option.
 */
function addWaitAdvice(
	explanation: Explanation,
	{ disallowedWaitMs }: FailedAttemptsSummary,
	{ labels = {} }: ErrorMessageContext,
): Explanation {
	if (disallowedWaitMs === undefined || !('maxWait' in labels)) return explanation;
	const { advice = '' } = explanation;
	return {
		...explanation,
		optionToRaise: 'maxWait',
		advice: ADVICE_REPLACEMENTS_FOR_LONG_WAIT[advice] ?? advice,
	};
}

/** True if an item's request was never sent, because earlier requests had reached the rate limit. */
function isHeldByRateLimit({ attempts, disallowedWaitMs }: FailedAttemptsSummary): boolean {
	return attempts === 0 && disallowedWaitMs !== undefined;
}

function describeAttempts(failure: FailedAttemptsSummary): string | undefined {
	const { attempts, elapsedMs } = failure;
	return attempts > 1
		? `Stopped after ${attempts} attempts in ${formatMsAsSeconds(elapsedMs)}`
		: undefined;
}

/** Describes the wait before the next attempt, if 'Longest Retry Wait' stopped the request. */
function describeWait(failure: FailedAttemptsSummary): string | undefined {
	const { disallowedWaitMs } = failure;
	if (disallowedWaitMs === undefined) return undefined;
	const start = isHeldByRateLimit(failure)
		? 'The item was not sent: the rate limit lasts another'
		: 'The next attempt would have to wait';
	return `${start} ${formatMsAsSeconds(disallowedWaitMs)}, which is too long`;
}

/** Lists the names of the role fields (`role` and `roles`) that the operation has and the user has filled in. */
function listRoleFieldNames({ labels = {}, isFilled = () => true }: ErrorMessageContext): string[] {
	return ['role', 'roles'].filter((name) => Object.hasOwn(labels, name) && isFilled(name));
}

/** True if CometChat's code or message mentions a role. */
const mentionsRole = ({ code = '', message = '' }: Refusal) =>
	/(\b|_)roles?(\b|_)/i.test(`${code} ${message}`);

/**
 * Explains a rejected field value. The advice names the fields that CometChat's details name. CometChat may refuse an
 * unknown role without naming a field (open question 17). If no field is named, and CometChat mentions a role or sends
 * no details, the advice names the filled role fields.
 */
function explainRejectedValue(
	words: Refusal,
	fields: string[] = [],
	context: ErrorMessageContext,
): Explanation {
	const { message, details } = words;
	const isField = (name: string) => Object.hasOwn(context.labels ?? {}, name);
	const named = fields.flatMap((path) => path.split('.')).filter(isField);
	const isRole = mentionsRole(words) || details === undefined;
	const fieldsToCheck = named.length === 0 && isRole ? listRoleFieldNames(context) : named;
	if (fieldsToCheck.some((name) => /^roles?$/.test(name))) {
		return { ...REJECTED_VALUE_EXPLANATION, fieldsToCheck, advice: UNKNOWN_ROLE_ADVICE };
	}
	if (fieldsToCheck.length > 0)
		return { ...REJECTED_VALUE_EXPLANATION, fieldsToCheck, advice: undefined };
	const isUnnamed = details === undefined && /^failed to validate/i.test(message ?? '');
	return isUnnamed
		? { ...REJECTED_VALUE_EXPLANATION, advice: UNNAMED_FIELD_ADVICE }
		: REJECTED_VALUE_EXPLANATION;
}

/** Statuses that mean the same from CometChat as from a gateway or a proxy. */
const UNAMBIGUOUS_STATUSES = [404, 407, 408, 413, 414, 429];

/**
 * True if a 4xx response is a web page or XML, which CometChat never sends. False for each status in
 * `UNAMBIGUOUS_STATUSES`.
 */
function isForeignRefusal(response: RestResponse): boolean {
	const { statusCode } = response;
	if (statusCode < 400 || statusCode >= 500 || UNAMBIGUOUS_STATUSES.includes(statusCode))
		return false;
	return ['html', 'xml'].includes(detectBodyFormat(response));
}

function explainStatus({ statusCode }: RestResponse, code = ''): Explanation {
	const isServiceCode = code !== '' && !code.startsWith('AUTH_ERR');
	return (
		getOwnProperty<Explanation>(ERRORS_BY_COMETCHAT_CODE, code) ??
		(isServiceCode ? UNKNOWN_CODE_ERRORS_BY_STATUS[statusCode] : undefined) ??
		ERRORS_BY_STATUS[statusCode] ??
		(statusCode >= 500 ? SERVICE_FAILURE_EXPLANATION : UNKNOWN_STATUS_BELOW_500_EXPLANATION)
	);
}

function createStatusReport(
	response: RestResponse,
	failure: FailedAttemptsSummary,
	context: ErrorMessageContext,
): FailureReport {
	const { statusCode } = response;
	if (isForeignRefusal(response)) {
		return {
			explanation: FOREIGN_RESPONSE_EXPLANATION,
			quotes: [`The status is ${statusCode}`],
			errorResponse: { statusCode },
		};
	}
	// Redact before long strings are truncated, because a partial API key wouldn't be recognized
	const { fields, ...words } = readRefusalOfResponseOrEmpty({
		body: context.redact(response.body),
	});
	const [quote, ...otherQuotes] = listRefusalQuotes(words);
	const reply =
		quote === undefined
			? `CometChat replied with status ${statusCode} and ${describeUnexpectedBody(response)}`
			: `CometChat replied: ${quote}`;
	const general = explainStatus(response, words.code);
	const rejection =
		general === REJECTED_VALUE_EXPLANATION
			? explainRejectedValue(words, fields, context)
			: undefined;
	const own = getOwnProperty(context.ownExplanations ?? {}, words.code ?? '');
	// A rejection with fields to check says more than the operation's explanation of the code
	const known = rejection?.fieldsToCheck ? rejection : (own ?? rejection ?? general);
	const roles = mentionsRole(words) ? listRoleFieldNames(context) : [];
	const isUnknownRole = roles.length > 0 && known === UNKNOWN_CODE_ERRORS_BY_STATUS[statusCode];
	const explanation = isUnknownRole
		? { ...known, fieldsToCheck: roles, advice: UNKNOWN_ROLE_ADVICE }
		: known;
	return {
		explanation,
		quotes: isHeldByRateLimit(failure) ? [] : [reply, ...otherQuotes],
		errorResponse: { statusCode, ...words },
	};
}

/** Selects the explanation for a request that got no complete response. */
function explainConnection(error: ConnectionError): Explanation {
	const { code, message, whileConnecting } = error;
	const byMessage = CONNECTION_PATTERNS_BEFORE_CODES.find(([pattern]) => pattern.test(message));
	if (byMessage) return byMessage[1];
	if (code === 'ETIMEDOUT' && whileConnecting)
		return CONNECTION_ERRORS_NOT_KEYED_BY_CODE.connectTimeout;
	const known = getOwnProperty(ERRORS_BY_NETWORK_CODE, code);
	if (known) return known;
	if (code.startsWith('HPE_')) return CONNECTION_ERRORS_NOT_KEYED_BY_CODE.notHttp;
	return wasNotSent(error)
		? CONNECTION_ERRORS_NOT_KEYED_BY_CODE.notConnected
		: CONNECTION_ERRORS_NOT_KEYED_BY_CODE.incompleteResponse;
}

/** @returns a report, or undefined if neither CometChat nor the connection caused the failure */
function createFailureReport(
	failure: FailedAttemptsSummary,
	context: ErrorMessageContext,
): FailureReport | undefined {
	const { error } = failure;
	if (error instanceof ErrorResponseError)
		return createStatusReport(error.response, failure, context);
	if (error instanceof ConnectionError) {
		const { code, message } = error;
		return {
			explanation: explainConnection(error),
			quotes: [`The connection reported: ${message} (${code})`],
			errorResponse: { code, message },
		};
	}
	if (!(error instanceof UnusableResponseError)) return undefined;
	const { response, message } = error;
	const { statusCode } = response;
	const base =
		detectBodyFormat(response) === 'broken'
			? BROKEN_JSON_EXPLANATION_BASE
			: UNUSABLE_RESPONSE_EXPLANATION_BASE;
	return { explanation: { message, ...base }, quotes: [], errorResponse: { statusCode } };
}

/**
 * Builds the data of a NodeApiError: message, description, status and response, with the API key redacted. If a change
 * may have been made, the message or the description says so. Returns undefined if neither CometChat nor the connection
 * caused the failure.
 */
function buildApiErrorData(failure: FailedAttemptsSummary, context: ErrorMessageContext) {
	const report = createFailureReport(failure, context);
	if (report === undefined) return undefined;
	const { explanation, quotes, errorResponse } = report;
	const { addition, redact } = context;
	const httpCode = valueToText(errorResponse.statusCode ?? errorResponse.code);
	const { message, advice } = addPossibleChange(
		{
			message: explanation.message,
			advice: buildAdvice(addWaitAdvice(explanation, failure, context), context),
		},
		failure,
		context,
	);
	const attempts = [describeAttempts(failure), ...quotes];
	const sentences = [describeWait(failure), ...advice, ...attempts, addition];
	return redact({
		httpCode,
		response: errorResponse,
		message,
		description: joinSentences(sentences),
	});
}

/** An error's message, and sentences of advice. */
interface ErrorText {
	message: string;
	advice: Array<string | undefined>;
}

/** If the change may have been made, adds a warning that also says whether it's safe to run the item again. */
function addPossibleChange(
	text: ErrorText,
	{ mayHaveWorked, isRepeatable }: FailedAttemptsSummary,
	{ changeWords }: ErrorMessageContext,
): ErrorText {
	if (!mayHaveWorked) return text;
	const { message, advice } = text;
	if (isRepeatable || !changeWords) return { message, advice: [...advice, SAFE_TO_REPEAT] };
	const otherAdvice = advice.filter((sentence) => sentence !== TRY_LATER);
	const check = `Check ${changeWords.placeToCheck} before you run this item again`;
	return {
		message: `CometChat may already have ${changeWords.done}`,
		advice: [check, message, ...otherAdvice],
	};
}

const SAFE_TO_REPEAT =
	'CometChat may have made the change anyway. Trying again does not make it twice';

function toRequestFailure(cause: unknown): FailedAttemptsSummary {
	return cause instanceof FailedAttemptsError
		? cause.failure
		: { error: cause, attempts: 0, elapsedMs: 0, mayHaveWorked: false, isRepeatable: true };
}

/**
 * Creates the error that n8n shows and stores, with the API key redacted. The `message` says what happened.
 * The `description` contains advice and quotes CometChat. In a tool, the message contains the description, too.
 *
 * @param cause any value that was thrown
 * @returns a NodeApiError if CometChat or the connection caused the failure, n8n's own error (e.g. from an
 * expression) with the API key redacted in its texts, or otherwise a NodeOperationError
 */
export function toNodeError(node: INode, cause: unknown, context: ErrorMessageContext): Error {
	const error = createNodeError(node, cause, context);
	if (isTool(node)) error.message = joinMessageAndDescription(error);
	return error;
}

function createNodeError(node: INode, cause: unknown, context: ErrorMessageContext): Error {
	const { redact, itemIndex, addition } = context;
	const failure = toRequestFailure(cause);
	const report = buildApiErrorData(failure, context);
	if (report) {
		const { response, ...texts } = report;
		const nodeError = new NodeApiError(node, response, { ...texts, itemIndex });
		// n8n replaces a message that contains a Node.js error code, so the message is set again
		nodeError.message = report.message;
		return nodeError;
	}
	const { error } = failure;
	if (isErrorWithN8nContext(error)) return redactInPlace(error, context);
	const own = error instanceof DescribedError ? error.description : undefined;
	const text = {
		message: getErrorMessage(error),
		advice: [own],
	};
	const { message: fullMessage, advice } = addPossibleChange(text, failure, context);
	const message = redact(fullMessage);
	const description = redact(joinSentences([...advice, addition]));
	const nodeError = new NodeOperationError(node, message, { itemIndex, description });
	nodeError.message = message;
	return nodeError;
}

/**
 * Returns an error's message and description as one string, with the API key redacted, for callers that show only
 * a single string.
 */
export function formatErrorAsText(cause: unknown, context: ErrorMessageContext): string {
	const failure = toRequestFailure(cause);
	const report = buildApiErrorData(failure, context);
	if (report) return joinSentences([report.message, report.description]);
	const { error } = failure;
	return context.redact(
		error instanceof Error ? joinMessageAndDescription(error) : valueToText(error),
	);
}

interface N8nError extends Error {
	context: Record<string, unknown>;
	description?: string | null;
}

/**
 * True for an error of n8n's own classes, e.g. from an expression. Such an error has a `context` with details for the
 * editor.
 */
export function isErrorWithN8nContext(error: unknown): error is N8nError {
	return (
		error instanceof Error &&
		'context' in error &&
		typeof error.context === 'object' &&
		error.context !== null
	);
}

function redactInPlace(
	error: N8nError,
	{ redact, itemIndex, addition }: ErrorMessageContext,
): N8nError {
	error.message = redact(error.message);
	const { description } = error;
	if (addition !== undefined || typeof description === 'string') {
		const own = typeof description === 'string' ? description : undefined;
		error.description = redact(addition === undefined ? own : joinSentences([own, addition]));
	}
	error.context.itemIndex ??= itemIndex;
	return error;
}
