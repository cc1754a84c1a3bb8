/** What n8n's response object, which is Express's, has in common with that of Node.js. */
interface HttpResponse {
	statusCode: number;
	setHeader(name: string, value: string): unknown;
	end(body: string): unknown;
}

/**
 * Responds to the caller at once. CometChat waits for two seconds; n8n's own response would wait until
 * the workflow has started, and with a limit of concurrent executions that can take long.
 *
 * @param message one sentence for the log of the caller
 */
export function respond(
	response: HttpResponse,
	statusCode: number,
	message: string,
	headers: Record<string, string> = {},
): void {
	response.statusCode = statusCode;
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.end(JSON.stringify({ message }));
}
