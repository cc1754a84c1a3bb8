import { setTimeout as wait } from 'node:timers/promises';

import { field, isObject, objectOf } from '../../nodes/CometChat/transport/json';
import type { Call, Exchange, Recorder } from './recorder';
import type { Run } from './steps';

/** @returns the answer in a few words, without any value of the app */
export type Ask = (rest: Recorder['rest'], run: Run) => Promise<string>;

/** How long a new message may take to be visible to users, in milliseconds. */
const VISIBLE_WITHIN = 15_000;

/** The value at a path; undefined where it leads to nothing. */
export const at = (value: unknown, ...path: string[]): unknown => field(...path)(objectOf(value));

/** The service's own code for a refusal, e.g. ERR_UID_NOT_FOUND. */
export function codeOf({ body }: Pick<Exchange, 'body'>): string {
	const code = at(body, 'error', 'code');
	return typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) ? code : '';
}

export const outcomeOf = (exchange: Exchange): string =>
	`${exchange.status || 'no response'} ${codeOf(exchange)}`.trim();

const isDone = ({ status }: Exchange): boolean => status >= 200 && status < 300;

/** What a question ends with when a request is refused that it builds on. */
export class Refused extends Error {}

/** @throws Refused */
async function done(call: Promise<Exchange>): Promise<Exchange> {
	const exchange = await call;
	if (!isDone(exchange)) throw new Refused(outcomeOf(exchange));
	return exchange;
}

const keysOf = (value: unknown): string =>
	isObject(value) ? `object with ${Object.keys(value).sort().join(', ')}` : typeof value;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const idsIn = ({ body }: Exchange): number[] =>
	list(at(body, 'data')).map((entry) => Number(at(entry, 'id')));

/** Sends a text to the group, as its owner unless told otherwise. */
async function send(
	rest: Recorder['rest'],
	{ guid, id, uids: [onBehalfOf] }: Run,
	{ muid, ...call }: Call & { muid?: string } = { onBehalfOf },
): Promise<Exchange> {
	const body = { receiver: guid, receiverType: 'group', category: 'message', type: 'text' };
	return await rest('POST', '/messages', { ...call, body: { ...body, data: { text: id }, muid } });
}

/** How the outcome of one user in Add Members looks. */
async function adding(rest: Recorder['rest'], { guid }: Run, uid: string): Promise<string> {
	const call = { body: { participants: [uid] } };
	const { body } = await done(rest('POST', `/groups/${guid}/members`, call));
	const outcome = at(body, 'data', 'participants', uid);
	const code = codeOf({ body: { error: at(outcome, 'error') ?? outcome } });
	return `${keysOf(outcome)} ${code}`.trim();
}

const messagesOf = ({ guid }: Run, query: string) => `/groups/${guid}/messages?${query}`;

/** What deleting a message answers, and whether the message is there afterwards. */
const deleting =
	(body?: object): Ask =>
	async (rest, run) => {
		const sent = await done(send(rest, run));
		const path = `/messages/${String(at(sent.body, 'data', 'id'))}`;
		const deleted = await done(rest('DELETE', path, { body }));
		const isNote = at(deleted.body, 'data', 'category') === 'action';
		const answer = isNote ? 'a note about it' : keysOf(at(deleted.body, 'data'));
		return `answers ${answer}; Get Message then gives ${outcomeOf(await rest('GET', path))}`;
	};

/** What no document of CometChat says, and how to find it out. */
export const QUESTIONS: Record<string, Ask> = {
	async 'A new message is visible to other users after'(rest, run) {
		const sent = await done(send(rest, run));
		const began = Date.now();
		for (;;) {
			const id = String(at(sent.body, 'data', 'id'));
			const got = await rest('GET', `/messages/${id}`, { onBehalfOf: run.uids[1] });
			const after = Date.now() - began;
			if (isDone(got)) return after < 500 ? 'no time' : `${Math.round(after / 1000)} s`;
			if (after > VISIBLE_WITHIN) return `${outcomeOf(got)} after ${VISIBLE_WITHIN / 1000} s`;
			await wait(500);
		}
	},
	async 'Sender of a message without onBehalfOf'(rest, run) {
		const sent = await done(send(rest, run, {}));
		return at(sent.body, 'data', 'sender') === 'app_system' ? 'app_system' : 'another user';
	},
	async 'A second message with the same muid'(rest, run) {
		const call = { onBehalfOf: run.uids[0], muid: run.id };
		const first = await done(send(rest, run, call));
		const second = await done(send(rest, run, call));
		const isSame = at(first.body, 'data', 'id') === at(second.body, 'data', 'id');
		return isSame ? 'gives the first one' : 'is another message';
	},
	'The ID of a message is': async (rest, run) =>
		typeof at((await done(send(rest, run))).body, 'data', 'id'),
	async 'Editing a message answers'(rest, run) {
		const call = { onBehalfOf: run.uids[0], body: { data: { text: run.id } } };
		const edited = await done(rest('PUT', `/messages/${run.messageId}`, call));
		return at(edited.body, 'data', 'category') === 'action' ? 'a note about it' : 'the message';
	},
	async 'Get Message has reactions'(rest, { messageId, uids: [, onBehalfOf] }) {
		await done(rest('POST', `/messages/${messageId}/reactions/ok`, { onBehalfOf }));
		const got = await done(rest('GET', `/messages/${messageId}`, { onBehalfOf }));
		return at(got.body, 'data', 'data', 'reactions') === undefined ? 'no' : 'yes';
	},
	async 'Removing a reaction that is not there'(rest, { messageId, uids: [, onBehalfOf] }) {
		return outcomeOf(
			await rest('DELETE', `/messages/${messageId}/reactions/absent`, { onBehalfOf }),
		);
	},
	'Deleting a message without saying whether for ever': deleting(),
	'Deleting a message for ever': deleting({ permanent: true }),
	async 'A list of messages without affix'(rest, run) {
		const all = idsIn(await done(rest('GET', messagesOf(run, 'affix=append&limit=1000'))));
		const ids = idsIn(await done(rest('GET', messagesOf(run, 'limit=2'))));
		if (ids.length < 2) return 'has fewer than it should';
		const start = ids.includes(Math.max(...all)) ? 'newest' : 'oldest';
		return `has the ${start} first, in ${ids[0] < ids[1] ? 'rising' : 'falling'} order on a page`;
	},
	async 'A list after a message'(rest, run) {
		const [first] = idsIn(await done(rest('GET', messagesOf(run, 'affix=append&limit=1'))));
		const got = await done(rest('GET', messagesOf(run, `affix=append&limit=1000&id=${first}`)));
		const again = idsIn(got).includes(first) ? 'has this message again' : 'starts behind it';
		const next = at(got.body, 'meta', 'next') === undefined ? 'no meta.next' : 'meta.next';
		return `${again}; its last page has ${next}`;
	},
	async 'Lists of messages have the notes about edited and deleted ones'(rest, run) {
		const { body } = await done(rest('GET', messagesOf(run, 'affix=append&limit=1000')));
		return list(at(body, 'data')).some((each) => at(each, 'category') === 'action') ? 'yes' : 'no';
	},
	async 'meta.pagination.total_pages is'(rest, { guid, uids: [, ...uids] }) {
		const path = `/groups/${guid}/members`;
		await done(rest('POST', path, { body: { participants: uids } }));
		const { body } = await done(rest('GET', `${path}?perPage=1`));
		const pages = at(body, 'meta', 'pagination', 'total_pages');
		if (pages === uids.length + 1) return 'the number of pages';
		return pages === 2 ? 'the next page' : `${typeof pages}, neither the pages nor the next`;
	},
	async 'The cursor of a list of groups is'(rest, { id }) {
		const { body } = await done(rest('GET', `/groups?searchKey=${id}`));
		if (at(body, 'meta', 'cursor') !== undefined) return 'in meta';
		return at(body, 'cursor') === undefined ? 'not there' : 'beside meta';
	},
	async 'New metadata of a group'(rest, { guid }) {
		await done(rest('PUT', `/groups/${guid}`, { body: { metadata: { first: 1 } } }));
		await done(rest('PUT', `/groups/${guid}`, { body: { metadata: { second: 2 } } }));
		const { body } = await done(rest('GET', `/groups/${guid}`));
		const both = at(body, 'data', 'metadata', 'first') !== undefined;
		return both ? 'is merged into the old' : 'replaces the old';
	},
	'A GUID that is taken': async (rest, { guid }) =>
		outcomeOf(await rest('POST', '/groups', { body: { guid, name: guid, type: 'private' } })),
	'Adding a member again': async (rest, run) => await adding(rest, run, run.uids[1]),
	'Adding a user who does not exist': async (rest, run) =>
		await adding(rest, run, `${run.id}-nobody`),
	async 'The limit for sending is counted for the app itself'(rest, run) {
		const limits = [await send(rest, run), await send(rest, run, {})].map(limitOf);
		return `${limits[1]}; on behalf of a user ${limits[0]}`;
	},
};

const isOfLimit = (name: string) => /rate-?limit|^retry-after$/.test(name);

/** What a response says of rate limits: the names of its headers, with the value of the limit. */
export function limitOf({ headers }: Exchange): string {
	const seen = Object.entries(headers).filter(([name]) => isOfLimit(name));
	return (
		seen
			.map(([name, value]) => (/remaining|reset/.test(name) ? name : `${name} ${String(value)}`))
			.join(', ') || 'no header'
	);
}
