import { toTitleCase } from '../errors/formatText';
import type { Operation, Resource } from '../description/types';

/** Shortens an operation's name, because n8n truncates a subtitle after about 25 characters. */
const shortenName = ({ name }: Operation): string =>
	name.replace(/ for Response$/, '').replace(/ Member (\w+)$/, ' $1 of Member');

/** Fields that identify an operation's target. */
const TARGETS = ['groupId', 'userId', 'messageId'];

/** Saved parameters of the node. Only `$rawParameter` exposes a picker's cached name. */
const SAVED = '$rawParameter.toJSON?.()';

const savedNameExpression = (field: string) => `${SAVED}?.${field}?.cachedResultName`;

/**
 * JavaScript that strips the ID from a picker's label, e.g. "Makers (makers)" → "Makers". Returns an empty
 * string if the parameter is an expression.
 */
const WITHOUT_ID = 'replace(/^=[^]*| \\([\\w-]+\\)$/g, "")';

/**
 * Builds the expression for the node's subtitle. The expression returns the operation and its target, e.g.
 * "Send: Makers", "Ban Tomás: Makers" or "Block: 12", or only the operation, e.g. "Block Message" or "List
 * Groups".
 */
export function buildSubtitle(resources: Resource[]): string {
	const chosen = '[$parameter.resource][$parameter.operation]';
	const action = `(${formatByOperation(resources, ({ action }) => toTitleCase(action))})${chosen}`;
	const name = `(${formatByOperation(resources, shortenName)})${chosen}`;
	const decisions = JSON.stringify(listDecisionLabels(resources));
	const decision = `$parameter.operation === "review" && (${decisions})[$rawParameter.decision]`;
	const targets = TARGETS.map((field) => `${savedNameExpression(field)} || $rawParameter.${field}`);
	const target = `String(${targets.join(' || ')} || "").${WITHOUT_ID}`;
	const shortWords = `(${decision} || ${name}).replace(/ Message$/, "")`;
	const words = `(${target} ? ${shortWords} + ": " : ${decision} || ${action})`;
	const member = `(${savedNameExpression('userId')} || "Member").${WITHOUT_ID}`;
	return `={{ ${words}.replace(/\\bMember(?=:|$| from )/, ${member}) + ${target} }}`;
}

/** Builds an object literal that contains a string per operation, keyed by resource and operation. */
function formatByOperation(
	resources: Resource[],
	formatOperation: (operation: Operation) => string,
): string {
	const entries = resources.map(({ value, operations }): [string, Record<string, string>] => [
		value,
		Object.fromEntries(
			operations.map((operation) => [operation.value, formatOperation(operation)]),
		),
	]);
	// Two adjacent closing braces would end the expression
	return JSON.stringify(Object.fromEntries(entries)).replace(/\}\}/g, '} }');
}

/** Returns the labels of the 'Decision' options, keyed by value, e.g. "Block Message" for `block`. */
function listDecisionLabels(resources: Resource[]): Record<string, string> {
	const fields = resources.flatMap(({ operations }) => operations.flatMap(({ fields }) => fields));
	const choices = fields
		.filter(({ name }) => name === 'decision')
		.flatMap(({ options }) => options);
	const entries = choices.flatMap((choice) =>
		choice && 'value' in choice ? [[String(choice.value), choice.name] as const] : [],
	);
	return Object.fromEntries(entries);
}
