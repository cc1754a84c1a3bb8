import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseEngine, type Engine } from './engine';
import { parseFaultPlan, type FaultPlan } from './faults';
import { isLoopback, isLoopbackHost } from './loopback';
import { parseSettings, type Settings } from './settings';
import { NotFound } from './store/errors';
import { parseRules } from './store/moderation';
import type { GroupChange, NewGroup, Store } from './store/store';
import type { Traffic } from './traffic';
import { isObject, type JsonObject, type Scope } from './types';
import type { Views } from './views';
import { parseWebhooks, type Webhooks } from './webhooks';

/** What the control endpoint can look at and change. */
export interface Controlled {
	store: Store;
	views: Views;
	traffic: Traffic;
	webhooks: Webhooks;
	facts(): Record<string, unknown>;
	settings(): Settings;
	setSettings(change: Partial<Settings>): void;
	setFaults(plan: FaultPlan | undefined): void;
	engine(): Engine | undefined;
	setEngine(engine: Engine | undefined): void;
	faults(): FaultPlan;
	reset(): void;
}

const PAGE_FILE = join(__dirname, 'page.html');
const CONTROL_HEADER = 'x-sandbox-control';
const SHOWN_GROUPS = 200;
const PAGE_POLICY =
	"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class Refused extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}

/** Adds the page at `/` and the endpoint under `/_sandbox/`. Neither is part of the chat service. */
export function addControl(server: FastifyInstance, sandbox: Controlled): void {
	const { store, traffic, views, webhooks } = sandbox;
	const page = readFileSync(PAGE_FILE, 'utf8');
	const guarded = { preHandler: guard };

	server.get('/', guarded, (_request, reply) =>
		reply
			.type('text/html; charset=utf-8')
			.header('content-security-policy', PAGE_POLICY)
			.header('x-content-type-options', 'nosniff')
			.send(page),
	);

	const read = (path: string, get: (request: FastifyRequest) => unknown) =>
		server.get(`/_sandbox/${path}`, guarded, (request, reply) =>
			sendJson(reply, 200, get(request)),
		);
	read('state', () => ({
		...sandbox.facts(),
		settings: sandbox.settings(),
		faults: sandbox.faults(),
		groups: store.groups.count,
		messages: store.messages.count,
		users: store.people.all(),
		deactivated: store.people.deactivated(),
		violations: traffic.violations.length,
		stats: traffic.stats,
	}));
	read('stats', () => traffic.stats);
	read('violations', () => traffic.violations);
	read('log', (request) => {
		const since = Number(queryOf(request).get('since') ?? 0);
		return lastOf(traffic.log, request).filter((entry) => entry.id > since);
	});
	read('webhooks', () => webhooks.list);
	read('deliveries', (request) => lastOf(webhooks.deliveries, request));
	read('moderation', () => ({
		reasons: [...store.moderation.reasons.values()],
		rules: store.moderation.rules,
		engine: sandbox.engine() ?? null,
		flagged: views.queue('flagged'),
		blocked: views.queue('blocked'),
		reviewed: views.queue('reviewed'),
	}));
	read('groups', (request) => shownGroups(sandbox, queryOf(request).get('limit')));
	read('messages', (request) => {
		const group = queryOf(request).get('group');
		const shown = store.messages.all().filter(({ receiverType, receiver }) => {
			return group === null || (receiverType === 'group' && receiver === group);
		});
		return lastOf(shown, request).map((message) => ({
			...views.message(message, { tags: true }),
			reactions: Object.fromEntries(message.reactions),
		}));
	});

	const change = (
		method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
		path: string,
		act: (body: unknown, params: Record<string, string>) => unknown,
	) =>
		server.route({
			method,
			url: `/_sandbox/${path}`,
			...guarded,
			handler: (request, reply) => {
				const result = attempt(() =>
					act(jsonBody(request), request.params as Record<string, string>),
				);
				return sendJson(reply, 200, result ?? { ok: true });
			},
		});
	change('POST', 'reset', () => sandbox.reset());
	change('PUT', 'faults', (body) => sandbox.setFaults(parseFaultPlan(body ?? [])));
	change('PUT', 'settings', (body) => {
		sandbox.setSettings(parseSettings(body));
		return sandbox.settings();
	});
	change('POST', 'groups', (body) =>
		store.createGroup({ ...groupFields(body), guid: requireText(body, 'guid') }),
	);
	change('PATCH', 'groups/:guid', (body, { guid }) => store.updateGroup(guid, groupFields(body)));
	change('POST', 'groups/:guid/members', (body, { guid }) =>
		store.joinGroup(guid, requireText(body, 'uid')),
	);
	change('PUT', 'groups/:guid/members/:uid', (body, { guid, uid }) =>
		store.changeScope(guid, uid, requireScope(body)),
	);
	change('DELETE', 'groups/:guid/members/:uid', (_body, { guid, uid }) =>
		store.leaveGroup(guid, uid),
	);
	change('POST', 'groups/:guid/banned', (body, { guid }) =>
		store.banMember(guid, requireText(body, 'uid')),
	);
	change('DELETE', 'groups/:guid/banned/:uid', (_body, { guid, uid }) =>
		store.unbanMember(guid, uid),
	);
	change('PUT', 'moderation', (body) => {
		const { rules, engine } = (body ?? {}) as { rules?: unknown; engine?: unknown };
		if (rules !== undefined) store.moderation.rules = parseRules(rules);
		if (engine !== undefined) sandbox.setEngine(parseEngine(engine));
	});
	change('PUT', 'webhooks', (body) => {
		webhooks.set(parseWebhooks(body ?? []));
		return webhooks.list;
	});
	change('POST', 'deliveries', (body) =>
		webhooks.deliver(requireText(body, 'trigger'), requireObject(body, 'data')),
	);
	change('POST', 'deliveries/:id/repeat', (_body, { id }) => webhooks.repeat(Number(id)));
	change('POST', 'messages/:id/reactions', (body, { id }) => {
		store.addReaction(id, requireText(body, 'uid'), requireText(body, 'reaction'));
		return store.messages.reactionsOf(id);
	});
}

/**
 * Keeps others out. A page of another origin cannot send the header without asking first, which is never granted; and a name
 * that resolves to this machine is not loopback by its Host.
 */
function guard(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
	if (!isLoopback(request.ip) || !isLoopbackHost(request.headers.host)) {
		return done(new Refused(403, 'Only from this machine, by a loopback address'));
	}
	if (request.method !== 'GET' && request.headers[CONTROL_HEADER] !== '1') {
		return done(new Refused(403, `The header ${CONTROL_HEADER}: 1 is missing`));
	}
	done();
}

function queryOf(request: FastifyRequest): URLSearchParams {
	return new URL(request.url, 'http://sandbox').searchParams;
}

function jsonBody(request: FastifyRequest): unknown {
	const text = typeof request.body === 'string' ? request.body : '';
	try {
		return text === '' ? undefined : JSON.parse(text);
	} catch {
		throw new Refused(400, 'The body is not JSON');
	}
}

function requireText(body: unknown, name: string): string {
	const value: unknown = (body as Record<string, unknown> | undefined)?.[name];
	if (typeof value !== 'string' || value === '')
		throw new Refused(400, `The body has no "${name}"`);
	return value;
}

function requireObject(body: unknown, name: string): JsonObject {
	const value = isObject(body) ? body[name] : undefined;
	if (!isObject(value)) throw new Refused(400, `The body has no object "${name}"`);
	return value;
}

function requireScope(body: unknown): Scope {
	const scope = requireText(body, 'scope');
	if (scope === 'admin' || scope === 'moderator' || scope === 'participant') return scope;
	throw new Refused(400, `A member's "scope" cannot be ${scope}`);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isSeconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

type GroupFields = GroupChange & Pick<NewGroup, 'createdAt'>;

const FIELD_CHECKS: { [Key in keyof Required<GroupFields>]: (value: unknown) => boolean } = {
	name: isText,
	description: isText,
	icon: isText,
	type: (value) => ['public', 'private', 'protected', 'password'].includes(String(value)),
	owner: isText,
	tags: (value) => Array.isArray(value) && value.every(isText),
	createdAt: isSeconds,
	updatedAt: isSeconds,
	metadata: isObject,
	password: isText,
};

function groupFields(body: unknown): GroupFields {
	const fields = Object.entries(body ?? {}).filter(([name]) => name !== 'guid');
	for (const [name, value] of fields) {
		const check = FIELD_CHECKS[name as keyof GroupFields];
		if (!check?.(value)) throw new Refused(400, `A group's "${name}" cannot be ${String(value)}`);
	}
	return Object.fromEntries(fields);
}

/** Runs a change, and turns what it throws into a refusal. */
function attempt<Result>(act: () => Result): Result {
	try {
		return act();
	} catch (error) {
		if (error instanceof Refused) throw error;
		const message = error instanceof Error ? error.message : String(error);
		throw new Refused(error instanceof NotFound ? 404 : 400, message);
	}
}

/** The last `last` entries of a list; all of them where the request does not say. */
function lastOf<Entry>(entries: readonly Entry[], request: FastifyRequest): Entry[] {
	const last = Number(queryOf(request).get('last') ?? entries.length);
	return entries.slice(-last || entries.length);
}

/** Groups as the page shows them: those with the most messages first, then the newest. */
function shownGroups({ store, views }: Controlled, limit: string | null) {
	const most = Number(limit ?? SHOWN_GROUPS);
	const counts = new Map<string, number>();
	for (const { receiverType, receiver } of store.messages.all()) {
		if (receiverType === 'group') counts.set(receiver, (counts.get(receiver) ?? 0) + 1);
	}
	const busy = [...counts].sort(([, a], [, b]) => b - a).map(([guid]) => store.groups.get(guid));
	const guids = store.groups.list(
		{ affix: 'append', sortBy: 'createdAt', descending: true },
		'exclusive',
	);
	const newest = guids.slice(0, most).map((guid) => store.groups.get(guid));
	const byGuid = new Map([...busy, ...newest].map((group) => [group?.guid, group]));
	return [...byGuid.values()]
		.filter((group) => group !== undefined)
		.slice(0, most)
		.map((group) => ({
			...views.group(group),
			messages: counts.get(group.guid) ?? 0,
			members: group.members.map((member) => views.member(member)),
			banned: (group.banned ?? []).map((member) => views.member(member)),
		}));
}

function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
	return reply
		.code(status)
		.type('application/json')
		.header('cache-control', 'no-store')
		.send(JSON.stringify(body));
}
