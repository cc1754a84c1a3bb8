import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { isLoopback } from '../helpers/hosts';
import { toTrimmedText } from '../helpers/json';

/**
 * Matches CometChat's media hosts, e.g. data-eu.cometchat.io, and captures the region.
 *
 * @see https://www.cometchat.com/docs/fundamentals/presigned-urls
 */
const MEDIA_HOST_PATTERN = /^(?:data|files|media)-(eu|in|us)\.cometchat\.io$/;

/** Parses the address of a file. Returns undefined unless the address is an http or https URL. */
export function parseHttpUrl(text: string, base?: URL): URL | undefined {
	if (!URL.canParse(text, base?.href)) return undefined;
	const url = new URL(text, base);
	return ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

/**
 * Kind of a host that files may be downloaded from:
 *
 * - `own`: a media host in the credential's region, which gets the API key if it responds with status 401
 * - `other`: another allowed host, which never gets the key
 */
export type FileHostAccess = 'own' | 'other';

export const isMediaHost = (host: string): boolean => MEDIA_HOST_PATTERN.test(host);

/**
 * Decides whether a file may be downloaded from a URL, and whether the URL's host may get the API key.
 *
 * @param others hosts that the user allows, in the notation of `URL.host`
 * @returns undefined if the host isn't allowed, or if the URL contains a username or password. CometChat's media
 * hosts are allowed only with https, unless `others` contains them.
 * @throws Error with a message for the user if the credential's custom base URL is invalid
 */
export function decideFileUrlAccess(
	url: URL,
	credentials: ICredentialDataDecryptedObject,
	others: readonly string[],
): FileHostAccess | undefined {
	if (url.username !== '' || url.password !== '') return undefined;
	if (isOnMediaHostOfRegion(url, credentials)) return 'own';
	const isMedia = url.protocol === 'https:' && isMediaHost(url.host);
	return isMedia || others.includes(url.host) ? 'other' : undefined;
}

/**
 * True for an https URL on a media host in the app's region. With a custom base URL, true only if the base URL is on
 * a loopback address, as in the sandbox, and the file's URL has the same origin. URLs below the base URL are
 * excluded, because a request with the API key would return the app's data.
 */
function isOnMediaHostOfRegion(url: URL, credentials: ICredentialDataDecryptedObject): boolean {
	const [, region] = MEDIA_HOST_PATTERN.exec(url.host) ?? [];
	const ownRegion = toTrimmedText(credentials.region);
	if (ownRegion !== 'custom') return url.protocol === 'https:' && region === ownRegion;
	const base = new URL(getBaseUrl(credentials));
	if (url.origin !== base.origin || !isLoopback(base.hostname)) return false;
	return !`${toComparablePath(url)}/`.startsWith(toComparablePath(base).replace(/\/?$/, '/'));
}

/** Returns the path of a URL as a tolerant server reads it: decoded, in lower case and with single slashes. */
function toComparablePath({ pathname }: URL): string {
	return decodeFully(pathname)
		.replace(/[/\\]+/g, '/')
		.toLowerCase();
}

/** Removes percent-encoding, even if applied several times. Returns text with broken encoding unchanged. */
function decodeFully(text: string): string {
	try {
		const decoded = decodeURIComponent(text);
		return decoded === text ? text : decodeFully(decoded);
	} catch {
		return text;
	}
}
