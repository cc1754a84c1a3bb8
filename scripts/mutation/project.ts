import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** What is not copied: no test reads it, or it is linked. */
const LEFT_OUT = ['node_modules', '.git', '.cache', 'coverage', 'build', 'test/e2e/node_modules'];

/** A copy of the project whose built files may be broken, while the project itself may go on changing. */
export class Copy {
	readonly root = mkdtempSync(join(tmpdir(), 'cometchat-mutation-'));

	/** Where the tests write what they write: none of them is left running to its own end. */
	readonly temporary = join(this.root, '.cache/tmp');

	constructor() {
		cpSync(ROOT, this.root, {
			recursive: true,
			filter: (source) => !LEFT_OUT.includes(relative(ROOT, source)),
		});
		mkdirSync(this.temporary, { recursive: true });
		symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
	}

	read(path: string): string {
		return readFileSync(join(this.root, path), 'utf8');
	}

	write(path: string, code: string): void {
		writeFileSync(join(this.root, path), code);
	}

	remove(): void {
		// A process that was just ended may still be writing
		rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
	}
}
