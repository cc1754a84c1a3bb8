import { titleCase } from '../errors/words';
import type { Operation, Resource } from '../description/types';

/** An operation's name where its target follows: n8n cuts off what is longer than about 25 letters. */
const shortName = ({ name }: Operation): string => name.replace(/ for Response$/, '');

/** Fields that name what an operation works with. */
const TARGETS = ['groupId', 'userId', 'messageId'];

/** The node's subtitle, an expression: the operation and its target, e.g. "Send: Makers", or "List Groups". */
export function subtitleOf(resources: Resource[]): string {
	const chosen = '[$parameter.resource][$parameter.operation]';
	const action = `(${wordsOf(resources, ({ action }) => titleCase(action))})${chosen}`;
	const name = `(${wordsOf(resources, shortName)})${chosen}`;
	// Only there the name beside the value of a picker can be read
	const saved = '$rawParameter.toJSON?.()';
	const names = TARGETS.map(
		(name) => `${saved}?.${name}?.cachedResultName || $rawParameter.${name}`,
	);
	// Neither an expression nor the ID after a name
	const target = `String(${names.join(' || ')} || "").replace(/^=[^]*| \\([\\w-]+\\)$/g, "")`;
	// The node's name says the rest, and there is little room
	return `={{ ${target} ? ${name} + ": " + ${target} : ${action} }}`;
}

/** Words of every operation: an object literal, by resource and operation. */
function wordsOf(resources: Resource[], words: (operation: Operation) => string): string {
	const entries = resources.map(({ value, operations }): [string, Record<string, string>] => [
		value,
		Object.fromEntries(operations.map((operation) => [operation.value, words(operation)])),
	]);
	// n8n takes two closing braces for the end of an expression
	return JSON.stringify(Object.fromEntries(entries)).replace(/\}\}/g, '} }');
}
