/**
 * Generates documentation and schemas from the built nodes' descriptions:
 * - fields in docs/operations.md
 * - fields and events in docs/events.md
 * - fields of the memory in docs/ai-agents.md
 * - columns in docs/output-and-errors.md
 * - the list in docs/recipes.md
 * - sources of the operations and open questions in docs/status.md
 * - operations in the README
 * - output schemas
 *
 * With `--check`, writes nothing. Reports outdated files instead, along with broken links, anchors,
 * commands, and labels in the documentation.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { resources } from '../../nodes/CometChat/resources';
import { botProperties } from '../../nodes/CometChat/botTrigger/properties';
import { memoryProperties } from '../../nodes/CometChat/memory/properties';
import { pollingProperties } from '../../nodes/CometChat/pollingTrigger/properties';
import { parameterFieldsToRead } from '../../nodes/CometChat/webhookTrigger/properties';
import { formatColumns, formatEvents } from './columnLists';
import { listFields, getMeaning, listNames, toRows, type FieldRow } from './fieldText';
import { ROOT, replaceBetweenMarks, formatMarkdown } from './markdown';
import { formatOperations, toExplainedRows } from './operationsPage';
import { findWrongReferences } from './pages';
import { formatRecipes } from './recipeList';
import { SCHEMAS, createSchemas } from './schemas';
import { formatSources } from './sources';
import { formatQuestions } from '../live/questions';

const GENERATED = '<!-- Written by "npm run docs" -->';

function operationsList(): string {
	const count = resources.flatMap(({ operations }) => operations).length;
	const lines = resources.map(
		({ name, operations }) => `- **${name}**: ${operations.map((each) => each.name).join(', ')}`,
	);
	const intro = `[Operations](docs/operations.md) explains the ${count} operations with every field.`;
	return `${intro}\n\n${lines.join('\n')}`;
}

/**
 * Describes the polling trigger's fields, except the output fields. Fields that are explained elsewhere are
 * named without an explanation.
 */
function pollingFields(): string {
	const fields = resources.flatMap(({ operations }) => operations).flatMap((each) => each.fields);
	const getKey = (row: FieldRow) => [getMeaning(row), row.defaultText].join();
	const known = new Set(toRows([...fields, ...parameterFieldsToRead]).map(getKey));
	const rows = toExplainedRows(pollingProperties);
	const shared = rows.filter((row) => known.has(getKey(row)));
	const own = rows.filter((row) => !known.has(getKey(row)));
	return `${listFields(own)}\n\nAs in [Operations](operations.md) and above: ${listNames(shared)}.`;
}

function complain(problem: string): void {
	console.error(problem);
	process.exitCode = 1;
}

/** Generates the content of all generated sections, keyed by page and marker. */
function generatedParts(): Record<string, Record<string, string>> {
	return {
		'docs/operations.md': { fields: formatOperations(resources) },
		'docs/events.md': {
			'webhook-fields': listFields(toExplainedRows(parameterFieldsToRead)),
			'bot-fields': listFields(toExplainedRows(botProperties)),
			'polling-fields': pollingFields(),
			events: formatEvents(),
		},
		'docs/ai-agents.md': { 'memory-fields': listFields(toExplainedRows(memoryProperties)) },
		'docs/output-and-errors.md': { columns: formatColumns(resources) },
		'docs/recipes.md': { recipes: formatRecipes() },
		'docs/status.md': { sources: formatSources(resources), questions: formatQuestions() },
		'README.md': { operations: operationsList() },
	};
}

async function main(): Promise<void> {
	const documents: Record<string, string> = await createSchemas();
	for (const [path, parts] of Object.entries(generatedParts())) {
		documents[path] = Object.entries(parts).reduce(
			(page, [mark, text]) => replaceBetweenMarks(page, mark, `${GENERATED}\n\n${text}`),
			readFileSync(join(ROOT, path), 'utf8'),
		);
	}
	const isCheck = process.argv.includes('--check');
	if (isCheck) findWrongReferences().forEach(complain);
	for (const path of globSync(`${SCHEMAS}/**/*.json`, { cwd: ROOT })) {
		if (path in documents) continue;
		if (!isCheck) rmSync(join(ROOT, path));
		else complain(`${path} belongs to no operation: run "npm run docs"`);
	}
	for (const [path, text] of Object.entries(documents)) {
		const file = join(ROOT, path);
		const page = await formatMarkdown(path, text);
		if (!isCheck) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, page);
		} else if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
			complain(`${path} is stale: run "npm run docs"`);
		}
	}
}

void main();
