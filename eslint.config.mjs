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

const BRITISH_SPELLINGS = [
	/\b(?:behaviour|(?:dis)?colour|favour|honour|neighbour)\w*/i,
	/\b\w+(?:gn|gan|mal|tial|ial|nim|xim|tim|ron|tom|thor|gor|mar|ken|phas|til)is(?:e[drs]?|ing|ations?)\b/i,
	/\b(?:e-mails?|whilst|misspelt|cancell(?:ed|ing)|labell(?:ed|ing)|catalogue|licence|centre)\b/i,
];

/** Reports comments that start with a question word, and British spellings in comments and strings. */
const writing = {
	meta: { type: 'suggestion', schema: [] },
	create(context) {
		const { sourceCode } = context;
		const checkSpelling = (node, text) => {
			const [word] = BRITISH_SPELLINGS.flatMap((spelling) => spelling.exec(text) ?? []);
			if (word) context.report({ node, message: `Use the American spelling of "${word}"` });
		};
		return {
			Program() {
				for (const comment of sourceCode.getAllComments()) {
					const [, start] = /^[\s*]*(What|Who|Where|How|That)\b/.exec(comment.value) ?? [];
					const message = `Start the comment with a noun or a verb instead of "${start}"`;
					if (start) context.report({ node: comment, message });
					checkSpelling(comment, comment.value);
				}
			},
			Literal(node) {
				// Strings without whitespace are identifiers or values instead of prose
				if (/\s/.test(String(node.value))) checkSpelling(node, String(node.value));
			},
			TemplateElement(node) {
				checkSpelling(node, node.value.raw);
			},
		};
	},
};

export default tseslint.config(
	{ ignores: ['dist/', 'build/', 'coverage/', '**/.cache/', '**/node_modules/'] },
	// n8n's package scanner ignores comments that disable rules
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.ts'],
		extends: [...tseslint.configs.strict],
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'no-duplicate-imports': 'error',
			'@typescript-eslint/no-empty-function': 'off',
		},
	},
	{
		files: ['**/*.{ts,js,cjs,mjs}'],
		plugins: { local: { rules: { writing } } },
		rules: { 'local/writing': 'error' },
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		languageOptions: parser,
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: { ...nodesBase.configs.nodes.rules, ...notForCommunityNodes, 'no-console': 'error' },
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
