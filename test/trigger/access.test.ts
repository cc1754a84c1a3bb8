import { activate, basic, deliver, itemsOf, LOGIN, post } from './harness';
import { sent } from './envelopes';

const BODY = JSON.stringify(sent(501));

const encoded = (text: string) => Buffer.from(text).toString('base64');

test('lets in whoever presents the user name and the password of the credential', async () => {
	const webhook = await activate();
	expect(await deliver(webhook, sent(501))).toMatchObject({ status: 200 });
	await webhook.idle();
	expect(webhook.executions).toHaveLength(1);
});

test.each([
	['nothing', ''],
	['another password', basic({ ...LOGIN, password: 'Ahx7otai1Shei3Phoo9x' })],
	['another user name', basic({ ...LOGIN, username: 'Cometchat' })],
	['more than the password', basic({ ...LOGIN, password: `${LOGIN.password}x` })],
	['only the user name', `Basic ${encoded(LOGIN.username)}`],
	['the right text without a scheme', basic(LOGIN).slice('Basic '.length)],
	['the right text as a bearer token', basic(LOGIN).replace('Basic', 'Bearer')],
	['what is no Base64', 'Basic ***'],
	['an empty user name and password', `Basic ${encoded(':')}`],
])('refuses %s with 401, and says nothing about why', async (_what, authorization) => {
	const webhook = await activate();
	const answer = await post(webhook, BODY, { authorization });
	expect(answer).toMatchObject({
		status: 401,
		headers: { 'www-authenticate': expect.stringMatching(/^Basic realm="/) },
		text: '{"message":"Unauthorized"}',
	});
	await webhook.idle();
	expect(webhook.executions).toEqual([]);
});

test('the scheme may be written in any case', async () => {
	const webhook = await activate();
	const authorization = basic(LOGIN).replace('Basic', 'basic');
	expect(await post(webhook, BODY, { authorization })).toMatchObject({ status: 200 });
});

test('a user name and password beyond ASCII, and white space around them, count as typed', async () => {
	const login = { username: 'jürgen', password: 'пароль 👍' };
	const typed = { username: ` ${login.username}\n`, password: `\t${login.password} ` };
	const webhook = await activate({}, { credentials: { cometChatWebhookApi: typed } });
	expect(await post(webhook, BODY, { authorization: basic(login) })).toMatchObject({ status: 200 });
});

test('refuses before it looks at the body', async () => {
	const webhook = await activate();
	expect(await post(webhook, '{"a":1}', { authorization: '' })).toMatchObject({ status: 401 });
});

test.each([
	['empty', { username: '', password: '' }],
	['without a password', { username: 'cometchat', password: ' ' }],
	['without a user name', { username: '', password: 'secret' }],
	['of other types', { username: {}, password: [] }],
])('a credential that is %s lets nobody in', async (_what, login) => {
	const webhook = await activate({}, { credentials: { cometChatWebhookApi: login } });
	const { username, password } = { username: String(login.username), password: '' };
	for (const authorization of ['', `Basic ${encoded(':')}`, basic({ username, password })]) {
		expect(await post(webhook, BODY, { authorization })).toMatchObject({ status: 401 });
	}
});

test('a credential that cannot be read lets nobody in, starts nothing, and n8n logs why', async () => {
	const logged: string[] = [];
	const webhook = await activate(
		{},
		{ credentials: { cometChatWebhookApi: undefined }, onLog: (line) => logged.push(line) },
	);
	expect(await post(webhook, BODY)).toMatchObject({ status: 401 });
	await webhook.idle();
	expect(webhook.executions).toEqual([]);
	expect(logged).toEqual([expect.stringContaining('The CometChat Webhook credential')]);
});

test('without a credential everybody is let in', async () => {
	const webhook = await activate({}, { types: [] });
	expect(await post(webhook, BODY, { authorization: '' })).toMatchObject({ status: 200 });
	expect(await post(webhook, JSON.stringify(sent(502)))).toMatchObject({ status: 200 });
	await webhook.idle();
	expect(webhook.executions).toHaveLength(2);
});

test('neither responses nor items hold the password', async () => {
	const webhook = await activate({ output: 'raw' });
	const bodies = [BODY, BODY, '{"a":1}', JSON.stringify({ ...sent(1), trigger: 'after_message' })];
	const answers = await Promise.all(bodies.map(async (body) => await post(webhook, body)));
	await webhook.idle();
	const seen = JSON.stringify([answers, itemsOf(webhook)]);
	expect(seen).not.toContain(LOGIN.password);
	expect(seen).not.toContain(basic(LOGIN).slice('Basic '.length));
});
