import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { actingUser, Api, type ApiCall } from './api/api';
import { actor } from './api/call';
import type { Certificate } from './certificate';
import { loadContract } from './contract';
import { addControl } from './control';
import { EnvelopeData } from './envelope';
import { refusal } from './errors';
import { Faults, type ActiveFaults, type FaultPlan } from './faults';
import { screenBy, type ModerationEngine } from './moderationEngine';
import {
	asJson,
	responseInstead,
	send,
	spoil,
	trickle,
	withRateHeaders,
	type Wire,
} from './response';
import { initialSettings, parseSettings, type Settings } from './settings';
import { Store } from './store/store';
import { Traffic, type LogEntry, type Stats } from './traffic';
import { Views } from './views';
import { Webhooks, type Webhook } from './webhooks';

export type { FaultEffect, FaultPlan } from './faults';
export type { CallKind, RateLimitForm } from './rateLimits';
export type { Settings } from './settings';
export { makeCertificate, type Certificate, type CertificateOptions } from './certificate';
export type { Store } from './store/store';
export type { LogEntry, Stats } from './traffic';
export type { Envelope } from './envelope';
export type { Webhook, Webhooks } from './webhooks';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The contract's operation that the route serves. */
		operationId?: string;
	}
}

export interface SandboxOptions extends Partial<Settings> {
	/** Default 0: any free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** Key and certificate in PEM: serves https. Default: http. */
	tls?: Certificate;
	/** The service's clock, in Unix seconds, before `clockSkew`. Default: that of this machine. */
	now?: () => number;
	/** Whether the messages are of the last day, as people expect them, and not of August 2025. */
	recent?: boolean;
	/** Generated groups beside the sample data. Default 0. */
	groups?: number;
	/** Default: a fixed key of 40 hexadecimal digits. */
	apiKey?: string;
	appId?: string;
	/** Whether responses are checked against the contract. Default true; requests are always checked. */
	validate?: boolean;
	faults?: FaultPlan;
	/** Where events are delivered. Default nowhere. */
	webhooks?: Webhook[];
	/** Log entries to keep at most. Default 10,000. */
	logLimit?: number;
	/** Called with each entry of the log once its response is out. */
	onRequest?: (entry: LogEntry) => void;
}

export interface Sandbox {
	/** `http://127.0.0.1:<port>`, or https with `tls`, without a slash at the end. */
	readonly url: string;
	/** `url` with the version segment: what goes into a credential as its base URL. */
	readonly baseUrl: string;
	readonly port: number;
	readonly apiKey: string;
	/** A key that the service knows, and refuses with 403. */
	readonly authOnlyKey: string;
	readonly appId: string;
	/** What came in, oldest first. */
	readonly log: LogEntry[];
	/** In what requests or responses left the contract. */
	readonly violations: string[];
	/** The counts at the moment of reading. */
	readonly stats: Stats;
	readonly store: Store;
	/** Where events are delivered, and what was delivered. */
	readonly webhooks: Webhooks;
	readonly settings: Readonly<Settings>;
	/** @throws {TypeError} when a setting cannot have that value */
	setSettings(change: Partial<Settings>): void;
	/** Replaces the faults; undefined turns them off. */
	setFaults(plan: FaultPlan | undefined): void;
	/** Sets the service that judges each message before anybody sees it. `reset` removes it. */
	setModerationEngine(engine: ModerationEngine | undefined): void;
	/** Data, settings and webhooks as at the start, log, violations, deliveries and counts empty, faults off. */
	reset(): void;
	/** Stops listening, and cuts what is still open. */
	close(): Promise<void>;
}

const SAMPLE_API_KEY = '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c';
export const SAMPLE_AUTH_ONLY_KEY = 'e07c41b95d2a86f3104b7e9d8c35a2f16094bd7e';
const SAMPLE_APP_ID = '2380119f4c6a5b7d';

/** What deliveries say; no address depends on it. */
const REGION = 'us';
const LONGEST_PATH_PART = 16_384;

/**
 * Starts the chat service on this machine: its contract, its data, its faults, over real HTTP.
 *
 * @throws when the port is taken, or an option is out of its range
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const access = {
		apiKey: options.apiKey ?? SAMPLE_API_KEY,
		authOnlyKey: SAMPLE_AUTH_ONLY_KEY,
		appId: options.appId ?? SAMPLE_APP_ID,
	};
	const initial = initialSettings(options);
	const { host = '127.0.0.1', port = 0, validate = true, logLimit = 10_000 } = options;
	const { now = () => Math.floor(Date.now() / 1000) } = options;

	let settings = { ...initial };
	let plan = options.faults ?? [];
	let faults = new Faults(plan);
	const contract = await loadContract();
	const clock = () => now() + settings.clockSkew;
	const store = new Store(options.groups ?? 0, clock, options.recent);
	const traffic = new Traffic(logLimit, options.onRequest);
	const views = new Views(store, () => settings);
	const api = new Api(contract, store, views, access, () => settings);
	const webhooks = new Webhooks({ appId: access.appId, region: REGION }, logLimit);
	webhooks.set(options.webhooks ?? []);
	const envelopeData = new EnvelopeData(store, views, () => settings);
	store.onEvent((event) => {
		if (webhooks.list.length === 0) return;
		for (const { trigger, data } of envelopeData.of(event)) webhooks.deliver(trigger, data);
	});
	const stopping = new AbortController();

	const setFaults = (next: FaultPlan | undefined): void => {
		faults = new Faults(next);
		plan = next ?? [];
	};
	const setSettings = (change: object): void => {
		settings = parseSettings({ ...settings, ...change });
	};
	let moderationEngine: ModerationEngine | undefined;
	const setModerationEngine = (engine: ModerationEngine | undefined): void => {
		moderationEngine = engine;
		store.screen = engine && screenBy(engine, store, views);
	};
	const reset = (): void => {
		store.reset();
		traffic.reset();
		webhooks.set(options.webhooks ?? []);
		webhooks.deliveries.length = 0;
		setFaults(undefined);
		moderationEngine = undefined;
		settings = { ...initial };
	};

	const entries = new WeakMap<IncomingMessage, LogEntry>();
	const begin = (
		request: FastifyRequest,
		reply: FastifyReply,
	): { call: ApiCall; entry: LogEntry } => {
		const call = readCall(request);
		const begun = entries.get(request.raw);
		if (begun) return { call, entry: begun };
		const entry = traffic.begin(request.raw, reply.raw, {
			url: request.raw.url ?? '',
			path: call.path,
			query: call.query,
			keyOk: api.isFullAccessKey(call.headers.apikey),
		});
		entries.set(request.raw, entry);
		return { call, entry };
	};

	const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		if (isControl(request)) return void reply.code(404).send({ error: 'There is no such control' });
		const { call, entry } = begin(request, reply);
		const sender = actor({ uid: actingUser(call.headers.onbehalfof) });
		const active = faults.select(call.method, call.path, sender);
		try {
			await answer(call, entry, active, reply);
		} catch (error) {
			// Closing the sandbox interrupts waits; their connections are cut anyway.
			if (stopping.signal.aborted) cut(reply);
			else throw error;
		}
	};

	const answer = async (
		call: ApiCall,
		entry: LogEntry,
		active: ActiveFaults | undefined,
		reply: FastifyReply,
	): Promise<void> => {
		if (!active) return send(reply, perform(call, entry));
		entry.fault = active.name;
		const { effect, delay } = active;
		if (delay > 0) await wait(delay, undefined, { signal: stopping.signal });
		if (effect.cutBefore) return cut(reply);
		const key = String(call.headers.apikey ?? '');
		const instead = responseInstead(active, key);
		const wire = withRateHeaders(
			instead ?? spoil(perform(call, entry, active), effect, key),
			active,
		);
		if (!instead && effect.cutAfter) {
			entry.status = 0;
			return cut(reply);
		}
		entry.status = wire.status;
		if (effect.trickle) return trickle(reply, wire, effect.trickle, stopping.signal);
		send(reply, wire);
	};

	/** Does the work of a request, and checks it and its response against the contract. */
	const perform = (call: ApiCall, entry: LogEntry, active?: ActiveFaults): Wire => {
		const { response, violations } = api.handle(call, active?.effect);
		for (const what of violations) traffic.violation(entry, what);
		if (validate && call.operationId) {
			const { status, body } = response;
			for (const what of contract.validateResponse(call.operationId, status, body)) {
				traffic.violation(entry, `answered ${response.status}: ${what}`);
			}
		}
		entry.status = response.status;
		return asJson(response);
	};

	const server = fastify({
		https: options.tls ?? null,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: LONGEST_PATH_PART },
		// A path that is not valid percent-encoding never reaches a route.
		frameworkErrors: (_error, request, reply) => void serve(request, reply),
	});
	server.addHook('onRequest', (_request, reply, done) => {
		reply.raw.sendDate = false;
		const date = new Date(clock() * 1000).toUTCString();
		if (settings.dateShown === 'right') void reply.header('date', date);
		done();
	});
	server.removeAllContentTypeParsers();
	// The contract says what a body has to be; until then it is text, whatever it claims to be.
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	server.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
		const status = error.statusCode ?? 500;
		if (isControl(request)) return reply.code(status).send({ error: error.message });
		const { entry } = begin(request, reply);
		traffic.violation(entry, error.message);
		const wire = asJson(refusal('ERR_BAD_REQUEST', '', { request: [error.message] }));
		entry.status = status < 500 ? wire.status : status;
		return reply.code(entry.status).headers(wire.headers).send(wire.body);
	});
	addControl(server, {
		store,
		views,
		traffic,
		webhooks,
		settings: () => settings,
		setSettings,
		setFaults,
		faults: () => plan,
		moderationEngine: () => moderationEngine,
		setModerationEngine,
		reset,
		facts: () => ({ url, baseUrl: `${url}/v3`, ...access, validate }),
	});
	for (const { operationId, method, path } of contract.operations) {
		// Without the expression, Fastify accepts an empty parameter
		const route = path.replace(/\{(\w+)\}/g, ':$1(^[^]+$)');
		for (const url of [route, `/app/:appId${route}`]) {
			server.route({ method, url, config: { operationId }, handler: serve });
		}
	}
	server.all('/*', serve);
	server.setNotFoundHandler(serve);
	await server.listen({ port, host });

	const bound = server.server.address() as AddressInfo;
	const url = `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;

	return {
		url,
		baseUrl: `${url}/v3`,
		port: bound.port,
		...access,
		log: traffic.log,
		violations: traffic.violations,
		get stats() {
			return traffic.stats;
		},
		store,
		webhooks,
		get settings() {
			return settings;
		},
		setSettings,
		setFaults,
		setModerationEngine,
		reset,
		async close() {
			stopping.abort();
			webhooks.close();
			await server.close();
		},
	};
}

/** Closes the connection without a response. */
function cut(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.destroy();
}

const isControl = (request: FastifyRequest): boolean =>
	request.url === '/' || request.url.startsWith('/_sandbox/');

function readCall({ raw, body, params, query, routeOptions }: FastifyRequest): ApiCall {
	return {
		operationId: routeOptions.config?.operationId,
		params: params as ApiCall['params'],
		method: raw.method ?? '',
		path: (raw.url ?? '').split('?')[0],
		query: { ...(query as ApiCall['query']) },
		headers: raw.headers,
		body: typeof body === 'string' ? body : '',
	};
}
