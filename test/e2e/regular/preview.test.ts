import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import { cometChat, manual, workflow } from '../../../tools/n8nEngine/draft';
import { ROOT } from '../lib/paths';
import { useEditor, useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const editor = useEditor(system);

/**
 * Returns the elements' texts sorted by vertical position, because n8n renders lists in arbitrary DOM order. Reads
 * all positions at once, because n8n may move the elements between two reads.
 */
async function readFromTop(elements: Locator): Promise<string[]> {
	const placed = await elements.evaluateAll((list) =>
		list.map((element) => ({
			text: element.innerText.trim(),
			y: element.getBoundingClientRect().y,
		})),
	);
	return placed.sort((a, b) => a.y - b.y).map(({ text }) => text);
}

interface Schema {
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Lists the names that n8n shows for a schema's fields. A list has an entry for its first element. */
const listShown = (properties: Record<string, Schema> = {}): string[] =>
	Object.entries(properties).flatMap(([name, { items }]) =>
		items ? [name, `${name}[0]`, ...listShown(items.properties)] : [name],
	);

const SCHEMA = 'nodes/CometChat/__schema__/v1.0.0/message/get.json';

test('The input panel lists the output fields of a node that has not run, and dragging a field writes an expression', async () => {
	const get = { resource: 'message', operation: 'get', messageId: '108' };
	const send = { resource: 'message', operation: 'send', groupId: 'makers' };
	const draft = workflow('Preview', [
		manual(),
		cometChat(system().credentialId, get, { name: 'Get message' }),
		cometChat(system().credentialId, send, { name: 'Send message' }),
	]);
	await editor().openWorkflow(await system().client.addWorkflow(draft));
	await editor().openNode('Send message');
	await editor().ndv.getByText('Usually outputs the following fields').waitFor();

	const fields = editor().inputFields;
	const { properties } = JSON.parse(readFileSync(join(ROOT, SCHEMA), 'utf8'));
	const shown = listShown(properties);
	await fields.nth(shown.length - 1).waitFor();
	expect(await readFromTop(fields)).toEqual(shown);

	await editor().drag('senderName', editor().field('text').locator('textarea'));
	expect((await editor().field('text').innerText()).trim()).toBe('{{ $json.senderName }}');
	expect(system().sandbox.log).toEqual([]);
});

test('The output panel warns that n8n stores an auth token', async () => {
	const sentence = "The token is a secret. n8n stores it with this execution's data.";
	const readOutput = async (parameters: Parameters<typeof cometChat>[1]): Promise<string> => {
		const draft = workflow('Hint', [manual(), cometChat(system().credentialId, parameters)]);
		await editor().openWorkflow(await system().client.addWorkflow(draft));
		await editor().openNode('CometChat');
		await editor().execute();
		await editor().output.getByTestId('ndv-items-count').waitFor();
		return await editor().output.innerText();
	};
	const create = { resource: 'user', operation: 'create', name: 'Andrew Joseph' };
	const withToken = { uid: 'andrew', additionalFields: { withAuthToken: true } };
	expect(await readOutput({ resource: 'user', operation: 'get', userId: 'mira' })).not.toContain(
		sentence,
	);
	expect(await readOutput({ ...create, uid: 'carol' })).not.toContain(sentence);
	expect(await readOutput({ ...create, ...withToken })).toContain(sentence);
	expect(
		await readOutput({ resource: 'user', operation: 'createAuthToken', userId: 'mira' }),
	).toContain(sentence);
});
