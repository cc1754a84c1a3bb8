/** Headers of a browser, since answer pages show no form to bots. */
export const BROWSER = { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile) Firefox/140.0' };

/** Submits the form of an answer page. */
export const submitAnswer = async (url: string, body: Record<string, string>): Promise<Response> =>
	await fetch(url, {
		method: 'POST',
		headers: { ...BROWSER, origin: 'null' },
		body: new URLSearchParams(body),
	});

/** Clicks the approve or decline button of an answer page. */
export const submitDecision = async (url: string, approved: boolean): Promise<Response> =>
	await submitAnswer(url, { approved: String(approved) });
