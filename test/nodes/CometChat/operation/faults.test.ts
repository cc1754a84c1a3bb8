import { joined } from '../../../../nodes/CometChat/errors/words';
import { byCursor } from '../../../../nodes/CometChat/operation/byCursor';
import { Outcomes } from '../../../../nodes/CometChat/operation/idempotency';
import { executeItem } from '../../../../nodes/CometChat/operation/executeItem';
import { Run } from '../../../../nodes/CometChat/operation/run';
import { addMembers } from '../../../../nodes/CometChat/resources/group/operations';
import { send } from '../../../../nodes/CometChat/transport/send';
import { KEY, answering, runContextOf } from '../context';
import { callOf, thingsOf } from './call';

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

test('a sentence that ends with a code in brackets gets its period', () => {
	expect(joined(['CometChat replied: No (ERR_X)', 'page: is wrong'])).toBe(
		'CometChat replied: No (ERR_X). page: is wrong.',
	);
});

test('a list is not cut without a word where empty pages lead on', async () => {
	const message = { name: 'message', plural: 'messages', id: 'id', columns: {} };
	const call = callOf(
		(_, part) => ({
			data: part === 4 ? [{ id: 'late' }] : [],
			meta: part < 4 ? { next: { affix: 'append', id: part } } : {},
		}),
		{ returnAll: true, order: 'oldestFirst' },
	);
	const ids = await thingsOf(byCursor({ many: message, by: 'time' }, call)).then(
		(things) => things.map(({ id }) => id),
		() => ['an error that says so'],
	);
	expect(ids).not.toEqual([]);
});

test('an entry that failed is named, although its UID happens to be a part of the reason', async () => {
	const parameters = { groupId: 'g', uids: ['user'] };
	const error = { message: 'No such user.', code: 'ERR_UID_NOT_FOUND' };
	const settings = { onError: 'continueErrorOutput' as const };
	const run = new Run(new Outcomes(), undefined);
	const items = await executeItem(run, addMembers, {
		index: 0,
		context: answering(runContextOf({ credentials, settings }), () => ({
			data: { participants: { user: { error } } },
		})),
		source: {
			read: (name, fallback) => Object(parameters)[name] ?? fallback,
			parameters,
			timezone: 'UTC',
		},
		getCredentials: async () => credentials,
		settings: { timeout: 1_000 },
	});
	run.limiter.stop();
	expect(items[0].json).toEqual({ error: 'user: No such user (ERR_UID_NOT_FOUND)' });
});

test('a network that is down is known not to have sent a change, also where a host has several addresses', async () => {
	// As Node.js and axios throw it when it tried one address after the other
	const all = ['203.0.113.1', '203.0.113.2'].map((address) =>
		Object.assign(new Error(`connect ENETUNREACH ${address}:443`), {
			code: 'ENETUNREACH',
			syscall: 'connect',
		}),
	);
	const cause = Object.assign(new AggregateError(all), { code: 'ENETUNREACH' });
	const thrown = Object.assign(new Error(''), { code: 'ENETUNREACH', cause });
	const run = new Run(new Outcomes(), undefined);
	const connection = {
		context: answering(runContextOf({ credentials }), () => Promise.reject(thrown)),
		credentials,
		settings: { timeout: 1_000 },
		limiter: run.limiter,
		retry: { maxAttempts: 1, maxWaitMs: 0 },
		order: 0,
	};
	const request = { method: 'POST' as const, path: '/messages' };
	await expect(send(connection, request, ({ body }) => body)).rejects.toMatchObject({
		failure: { outcomeUnknown: false },
	});
	run.limiter.stop();
});

test('a change waits for all changes of its target before it, also when the last of them never began', async () => {
	const run = new Run(new Outcomes(), undefined);
	const [first, second, third] = [0, 1, 2].map(() => run.turnOf('/groups/team'));
	second.end();
	const begun = await Promise.race([
		third.ready.then(() => true),
		new Promise((resolve) => setImmediate(() => resolve(false))),
	]);
	first.end();
	expect(begun).toBe(false);
});

test('an entry of a batch that was never sent is not said to be perhaps done', async () => {
	const parameters = { groupId: 'g', uids: Array.from({ length: 26 }, (_, index) => `u${index}`) };
	let requests = 0;
	const run = new Run(new Outcomes(), undefined);
	const items = await executeItem(run, addMembers, {
		index: 0,
		context: answering(
			runContextOf({ credentials, settings: { onError: 'continueRegularOutput' } }),
			() => {
				requests++;
				throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
			},
		),
		source: {
			read: (name, fallback) => Object(parameters)[name] ?? fallback,
			parameters,
			timezone: 'UTC',
		},
		getCredentials: async () => credentials,
		settings: { timeout: 1_000 },
	});
	run.limiter.stop();
	const perhaps = items.filter(({ json }) => String(json.error).includes('may already have'));
	expect(perhaps).toHaveLength(requests === 1 ? 25 : 26);
});
