import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROJECT = join(__dirname, '../..');

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

const manifest = JSON.parse(read('package.json'));

function filesIn(folder: string): string[] {
	return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => join(folder, path))
		.filter((path) => /\.(ts|json|md)$/.test(path));
}

describe('The README', () => {
	const headings = [...read('README.md').matchAll(/^#{1,3} (.+)$/gm)].map(([, title]) => title);

	test.each(['Install', 'Credential', 'Operations', 'Examples', 'Compatibility', 'License'])(
		'has the section "%s" that n8n asks for',
		(title) => expect(headings).toContain(title),
	);

	test('has every place that the credential and the nodes link to', () => {
		const anchors = headings.map((title) => title.toLowerCase().replaceAll(' ', '-'));
		const sources = [...filesIn('nodes'), ...filesIn('credentials')].map(read).join('\n');
		const links = [...sources.matchAll(/npmjs\.com\/package\/n8n-nodes-cometchat#([\w-]+)/g)];
		expect(links.length).toBeGreaterThan(0);
		for (const [, anchor] of links) expect(anchors).toContain(anchor);
	});
});

describe('The documentation', () => {
	const pages = [
		...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', 'sandbox/README.md'],
		...filesIn('docs').filter((path) => path.endsWith('.md')),
	];

	/** Paths from the project's folder that a page links to, without their anchors. */
	const linkedFrom = (page: string) =>
		[...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path]) =>
			join(dirname(page), path),
		);

	test.each(pages)('%s links to nothing that is not there', (page) => {
		const missing = linkedFrom(page).filter((path) => !existsSync(join(PROJECT, path)));
		expect(missing).toEqual([]);
	});

	test('begins with a page that can be read in five minutes', () => {
		expect(read('README.md').split('\n').length).toBeLessThanOrEqual(200);
	});

	test('is all linked from the README', () => {
		const linked = linkedFrom('README.md');
		for (const page of filesIn('docs').filter((path) => path.endsWith('.md'))) {
			expect(linked).toContain(page);
		}
	});

	test('has pictures that a page shows, each small enough for one', () => {
		const shown = pages.flatMap(linkedFrom);
		for (const name of readdirSync(join(PROJECT, 'docs/images'))) {
			const picture = join('docs/images', name);
			expect(shown).toContain(picture);
			expect(statSync(join(PROJECT, picture)).size).toBeLessThan(150_000);
		}
	});
});

test('the changelog describes the version that is to be published', () => {
	expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
});

test('there are example workflows, with nodes of this package and without credentials inside', () => {
	const examples = filesIn('examples').filter((path) => path.endsWith('.json'));
	expect(examples.length).toBeGreaterThan(0);
	for (const path of examples) {
		const { nodes } = JSON.parse(read(path));
		const types = nodes.map(({ type }: { type: string }) => type);
		expect(types).toContainEqual(expect.stringMatching(/^n8n-nodes-cometchat\./));
		expect(read(path)).not.toMatch(/apikey|"apiKey"/);
	}
});

test('everything that users and reviewers read is in Latin letters', () => {
	const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json'];
	for (const path of [...documents, ...filesIn('nodes'), ...filesIn('credentials')]) {
		const otherScripts = [...read(path).matchAll(/\p{L}/gu)]
			.map(([letter]) => letter)
			.filter((letter) => !/\p{Script=Latin}/u.test(letter));
		expect({ path, otherScripts }).toEqual({ path, otherScripts: [] });
	}
});
