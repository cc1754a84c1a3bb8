import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';

export interface BrowserOptions {
	/** True for a system with a dark theme, which n8n adopts */
	dark?: boolean;
	/** Device pixels per CSS pixel, 1 by default */
	density?: number;
}

/** Starts Debian's Chromium without background requests. */
export async function startBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id'); // Attribute name in n8n's HTML
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

/** Opens a window without cookies that can only send requests to loopback. */
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
