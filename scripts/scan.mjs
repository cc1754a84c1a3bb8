import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

/**
 * Lints as n8n's scanner of community packages does before it verifies one: the sources that the
 * provenance statement names, then the compiled files of the packed tarball; comments that disable
 * rules do not count. Unlike the scanner it needs no published package.
 *
 * @see https://www.npmjs.com/package/@n8n/scan-community-package (scanner/scanner.mjs, 0.32.0)
 */

const PROJECT = join(import.meta.dirname, '..');

const SOURCES = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];

const PACKED = ['**/*.js', 'package.json'];

/** What the scanner switches off because it does not fit community nodes. */
const notForCommunityNodes = {
	credentials: {
		'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
	},
	nodes: {
		'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
		'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
	},
};

const scanConfig = tseslint.config(
	n8nCommunityNodesPlugin.configs.recommended,
	{ rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': nodesBase } },
	{ files: ['package.json'], rules: nodesBase.configs.community.rules },
	{
		files: ['**/credentials/**/*.ts'],
		rules: { ...nodesBase.configs.credentials.rules, ...notForCommunityNodes.credentials },
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: { ...nodesBase.configs.nodes.rules, ...notForCommunityNodes.nodes },
	},
	{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser: tseslint.parser } },
);

async function scan(folder, patterns) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: scanConfig,
	});
	const results = await eslint.lintFiles(patterns);
	const bad = results.filter(({ errorCount }) => errorCount > 0);
	const text = bad.length > 0 ? await (await eslint.loadFormatter('stylish')).format(bad) : '';
	return { files: results.length, text };
}

/** Packs what stands in dist/ and unpacks it again. */
function unpacked(folder) {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PROJECT });
	execFileSync('sh', ['-c', 'tar -xzf ./*.tgz'], { cwd: folder });
	return join(folder, 'package');
}

async function main() {
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-scan-'));
	try {
		const scans = [await scan(PROJECT, SOURCES), await scan(unpacked(folder), PACKED)];
		for (const { text } of scans) if (text) console.error(text);
		const [sources, packed] = scans.map(({ files }) => files);
		console.log(`${sources} source files and ${packed} packed files scanned`);
		process.exitCode = scans.some(({ text }) => text) ? 1 : 0;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

await main();
