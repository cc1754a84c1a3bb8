import type { Explanation } from '../../../../nodes/CometChat/errors/table';
import {
	BY_CODE,
	BY_NETWORK_CODE,
	BY_STATUS,
	CUT,
	NOT_CONNECTED,
	REDIRECT,
	REDIRECT_STATUS,
	NOT_COMETCHAT,
	UNKNOWN_STATUS,
	UNREADABLE,
	UNUSABLE,
} from '../../../../nodes/CometChat/errors/table';
import { CometChatApi } from '../../../../credentials/CometChatApi.credentials';
import { groups } from '../../../../nodes/CometChat/resources/group';
import { messages } from '../../../../nodes/CometChat/resources/message';

const rows: Array<[string, Explanation]> = [
	...Object.entries(BY_CODE),
	...Object.entries(BY_STATUS),
	...Object.entries(BY_NETWORK_CODE),
	['a redirect', REDIRECT],
	['another status', UNKNOWN_STATUS],
	['a cut connection', CUT],
	['no connection', NOT_CONNECTED],
	['something unreadable', UNREADABLE],
	['something else', NOT_COMETCHAT],
];

const advices = [...rows, ['no data', UNUSABLE] as const].flatMap(
	([name, { advice, settingsAdvice }]) =>
		[advice, settingsAdvice].flatMap((text): Array<[string, string]> =>
			text ? [[name, text]] : [],
		),
);

const operations = [...groups.operations, ...messages.operations];

/** Fields of all operations, those in collections too. */
const fields = operations.flatMap(({ fields: all }) =>
	all.flatMap((field) => [field, ...(field.options ?? []).filter((option) => 'type' in option)]),
);

describe('every row', () => {
	test.each(rows)('%s says in one short sentence what happened', (_, { message }) => {
		expect(message).toMatch(/^(CometChat|The|This|No|Only|A|Couldn't)\b/);
		expect(message).not.toMatch(/[.!?]$|[.!?] [A-Z]|"|\b(error code|undefined)\b/);
		expect(message.length).toBeLessThanOrEqual(80);
	});

	test.each(rows)('%s says what to check or to do', (name, { check, advice }) => {
		if (name === 'another status') return; // nothing is known but what the service says
		expect([...(check ?? []), advice ?? []].flat().length).toBeGreaterThan(0);
	});

	test.each(rows)('%s checks fields that operations have', (_, { check = [], raise = [] }) => {
		const names = fields.map(({ name }) => name);
		for (const name of [...check, raise].flat()) expect(names).toContain(name);
	});
});

describe('every advice', () => {
	test.each(advices)('for %s begins with a verb and has no final period: %s', (_, advice) => {
		expect(advice).toMatch(
			/^(Act|A message|Change|Check|Correct|Fill in|Make|Raise|Renew|Run|Shorten|Try|Use|Wait)\b/,
		);
		expect(advice).not.toMatch(/[.!?]$|"/);
	});

	/** Labels of the credential and of n8n's own settings, which every node has. */
	const known = [
		...new CometChatApi().properties.map(({ displayName }) => displayName),
		'Ignore SSL Issues (Insecure)',
		'Timeout',
	];

	test.each(advices)('for %s quotes only labels that everyone has: %s', (_, advice) => {
		for (const [, label] of advice.matchAll(/(?<!\w)'([^']+)'/g)) expect(known).toContain(label);
	});

	test.each(rows)('for %s names no setting where there is none', (_, { advice = '' }) => {
		expect(advice).not.toMatch(/Request Options|under Options|Max Wait|Timeout/);
	});
});

test('the statuses of a redirect are those that lead elsewhere', () => {
	expect(REDIRECT_STATUS).toEqual([301, 302, 303, 307, 308]);
});

test('every text is the one that was agreed: a change shows in the snapshot', () => {
	expect(Object.fromEntries([...rows, ['no data', UNUSABLE]])).toMatchSnapshot();
});
