import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import { parseFaultPlan } from './faults';
import { isLoopback, isLoopbackHost } from './loopback';
import { parseModerationEngine } from './moderationEngine';
import { parseAs, parseJson } from './parse';
import type { Sandbox } from './sandbox';
import type { Settings } from './settings';
import { parseRules } from './store/moderation';
import type { Store } from './store/store';
import { isObject } from './types';
import { Views } from './views';
import { parseWebhooks } from './webhooks';

const PAGE_FILE = join(__dirname, 'page.html');
const CONTROL_HEADER = 'x-sandbox-control';
const SHOWN_GROUPS = 200;
const PAGE_POLICY =
	"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const refusal = (statusCode: number, message: string): Error =>
	Object.assign(new Error(message), { statusCode });

const text = z.string().min(1);
const MODERATION = z.object({ rules: z.unknown(), engine: z.unknown() });
const DELIVERY = z.object({ trigger: text, data: z.record(z.string(), z.unknown()) });

/** Parameters of a control request. */
type Values = Partial<Record<string, string>>;

/**
 * Adds the sandbox's web page at `/` and its control endpoints at `/_sandbox/`. The real chat service has
 * neither.
 */
export function addControl(server: FastifyInstance, sandbox: Sandbox): void {
	const { store, webhooks } = sandbox;
	const views = new Views(store, () => sandbox.settings);
	const page = readFileSync(PAGE_FILE, 'utf8');
	const guarded = { preHandler: guard };

	server.get('/', guarded, (_request, reply) =>
		reply
			.type('text/html; charset=utf-8')
			.header('content-security-policy', PAGE_POLICY)
			.header('x-content-type-options', 'nosniff')
			.send(page),
	);

	const route = <Body>(
		method: 'GET' | 'POST' | 'PUT' | 'DELETE',
		path: string,
		schema: z.ZodType<Body>,
		act: (body: Body, values: Values) => unknown,
	) =>
		server.route({
			method,
			url: `/_sandbox/${path}`,
			...guarded,
			handler: (request, reply) => {
				const body = parseAs(schema, jsonBody(request), 'Body');
				const values: Values = { ...Object(request.query), ...Object(request.params) };
				const result = act(body, values);
				return reply.header('cache-control', 'no-store').send(result ?? { ok: true });
			},
		});
	const read = (path: string, get: (values: Values) => unknown) =>
		route('GET', path, z.unknown(), (_body, values) => get(values));
	read('state', () => {
		const { url, baseUrl, apiKey, authOnlyKey, appId, settings, faults, stats } = sandbox;
		return {
			...{ url, baseUrl, apiKey, authOnlyKey, appId, settings, faults, stats },
			groups: store.groups.count,
			messages: store.messages.all().length,
			users: store.people.all(),
			deactivated: store.people.deactivated(),
			violations: sandbox.violations.length,
		};
	});
	read('violations', () => sandbox.violations);
	read('log', ({ last }) => lastOf(sandbox.log, last));
	read('webhooks', () => webhooks.list);
	read('deliveries', ({ last }) => lastOf(webhooks.deliveries, last));
	read('moderation', () => ({
		reasons: [...store.moderation.reasons.values()],
		rules: store.moderation.rules,
		engine: sandbox.moderationEngine ?? null,
		flagged: views.queue('flagged'),
		blocked: views.queue('blocked'),
		reviewed: views.queue('reviewed'),
	}));
	read('groups', ({ limit }) => shownGroups(store, views, Number(limit ?? SHOWN_GROUPS)));
	read('messages', ({ group, last }) => {
		const shown = store.messages.all().filter(({ receiverType, receiver }) => {
			return group === undefined || (receiverType === 'group' && receiver === group);
		});
		return lastOf(shown, last).map((message) => ({
			...views.message(message, { tags: true }),
			reactions: Object.fromEntries(message.reactions),
		}));
	});

	route('POST', 'reset', z.unknown(), () => sandbox.reset());
	route('PUT', 'faults', z.unknown(), (body) => sandbox.setFaults(parseFaultPlan(body ?? [])));
	route('PUT', 'settings', z.custom<Partial<Settings>>(isObject), (body) => {
		sandbox.setSettings(body);
		return sandbox.settings;
	});
	route('POST', 'groups/:guid/members', z.object({ uid: text }), ({ uid }, { guid = '' }) =>
		store.joinGroup(guid, uid),
	);
	route('DELETE', 'groups/:guid/members/:uid', z.unknown(), (_body, { guid = '', uid = '' }) =>
		store.leaveGroup(guid, uid),
	);
	route('PUT', 'moderation', MODERATION, ({ rules, engine }) => {
		if (rules !== undefined) store.moderation.rules = parseRules(rules);
		if (engine !== undefined) sandbox.setModerationEngine(parseModerationEngine(engine));
	});
	route('PUT', 'webhooks', z.unknown(), (body) => {
		webhooks.set(parseWebhooks(body ?? []));
		return webhooks.list;
	});
	route('POST', 'deliveries', DELIVERY, ({ trigger, data }) => webhooks.deliver(trigger, data));
	route('POST', 'deliveries/:id/repeat', z.unknown(), (_body, { id }) =>
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
			refusal(403, 'Only requests from this machine are allowed, through a loopback address'),
		);
	}
	if (request.method !== 'GET' && request.headers[CONTROL_HEADER] !== '1') {
		return done(refusal(403, `The header ${CONTROL_HEADER}: 1 is missing`));
	}
	done();
}

function jsonBody({ body }: FastifyRequest): unknown {
	if (typeof body !== 'string' || body === '') return undefined;
	const value = parseJson(body);
	if (value === undefined) throw refusal(400, 'The body is not JSON');
	return value;
}

/** Returns the last entries of a list. Their number is unlimited by default. */
const lastOf = <Entry>(entries: readonly Entry[], last: string | undefined): Entry[] =>
	entries.slice(-Number(last ?? Infinity));

/**
 * Returns the groups to show on the page. Groups with the most messages come first, followed by the newest
 * groups.
 */
function shownGroups(store: Store, views: Views, most: number) {
	const sent = store.messages.all().filter(({ receiverType }) => receiverType === 'group');
	const byGroup = Map.groupBy(sent, ({ receiver }) => receiver);
	const busy = [...byGroup].sort(([, a], [, b]) => b.length - a.length).map(([guid]) => guid);
	const newest = store.groups.list(
		{ affix: 'append', sortBy: 'createdAt', descending: true },
		'exclusive',
	);
	return [...new Set([...busy, ...newest.slice(0, most)])].slice(0, most).map((guid) => {
		const group = store.groups.existing(guid);
		return {
			...views.group(group),
			messages: byGroup.get(guid)?.length ?? 0,
			members: group.members.map((member) => views.member(member)),
			banned: (group.banned ?? []).map((member) => views.member(member)),
		};
	});
}
