import { runChild } from './harness';

interface Sent {
	mode: string;
	receivedMb: number;
	growthMb: number;
}

const send = async (megabytes: number, count: number) => {
	const env = { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
	const args = [String(megabytes), String(count)];
	const sent = await runChild<Sent>('inputFiles.child.ts', args, { env, flags: ['--expose-gc'] });
	process.stdout.write(`Memory grew by ${Math.round(sent.growthMb)} MB\n`);
	return sent;
};

test('A file of 100 MB is sent with at most 20 MB of memory if n8n stores files on a disk', async () => {
	const { mode, receivedMb, growthMb } = await send(100, 1);
	expect(mode).toBe('filesystem-v2');
	expect(receivedMb).toBeCloseTo(100, 1);
	expect(growthMb).toBeLessThan(20);
});

test('Ten files of 30 MB need as little memory as a single one', async () => {
	const { receivedMb, growthMb } = await send(30, 10);
	expect(receivedMb).toBeCloseTo(300, 1);
	expect(growthMb).toBeLessThan(20);
});
