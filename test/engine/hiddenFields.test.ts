import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { errorOf, itemsOf, message, useSandbox } from './harness';
import { OPERATIONS, fieldsOf } from './operations';

const sandbox = useSandbox();

const isField = (option: object): option is INodeProperties => 'type' in option;

/** Values that a field has to have so that n8n starts, whatever shows it. */
const REQUIRED: INodeParameters = {
	groupId: 'all-hands',
	userId: 'leo',
	text: 'x',
	password: 'x',
	customType: 'x',
	customData: '{"a": 1}',
	attachments: { attachment: [{ url: 'https://e.com/a.png' }] },
};

/** Fields that need not be there, with the choice that hides each. */
const HIDDEN = OPERATIONS.flatMap((operation) => {
	const fields = fieldsOf(operation);
	const within = fields.flatMap((field) =>
		(field.type === 'collection' ? (field.options ?? []) : [])
			.filter(isField)
			.map((inner) => ({ inner, outer: field.name })),
	);
	const alone = fields
		.filter(({ type, required }) => !required && !['boolean', 'number', 'options'].includes(type))
		.map((inner) => ({ inner, outer: undefined }));
	return [...within, ...alone].flatMap(({ inner, outer }) =>
		Object.entries(inner.displayOptions?.show ?? {}).flatMap(([path, allowed = []]) => {
			const chooser = fields.find(({ name }) => name === path.replace(/^\//, ''));
			if (chooser?.type !== 'options' || ['resource', 'operation'].includes(chooser.name))
				return [];
			const hiding = (chooser.options ?? []).flatMap((option) =>
				'value' in option && !allowed.includes(option.value as string) ? [option.value] : [],
			);
			return hiding.map((value) => ({
				name: `${operation.name}: ${inner.displayName}, ${chooser.displayName} ${value}`,
				operation,
				inner,
				outer,
				chooser,
				value: String(value),
			}));
		}),
	);
});

test('there are such fields', () => expect(HIDDEN.length).toBeGreaterThan(5));

test.each(HIDDEN)(
	'a field that an expression hides is refused by name: $name',
	async ({ operation, inner, outer, chooser, value }) => {
		const given = inner.type === 'boolean' ? true : inner.type === 'options' ? 'user' : 'mira';
		const parameters = {
			...REQUIRED,
			...operation.parameters,
			[chooser.name]: `={{ "${value}" }}`,
			...(outer ? { [outer]: { [inner.name]: given } } : { [inner.name]: given }),
		};
		const { message: said, description } = await errorOf(sandbox(), parameters);
		expect(said).toMatch(new RegExp(`^'${inner.displayName}' needs '${chooser.displayName}' → `));
		expect(description).toContain(
			`Remove '${inner.displayName}', or change '${chooser.displayName}'.`,
		);
		expect(sandbox().log).toEqual([]);
	},
);

test('the sentence names what it needs', async () => {
	const { message: said } = await errorOf(
		sandbox(),
		message('list', {
			messagesOf: '={{ "group" }}',
			groupId: 'lunch',
			userId: 'leo',
			filters: { onlyDeleted: true },
		}),
	);
	expect(said).toBe("'Only Deleted' needs 'Messages Of' → Whole App");
});

test('what the editor hides for all items has no effect, as n8n has it', async () => {
	const filters = { onlyDeleted: true };
	const parameters = message('list', { messagesOf: 'group', groupId: 'all-hands', filters });
	expect((await itemsOf(sandbox(), parameters)).length).toBeGreaterThan(0);
});

test('a field that is hidden and empty says nothing', async () => {
	const parameters = message('send', {
		...REQUIRED,
		messageType: '={{ "text" }}',
		caption: '={{ "" }}',
	});
	expect(await itemsOf(sandbox(), parameters)).toHaveLength(1);
});
