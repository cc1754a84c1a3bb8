import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { n8nRoot } from './stage';

/** What the figures were measured on. */
export interface Machine {
	processor: string;
	cores: number;
	memoryGb: number;
	system: string;
	node: string;
	n8n: string;
	undici: string;
}

function versionOf(root: string, name: string): string {
	const file = join(root, 'node_modules', name, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

export function describeMachine(): Machine {
	const [processor] = cpus();
	return {
		processor: processor?.model.trim() ?? 'unknown',
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / 1024 ** 3),
		system: `${type()} ${release()}`,
		node: process.version,
		n8n: versionOf(n8nRoot, 'n8n'),
		undici: versionOf(join(__dirname, '..'), 'undici'),
	};
}
