import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './markdown';

interface Workflow {
	name: string;
	nodes: Array<{ type: string; parameters: { content?: string } }>;
}

/** Groups of recipes, matched by node type. A recipe belongs to the first group with a match. */
const GROUPS: Array<[title: string, type: RegExp]> = [
	['AI agents', /\.agent$/],
	['When something happens', /cometchat\.\w*Trigger$|\.(webhook|formTrigger)$/i],
	['On a schedule', /\.scheduleTrigger$/],
	['Run by hand', /\.manualTrigger$/],
];

/** Returns the first two sentences of a workflow's note. */
function summaryOf({ nodes }: Workflow): string {
	const note = nodes.find(({ type }) => type.endsWith('.stickyNote'));
	const [, summary = ''] = note?.parameters.content?.split('\n') ?? [];
	return summary
		.split(/(?<=[.!?]) /)
		.slice(0, 2)
		.join(' ');
}

/** Lists all example workflows with their summaries, grouped by node type. */
export function formatRecipes(): string {
	const recipes = globSync('examples/**/*.json', { cwd: ROOT })
		.sort()
		.map((file) => {
			const workflow: Workflow = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
			return { file, ...workflow };
		});
	const groups = Map.groupBy(recipes, ({ nodes }) =>
		GROUPS.find(([, type]) => nodes.some((node) => type.test(node.type))),
	);
	return GROUPS.map((group) => {
		const lines = groups
			.get(group)
			?.map((recipe) => `- [${recipe.name}](../${recipe.file}): ${summaryOf(recipe)}`);
		return `## ${group[0]}\n\n${lines?.join('\n')}`;
	}).join('\n\n');
}
