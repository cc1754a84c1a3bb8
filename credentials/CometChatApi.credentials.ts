import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { isCertainlyPrivateHost } from '../nodes/CometChat/helpers/hosts';
import { toTrimmedText } from '../nodes/CometChat/helpers/json';
import { MIN_SECRET_LENGTH } from '../nodes/CometChat/helpers/redact';

/** Labels of the regions, keyed by the region's code in the host name. */
const REGION_NAMES: Record<string, string> = { eu: 'EU', in: 'India', us: 'US' };

/** A single host name label (RFC 1123), without dots, slashes, colons, at signs or spaces. */
const HOST_LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Matches a text of visible ASCII characters, which HTTP headers can contain. */
const VISIBLE_ASCII_PATTERN = /^[\x21-\x7e]+$/;

/**
 * Matches host names of older CometChat versions. These names don't contain the app's ID, which clients send in a
 * header instead.
 */
const OLD_CLIENT_HOST_PATTERN = /^api-(us|eu|in)\.cometchat\.io$/;

/** Matches a path that continues with a resource after the version, e.g. "/v3/users". */
const RESOURCE_PATH_PATTERN =
	/(\/v\d+(?:\.\d+)*)(\/+(?:bots|calls|conversations|files|groups|messages|moderation|roles|users)(?:\/[^]*)?)$/i;

function buildCustomBaseUrl(typed: string): string {
	let url: URL;
	try {
		url = new URL(typed);
	} catch {
		throw new Error(
			"'Base URL' in the CometChat credential isn't a valid URL. Enter the full address, e.g. https://chat.example.com/v3",
		);
	}
	if (
		url.protocol !== 'https:' &&
		!(url.protocol === 'http:' && isCertainlyPrivateHost(url.hostname))
	) {
		throw new Error("'Base URL' in the CometChat credential must start with https://");
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new Error(
			`'Base URL' in the CometChat credential can't contain a username, "?" or "#". Enter only the address, e.g. https://chat.example.com/v3`,
		);
	}
	const [, region] = OLD_CLIENT_HOST_PATTERN.exec(url.hostname) ?? [];
	if (region !== undefined) {
		throw new Error(
			`'Base URL' in the CometChat credential is an older address of CometChat, which doesn't contain the app. Set 'Region' to ${REGION_NAMES[region]} and fill in 'App ID' instead`,
		);
	}
	const path = url.pathname.replace(/(?<!\/)\/+$/, '');
	const [, version, rest] = RESOURCE_PATH_PATTERN.exec(path) ?? [];
	if (rest !== undefined) {
		throw new Error(
			`'Base URL' in the CometChat credential must not contain "${rest}". Remove everything after ${version}`,
		);
	}
	return `${url.origin}${path}`;
}

/**
 * Returns the base URL of the REST API.
 *
 * @returns an http(s) URL without a trailing slash. In CometChat's regions, the URL ends with the version segment.
 * @throws Error with a message for the user if App ID, Region or Base URL is invalid
 * @see https://www.cometchat.com/docs/rest-api/chat-apis (https://{appId}.api-{region}.cometchat.io/v3)
 */
export function getBaseUrl(credentials: ICredentialDataDecryptedObject): string {
	const region = toTrimmedText(credentials.region);
	if (region === 'custom') return buildCustomBaseUrl(toTrimmedText(credentials.baseUrl));
	if (!Object.hasOwn(REGION_NAMES, region)) {
		throw new Error(
			"'Region' in the CometChat credential must be US, EU, India or Custom Base URL",
		);
	}
	const appId = toTrimmedText(credentials.appId);
	if (!HOST_LABEL_PATTERN.test(appId)) {
		throw new Error(
			"'App ID' in the CometChat credential can contain only letters, digits and hyphens. Copy it from the CometChat dashboard, under API & Auth Keys",
		);
	}
	return `https://${appId.toLowerCase()}.api-${region}.cometchat.io/v3`;
}

/**
 * Returns the API key, without white space that was pasted around it.
 *
 * @throws Error with a message for the user if the key is empty, contains characters other than visible ASCII,
 * is too short to be redacted from items and errors, or is a number of at most 15 digits
 */
export function getCheckedApiKey(credentials: ICredentialDataDecryptedObject): string {
	const apiKey = toTrimmedText(credentials.apiKey);
	const problem = findApiKeyProblem(apiKey);
	if (problem === undefined) return apiKey;
	throw new Error(`'REST API Key' in the CometChat credential ${problem}`);
}

function findApiKeyProblem(apiKey: string): string | undefined {
	const copy = 'Copy it again from the CometChat dashboard, under API & Auth Keys';
	if (apiKey === '') return 'is empty';
	if (!VISIBLE_ASCII_PATTERN.test(apiKey)) return `contains an invalid character. ${copy}`;
	if (apiKey.length < MIN_SECRET_LENGTH) {
		return `has fewer than ${MIN_SECRET_LENGTH} characters. ${copy}`;
	}
	// If the key were a short number, redaction would also remove matching IDs from items
	return /^\d{1,15}$/.test(apiKey) ? `is a number, not a key. ${copy}` : undefined;
}

/** Options that stop n8n's two request helpers from following a redirect with the key. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
};

/** Options that make n8n's two request helpers accept any TLS certificate. */
const ANY_CERTIFICATE = { skipSslCertificateValidation: true, rejectUnauthorized: false };

/**
 * Adds the API key to a request, provided that the request goes to the credential's own host. n8n calls this function
 * with the final request of this package's nodes and of the HTTP Request node. The credential test calls it, too. A
 * relative URL is appended to the request's `baseURL`, or by default to the credential's base URL.
 *
 * @throws Error with a message for the user. The message doesn't contain the key.
 */
export async function authenticate(
	credentials: ICredentialDataDecryptedObject,
	// n8n's older request helper, which the HTTP Request node uses, takes the URL as `uri`
	requestOptions: IHttpRequestOptions & { uri?: string },
): Promise<IHttpRequestOptions> {
	const base = getBaseUrl(credentials);
	const own = new URL(base);
	const { uri, baseURL, url, ...rest } = requestOptions;
	const target = toAbsoluteUrl(url || uri || '', baseURL || base);
	// Don't compare `origin`, because a blob: URL has the origin of its inner URL
	if (target.protocol !== own.protocol || target.host !== own.host) {
		throw new Error(
			`The CometChat credential sends its key only to ${own.host}, not to ${target.host || 'another address'}`,
		);
	}
	return Promise.resolve({
		...rest,
		...NO_REDIRECTS,
		...(credentials.allowUnauthorizedCerts === true ? ANY_CERTIFICATE : {}),
		url: target.href,
		headers: { ...requestOptions.headers, apikey: getCheckedApiKey(credentials) },
	});
}

function toAbsoluteUrl(url: string, base: string): URL {
	const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(url);
	try {
		return new URL(
			hasScheme ? url : `${base.replace(/(?<!\/)\/+$/, '')}/${url.replace(/^[/\\]+/, '')}`,
		);
	} catch {
		throw new Error("The CometChat credential can't be used for this request: its URL isn't valid");
	}
}

const allowUnauthorizedCertsField: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

/** REST API key of a CometChat app, and the app's address: region and App ID, or a custom base URL. */
export class CometChatApi implements ICredentialType {
	name = 'cometChatApi';

	displayName = 'CometChat API';

	icon: Icon = { light: 'file:../icons/cometchat.svg', dark: 'file:../icons/cometchat.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/README.md#credential';

	// Domain restrictions aren't needed, because `authenticate` rejects all other hosts
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName:
				'CometChat dashboard → your app → API & Auth Keys. Copy the REST API Key, not the Auth Key. The App ID and the region, which make up the address of your app, are on the same page.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'REST API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'REST API key of the app, with the fullAccess scope',
		},
		{
			displayName: 'Region',
			name: 'region',
			type: 'options',
			options: [
				{ name: 'Custom Base URL', value: 'custom' },
				{ name: 'EU', value: 'eu' },
				{ name: 'India', value: 'in' },
				{ name: 'US', value: 'us' },
			],
			default: 'us',
			description:
				'Where the app is hosted, as the dashboard shows it. Custom Base URL is for dedicated and on-premise installations and for the sandbox.',
		},
		{
			displayName: 'App ID',
			name: 'appId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 2379614d5a4b27f1',
			displayOptions: { hide: { region: ['custom'] } },
			description: 'The ID of the app, as the dashboard shows it',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://chat.example.com/v3',
			displayOptions: { show: { region: ['custom'] } },
			description: 'Address of the REST API, ending with the version segment',
		},
		allowUnauthorizedCertsField,
	];

	authenticate = authenticate;
}
