import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { getBaseUrl } from '../../../credentials/CometChatApi.credentials';
import { DescribedError } from '../errors/describedErrors';
import { isUnreachableFromInternet } from '../helpers/hosts';

/** Maximum length of a bot's webhook URL in CometChat. */
const MAX_URL_LENGTH = 255;

const ADVICE =
	"A bot needs a public address that starts with https://. Set n8n's environment variable WEBHOOK_URL to it, e.g. the address of a tunnel or a reverse proxy, and restart n8n. Then publish the workflow.";

/**
 * Checks that CometChat can reach the webhook URL. Any host and protocol are allowed if the credential's API address
 * is on this machine or in a private network.
 *
 * @throws DescribedError with advice, or Error if the credential contains no valid API address
 */
export function checkWebhookUrl(url: string, credentials: ICredentialDataDecryptedObject): void {
	if (url.length > MAX_URL_LENGTH) {
		throw new DescribedError(
			`The webhook URL has ${url.length} characters`,
			`CometChat accepts at most ${MAX_URL_LENGTH}. Shorten n8n's WEBHOOK_URL. The URL is ${url}`,
		);
	}
	if (!URL.canParse(url)) {
		throw new DescribedError("n8n's webhook address is not a URL", ADVICE);
	}
	const own = new URL(url);
	if (isUnreachableFromInternet(new URL(getBaseUrl(credentials)).hostname)) return;
	if (!isUnreachableFromInternet(own.hostname) && own.protocol === 'https:') return;
	throw new DescribedError(`CometChat can't reach this n8n at ${own.origin}`, ADVICE);
}
