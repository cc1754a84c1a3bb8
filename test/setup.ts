// Sets the environment variables that n8n's engine reads. Test processes inherit these variables.
import '../tools/n8nEngine/environment';

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const BUILT = join(ROOT, 'dist/nodes/CometChat/CometChat.node.js');

/** Returns a file's modification time in milliseconds, or 0 if the file doesn't exist. */
const getModifiedTime = (path: string): number =>
	statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Throws if the build in `dist/` is outdated. Makes all test processes share one folder for n8n's engine. */
export default function setup(): void {
	const newer = globSync('{nodes,credentials}/**/*.ts', { cwd: ROOT }).find(
		(path) => getModifiedTime(join(ROOT, path)) > getModifiedTime(BUILT),
	);
	if (newer && process.env.COMETCHAT_PACKAGE_ROOT === undefined) {
		throw new Error(`${newer} is newer than dist/, which the tests run: run "npm run build"`);
	}
	process.env.COMETCHAT_ENGINE_FOLDER = process.env.N8N_USER_FOLDER;
}
