/** Request headers of a browser. Answer pages don't show the form to bots. */
export const BROWSER = { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile) Firefox/140.0' };

/** Submits the form on an answer page. */
export const submitAnswer = async (url: string, body: Record<string, string>): Promise<Response> =>
	await fetch(url, {
		method: 'POST',
		headers: { ...BROWSER, origin: 'null' },
		body: new URLSearchParams(body),
	});

/** Clicks the Approve or Decline button on an answer page. */
export const submitDecision = async (url: string, approved: boolean): Promise<Response> =>
	await submitAnswer(url, { approved: String(approved) });
