import { openWindow } from '../lib/browser';
import { useBrowser, useReceiver } from '../lib/testHooks';

const browser = useBrowser();
const receiver = useReceiver();

test('The browser of these tests opens 127.0.0.1, and no other host or address', async () => {
	const page = await (await openWindow(browser())).newPage();
	const { url } = receiver();
	expect((await page.goto(url))?.ok()).toBe(true);
	for (const host of ['localhost', '127.0.0.2', '[::1]', '192.0.2.1', 'example.com']) {
		const opening = page.goto(url.replace('127.0.0.1', host));
		await expect(opening).rejects.toThrow('net::ERR_NAME_NOT_RESOLVED');
	}
});
