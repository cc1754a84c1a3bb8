import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '../lib/client';
import { E2E, ROOT } from '../lib/paths';
import { freePort, isFree } from '../lib/ports';
import { until } from '../lib/processes';
import { tarball } from '../lib/stage';

const TSX = join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs');

/** Processes that were started with this text in their environment. */
function processesWith(text: string): string[] {
	return readdirSync('/proc').filter((pid) => {
		try {
			return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
		} catch {
			return false; // it has ended meanwhile
		}
	});
}

interface Run {
	output(): string;
	signal(name: NodeJS.Signals): void;
	ended: Promise<number | null>;
}

function start(args: string[], env: Record<string, string> = {}): Run {
	const child = spawn(process.execPath, [TSX, join(E2E, 'editor.ts'), ...args], {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	child.stdout.on('data', (chunk) => (output += String(chunk)));
	child.stderr.on('data', (chunk) => (output += String(chunk)));
	return {
		output: () => output,
		signal: (name) => void child.kill(name),
		ended: new Promise((done) => child.once('close', done)),
	};
}

describe('npm run editor', () => {
	test('serves n8n and the examples until Ctrl+C, and leaves no process behind', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'cometchat-editor-'));
		const port = await freePort();
		const env = { COMETCHAT_EDITOR_FOLDER: folder, COMETCHAT_TARBALL: tarball() };
		const editor = start(['--port', String(port)], env);
		try {
			await until(
				'The address of n8n',
				async () => (editor.output().includes('Ctrl+C') ? true : undefined),
				100_000,
			);
			expect(editor.output()).toContain(`http://127.0.0.1:${port}`);
			const sandboxUrl = /Sandbox +(http:\S+)/.exec(editor.output())?.[1] ?? '';
			expect(await (await fetch(sandboxUrl)).text()).toContain('<html');

			const client = new Client(`http://127.0.0.1:${port}`);
			await client.signIn();
			const examples = await client.workflows();
			const files = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.json'));
			expect(examples).toHaveLength(files.length);
			const [credential] = await client.credentials();
			const list = examples.find(({ name }) => /^List groups/.test(name));
			const saved = await client.savedWorkflow(list?.id ?? '');
			expect(saved).toContain(`"id":"${credential.id}"`);
			expect(processesWith(folder).length).toBeGreaterThan(1);
		} finally {
			editor.signal('SIGINT');
		}
		expect(await editor.ended).toBe(0);
		expect(processesWith(folder)).toEqual([]);
		expect(await isFree(port)).toBe(true);
		rmSync(folder, { recursive: true });
	});

	test('explains itself, and what it does not understand', async () => {
		const help = start(['--help']);
		expect(await help.ended).toBe(0);
		expect(help.output()).toContain('--fresh');

		const wrong = start(['--port', 'many']);
		expect(await wrong.ended).toBe(1);
		expect(wrong.output()).toContain('--port needs a number from 1 to 65535, not "many"');
	});
});
