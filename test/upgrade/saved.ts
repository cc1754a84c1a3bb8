import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from '../../tools/n8nEngine/engine';

/** A workflow as a version of this package left it in n8n; the files of a published version are never changed. */
export interface Saved {
	version: string;
	file: string;
	workflow: WorkflowFile;
}

const isVersion = (name: string) => /^\d+\.\d+\.\d+$/.test(name);

/** All saved workflows, of all versions. */
export function savedWorkflows(): Saved[] {
	return readdirSync(__dirname)
		.filter(isVersion)
		.flatMap((version) =>
			readdirSync(join(__dirname, version)).map((file) => ({
				version,
				file,
				workflow: JSON.parse(readFileSync(join(__dirname, version, file), 'utf8')),
			})),
		);
}

export function savedWorkflow(version: string, file: string): WorkflowFile {
	const saved = savedWorkflows().find((each) => each.version === version && each.file === file);
	if (!saved) throw new Error(`There is no workflow ${file} of version ${version}`);
	return saved.workflow;
}

const MARK = /^=\{\{ \/\*n8n-auto-generated-fromAI-override\*\/ \$fromAI\('(\w+)'.*\}\}$/;

/** A value of a parameter with what a model filled in, in the places that are left to it. */
function filledIn(value: unknown, given: IDataObject): unknown {
	if (typeof value === 'string') {
		const name = MARK.exec(value)?.[1];
		return name === undefined ? value : given[name];
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value).map(([key, inner]) => [key, filledIn(inner, given)]);
	return Object.fromEntries(entries);
}

/** The node that stands behind an agent's tool, as n8n runs it once a model has given its arguments. */
export function nodeOfTool(tool: INode, given: IDataObject): INode {
	const filled = filledIn(tool.parameters, given);
	const parameters: INode['parameters'] = Object.assign({}, filled);
	return { ...tool, type: tool.type.replace(/Tool$/, ''), parameters };
}

/** What n8n itself adds to tools, to nodes that poll and to declarative nodes. */
const OF_N8N = ['descriptionType', 'toolDescription', 'pollTimes', 'requestOptions'];

const isShown = ({ displayOptions }: INodeProperties, values: IDataObject) =>
	Object.entries(displayOptions?.show ?? {}).every(
		([name, shown = []]) => !(name in values) || shown.includes(values[name] as string),
	);

function valuesOf(property: INodeProperties): unknown[] | undefined {
	if (property.type !== 'options' && property.type !== 'multiOptions') return undefined;
	return property.options?.map((option) => ('value' in option ? option.value : undefined));
}

/** Names and values of saved parameters that the description of today does not have. */
export function unknownIn(
	parameters: IDataObject,
	properties: INodeProperties[],
	values: IDataObject,
): string[] {
	return Object.entries(parameters).flatMap(([name, value]) => {
		if (OF_N8N.includes(name)) return [];
		const property = properties.find((each) => each.name === name && isShown(each, values));
		if (!property) return [name];
		if (property.type === 'collection') {
			const inner = (property.options ?? []).filter((option) => 'type' in option);
			return unknownIn({ ...Object(value) }, inner, values).map((each) => `${name}.${each}`);
		}
		const allowed = valuesOf(property);
		const wrong = [value].flat().filter((each) => allowed && !allowed.includes(each));
		return wrong.map((each) => `${name} = ${String(each)}`);
	});
}
