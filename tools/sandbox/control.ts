import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import { parseFaultPlan, type FaultPlan } from './faults';
import { isLoopback, isLoopbackHost } from './loopback';
import { parseModerationEngine, type ModerationEngine } from './moderationEngine';
import { parseAs } from './parse';
import type { Settings } from './settings';
import { parseRules } from './store/moderation';
import type { Store } from './store/store';
import type { Traffic } from './traffic';
import type { Views } from './views';
import { parseWebhooks, type Webhooks } from './webhooks';

/** Parts of the sandbox that the control endpoints can read and change. */
export interface Controlled {
	store: Store;
	views: Views;
	traffic: Traffic;
	webhooks: Webhooks;
	facts(): Record<string, unknown>;
	settings(): Settings;
	setSettings(change: object): void;
	setFaults(plan: FaultPlan | undefined): void;
	moderationEngine(): ModerationEngine | undefined;
	setModerationEngine(engine: ModerationEngine | undefined): void;
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

const text = z.string().min(1);
const MODERATION = z.object({ rules: z.unknown(), engine: z.unknown() });
const DELIVERY = z.object({ trigger: text, data: z.record(z.string(), z.unknown()) });

/**
 * Adds the sandbox's web page at `/` and its control endpoints at `/_sandbox/`. The real chat service has
 * neither.
 */
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
		messages: store.messages.all().length,
		users: store.people.all(),
		deactivated: store.people.deactivated(),
		violations: traffic.violations.length,
		stats: traffic.stats,
	}));
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
		engine: sandbox.moderationEngine() ?? null,
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

	const change = <Body>(
		method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
		path: string,
		schema: z.ZodType<Body>,
		act: (body: Body, params: Record<string, string>) => unknown,
	) =>
		server.route({
			method,
			url: `/_sandbox/${path}`,
			...guarded,
			handler: (request, reply) => {
				const body = parseAs(schema, jsonBody(request), 'Body');
				const result = act(body, request.params as Record<string, string>);
				return sendJson(reply, 200, result ?? { ok: true });
			},
		});
	change('POST', 'reset', z.unknown(), () => sandbox.reset());
	change('PUT', 'faults', z.unknown(), (body) => sandbox.setFaults(parseFaultPlan(body ?? [])));
	change('PUT', 'settings', z.looseObject({}), (body) => {
		sandbox.setSettings(body);
		return sandbox.settings();
	});
	change('POST', 'groups/:guid/members', z.object({ uid: text }), ({ uid }, { guid }) =>
		store.joinGroup(guid, uid),
	);
	change('DELETE', 'groups/:guid/members/:uid', z.unknown(), (_body, { guid, uid }) =>
		store.leaveGroup(guid, uid),
	);
	change('PUT', 'moderation', MODERATION, ({ rules, engine }) => {
		if (rules !== undefined) store.moderation.rules = parseRules(rules);
		if (engine !== undefined) sandbox.setModerationEngine(parseModerationEngine(engine));
	});
	change('PUT', 'webhooks', z.unknown(), (body) => {
		webhooks.set(parseWebhooks(body ?? []));
		return webhooks.list;
	});
	change('POST', 'deliveries', DELIVERY, ({ trigger, data }) => webhooks.deliver(trigger, data));
	change('POST', 'deliveries/:id/repeat', z.unknown(), (_body, { id }) =>
		webhooks.repeat(Number(id)),
	);
}

/**
 * Refuses requests from other machines and other websites. Another website can't send the control header
 * without a CORS preflight, which always fails. Checking the Host header prevents DNS rebinding.
 */
function guard(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
	if (!isLoopback(request.ip) || !isLoopbackHost(request.headers.host)) {
		return done(
			new Refused(403, 'Only requests from this machine are allowed, through a loopback address'),
		);
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

/**
 * Returns the last entries of a list. The query parameter `last` limits the number of entries, which is
 * unlimited by default.
 */
function lastOf<Entry>(entries: readonly Entry[], request: FastifyRequest): Entry[] {
	const last = Number(queryOf(request).get('last') ?? entries.length);
	return entries.slice(-last || entries.length);
}

/**
 * Returns the groups to show on the page. Groups with the most messages come first, followed by the newest
 * groups.
 */
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
