import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

interface Job {
	uses?: string;
	needs?: string;
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	steps?: Array<{ uses?: string; run?: string }>;
}

interface Workflow {
	on: object;
	permissions: object;
	jobs: Record<string, Job>;
}

const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const load = (file: string): Workflow => parse(textOf(file));

describe.each(readdirSync(FOLDER))('%s', (file) => {
	const { permissions, jobs } = load(file);
	const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

	test('uses only actions of GitHub, each pinned to a commit that is named by its version', () => {
		const lines = textOf(file).match(/uses: (?!\.\/).*/g) ?? [];
		expect(lines.length).toBeGreaterThan(0);
		for (const line of lines) {
			expect(line).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		}
	});

	test('runs only scripts that package.json has', () => {
		const names = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)]);
		for (const [, name] of names) expect(Object.keys(scripts)).toContain(name);
	});

	test('may only read unless a job says otherwise, and ends by itself', () => {
		expect(permissions).toEqual({ contents: 'read' });
		for (const job of Object.values(jobs).filter(({ uses }) => uses === undefined)) {
			expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
		}
	});
});

describe('Publishing', () => {
	const { on, jobs } = load('publish.yml');

	test('starts with a version tag, after everything that CI runs', () => {
		expect(on).toEqual({ push: { tags: ['v*'] } });
		expect(jobs.ci.uses).toBe('./.github/workflows/ci.yml');
		expect(jobs.publish.needs).toBe('ci');
		const tested = Object.values(load('ci.yml').jobs).flatMap(({ steps = [] }) =>
			steps.map(({ run = '' }) => run),
		);
		expect(tested).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/^npm test\b/),
				...['soak', 'compat', 'e2e'].map((name) => `npm run test:${name}`),
			]),
		);
	});

	test('gives a provenance statement, without a stored token', () => {
		expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		expect(jobs.publish.steps?.at(-1)?.run).toMatch(/^npm publish --provenance/);
		expect(textOf('publish.yml')).not.toContain('secrets.');
	});
});
