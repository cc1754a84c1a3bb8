import type { Resource } from '../types';

/** Fields that identify an operation's target. A member's name comes before the group's. */
const TARGETS = ['userId', 'groupId', 'messageId'];

/** Saved parameters of the node. Only `$rawParameter` exposes a picker's cached name. */
const SAVED = '$rawParameter.toJSON?.()';

/**
 * JavaScript that strips the ID from a picker's label, e.g. "Makers (makers)" → "Makers". Returns an empty
 * string if the parameter is an expression.
 */
const WITHOUT_ID = 'replace(/^=[^]*| \\([\\w-]+\\)$/g, "")';

const targetExpression = (field: string) =>
	`String(${SAVED}?.${field}?.cachedResultName || $rawParameter.${field} || "").${WITHOUT_ID}`;

/** Converts an operation's value to words, e.g. "banMember" to "Ban Member". */
const toWords = (value: string) =>
	value.charAt(0).toUpperCase() + value.slice(1).replace(/[A-Z]/g, ' $&');

/** JavaScript equivalent of `toWords`, because some n8n versions don't allow functions in expressions. */
const WORDS =
	'$parameter.operation.charAt(0).toUpperCase() + $parameter.operation.slice(1).replace(/[A-Z]/g, " $&")';

/**
 * Returns the names of operations whose values don't say the name. A name is empty if it equals the action,
 * which n8n uses as the name of a new node.
 */
function listSpecialNames(resources: Resource[]): Record<string, string> {
	const operations = resources.flatMap((resource) => resource.operations);
	const names = operations.map(({ value, name, action }): [string, string] => [
		value,
		name.toLowerCase() === action.toLowerCase() ? '' : name,
	]);
	return Object.fromEntries(names.filter(([value, name]) => name !== toWords(value)));
}

/**
 * Builds the expression for the node's subtitle. The expression returns the operation's target, e.g. "Makers"
 * or "Tomás, Makers". Without a target, it returns the operation's name, e.g. "List".
 */
export function buildSubtitle(resources: Resource[]): string {
	const target = `[${TARGETS.map(targetExpression).join(', ')}].filter(Boolean).join(", ")`;
	const name = `(${JSON.stringify(listSpecialNames(resources))})[$parameter.operation] ?? ${WORDS}`;
	return `={{ ${target} || (${name}) }}`;
}
