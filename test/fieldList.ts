import type { INode, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { additionalData } from '../tools/n8nEngine/additionalData';
import { loadNode } from '../tools/n8nEngine/engine';
import { core } from '../tools/n8nEngine/n8n';

/**
 * Lists the entries of 'Fields' as n8n's editor does. The node has no credential.
 *
 * @param type name of the node, e.g. "cometChat"
 */
export async function listFields(type: string, parameters: INodeParameters): Promise<string[]> {
	const node: INode = {
		...{ id: '1', name: 'Node', type: `n8n-nodes-cometchat.${type}`, typeVersion: 1 },
		...{ position: [0, 0], parameters },
	};
	const file = { name: 'Workflow', nodes: [node], connections: {} };
	const { instance, type: loaded } = loadNode(file, node.name, { id: '1', active: false });
	const { loadOptionsMethod = '' } =
		loaded.description.properties.find(({ name }) => name === 'fields')?.typeOptions ?? {};
	const data = additionalData(() => undefined);
	data.currentNodeParameters = parameters;
	const context = new core.LoadOptionsContext(instance, node, data, 'parameters.fields');
	const entries = await loaded.methods?.loadOptions?.[loadOptionsMethod].call(context);
	expect(entries).toEqual(entries?.map(({ value }) => ({ name: value, value })));
	return (entries ?? []).map(({ value }) => String(value));
}

/** End of the names under which `readDocumentedColumns` returns columns that only some rows have. */
export const OPTIONAL_SUFFIX = ' (optional)';

/**
 * Reads the columns that a page of the docs lists in lines such as "- Get, Send: `id`, `text`".
 *
 * @returns the columns by the names before the colon, each with the heading in bold above it. Columns that only some
 * rows have are under the same names, followed by `OPTIONAL_SUFFIX`.
 */
export function readDocumentedColumns(page: string): Map<string, string[]> {
	const found = new Map<string, string[]>();
	let heading = '';
	let suffix = '';
	for (const line of readFileSync(join(__dirname, '../docs', page), 'utf8').split('\n')) {
		const [, started] = /^\*\*(.+)\*\*$/.exec(line) ?? [];
		if (started !== undefined) [heading, suffix] = [started, ''];
		// A heading inside a list
		if (line.startsWith('Under **')) suffix = '';
		if (line === 'In rows with a value for them:') suffix = OPTIONAL_SUFFIX;
		const [, names = '', columns] = /^- ([^:`*]+): ((?:`\w+`(?:, )?)+)$/.exec(line) ?? [];
		for (const name of columns ? names.split(', ') : []) {
			found.set(`${heading} ${name}`.trim() + suffix, columns.replaceAll('`', '').split(', '));
		}
	}
	return found;
}
