import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../e2e/lib/paths';
import { run } from '../e2e/lib/processes';
import type { Release } from './versions';

/** Folder that caches all installations. Ignored by git. */
const CACHE = join(ROOT, '.cache', 'compat');

/** Version ranges from an n8n release's package.json. */
export interface Parts {
	core: string;
	workflow: string;
	/** Supported Node.js versions */
	engines: string;
}

/** Thrown if a release can't be installed. The error message contains the reason. */
export class NotInstallable extends Error {}

/** Extracts the error message from npm's output. */
function npmReason(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	const line = text.split('\n').find((each) => /^npm error (?!code|errno)/.test(each));
	return (line ?? text.split('\n')[0]).replace(/^npm error (?:[a-z0-9]+ )?/, '').trim();
}

async function npm(args: string[], cwd: string): Promise<string> {
	try {
		return await run('npm', args, { cwd });
	} catch (error) {
		throw new NotInstallable(npmReason(error));
	}
}

/**
 * Reads a release's dependencies from the npm registry.
 *
 * @throws NotInstallable if the registry doesn't have the release
 */
export async function partsOf({ n8n }: Release): Promise<Parts> {
	const fields = ['dependencies.n8n-core', 'dependencies.n8n-workflow', 'engines.node'];
	const answer = await npm(['view', `n8n@${n8n}`, ...fields, '--json'], ROOT);
	const view: Record<string, string> = JSON.parse(answer);
	const [core, workflow, engines] = fields.map((field) => view[field]);
	return { core, workflow, engines };
}

/**
 * Returns the path of a cache folder, and fills the folder first if it doesn't exist. Restarts an
 * installation that was interrupted.
 */
async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
	const folder = join(CACHE, name);
	if (existsSync(folder)) return folder;
	const unfinished = `${folder}.unfinished`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { recursive: true });
	await fill(unfinished);
	await rename(unfinished, folder);
	return folder;
}

async function install(
	folder: string,
	dependencies: Record<string, string>,
	more: { overrides?: Record<string, string>; args?: string[] } = {},
): Promise<void> {
	const manifest = { private: true, dependencies, overrides: more.overrides };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	const args = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
	await npm(['install', ...args, ...(more.args ?? [])], folder);
}

/**
 * Returns the path of the oldest Node.js version that the release supports. Never uses a version below 22,
 * which the test tools require.
 */
export async function nodeFor({ engines }: Parts): Promise<string> {
	const major = Math.max(22, Number(/^>=\s*(\d+)/.exec(engines)?.[1] ?? 0));
	if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
	const folder = await cached(`node-${major}`, async (fresh) => {
		await install(fresh, { node: `^${major}` });
	});
	return join(folder, 'node_modules', 'node', 'bin', 'node');
}

/** Installs a release's workflow engine and returns the folder that contains node_modules. */
export async function engineOf(
	{ n8n, overrides }: Release,
	{ core, workflow }: Parts,
): Promise<string> {
	return await cached(`n8n-${n8n}`, async (folder) => {
		const parts = { 'n8n-core': core, 'n8n-workflow': workflow, 'reflect-metadata': '0.2.2' };
		// The engine runs without native code and peer dependencies
		await install(folder, parts, { overrides, args: ['--ignore-scripts', '--legacy-peer-deps'] });
	});
}
