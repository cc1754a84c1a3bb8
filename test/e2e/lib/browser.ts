import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';

export interface BrowserOptions {
	/** True to emulate a system with a dark theme, which n8n adopts */
	dark?: boolean;
	/** Device pixels per CSS pixel, 1 by default */
	density?: number;
	/** True for the size and the touch screen of a phone */
	isPhone?: boolean;
}

/** Starts Debian's Chromium, which can only send requests to 127.0.0.1. */
export async function startBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id'); // n8n's name for the test ID attribute
	return await chromium.launch({
		executablePath: '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-background-networking',
			'--disable-dev-shm-usage',
			'--disable-gpu',
			'--font-render-hinting=none',
			'--hide-scrollbars',
			// Playwright's routes would turn off the browser's cache, and loading the editor takes seconds
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
}

/** Opens a browser window without cookies. */
export async function openWindow(
	browser: Browser,
	{ dark = false, density = 1, isPhone = false }: BrowserOptions = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: isPhone ? { width: 390, height: 844 } : { width: 1360, height: 860 },
		isMobile: isPhone,
		hasTouch: isPhone,
		deviceScaleFactor: density,
		colorScheme: dark ? 'dark' : 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'UTC',
	});
	// The editor's first page takes long on a busy machine
	context.setDefaultTimeout(60_000);
	return context;
}
