import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Api, isFullAccessKey, type ApiCall } from './api/api';
import { BotRelay } from './botRelay';
import { loadContract } from './contract';
import { addControl } from './control';
import { EnvelopeData } from './envelope';
import { refuse } from './errors';
import { Faults, type ActiveFaults } from './faults';
import { Media } from './media';
import { createScreen, type ModerationEngine } from './moderationEngine';
import {
	toWire,
	createReplacement,
	send,
	sendPart,
	spoil,
	trickle,
	addRateHeaders,
	type Wire,
} from './response';
import type { Sandbox, SandboxOptions } from './sandbox';
import { initialSettings, parseSettings } from './settings';
import { Store } from './store/store';
import { Traffic, type LogEntry } from './traffic';
import { FORM_TYPE, MOST_UPLOADED, readUpload, type UploadedMessage } from './upload';
import { Views } from './views';
import { Webhooks } from './webhooks';

export type { FaultEffect } from './faults';
export type { RateWindowOptions } from './rateLimits';
export type { Sandbox, SandboxOptions } from './sandbox';
export type { Settings } from './settings';
export { makeCertificate, type Certificate, type CertificateOptions } from './certificate';
export type { LogEntry } from './traffic';
export type { Envelope } from './envelope';
export type { Webhook } from './webhooks';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** ID of the contract operation that this route handles. */
		operationId?: string;
	}
}

const SAMPLE_API_KEY = '5a9d0c3b7e12f4886d0b9c2a51e7f3046b8d1a2c';
const SAMPLE_SECOND_KEY = 'b7c1d0e2f3a4958677869504132233445566778f';
export const SAMPLE_AUTH_ONLY_KEY = 'e07c41b95d2a86f3104b7e9d8c35a2f16094bd7e';
const SAMPLE_APP_ID = '2380119f4c6a5b7d';

/** Region sent in webhook deliveries. The sandbox's URLs don't depend on the region. */
const REGION = 'us';
const LONGEST_PATH_PART = 16_384;

/**
 * Starts a simulation of the chat service as an HTTP server on this machine.
 *
 * @throws if the port is in use or an option is out of range
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const access = {
		apiKey: SAMPLE_API_KEY,
		secondKey: SAMPLE_SECOND_KEY,
		authOnlyKey: SAMPLE_AUTH_ONLY_KEY,
		appId: SAMPLE_APP_ID,
	};
	const initial = initialSettings(options);
	const { port = 0, validate = true, logLimit = 10_000 } = options;
	const { now = () => Math.floor(Date.now() / 1000) } = options;

	let settings = { ...initial };
	let plan = options.faults ?? [];
	let faults = new Faults(plan);
	let moderationEngine: ModerationEngine | undefined;
	const contract = await loadContract();
	const clock = () => now() + settings.clockSkew;
	const store = new Store(options.groups ?? 0, clock, options.recent);
	const traffic = new Traffic(logLimit, options.onRequest);
	const media = new Media(
		store,
		access,
		() => settings,
		clock,
		() => sandbox.url,
	);
	const views = new Views(
		store,
		() => settings,
		(stored) => media.urlOf(stored),
	);
	const api = new Api(contract, store, views, access, () => settings);
	const facts = { appId: access.appId, region: REGION };
	const webhooks = new Webhooks(facts, logLimit);
	webhooks.set(options.webhooks ?? []);
	const envelopeData = new EnvelopeData(store, views, () => settings);
	const botRelay = new BotRelay(store, views, () => settings, facts);
	store.onEvent((event) => {
		for (const { webhook, body } of botRelay.of(event)) webhooks.relay(webhook, body);
		if (webhooks.list.length === 0) return;
		for (const { trigger, data } of envelopeData.of(event)) webhooks.deliver(trigger, data);
	});
	let delays = new AbortController();

	const sandbox: Sandbox = {
		...{ url: '', baseUrl: '', port: 0 },
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
		get faults() {
			return plan;
		},
		get moderationEngine() {
			return moderationEngine;
		},
		setSettings(change) {
			settings = parseSettings({ ...settings, ...change });
		},
		setFaults(next = []) {
			faults = new Faults(next);
			plan = next;
		},
		setModerationEngine(engine) {
			moderationEngine = engine;
			store.screen = engine && createScreen(engine, store, views);
		},
		reset() {
			delays.abort();
			delays = new AbortController();
			store.reset();
			traffic.reset();
			webhooks.set(options.webhooks ?? []);
			webhooks.stopRelays();
			webhooks.deliveries.length = 0;
			sandbox.setFaults([]);
			moderationEngine = undefined;
			settings = { ...initial };
			media.contents.clear();
		},
		async close() {
			delays.abort();
			webhooks.close();
			await server.close();
		},
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
			keyOk: isFullAccessKey(access, call.headers.apikey),
		});
		entries.set(request.raw, entry);
		return { call, entry };
	};

	const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		if (isControl(request)) return void reply.code(404).send({ error: 'Unknown control endpoint' });
		const { call, entry } = begin(request, reply);
		const active = faults.select(call.method, call.path);
		const { signal } = delays;
		try {
			await answer(call, entry, active, reply, signal);
		} catch (error) {
			// Closing or resetting the sandbox aborts delayed requests and responses, so their connections are
			// closed
			if (signal.aborted) cut(reply);
			else throw error;
		}
	};

	const answer = async (
		call: ApiCall,
		entry: LogEntry,
		active: ActiveFaults | undefined,
		reply: FastifyReply,
		signal: AbortSignal,
	): Promise<void> => {
		if (!active) {
			send(reply, perform(call, entry));
			return;
		}
		entry.fault = active.name;
		const { effect, delay } = active;
		if (delay > 0) await wait(delay, undefined, { signal });
		if (effect.cutBefore) {
			cut(reply);
			return;
		}
		const key = String(call.headers.apikey ?? '');
		const instead = createReplacement(active, key);
		const wire = addRateHeaders(
			instead ?? spoil(perform(call, entry, active), effect, key),
			active,
		);
		if (!instead && effect.cutAfter) {
			entry.status = 0;
			cut(reply);
			return;
		}
		entry.status = wire.status;
		if (effect.half || effect.wrongLength) {
			sendPart(reply, wire, effect);
			return;
		}
		if (effect.trickle) return trickle(reply, wire, effect.trickle, signal);
		send(reply, wire);
	};

	/** Processes a request, and validates the request and the response against the contract. */
	const perform = (call: ApiCall, entry: LogEntry, active?: ActiveFaults): Wire => {
		if (media.isFile(call)) {
			const wire = media.handle(call);
			entry.status = wire.status;
			return wire;
		}
		const { response, violations, notes = [] } = api.handle(call);
		if (response.status === 200) media.keep(call.contents);
		if (notes.length > 0) entry.notes = notes;
		for (let n = 0; n < (active?.effect.newGroups ?? 0); n++) {
			store.createGroup({ guid: `new-${store.groups.count}` });
		}
		for (const what of violations) traffic.violation(entry, what);
		if (validate && call.operationId) {
			const { status, body } = response;
			for (const what of contract.validateResponse(call.operationId, status, body)) {
				traffic.violation(entry, `answered ${response.status}: ${what}`);
			}
		}
		entry.status = response.status;
		return toWire(response);
	};

	const server = fastify({
		https: options.tls ?? null,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: LONGEST_PATH_PART },
		// Fastify doesn't route paths with invalid percent-encoding
		frameworkErrors: (_error, request, reply) => void serve(request, reply),
	});
	server.addHook('onRequest', (_request, reply, done) => {
		reply.raw.sendDate = false;
		const date = new Date(clock() * 1000).toUTCString();
		if (settings.dateShown === 'right') void reply.header('date', date);
		done();
	});
	server.removeAllContentTypeParsers();
	// Bodies aren't parsed here, because the contract validates their raw text
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	server.addContentTypeParser(
		FORM_TYPE,
		{ parseAs: 'buffer', bodyLimit: MOST_UPLOADED },
		async (request: FastifyRequest, form: Buffer) =>
			await readUpload(form, request.headers['content-type'] ?? '').catch((cause: unknown) => {
				throw Object.assign(new Error('The form is malformed', { cause }), { statusCode: 400 });
			}),
	);
	server.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
		const { statusCode: status = isControl(request) ? 400 : 500 } = error;
		if (isControl(request)) return reply.code(status).send({ error: error.message });
		const { entry } = begin(request, reply);
		traffic.violation(entry, error.message);
		const wire = toWire(refuse('ERR_BAD_REQUEST', '', { request: [error.message] }));
		entry.status = status < 500 ? wire.status : status;
		return reply.code(entry.status).headers(wire.headers).send(wire.body);
	});
	addControl(server, sandbox);
	for (const { operationId, method, path } of contract.operations) {
		// Without this pattern, Fastify accepts empty path parameters
		const route = path.replace(/\{(\w+)\}/g, ':$1(^[^]+$)');
		for (const url of [route, `/app/:appId${route}`]) {
			server.route({ method, url, config: { operationId }, handler: serve });
		}
	}
	server.all('/*', serve);
	server.setNotFoundHandler(serve);
	await server.listen({ port, host: '127.0.0.1' });

	const { port: bound } = server.server.address() as AddressInfo;
	const url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${bound}`;
	return Object.assign(sandbox, { port: bound, url, baseUrl: `${url}/v3` });
}

/** Closes the connection without responding. */
function cut(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.destroy();
}

const isControl = (request: FastifyRequest): boolean =>
	request.url === '/' || request.url.startsWith('/_sandbox/');

function readCall({ raw, body, params, query, routeOptions }: FastifyRequest): ApiCall {
	const upload = typeof body === 'object' ? (body as UploadedMessage | null) : null;
	return {
		operationId: routeOptions.config.operationId,
		params: params as ApiCall['params'],
		method: raw.method ?? '',
		path: (raw.url ?? '').replace(/\?.*/, ''),
		query: { ...(query as ApiCall['query']) },
		headers: raw.headers,
		body: typeof body === 'string' ? body : (upload?.json ?? ''),
		...(upload ? { contents: upload.contents } : {}),
	};
}
