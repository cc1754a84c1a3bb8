import { activate, basic, LOGIN, post } from './harness';
import { sent } from './envelopes';

const BODY = JSON.stringify(sent(501));

const encode = (text: string) => Buffer.from(text).toString('base64');

const LOGIN_BEYOND_ASCII = { username: 'jürgen', password: 'пароль 👍' };

test.each([
	['as sent by CometChat', LOGIN, basic(LOGIN)],
	['with the scheme in lower case', LOGIN, basic(LOGIN).replace('Basic', 'basic')],
	[
		'beyond ASCII, with white space around the credential',
		{ username: ' jürgen\n', password: '\tпароль 👍 ' },
		basic(LOGIN_BEYOND_ASCII),
	],
	[
		'with colons in the password',
		{ ...LOGIN, password: 'a:b::c' },
		basic({ ...LOGIN, password: 'a:b::c' }),
	],
])("accepts the credential's login %s", async (_what, cometChatWebhookApi, authorization) => {
	const webhook = await activate({}, { credentials: { cometChatWebhookApi } });
	expect(await post(webhook, BODY, { authorization })).toMatchObject({
		status: 200,
		text: '{"message":"The event was received."}',
	});
	await webhook.idle();
	expect(webhook.executions).toHaveLength(1);
});

test.each([
	['no header', ''],
	['another password', basic({ ...LOGIN, password: 'Ahx7otai1Shei3Phoo9x' })],
	['another username', basic({ ...LOGIN, username: 'Cometchat' })],
	['more than the password', basic({ ...LOGIN, password: `${LOGIN.password}x` })],
	['only the username', `Basic ${encode(LOGIN.username)}`],
	['the login without a scheme', basic(LOGIN).slice('Basic '.length)],
	['the login as a bearer token', basic(LOGIN).replace('Basic', 'Bearer')],
	['invalid Base64', 'Basic ***'],
	['an empty username and password', `Basic ${encode(':')}`],
])('rejects %s with status 401 and no reason', async (_what, authorization) => {
	const webhook = await activate();
	const answer = await post(webhook, BODY, { authorization });
	expect(answer).toMatchObject({
		status: 401,
		headers: {
			'content-type': 'application/json; charset=utf-8',
			'www-authenticate': expect.stringMatching(/^Basic realm="CometChat Webhook"/),
		},
		text: '{"message":"Unauthorized"}',
	});
	await webhook.idle();
	expect(webhook.executions).toEqual([]);
});

test.each([
	['empty', { username: '', password: '' }],
	['without a password', { username: 'cometchat', password: ' ' }],
	['without a user name', { username: '', password: 'secret' }],
	['of other types', { username: {}, password: [] }],
])('rejects all deliveries with a credential that is %s', async (_what, login) => {
	const webhook = await activate({}, { credentials: { cometChatWebhookApi: login } });
	const { username, password } = { username: String(login.username), password: '' };
	for (const authorization of ['', `Basic ${encode(':')}`, basic({ username, password })]) {
		expect(await post(webhook, BODY, { authorization })).toMatchObject({ status: 401 });
	}
});

test('rejects all deliveries if the credential cannot be read, and logs the reason', async () => {
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

test('accepts all deliveries without a credential', async () => {
	const webhook = await activate({}, { types: [] });
	expect(await post(webhook, BODY, { authorization: '' })).toMatchObject({ status: 200 });
	expect(await post(webhook, JSON.stringify(sent(502)))).toMatchObject({ status: 200 });
	await webhook.idle();
	expect(webhook.executions).toHaveLength(2);
});
