// For the processes of the tests, in which the engine is loaded: they inherit it
import '../tools/n8nEngine/environment';

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const BUILT = join(ROOT, 'dist/nodes/CometChat/CometChat.node.js');

/** When a file was written; long ago when it is not there. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** One folder for all that the engine writes in the test processes. */
export default function setup(): void {
	const newer = globSync('{nodes,credentials}/**/*.ts', { cwd: ROOT }).find(
		(path) => writtenAt(join(ROOT, path)) > writtenAt(BUILT),
	);
	if (newer && process.env.COMETCHAT_PACKAGE_ROOT === undefined) {
		throw new Error(`${newer} is newer than dist/, which is what is tested: run "npm run build"`);
	}
	process.env.COMETCHAT_ENGINE_FOLDER = process.env.N8N_USER_FOLDER;
}
