/**
 * Installs the built package into n8n, without its peer dependency, which n8n brings along:
 *
 * - `npm run install:n8n` installs into the folder that n8n uses: `.n8n` below N8N_USER_FOLDER or the home
 *   folder.
 * - `npm run install:n8n -- FOLDER` installs into another `.n8n` folder.
 * - `npm run install:n8n -- --docker CONTAINER` only packs, and prints the commands for a container.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { name, version } from '../../package.json';

const { values, positionals } = parseArgs({
	options: { docker: { type: 'string' } },
	allowPositionals: true,
});
const { docker } = values;
const [home = join(process.env.N8N_USER_FOLDER ?? homedir(), '.n8n')] = positionals;
const folder = docker === undefined ? resolve(home, 'nodes') : resolve('build');

mkdirSync(folder, { recursive: true });
execFileSync('npm', ['pack', '--silent', '--pack-destination', folder]);
const filename = `${name}-${version}.tgz`;
const install = ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--prefix'];

if (docker === undefined) {
	execFileSync('npm', [...install, folder, join(folder, filename)], { stdio: 'inherit' });
	console.log(`Installed in ${folder}. Restart n8n, then search for CometChat in the node panel.`);
} else {
	const nodes = '/home/node/.n8n/nodes';
	console.log(`Run these commands, then restart the container:

docker cp ${join(folder, filename)} ${docker}:/tmp
docker exec -u node ${docker} npm ${install.join(' ')} ${nodes} /tmp/${filename}`);
}
