import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium, selectors } from 'playwright-core';

import { IMAGES } from './paths';

export interface BrowserOptions {
	/** n8n takes the theme of the system */
	dark?: boolean;
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
	{ dark = false }: BrowserOptions = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: { width: 1360, height: 860 },
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

/** Whether the images of the documentation are to be made anew. */
export const takesPictures = process.env.COMETCHAT_SCREENSHOTS === '1';

/** Takes an image for the documentation, if images are wanted. */
export async function picture(page: Page, name: string): Promise<void> {
	if (!takesPictures) return;
	mkdirSync(IMAGES, { recursive: true });
	await page.mouse.move(0, 0);
	// Toasts come and go, so they would make each image another one
	await page.addStyleTag({ content: '.el-notification { display: none !important; }' });
	await page.waitForTimeout(400);
	await page.screenshot({
		path: join(IMAGES, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
	});
}
