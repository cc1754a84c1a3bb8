import { startSandbox } from '../../../tools/sandbox/server';
import { openWindow } from '../lib/browser';
import { useBrowser, useReceiver, useResource } from '../lib/testHooks';

const browser = useBrowser();
const receiver = useReceiver();
const sandbox = useResource(startSandbox, ({ reset }) => reset());

test("A click on the sandbox's page on a phone is delivered as a webhook, and HTML in names is shown as text", async () => {
	const hostile = '<img src=x onerror="document.title=1">';
	sandbox().store.updateGroup('makers', { name: hostile });
	sandbox().store.people.update('aisha', { name: hostile });
	sandbox().webhooks.set([{ url: receiver().url, name: hostile }]);
	const page = await (await openWindow(browser())).newPage();
	await page.setViewportSize({ width: 390, height: 844 });
	const faults: string[] = [];
	page.on('pageerror', ({ message }) => faults.push(message));
	await page.goto(sandbox().url);

	await page.getByLabel('React 👎 to message 127').click();
	await page.getByRole('status').getByText('answered 200').waitFor();
	expect(receiver().received.map(({ body }) => body.trigger)).toEqual(['message_reaction_added']);

	await page.getByLabel('You are').selectOption('leo');
	await page.getByRole('button', { name: 'as Leo Brandt' }).getByText('Join to react').waitFor();
	expect(await page.getByLabel('React 👎 to message 127').isDisabled()).toBe(true);

	expect(await page.locator('#stats').textContent()).toMatch(
		/^\d+ requests · \d+ in progress · \d+ connections · 0 faults · 0 contract violations$/,
	);
	expect(await page.locator('img').count()).toBe(0);
	expect(await page.title()).toBe('CometChat sandbox');
	expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
	expect(faults).toEqual([]);
});
