import { DescribedError } from '../errors/describedErrors';

/**
 * Returns the path of n8n's public address (`WEBHOOK_URL`), e.g. `/n8n/`. Compares the paths of two endpoints, which
 * have only this start in common.
 */
function findBasePath(path: string, otherPath: string): string {
	const other = otherPath.split('/').slice(0, -1);
	const segments = path.split('/');
	const shared = segments.findIndex((segment, index) => segment !== other[index]);
	return `${segments.slice(0, shared).join('/')}/`;
}

/**
 * Checks that n8n will accept its own signed links. n8n signs a link's whole path, including the path of
 * `WEBHOOK_URL`. A proxy removes that part from requests, because n8n's server doesn't know it. The signature then
 * doesn't match.
 *
 * @param link a signed link of a waiting execution
 * @param restApiUrl URL of n8n's REST API
 * @throws DescribedError if `WEBHOOK_URL` has a path
 */
export function checkWebhookUrlHasNoPath(link: string, restApiUrl: string): void {
	const { origin, pathname } = new URL(link);
	const basePath = findBasePath(pathname, new URL(restApiUrl).pathname);
	if (basePath === '/') return;
	// The path ends with the execution's ID and the node's ID
	const endpoint = pathname.slice(basePath.length).split('/').slice(0, -2).join('/');
	const folder = basePath.slice(1);
	const advised = endpoint.startsWith(folder) ? endpoint : folder + endpoint;
	throw new DescribedError(
		`The question was not sent, because n8n would refuse every answer: the address of this n8n has the path ${basePath}`,
		`n8n signs links with this path, but checks them without it. Set the environment variables WEBHOOK_URL to ${origin}/ and N8N_ENDPOINT_WEBHOOK_WAIT to ${advised}, and let your proxy forward /${advised}/ with its path. If N8N_WEBHOOK_URL is set, change that instead of WEBHOOK_URL. The addresses of n8n's webhooks and forms change, too.`,
	);
}
