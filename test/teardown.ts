import { rmSync } from 'node:fs';

export default function teardown(): void {
	const folder = process.env.COMETCHAT_ENGINE_FOLDER;
	if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
