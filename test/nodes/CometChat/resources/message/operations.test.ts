import type { INodeParameters } from 'n8n-workflow';

import { oneMessage } from '../../../../../nodes/CometChat/resources/message/message';
import { contextsOf, templateOf } from '../../context';
import type { Service } from '../../service';
import { json, startService } from '../../service';

let service: Service;

beforeEach(async () => {
	service = await startService(json(200, { data: { id: '5', data: { text: 'Hi' }, extra: 1 } }));
});

afterEach(async () => await service.close());

const get = { method: 'GET', url: '/messages/{messageId}' } as const;
const remove = { method: 'DELETE', url: '/messages/{messageId}/reactions/{reaction}' } as const;

async function run(options: typeof get | typeof remove, parameters: INodeParameters) {
	const isRemoval = options.method === 'DELETE';
	const operation = isRemoval ? 'removeReaction' : 'get';
	const [context] = contextsOf({
		credentials: service.credentials,
		parameters: { resource: 'message', operation, ...parameters },
	});
	return await oneMessage(isRemoval).call(context, templateOf(options));
}

test('a message is asked for by its ID and given as one item', async () => {
	expect(await run(get, { messageId: '5/6' })).toEqual([
		{ json: { id: '5', data: { text: 'Hi' }, extra: 1 }, pairedItem: { item: 0 } },
	]);
	expect(service.received[0]).toMatchObject({ method: 'GET', url: '/v3/messages/5%2F6' });
});

test('a reaction is removed in the name of its user', async () => {
	await run(remove, { messageId: '5', reaction: '#️⃣', onBehalfOf: ' ann ' });
	expect(service.received[0]).toMatchObject({
		method: 'DELETE',
		url: '/v3/messages/5/reactions/%23%EF%B8%8F%E2%83%A3',
		headers: { onbehalfof: 'ann' },
	});
});

test('the item has the shape that Output asks for', async () => {
	const fields = { messageId: '5', output: 'fields', fields: ['data.text'] };
	expect((await run(get, fields))[0].json).toEqual({ data: { text: 'Hi' } });
	const simplified = { messageId: '5', output: 'simplified' };
	expect((await run(get, simplified))[0].json).toEqual({ id: '5', text: 'Hi' });
});

test.each<[string, typeof get | typeof remove, INodeParameters, string]>([
	['no ID', get, { messageId: ' ' }, '"Message ID" is empty'],
	['dots as an ID', get, { messageId: '..' }, '"Message ID" must not be ".."'],
	['no reaction', remove, { messageId: '5', onBehalfOf: 'ann' }, '"Reaction" is empty'],
	['no user', remove, { messageId: '5', reaction: 'a' }, '"On Behalf Of" is empty'],
	['an unknown output', get, { messageId: '5', output: 'pages' }, '"Output" must be one of'],
])('with %s nothing is sent, and the field is named', async (_name, options, values, words) => {
	await expect(run(options, values)).rejects.toThrow(words);
	expect(service.received).toEqual([]);
});
