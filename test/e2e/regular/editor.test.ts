import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openWindow } from '../lib/browser';
import { Client } from '../lib/client';
import { listExamples } from '../lib/examples';
import { freePort, isFree } from '../lib/ports';
import { startScript } from '../lib/script';
import { useBrowser } from '../lib/testHooks';
import { getTarball } from '../lib/testSystem';

const browser = useBrowser();

/** Returns the IDs of processes whose environment contains a string. */
function findProcesses(text: string): string[] {
	return readdirSync('/proc').filter((pid) => {
		try {
			return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
		} catch {
			return false; // The process has already ended
		}
	});
}

const start = (args: string[], env?: NodeJS.ProcessEnv) =>
	startScript('test/e2e/editor.ts', args, env);

const findId = (workflows: Array<{ id: string; name: string }>, name: RegExp): string =>
	workflows.find((each) => name.test(each.name))?.id ?? '';

/** Reacts to a message with 👎 on the sandbox's page, and waits until n8n has accepted the event. */
async function react(sandboxUrl: string): Promise<void> {
	const page = await (await openWindow(browser())).newPage();
	await page.goto(sandboxUrl);
	await page.getByLabel('React 👎 to message 127').click();
	await page.getByRole('status').getByText('answered 200').waitFor();
}

/** Writes a command in a group on the sandbox's page, and waits until the bot's answer appears there. */
async function askBot(sandboxUrl: string): Promise<void> {
	const page = await (await openWindow(browser())).newPage();
	await page.goto(sandboxUrl);
	await page.getByRole('button', { name: 'All Hands' }).click();
	await page.getByLabel('Message', { exact: true }).fill('/members');
	await page.getByRole('button', { name: 'Send', exact: true }).click();
	await page.getByText('All Hands has 11 members.', { exact: true }).waitFor();
}

describe('npm run editor', () => {
	test('runs n8n with the examples until Ctrl+C, starts two of them by events, and leaves no process running', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'cometchat-editor-'));
		const port = await freePort();
		const env = { COMETCHAT_EDITOR_FOLDER: folder, COMETCHAT_TARBALL: getTarball() };
		const editor = start(['--port', String(port)], env);
		try {
			await editor.waitForOutput(/Ctrl\+C/);
			expect(editor.output()).toContain(`http://127.0.0.1:${port}`);
			const sandboxUrl = /Sandbox +(http:\S+)/.exec(editor.output())?.[1] ?? '';
			expect(await (await fetch(sandboxUrl)).text()).toContain('<html');

			const client = new Client(`http://127.0.0.1:${port}`);
			await client.signIn();
			const examples = await client.listWorkflows();
			expect(examples).toHaveLength(listExamples().length);
			const credentials = await client.listCredentials();
			const saved = await client.getWorkflowText(findId(examples, /^List groups/));
			const used = credentials.find(({ type }) => type === 'cometChatApi');
			expect(saved).toContain(`"id":"${used?.id}"`);

			await react(sandboxUrl);
			const started = findId(examples, /^Remove a banned reaction/);
			const [run] = await client.waitForSuccess(started, 1);
			expect(editor.output()).toContain('React to a message with 👎');
			expect(run.items('Send message')).toHaveLength(1);
			expect(editor.output()).toContain('open the group All Hands');
			await askBot(sandboxUrl);
			expect(findProcesses(folder).length).toBeGreaterThan(1);
		} finally {
			editor.child.kill('SIGINT');
		}
		expect(await editor.exit).toBe(0);
		expect(findProcesses(folder)).toEqual([]);
		expect(await isFree(port)).toBe(true);
		rmSync(folder, { recursive: true });
	}, 300_000);

	test('prints help, and explains an invalid option', async () => {
		const help = start(['--help']);
		expect(await help.exit).toBe(0);
		expect(help.output()).toContain('--fresh');

		const wrong = start(['--port', 'many']);
		expect(await wrong.exit).toBe(1);
		expect(wrong.output()).toContain('--port needs a number from 1 to 65535, not "many"');
	});
});
