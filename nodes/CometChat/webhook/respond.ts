/** What n8n's response object, which is Express's, has in common with that of Node.js. */
interface HttpResponse {
	statusCode: number;
	setHeader(name: string, value: string): unknown;
	end(body: string): unknown;
}

/**
 * Answers the caller at once: CometChat waits for two seconds, and n8n would answer only when it has
 * started the workflow, which takes as long as its limit of concurrent executions says.
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
