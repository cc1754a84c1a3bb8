import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(__dirname, '../..');

const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

const files = readdirSync(join(PROJECT, '.github'), { recursive: true, encoding: 'utf8' }).filter(
	(path) => path.endsWith('.yml'),
);

const load = (path: string) => parse(readFileSync(join(PROJECT, '.github', path), 'utf8'));

interface Step {
	uses?: string;
	run?: string;
}

interface Job {
	steps: Step[];
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
}

const jobsOf = (path: string) => Object.values<Job>(load(path).jobs);

test.each(files)('%s is valid YAML with content', (path) => {
	expect(Object.keys(load(path)).length).toBeGreaterThan(1);
});

const workflows = files.filter((path) => path.startsWith('workflows/'));

describe.each(workflows)('%s', (path) => {
	const steps = jobsOf(path).flatMap((job) => job.steps);

	test('uses only actions of GitHub, each pinned to a major version', () => {
		const actions = steps.flatMap(({ uses }) => uses ?? []);
		expect(actions.length).toBeGreaterThan(0);
		for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@v\d+$/);
	});

	test('runs only scripts that package.json has', () => {
		const lines = steps.flatMap(({ run }) => run ?? []);
		const names = lines.flatMap((line) => [...line.matchAll(/npm run ([\w:]+)/g)]);
		for (const [, name] of names) expect(Object.keys(scripts)).toContain(name);
	});

	test('may only read, and ends by itself', () => {
		expect(load(path).permissions).toEqual({ contents: 'read' });
		for (const job of jobsOf(path)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
	});
});

describe('Publishing', () => {
	const [job] = jobsOf('workflows/publish.yml');

	test('starts with a version tag and nothing else', () => {
		expect(load('workflows/publish.yml').on).toEqual({ push: { tags: ['v*'] } });
	});

	test('gives a provenance statement, without a stored token', () => {
		expect(job.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		expect(job.steps.at(-1)?.run).toMatch(/^npm publish --provenance/);
		expect(JSON.stringify(job)).not.toContain('secrets.');
	});

	test('tests before it publishes', () => {
		expect(job.steps.map(({ run }) => run)).toContain('npm test');
	});
});
