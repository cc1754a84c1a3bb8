import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';

import { RELEASES } from '../compat/versions';

const ROOT = join(__dirname, '../..');

/** A step of a job. */
interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}

interface Job {
	uses?: string;
	needs?: string[];
	env?: Record<string, string>;
	permissions?: object;
	strategy?: { 'fail-fast': boolean; matrix: Record<string, string[]> };
	steps: Step[];
}

interface Workflow<JobName extends string> {
	env?: Record<string, string>;
	permissions: object;
	jobs: Record<JobName, Job>;
}

const readWorkflow = <JobName extends string>(name: string) =>
	load(readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8')) as Workflow<JobName>;

const publishing = readWorkflow<'ci' | 'nightly' | 'publish'>('publish');
const { publish } = publishing.jobs;
const publishSteps = publish.steps;
const ci = readWorkflow<'compat' | 'test'>('ci');

/** Lists the places of a text in a value, as paths of keys. */
function findPlaces(value: unknown, text: string): string[] {
	if (typeof value === 'string') return value.includes(text) ? [''] : [];
	return Object.entries(Object(value)).flatMap(([key, inner]) =>
		findPlaces(inner, text).map((path) => `${key}.${path}`),
	);
}

test('only the step that publishes can read the npm token', () => {
	const last = publish.steps.length - 1;
	expect(findPlaces(publishing, 'secrets.')).toEqual([
		`jobs.publish.steps.${last}.env.NODE_AUTH_TOKEN.`,
	]);
	expect([publishing.env, publish.env]).toEqual([undefined, undefined]);
	expect(publish.steps[last].run).toMatch(/^npm publish "\S+\.tgz" --ignore-scripts --provenance /);
});

test('only the job that publishes can ask for an identity, and that job runs no other code', () => {
	expect(publishing.permissions).toEqual({ contents: 'read' });
	const permitted = Object.entries(publishing.jobs).filter(
		([, job]) => job.permissions && 'id-token' in job.permissions,
	);
	expect(permitted.map(([name]) => name)).toEqual(['publish']);
	const actions = publishSteps.flatMap(({ uses }) => (uses ? [uses.replace(/@.*/, '')] : []));
	expect(actions).toEqual(['actions/setup-node', 'actions/download-artifact']);
	const commands = publishSteps.flatMap(({ run }) => (run ? [run.split(' ', 2).join(' ')] : []));
	expect(commands).toEqual(['test "$(ls)"', 'npm publish']);
});

test('what is published is the package that CI tested', () => {
	expect(publish.needs).toEqual(['ci', 'nightly', 'texts']);
	expect(publishing.jobs.ci.uses).toBe('./.github/workflows/ci.yml');
	expect(publishing.jobs.nightly.uses).toBe('./.github/workflows/nightly.yml');
	const download = publishSteps.find(({ uses = '' }) => uses.includes('download-artifact'));
	const { steps } = ci.jobs.test;
	const upload = steps.findIndex(({ uses = '' }) => uses.includes('upload-artifact'));
	expect(steps[upload].with).toMatchObject({ name: download?.with?.name, path: '*.tgz' });
	expect(steps.findIndex(({ run }) => run === '.ci/run')).toBeLessThan(upload);
});

test('CI tests each release of n8n in a job of its own', () => {
	const { strategy, steps } = ci.jobs.compat;
	expect(strategy?.['fail-fast']).toBe(false);
	expect(strategy?.matrix.n8n).toEqual(RELEASES.map(({ n8n }) => n8n));
	expect(steps).toContainEqual({ run: 'npm run test:compat -- ${{ matrix.n8n }}' });
});

test('all actions are pinned to a commit', () => {
	for (const name of ['ci', 'publish', 'nightly']) {
		const text = readFileSync(join(ROOT, `.github/workflows/${name}.yml`), 'utf8');
		const actions = [...text.matchAll(/uses: (?!\.\/)(\S+)/g)].map(([, action]) => action);
		for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
	}
});

describe('A tag', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'cometchat-release-'));
		cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
		writeFileSync(join(folder, 'README.md'), 'Install the package in n8n.');
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

	function release(changelog: string, tag = `v${version}`) {
		writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
		const script = join(ROOT, 'tools/scripts/releaseNotes.mjs');
		const { status, stdout, stderr } = spawnSync(process.execPath, [script, tag, folder]);
		return [status, String(status === 0 ? stdout : stderr).trim()];
	}

	test.each([`## ${version}`, `## [${version}] - 2026-12-01`, `## ${version} (2026-12-01)`])(
		'takes its notes from the section "%s" of the changelog',
		(heading) => {
			const changelog = `# Changelog\n\n## 99.0.0\n\n- No\n\n${heading}\n\n- Yes\n\n## 0.1.0\n\n- No\n`;
			expect(release(changelog)).toEqual([0, '- Yes']);
		},
	);

	test.each([
		['without a section in the changelog', '## 99.0.0\n\n- Yes'],
		['with an empty section', `## ${version}\n\n## 0.1.0\n\n- No`],
		['with a section of a longer version', `## ${version}0\n\n- No`],
	])('%s is not published', (_, changelog) => {
		expect(release(changelog)).toEqual([1, expect.stringContaining('CHANGELOG.md has no text')]);
	});

	test('of another version than that of package.json is not published', () => {
		const refusal = expect.stringContaining(`package.json has the version ${version}`);
		expect(release('## 99.0.0\n\n- Yes', 'v99.0.0')).toEqual([1, refusal]);
	});

	test.each([
		'not on npm',
		'Until the package is on npm, build it',
		"Once it's published",
		'(not released yet)',
	])('is not published while a text says "%s"', (text) => {
		const refusal = (file: string) => [1, expect.stringContaining(`${file}: ${text}`)];
		expect(release(`## ${version}\n\n${text}`)).toEqual(refusal('CHANGELOG.md'));
		writeFileSync(join(folder, 'README.md'), text);
		expect(release(`## ${version}\n\n- Yes`)).toEqual(refusal('README.md'));
	});
});
