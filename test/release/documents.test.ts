import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

function filesIn(folder: string): string[] {
	return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => join(folder, path))
		.filter((path) => /\.(ts|json|md)$/.test(path));
}

/** Start of links to files in the repository. */
const REPOSITORY = 'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/';

test('the headings exist to which the credentials and the nodes link', () => {
	const sources = [...filesIn('nodes'), ...filesIn('credentials')].map(read).join('\n');
	const links = [...sources.matchAll(new RegExp(`${REPOSITORY}([\\w./-]+)#([\\w-]+)`, 'g'))];
	expect(links.length).toBeGreaterThan(0);
	for (const [, file, anchor] of links) {
		const headings = [...read(file).matchAll(/^#{1,3} (.+)$/gm)].map(([, title]) => title);
		expect(headings.map((title) => title.toLowerCase().replaceAll(' ', '-'))).toContain(anchor);
	}
	expect(sources.match(/npmjs\.com/)).toBeNull();
});

test('no list of fields names a field twice', () => {
	const lines = filesIn('docs').flatMap(
		(path) => read(path).match(/^(?:As in|Fields:) .+$/gm) ?? [],
	);
	expect(lines.length).toBeGreaterThan(5);
	const lists = lines.flatMap((line) => line.replace(/\.$/, '').split('; '));
	const twice = lists.filter((list) => {
		const names = list.replace(/^.*?: /, '').split(', ');
		return new Set(names).size < names.length;
	});
	expect(twice).toEqual([]);
});

test('example workflows contain no API key, and use this package or a webhook', () => {
	const examples = filesIn('examples').filter((path) => path.endsWith('.json'));
	expect(examples.length).toBeGreaterThan(0);
	for (const path of examples) {
		const { nodes } = JSON.parse(read(path));
		const types = nodes.map(({ type }: { type: string }) => type);
		expect(types).toContainEqual(
			expect.stringMatching(/^(n8n-nodes-cometchat\.|n8n-nodes-base\.webhook$)/),
		);
		expect(read(path)).not.toMatch(/apikey|"apiKey"/);
	}
});

test('the page behind "Docs" has the expression of a recipe for the UID of an email address', () => {
	const { nodes } = JSON.parse(read('examples/automation/form-sign-up.json'));
	const { parameters } = nodes.find(({ name }: { name: string }) => name === 'Create user');
	const expression = parameters.uid.replace(/^=/, '').replace('$json.Email', '$json.email');
	expect(read('docs/operations.md')).toContain(expression);
	expect(JSON.parse(read('nodes/CometChat/CometChat.node.json'))).toMatchObject({
		resources: {
			primaryDocumentation: [{ url: `${REPOSITORY}docs/operations.md#operations` }],
		},
	});
});

test('the docs name both requests of Get Member, and the source of the bot trigger', () => {
	expect(read('docs/operations.md')).toMatch(
		/### Get Member\n\n.*`GET \/groups\/\{groupId\}`, `GET \/users\/\{userId\}`\n/,
	);
	expect(read('docs/status.md')).toContain(
		'`/bots` and `/bots/{uid}`. Source: documentation pages.',
	);
});

test("README's first workflow only reads, until a step that turns on Execute Once", () => {
	const [, section] = read('README.md').split('## First workflow');
	const steps = section.split('\n### ')[0].match(/^\d\. .+$/gm) ?? [];
	const sending = steps.findIndex((step) => /Send message/.test(step));
	expect(steps.slice(0, sending).join('\n')).not.toMatch(
		/\b(Create|Update|Delete|Add|Remove) [a-z]+\b/,
	);
	expect(steps[sending]).toMatch(/Send message.*turn on \*\*Execute Once\*\*.*Execute step/);
	expect(steps.slice(0, sending).at(-1)).toContain('A node runs once per item');
});
