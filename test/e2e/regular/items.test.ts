import { useTestSystem } from '../lib/testHooks';
import { code, cometChat, manual, node, workflow } from '../../../tools/n8nEngine/draft';

const KEYCAP = '#️⃣';

const system = useTestSystem();

/** An Edit Fields node that creates an item from an expression. */
const set = (name: string, expression: string) =>
	node({
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: `={{ ${expression} }}`, options: {} },
	});

const PAIRED =
	'{ mark: $("Items").item.json.mark, ours: $("CometChat").item.json.id ?? $("CometChat").item.json.guid }';

const REMOVE = {
	resource: 'message',
	operation: 'removeReaction',
	messageId: '={{ $json.id }}',
	reaction: '={{ $json.reaction }}',
	onBehalfOf: '={{ $json.user }}',
};

const GET = { resource: 'message', operation: 'get', messageId: '={{ $json.id }}' };

describe('Items from an earlier node', () => {
	test("provide IDs and reactions, and later nodes find each result's original item", async () => {
		const items = [
			{ mark: 'first', id: 105, reaction: KEYCAP, user: 'tomas' },
			{ mark: 'second', id: '104', reaction: 'a/b', user: 'leo' },
			{ mark: 'third', id: '104', reaction: '100%', user: 'priya' },
		];
		const run = await system().client.runDraft(
			workflow('Chain', [
				manual(),
				code('Items', items),
				cometChat(system().credentialId, REMOVE),
				set('After', PAIRED),
			]),
		);
		expect(run.error).toBeUndefined();
		expect(run.items('After').map(({ json }) => json)).toEqual([
			{ mark: 'first', ours: '105' },
			{ mark: 'second', ours: '104' },
			{ mark: 'third', ours: '104' },
		]);
		const { store, log } = system().sandbox;
		expect(log.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
			'DELETE /v3/messages/104/reactions/100%25',
			'DELETE /v3/messages/104/reactions/a%2Fb',
			'DELETE /v3/messages/105/reactions/%23%EF%B8%8F%E2%83%A3',
		]);
		expect(store.messages.reactionsOf('105')).toContainEqual({ reaction: KEYCAP, count: 1 });
	});
});

describe('"Continue (using error output)"', () => {
	test('sends failed items to the second branch, with their fields and pairing', async () => {
		const items = [
			{ mark: 'good', id: '101' },
			{ mark: 'missing', id: '999' },
			{ mark: 'refused', id: '..' },
			{ mark: 'good too', id: '102' },
		];
		const run = await system().client.runDraft(
			workflow(
				'Branches',
				[
					manual(),
					code('Items', items),
					cometChat(system().credentialId, GET, { onError: 'continueErrorOutput' }),
					set('Good', PAIRED),
					set('Bad', '{ mark: $("Items").item.json.mark, own: $json.mark, error: $json.error }'),
				],
				[
					{ from: 'Manual', to: 'Items' },
					{ from: 'Items', to: 'CometChat' },
					{ from: 'CometChat', to: 'Good' },
					{ from: 'CometChat', to: 'Bad', output: 1 },
				],
			),
		);
		expect(run.error).toBeUndefined();
		expect(run.items('Good').map(({ json }) => json)).toEqual([
			{ mark: 'good', ours: '101' },
			{ mark: 'good too', ours: '102' },
		]);
		expect(run.items('Bad').map(({ json }) => json)).toEqual([
			{
				mark: 'missing',
				own: 'missing',
				error: expect.stringContaining('No message has this ID'),
			},
			{
				mark: 'refused',
				own: 'refused',
				error: expect.stringContaining(`'Message ID' must not be ".."`),
			},
		]);
	});
});
