import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';

export interface BrowserOptions {
	/** n8n takes the theme of the system */
	dark?: boolean;
	/** Pixels of a picture for each pixel of the page, 1 by default */
	density?: number;
}

/** Debian's Chromium, which reaches nothing but this machine. */
export async function startBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id'); // as n8n spells it
	return await chromium.launch({
		executablePath: '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-background-networking',
			'--disable-dev-shm-usage',
			'--font-render-hinting=none',
			'--hide-scrollbars',
		],
	});
}

/** A window of its own, signed in nowhere. */
export async function openWindow(
	browser: Browser,
	{ dark = false, density = 1 }: BrowserOptions = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: { width: 1360, height: 860 },
		deviceScaleFactor: density,
		colorScheme: dark ? 'dark' : 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'UTC',
	});
	context.setDefaultTimeout(15_000);
	await context.route(
		(url) => url.hostname !== '127.0.0.1' && url.protocol.startsWith('http'),
		async (route) => await route.abort(),
	);
	return context;
}
