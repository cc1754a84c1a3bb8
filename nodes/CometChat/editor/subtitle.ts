import { toTitleCase } from '../errors/formatText';
import type { Operation, Resource } from '../description/types';

/** Short form of an operation's name: n8n cuts a subtitle off after about 25 letters. */
const shortName = ({ name }: Operation): string =>
	name.replace(/ for Response$/, '').replace(/ Member (\w+)$/, ' $1 of Member');

/** Fields that name the target of an operation. */
const TARGETS = ['groupId', 'userId', 'messageId'];

/** `$rawParameter` alone exposes the picker's cached name. */
const SAVED = '$rawParameter.toJSON?.()';

const savedName = (field: string) => `${SAVED}?.${field}?.cachedResultName`;

/** Code that removes the ID after a name, or a text that is an expression. */
const WITHOUT_ID = 'replace(/^=[^]*| \\([\\w-]+\\)$/g, "")';

/**
 * The node's subtitle, as an expression: the operation and its target, e.g. "Send: Makers", "Ban Tomás:
 * Makers", "Block: 12" or "List Groups".
 */
export function buildSubtitle(resources: Resource[]): string {
	const chosen = '[$parameter.resource][$parameter.operation]';
	const action = `(${wordsOf(resources, ({ action }) => toTitleCase(action))})${chosen}`;
	const name = `(${wordsOf(resources, shortName)})${chosen}`;
	const decisions = JSON.stringify(decisionsOf(resources));
	const decision = `$parameter.operation === "review" && (${decisions})[$parameter.decision]`;
	const targets = TARGETS.map((field) => `${savedName(field)} || $rawParameter.${field}`);
	const target = `String(${targets.join(' || ')} || "").${WITHOUT_ID}`;
	const words = `(${target} ? (${decision} || ${name}) + ": " : ${action})`;
	const member = `(${savedName('userId')} || "Member").${WITHOUT_ID}`;
	return `={{ ${words}.replace(/\\bMember(?=:|$| from )/, ${member}) + ${target} }}`;
}

/** Texts about every operation, as an object literal by resource and operation. */
function wordsOf(resources: Resource[], textOf: (operation: Operation) => string): string {
	const entries = resources.map(({ value, operations }): [string, Record<string, string>] => [
		value,
		Object.fromEntries(operations.map((operation) => [operation.value, textOf(operation)])),
	]);
	// n8n reads two closing braces as the end of an expression
	return JSON.stringify(Object.fromEntries(entries)).replace(/\}\}/g, '} }');
}

/** The first word of each choice of 'Decision', by its value: "Block" of "Block Message". */
function decisionsOf(resources: Resource[]): Record<string, string> {
	const fields = resources.flatMap(({ operations }) => operations.flatMap(({ fields }) => fields));
	const choices = fields
		.filter(({ name }) => name === 'decision')
		.flatMap(({ options }) => options);
	const entries = choices.flatMap((choice) =>
		choice && 'value' in choice ? [[choice.value, choice.name.split(' ')[0]]] : [],
	);
	return Object.fromEntries(entries);
}
