import { waitFor } from '../lib/processes';
import { LONGEST_RUN_MS, PICTURE, useRecipes } from '../lib/recipes';

const recipes = useRecipes();
const { system, run, publish, listSentByApp, groupsOf, scopeOf, isBanned, openForm, textsTo } =
	recipes;

const people = () => system().sandbox.store.people;

/** Refuses the next request that matches. */
const refuseOnce = (method: string, path: string) =>
	system().sandbox.setFaults([
		{ match: { method, path, times: 1 }, effect: { status: { status: 403 } } },
	]);

/** UIDs that the examples make from email addresses. */
const NADIA = 'nadia_2eosei_40example_2ecom';
const BJORN = 'bjorn_40example_2ecom';

describe('The example "form-sign-up"', () => {
	const nadia = ['Nadia Osei', ' Nadia.Osei@example.com'];

	test('adds a new person to two groups, and welcomes them once', async () => {
		const form = await openForm('form-sign-up');
		await form.submit(nadia);
		await form.submit(['Nadia Okafor', nadia[1]]);
		expect(people().user(NADIA)).toMatchObject({
			...{ name: 'Nadia Osei', metadata: { '@private': { email: 'Nadia.Osei@example.com' } } },
		});
		expect(people().user(NADIA).tags ?? []).toEqual([]);
		expect(groupsOf(NADIA)).toEqual(['makers', 'watercooler']);
		expect(listSentByApp()).toEqual([
			`makers: Welcome, <@uid:${NADIA}>! Say hello, and ask whatever you like.`,
		]);
	});

	test('changes nothing for moderators, banned people and other existing accounts', async () => {
		const { store } = system().sandbox;
		const uids = ['mod', 'banned', 'neither'].map((name) => `${name}_40example_2ecom`);
		for (const uid of uids) store.people.create({ uid, name: 'Before' });
		store.joinGroup('makers', uids[0], 'moderator');
		store.banMember('makers', uids[1]);
		const form = await openForm('form-sign-up');
		for (const uid of uids) await form.submit(['After', `${uid.split('_')[0]}@example.com`]);
		expect(uids.map((uid) => people().user(uid).name)).toEqual(['Before', 'Before', 'Before']);
		expect(scopeOf('makers', uids[0])).toBe('moderator');
		expect(isBanned('makers', uids[1])).toBe(true);
		expect(uids.map(groupsOf)).toEqual([['makers'], [], []]);
		expect(listSentByApp()).toEqual([]);
	});

	test('does not reactivate accounts', async () => {
		const uid = 'gone_40example_2ecom';
		people().create({ uid, name: 'Gone' });
		people().deactivate(uid);
		const form = await openForm('form-sign-up');
		await form.submit(['Gone', 'gone@example.com'], 'error');
		expect(people().isDeactivated(uid)).toBe(true);
		expect(groupsOf(uid)).toEqual([]);
	});

	test('finishes when a person fills in the form again after a failure', async () => {
		const { sandbox } = system();
		const path = '^.*/groups/watercooler/members$';
		sandbox.setFaults([
			{ match: { method: 'POST', path, times: 1 }, effect: { status: { status: 500 } } },
		]);
		const form = await openForm('form-sign-up');
		await form.submit(nadia, 'error');
		expect(groupsOf(NADIA)).toEqual(['makers']);
		await form.submit(nadia);
		expect(groupsOf(NADIA)).toEqual(['makers', 'watercooler']);
		expect(textsTo('makers')).toHaveLength(1);
	});

	test('welcomes a person who fills in the form again after a lost welcome', async () => {
		const form = await openForm('form-sign-up');
		refuseOnce('POST', '^.*/messages$');
		await form.submit(nadia, 'error');
		await form.submit(nadia);
		expect(textsTo('makers')).toHaveLength(1);
		expect(people().user(NADIA).tags ?? []).toEqual([]);
	});

	test('keeps similar email addresses apart', async () => {
		const form = await openForm('form-sign-up');
		await form.submit(['Ann Lee', 'ann.lee@example.com']);
		await form.submit(['Anna Lee', 'ann_lee@example.com']);
		const names = people()
			.all()
			.filter(({ uid }) => uid.startsWith('ann'))
			.map(({ name }) => name);
		expect(names.sort()).toEqual(['Ann Lee', 'Anna Lee']);
	});
});

describe('The example "sign-up"', () => {
	test.each([
		[
			'a spreadsheet',
			'Name\tEmail\r\nNadia Osei\tNadia.Osei@example.com\r\nBjørn Åsen\tbjorn@example.com\r\n',
		],
		['three columns', 'Nadia, Osei, nadia.osei@example.com\nBjørn, Åsen, bjorn@example.com'],
		[
			'the address first',
			'Email;Name\nnadia.osei@example.com;Nadia Osei\n\nbjorn@example.com;Bjørn Åsen',
		],
		[
			'a CSV file',
			'"Name","Email"\n"Nadia Osei","nadia.osei@example.com"\n"Bjørn Åsen","bjorn@example.com"',
		],
		['an address line', 'Nadia Osei <nadia.osei@example.com>\nBjørn Åsen <bjorn@example.com>'],
	])('reads %s', async (_, text) => {
		const form = await openForm('sign-up');
		await form.submit([text]);
		await form.submit([text]);
		expect([NADIA, BJORN].map((uid) => people().user(uid).name)).toEqual([
			...['Nadia Osei', 'Bjørn Åsen'],
		]);
		expect([NADIA, BJORN].map(groupsOf)).toEqual([['makers'], ['makers']]);
		expect(textsTo('makers')).toEqual([
			`Welcome, <@uid:${NADIA}>, <@uid:${BJORN}>! Say hello, and ask whatever you like.`,
		]);
	});

	test('keeps scopes, bans and names, and reports deactivated accounts', async () => {
		const { store } = system().sandbox;
		const names = ['owner', 'mod', 'banned', 'gone', 'old', 'ann.lee', 'ann_lee'];
		const [owner, mod, banned, gone, old] = names.map((name) => `${name}_40example_2ecom`);
		for (const uid of [owner, mod, banned, gone, old]) {
			store.people.create({ uid, name: `Old ${uid}` });
		}
		store.joinGroup('makers', owner);
		store.updateGroup('makers', { owner });
		store.joinGroup('makers', mod, 'moderator');
		store.banMember('makers', banned);
		store.people.deactivate(gone);
		const form = await openForm('sign-up');
		await form.submit([names.map((name) => `New Name\t${name}@example.com`).join('\n')]);
		expect([owner, mod, old].map((uid) => scopeOf('makers', uid))).toEqual([
			...['admin', 'moderator', 'participant'],
		]);
		expect(isBanned('makers', banned)).toBe(true);
		expect(people().user(old).name).toBe(`Old ${old}`);
		expect(people().isDeactivated(gone)).toBe(true);
		expect(textsTo('makers')[0]).toMatch(
			/^Welcome, <@uid:old_\S+>, <@uid:ann_2e\S+>, <@uid:ann_5f\S+>!/,
		);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(/^Not signed up: 1\n• gone@example\.com: /),
		]);
	});

	test.each([
		['nothing but names', 'Nadia Osei\nBjørn Åsen'],
		['one line without an address', 'Nadia Osei\tnadia.osei@example.com\nBjørn Åsen'],
		['a title', 'Name'],
		['a first line without an address', 'Bjørn Åsen\nNadia Osei\tnadia.osei@example.com'],
		['a line with two addresses', 'Nadia Osei, nadia.osei@example.com, bjorn@example.com'],
		['an address without a domain', 'Nadia Osei\tnadia@example'],
		['a cut address', 'Nadia Osei\tnadia.osei@example.com.'],
		['a link', 'Nadia Osei\tmailto:nadia.osei@example.com'],
		['two names for one address', 'Nadia\tnadia@example.com\nBjørn\tNadia@example.com'],
	])('signs nobody up from %s, and says so', async (_, text) => {
		const before = people().all().length;
		const form = await openForm('sign-up');
		expect(await form.submit([text], 'error')).toContain('Error in workflow');
		expect(people().all()).toHaveLength(before);
		expect(listSentByApp()).toEqual([]);
	});

	test('sends a lost welcome in the next run, to those who joined', async () => {
		const form = await openForm('sign-up');
		refuseOnce('POST', '^.*/messages$');
		await form.submit(['Nadia Osei\tnadia.osei@example.com'], 'error');
		expect(groupsOf(NADIA)).toEqual(['makers']);
		await form.submit(['Nadia Osei\tnadia.osei@example.com\nBjørn Åsen\tbjorn@example.com']);
		await form.submit(['Bjørn Åsen\tbjorn@example.com']);
		expect(textsTo('makers')).toEqual([
			`Welcome, <@uid:${NADIA}>, <@uid:${BJORN}>! Say hello, and ask whatever you like.`,
		]);
	});

	test(
		'signs up 2,500 people',
		async () => {
			const rows = Array.from({ length: 2_500 }, (_, n) => `Person ${n}\tperson${n}@example.com`);
			const form = await openForm('sign-up');
			await form.submit([rows.join('\n')]);
			const { members = [] } = system().sandbox.store.groups.get('makers') ?? {};
			expect(members.length).toBeGreaterThanOrEqual(2_500);
			expect(textsTo('makers')).toEqual([expect.stringMatching(/person19_\S+> and 2480 more!/)]);
		},
		LONGEST_RUN_MS,
	);
});

describe('The example "leaver"', () => {
	const TRIGGER = 'When clicking ‘Execute workflow’';

	const close = async (...uids: string[]) =>
		await run(
			'leaver',
			TRIGGER,
			{},
			uids.map((uid) => ({ uid })),
		);

	test('removes a user from groups, deactivates the account, and reports the groups that remain', async () => {
		const { store } = system().sandbox;
		const before = groupsOf('leo');
		expect(before.length).toBeGreaterThan(1);
		await run('leaver');
		const left = groupsOf('leo');
		expect(left.every((guid) => store.groups.get(guid)?.owner === 'leo')).toBe(true);
		const removed = before.length - left.length;
		const [report, ...others] = textsTo('makers-mods');
		expect(others).toEqual([]);
		expect(report).toContain(`Deactivated: leo. Removed from groups: ${removed}.`);
		for (const guid of left) expect(report).toContain(`• leo, ${store.groups.get(guid)?.name}: `);
		expect(people().isDeactivated('leo')).toBe(true);
	});

	test('closes accounts of people without groups, beside unknown and closed accounts', async () => {
		people().create({ uid: 'loner', name: 'Loner' });
		await close('nobody', 'old-account', 'loner', 'yuki');
		expect(['loner', 'yuki'].map((uid) => people().isDeactivated(uid))).toEqual([true, true]);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(
				/^Deactivated: loner, yuki\. .*\nNot closed:\n• nobody: .*\n• old-account: /s,
			),
		]);
		await close('loner', 'yuki');
		expect(textsTo('makers-mods')[1]).toMatch(
			/^Deactivated: nobody\. Removed from groups: 0\.\nNot closed:\n• loner: .*\n• yuki: /,
		);
	});

	test('leaves an account open until its groups can be listed', async () => {
		const match = { method: 'GET', path: '^.*/groups\\b', times: 1 };
		system().sandbox.setFaults([{ match, effect: { status: { status: 403 } } }]);
		const before = groupsOf('yuki');
		await close('yuki');
		expect(people().isDeactivated('yuki')).toBe(false);
		expect(groupsOf('yuki')).toEqual(before);
		expect(textsTo('makers-mods')[0]).toMatch(/^Deactivated: nobody\. .*\nNot closed:\n• yuki: /);
		await close('yuki');
		expect(people().isDeactivated('yuki')).toBe(true);
		expect(groupsOf('yuki').length).toBeLessThan(before.length);
	});

	/** Creates a person who is a member of two groups. */
	function createMember(uid: string): void {
		people().create({ uid, name: uid });
		for (const guid of ['makers', 'watercooler']) system().sandbox.store.joinGroup(guid, uid);
	}

	test('leaves an account open until all its groups are left, and finishes when run again', async () => {
		for (const uid of ['uma', 'vera']) createMember(uid);
		refuseOnce('DELETE', '^.*/groups/makers/members/uma$');
		await close('uma', 'vera');
		expect([people().isDeactivated('uma'), groupsOf('uma')]).toEqual([false, ['makers']]);
		expect([people().isDeactivated('vera'), groupsOf('vera')]).toEqual([true, []]);
		await close('uma');
		expect([people().isDeactivated('uma'), groupsOf('uma')]).toEqual([true, []]);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(
				/^Deactivated: vera\. Removed from groups: 3\.\nNot closed:\n• uma, Lantern Makers: CometChat denied/,
			),
			'Deactivated: uma. Removed from groups: 1.',
		]);
	});

	test('signs leavers out everywhere, and leaves accounts open that can not be signed out', async () => {
		for (const uid of ['uma', 'vera']) {
			createMember(uid);
			for (let n = 0; n < 2; n++) people().createToken(uid);
		}
		refuseOnce('DELETE', '^.*/users/uma/auth_tokens$');
		await close('uma', 'vera');
		expect(['uma', 'vera'].map((uid) => people().tokensOf(uid).length)).toEqual([2, 0]);
		expect(['uma', 'vera'].map((uid) => people().isDeactivated(uid))).toEqual([false, true]);
		await close('uma');
		expect([people().tokensOf('uma'), people().isDeactivated('uma')]).toEqual([[], true]);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(/^Deactivated: vera\. Removed from groups: 4\.\nNot closed:\n• uma: /),
			'Deactivated: uma. Removed from groups: 0.',
		]);
	});

	test('counts a person once who is listed twice', async () => {
		createMember('uma');
		await close('uma', 'Uma ', '', 'uma');
		expect(textsTo('makers-mods')).toEqual(['Deactivated: uma. Removed from groups: 2.']);
	});

	test(
		'closes 2,500 accounts',
		async () => {
			const uids = Array.from({ length: 2_500 }, (_, n) => `leaver-${n}`);
			for (const uid of uids) {
				people().create({ uid, name: uid });
				system().sandbox.store.joinGroup('makers', uid);
			}
			await close(...uids);
			expect(uids.filter((uid) => !people().isDeactivated(uid))).toEqual([]);
			expect(uids.filter((uid) => scopeOf('makers', uid))).toEqual([]);
			expect(textsTo('makers-mods')).toEqual([
				expect.stringMatching(/leaver-19 and 2480 more\. Removed from groups: 2500\.$/),
			]);
		},
		LONGEST_RUN_MS,
	);
});

describe('The example "unanswered"', () => {
	const HOUR = 3600;

	/** Sends a private message to or from the support user, some hours ago. */
	function write(sender: string, receiver: string, hours: number, text?: string): void {
		const sentAt = Math.floor(Date.now() / 1000) - hours * HOUR;
		const content = text === undefined ? PICTURE : { text };
		system().sandbox.store.sendMessage({
			...{ sender, receiver, receiverType: 'user', sentAt, ...content },
		});
	}

	beforeEach(() => {
		for (const uid of ['help', 'ann', 'ben', 'cem', 'dot']) {
			people().create({ uid, name: uid.toUpperCase() });
		}
	});

	const change = {
		People: { jsCode: "return [{ json: { uid: 'help' } }];" },
		'Every 15 minutes': { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
	};

	test('names the people who have waited for two hours, the longest first', async () => {
		write('help', 'ann', 5, 'Can I help?');
		write('ann', 'help', 3, `Yes, ${'please '.repeat(30)}`);
		write('ben', 'help', 4);
		write('cem', 'help', 6, 'Solved?');
		write('help', 'cem', 3, 'Yes');
		write('dot', 'help', 1, 'Too early');
		await run('unanswered', 'Every 15 minutes', change);
		const [text, ...others] = textsTo('makers-mods');
		expect(others).toEqual([]);
		expect(text).toMatch(
			/^Waiting for an answer:\n• BEN to help, since .*: a message without text\n• ANN to help, since \d+ \w+, \d\d:\d\d: Yes, (?:please ){13}plea…$/,
		);
	});

	test('sends nothing if everybody was answered', async () => {
		write('ann', 'help', 200, 'Long ago');
		await run('unanswered', 'Every 15 minutes', change);
		expect(textsTo('makers-mods')).toEqual([]);
	});

	test('reminds of each message once while it is published, also after a failure', async () => {
		refuseOnce('POST', '^.*/messages$');
		write('ann', 'help', 3, 'First');
		await publish('unanswered', { change });
		await waitFor('The first reminder', () => textsTo('makers-mods').length > 0);
		write('ben', 'help', 3, 'Second');
		await waitFor('The second reminder', () => textsTo('makers-mods').length > 1);
		const before = system().sandbox.log.length;
		await waitFor('More runs', () => system().sandbox.log.length > before + 3);
		expect(textsTo('makers-mods')).toEqual([
			expect.stringMatching(/: First$/),
			expect.stringMatching(/^Waiting for an answer:\n• BEN .*: Second$/),
		]);
	});
});
