import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/**
 * Rules for n8n's own repository that contradict the rules for community nodes. n8n's configuration for
 * community packages turns off the same rules.
 */
const notForCommunityNodes = {
	'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off', // documentationUrl is a URL, not a slug
	'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off', // uses NodeConnectionTypes
	'n8n-nodes-base/node-class-description-outputs-wrong': 'off', // uses NodeConnectionTypes
};

const parser = { parser: tseslint.parser };

export default tseslint.config(
	{ ignores: ['dist/', 'build/', 'coverage/', '**/.cache/', '**/node_modules/'] },
	// n8n's package scanner ignores comments that disable rules
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.ts'],
		extends: [...tseslint.configs.strictTypeChecked],
		languageOptions: { parserOptions: { project: 'tsconfig.check.json' } },
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-confusing-void-expression': [
				'error',
				{ ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
			],
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{ allowNumber: true, allowBoolean: true },
			],
			// Caught errors have the type unknown and may be rethrown later
			'@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
			'no-duplicate-imports': 'error',
			// n8n's own lint includes this rule
			'no-misleading-character-class': 'error',
			'@typescript-eslint/no-empty-function': 'off',
		},
	},
	{
		files: ['tools/**/*.ts', 'examples/**/*.ts', 'test/**/*.ts'],
		rules: {
			// Parsed JSON and n8n, which is loaded at run time, get their types from a declaration
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	{
		files: ['tools/**/*.ts', 'examples/**/*.ts'],
		languageOptions: { parserOptions: { project: 'tools/tsconfig.json' } },
	},
	{
		files: ['examples/**/*.ts', 'test/**/*.ts'],
		rules: {
			// Items are printed and compared as text, and n8n's type for their values includes objects
			'@typescript-eslint/no-base-to-string': 'off',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Tests read responses of any shape
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			// Without noUncheckedIndexedAccess, an entry that may be missing looks as if it is always there
			'@typescript-eslint/no-unnecessary-condition': 'off',
		},
	},
	{
		files: ['test/**/*.ts', 'tools/n8nEngine/**/*.ts'],
		rules: {
			// Spies replace methods, and n8n calls a node's functions with a context as `this`
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parserOptions: { project: 'tsconfig.json' } },
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector:
						'Program > :matches(VariableDeclaration, ExportNamedDeclaration) VariableDeclarator[init.regex][id.name!=/_PATTERN$/]',
					message: 'The name of a pattern ends with _PATTERN.',
				},
			],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		languageOptions: parser,
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.nodes.rules,
			...notForCommunityNodes,
			'no-console': 'error',
			// Names that had several meanings. See the glossary in CONTRIBUTING.md.
			'id-denylist': [
				'error',
				...['canStart', 'Confirmation', 'getEntity', 'NOT_SENT', 'Progress', 'readerFor'],
			],
		},
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.credentials.rules,
			...notForCommunityNodes,
			'no-console': 'error',
		},
	},
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': nodesBase },
		languageOptions: { ...parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: {
			...nodesBase.configs.community.rules,
			'@typescript-eslint/no-unused-expressions': 'off',
		},
	},
);
