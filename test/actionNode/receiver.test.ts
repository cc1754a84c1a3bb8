import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { cometChat } from '../../tools/n8nEngine/draft';
import { CometChat } from '../../nodes/CometChat/CometChat.node';
import { errorOf, itemsOf, message, useSandbox } from './harness';

const sandbox = useSandbox();

const { description } = new CometChat();

/** Rows of a bot trigger: a private message and a mention in a group. */
const INPUT = [
	{ replyTo: 'mira', replyToType: 'user' },
	{ replyTo: 'lunch', replyToType: 'group' },
];

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const EMPTY = { __rl: true, mode: 'list', value: '' };
const TO_CHOSEN = { receiverType: '={{ $json.replyToType }}' };
const TO_ROW = byId('={{ $json.replyTo }}');

const send = (more: INodeParameters) =>
	message('send', { text: 'Hello', userId: EMPTY, groupId: EMPTY, ...more });

/** Returns the names of the fields that keep n8n from publishing a workflow with these parameters. */
function listIssues(parameters: INodeParameters): string[] {
	const node = cometChat('1', parameters);
	const { properties } = description;
	const complete = NodeHelpers.getNodeParameters(
		...([properties, parameters, true, false, node, description] as const),
	);
	const saved = { ...node, parameters: complete ?? {} };
	const issues = NodeHelpers.getNodeParametersIssues(properties, saved, description);
	return Object.keys(issues?.parameters ?? {});
}

describe("With an expression in 'Send To'", () => {
	test.each(['userId', 'groupId'])(
		"the expression in %s also names the other kind of receiver, and n8n doesn't require both fields",
		async (name) => {
			const parameters = send({ ...TO_CHOSEN, [name]: TO_ROW });
			expect(listIssues(parameters)).toEqual([]);
			const rows = await itemsOf(sandbox(), parameters, { input: INPUT });
			expect(rows.map(({ json }) => [json.receiver, json.receiverType])).toEqual([
				['mira', 'user'],
				['lunch', 'group'],
			]);
		},
	);

	test('each field names its own kind of receiver if both are filled in', async () => {
		const parameters = send({ ...TO_CHOSEN, userId: TO_ROW, groupId: byId('makers') });
		const rows = await itemsOf(sandbox(), parameters, { input: INPUT });
		expect(rows.map(({ json }) => json.receiver)).toEqual(['mira', 'makers']);
	});

	test('a user who was picked does not become a group', async () => {
		const parameters = send({ ...TO_CHOSEN, userId: byId('mira') });
		const { message: text } = await errorOf(sandbox(), parameters, { input: INPUT.slice(1) });
		expect(text).toContain("'Group' is empty");
		expect(sandbox().log).toEqual([]);
	});
});

test.each([
	['group', 'userId', 'groupId'],
	['user', 'groupId', 'userId'],
])(
	"With %s in 'Send To', n8n requires the field even if an expression is left over in %s",
	(receiverType, leftOver, required) => {
		const parameters = send({ receiverType, [leftOver]: TO_ROW });
		expect(listIssues(parameters)).toEqual([required]);
	},
);
