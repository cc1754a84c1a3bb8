import { runChild } from './harness';

interface Stored {
	size: number;
	mode: string;
	bytes: number;
	growthMb: number;
}

test('A file of 200 MB needs at most 20 MB of memory if n8n stores files on a disk', async () => {
	const env = { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
	const flags = ['--expose-gc'];
	const stored = await runChild<Stored>('downloadFiles.child.ts', ['200'], { env, flags });
	expect(stored).toMatchObject({ size: 200_000_000, mode: 'filesystem-v2', bytes: 200_000_000 });
	expect(stored.growthMb).toBeLessThan(20);
	process.stdout.write(`Memory grew by ${Math.round(stored.growthMb)} MB\n`);
});
