import { setTimeout } from 'node:timers/promises';

import { startSandbox } from '../../tools/sandbox/server';
import type { Dispatcher } from 'undici';
import { call, errorOf, refusalOf, useSandbox, type CallOptions } from './client';

const sandbox = useSandbox();

test('the sandbox listens on a free loopback port by default, and refuses a port in use', async () => {
	const { url, baseUrl, port } = sandbox();
	expect(url).toBe(`http://127.0.0.1:${port}`);
	expect(baseUrl).toBe(`${url}/v3`);
	const other = await startSandbox();
	expect(other.port).not.toBe(port);
	await other.close();
	await expect(startSandbox({ port })).rejects.toThrow('EADDRINUSE');
});

test('the log contains each received request without the key', async () => {
	const path = '/messages/104/reactions/%3Fx%3D1%26y%23z';
	await call(sandbox(), path, { method: 'DELETE', as: 'priya' });
	await call(sandbox(), '/groups?tags=a%2Cb&types=public&types=private');
	await call(sandbox(), '/groups', { headers: { apikey: 'secret-but-wrong' } });
	const [removal, list, wrong] = sandbox().log;
	expect(removal).toMatchObject({
		id: 1,
		method: 'DELETE',
		url: `/v3${path}`,
		path: `/v3${path}`,
		headers: { apikey: '***', onbehalfof: 'priya' },
		query: {},
		status: 200,
		keyOk: true,
		inFlight: 1,
	});
	expect(list).toMatchObject({
		id: 2,
		url: '/v3/groups?tags=a%2Cb&types=public&types=private',
		path: '/v3/groups',
		query: { tags: 'a,b', types: ['public', 'private'] },
		ms: expect.any(Number),
	});
	expect(Math.abs(list.at - Date.now())).toBeLessThan(2000);
	expect(wrong.keyOk).toBe(false);
	const text = JSON.stringify(sandbox().log);
	for (const key of [sandbox().apiKey, 'secret-but-wrong']) expect(text).not.toContain(key);
});

test('the option recent moves messages and reports to the last day, even after a reset', async () => {
	const recent = await startSandbox({ recent: true, now: () => 1_900_000_000 });
	recent.reset();
	const times = recent.store.messages.all().map(({ sentAt }) => sentAt);
	expect(times.at(-1)).toBe(1_900_000_000 - 3_600);
	const sample = sandbox().store.messages.all();
	expect(times.map((time) => time - times[0])).toEqual(
		sample.map(({ sentAt }) => sentAt - sample[0].sentAt),
	);
	await recent.close();
	const { messages, moderation } = recent.store;
	for (const id of moderation.flaggedIds()) {
		for (const { flaggedAt } of moderation.reportsOf(id)) {
			expect(flaggedAt).toBeGreaterThan(messages.existing(id).sentAt);
			expect(flaggedAt).toBeLessThan(1_900_000_000);
		}
	}
});

test.each<[string, CallOptions, string[]]>([
	['/groups?sortOrder=DESC&perPage=1', {}, ['sortOrder']],
	['/messages?type=text&category=message&perPage=2', {}, ['type', 'category', 'perPage']],
	['/groups/lunch/messages?perPage=2', {}, ['perPage']],
	['/users/mira/messages?type=text', {}, ['type']],
	['/groups/lunch/members', { as: 'leo' }, ['onBehalfOf']],
	['/groups/ideas/bannedusers', { as: 'leo' }, ['onBehalfOf']],
	['/users/leo', { method: 'PUT', json: { metadata: '{"a":1}' } }, ['metadata']],
	[
		'/messages/109',
		{ method: 'PUT', json: { data: { text: 'Hi', id: '7', metadata: '{"a":1}' } } },
		['data.id', 'metadata'],
	],
	['/groups?page=0', {}, ['page']],
	[
		'/groups/lunch/members',
		{ method: 'POST', json: { participants: ['yuki'], usersToBan: ['felix'] } },
		['usersToBan'],
	],
	[
		'/groups',
		{ method: 'POST', json: { guid: 'new', name: 'New', members: { usersToBan: ['felix'] } } },
		['members.usersToBan'],
	],
	[
		'/messages',
		{ method: 'POST', json: { receiver: 'leo', receiverType: 'user', data: { text: 'Hi' } } },
		['category'],
	],
	['/users/mira/messages?perPage=2', {}, []],
])('%s %j is accepted, and the log notes %j', async (path, options, notes) => {
	expect((await call(sandbox(), path, options)).status).toBe(200);
	expect(sandbox().violations).toEqual([]);
	expect(sandbox().log[0].notes ?? []).toEqual(notes);
});

test('a reset drops delayed requests, and does not carry them out', async () => {
	sandbox().setFaults([{ effect: { latency: { ms: 400 } } }]);
	const dropped = call(sandbox(), '/groups/makers', { method: 'DELETE' });
	while (sandbox().stats.inFlight === 0) await setTimeout(5);
	sandbox().reset();
	await expect(dropped).rejects.toThrow('other side closed');
	expect((await call(sandbox(), '/groups/makers')).status).toBe(200);
});

test('path parameters are decoded once', async () => {
	const answer = await call(sandbox(), '/messages/1%2F2/reactions/100%2525', {
		method: 'DELETE',
		as: 'mira',
	});
	expect(errorOf(answer).message).toBe('The message 1/2 does not exist.');
	await call(sandbox(), '/messages/109/reactions/100%2525', { method: 'POST', as: 'leo' });
	expect([...sandbox().store.messages.existing('109').reactions].map(([text]) => text)).toContain(
		'100%25',
	);
});

test.each<[Dispatcher.HttpMethod, string]>([
	['GET', '/groups/'],
	['OPTIONS', '/groups'],
	['GET', '/Groups'],
	['PATCH', '/groups'],
	['DELETE', '/messages/1/reactions/a/b'],
	['GET', '/messages/%E0%A4%A'],
])('%s %s is not in the contract', async (method, path) => {
	expect(refusalOf(await call(sandbox(), path, { method }))).toEqual([404, 'ERR_API_NOT_FOUND']);
	expect(sandbox().violations).toEqual([`${method} /v3${path} is not in the contract`]);
});
