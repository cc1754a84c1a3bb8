import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import type { Envelope } from './envelope';
import { isLoopbackUrl } from './loopback';
import type { JsonObject } from './types';

/** Where events are delivered, and how. */
export interface Webhook {
	/** On this machine only. */
	url: string;
	/** What `webhook` says in a delivery. Default `sandbox`. */
	name?: string;
	/** With a user or a password, deliveries carry Basic authentication. */
	username?: string;
	password?: string;
	/** Which triggers are delivered. Default all. */
	triggers?: string[];
	/** Whether a delivery that is not answered with 200 is repeated after 10 s, and once more after 30 s. Default false. */
	retries?: boolean;
	/** Divides those waits. Default 1. */
	timeScale?: number;
	/** Milliseconds to wait for an answer. Default 2,000. */
	timeoutMs?: number;
	/** How often each delivery is made. Default 1. */
	copies?: number;
	/** So many deliveries at a time are made in the reverse order. Default 1: in order. */
	reversed?: number;
	/** Deliveries under way at once. Default 1, so that they arrive in the order in which they were made. */
	parallel?: number;
}

/** One attempt to deliver something. */
export interface Delivery {
	id: number;
	/** When it was sent, in milliseconds since 1970. */
	at: number;
	url: string;
	/** Counts from 1. */
	attempt: number;
	/** 0 where no answer came. */
	status: number;
	/** Why no answer came. */
	error?: string;
	/** The sentence in the answer. */
	message?: string;
	/** Milliseconds until the answer. */
	ms: number;
	body: Envelope;
}

/** What every envelope says of the app. */
export interface WebhookFacts {
	appId: string;
	region: string;
}

const TIMEOUT = 2000;
/** Source: the contract. */
const RETRY_AFTER = [10_000, 30_000];
/** After so many milliseconds without another delivery, those held to be reversed are made. */
const HOLD_FOR = 500;

type Checks = { [Name in keyof Required<Webhook>]: (value: unknown) => boolean };

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumberFrom = (least: number) => (value: unknown) =>
	typeof value === 'number' && value >= least;
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;

const CHECKS: Checks = {
	url: (value) => isText(value) && isLoopbackUrl(String(value)),
	name: isText,
	username: isText,
	password: isText,
	triggers: (value) => Array.isArray(value) && value.every(isText),
	retries: (value) => typeof value === 'boolean',
	timeScale: isNumberFrom(Number.MIN_VALUE),
	timeoutMs: isNumberFrom(1),
	copies: isCount,
	reversed: isCount,
	parallel: isCount,
};

function isWebhook(value: unknown): value is Webhook {
	if (typeof value !== 'object' || value === null) throw new TypeError('A webhook is an object');
	if (!('url' in value)) throw new TypeError('A webhook has a "url"');
	for (const [name, setting] of Object.entries(value)) {
		const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Checks] : undefined;
		if (!check?.(setting))
			throw new TypeError(`A webhook's "${name}" cannot be ${String(setting)}`);
	}
	return true;
}

/**
 * Reads webhooks that came as JSON.
 *
 * @throws {TypeError} when one has no URL on this machine, or something that does not exist
 */
export function parseWebhooks(value: unknown): Webhook[] {
	if (!Array.isArray(value)) throw new TypeError('Webhooks are a list');
	return value.filter(isWebhook);
}

/** Delivers events to the webhooks that are set, and keeps a log of it. */
export class Webhooks {
	/** Every attempt, oldest first. */
	readonly deliveries: Delivery[] = [];
	private channels: Channel[] = [];
	/** Keeps connections open between deliveries, and follows no redirect */
	private readonly agent = new Agent();

	/** @param logLimit attempts to keep at most */
	constructor(
		private readonly facts: WebhookFacts,
		private readonly logLimit: number,
	) {}

	get list(): Webhook[] {
		return this.channels.map(({ webhook }) => webhook);
	}

	/**
	 * Replaces the webhooks. What was still to be delivered is dropped.
	 *
	 * @throws {TypeError} when one is not valid
	 */
	set(webhooks: Webhook[]): void {
		const next = parseWebhooks(webhooks);
		this.channels.forEach((channel) => channel.stop());
		this.channels = next.map((webhook) => new Channel(webhook, this.agent, this.note));
	}

	/** Whether anybody wants to know. */
	get isUsed(): boolean {
		return this.channels.length > 0;
	}

	/** Delivers an event to every webhook that has chosen it. Any trigger and data will do. */
	deliver(trigger: string, data: JsonObject): void {
		for (const channel of this.channels) {
			const { webhook } = channel;
			if (webhook.triggers && !webhook.triggers.includes(trigger)) continue;
			const { appId, region } = this.facts;
			channel.add({ trigger, data, appId, region, webhook: webhook.name ?? 'sandbox' });
		}
	}

	/**
	 * Delivers once more what an entry of `deliveries` tells.
	 *
	 * @throws {RangeError} when there is no such entry, or its webhook is no longer set
	 */
	repeat(id: number): void {
		const delivery = this.deliveries.find((entry) => entry.id === id);
		const channel = this.channels.find(({ webhook }) => webhook.url === delivery?.url);
		if (!delivery || !channel) throw new RangeError(`The delivery ${id} cannot be repeated`);
		channel.add(delivery.body);
	}

	/** Resolves once everything is delivered or given up, retries included. */
	async idle(): Promise<void> {
		while (this.channels.some(({ pending }) => pending > 0)) await wait(2);
	}

	/** Drops what was still to be delivered, and cuts the connections. */
	close(): void {
		this.set([]);
		void this.agent.destroy();
	}

	private lastId = 0;

	private readonly note = (delivery: Omit<Delivery, 'id'>): void => {
		this.deliveries.push({ id: ++this.lastId, ...delivery });
		if (this.deliveries.length > this.logLimit * 1.1) {
			this.deliveries.splice(0, this.deliveries.length - this.logLimit);
		}
	};
}

type Answer = Pick<Delivery, 'status' | 'message'>;

function sentenceIn(text: string): string | undefined {
	try {
		const { message } = JSON.parse(text) as { message?: unknown };
		return typeof message === 'string' ? message : undefined;
	} catch {
		return undefined;
	}
}

/** A delivery that is to be made. */
type Queued = Pick<Delivery, 'body' | 'attempt'>;

/** The deliveries to one webhook: waiting, held to be reversed, queued, under way. */
class Channel {
	/** Deliveries that are neither made nor given up. */
	pending = 0;
	private held: Envelope[] = [];
	private queue: Queued[] = [];
	private underWay = 0;
	private lastHeld = 0;
	private readonly stopping = new AbortController();

	constructor(
		readonly webhook: Webhook,
		private readonly dispatcher: Dispatcher,
		private readonly note: (delivery: Omit<Delivery, 'id'>) => void,
	) {}

	add(body: Envelope): void {
		const { copies = 1 } = this.webhook;
		for (let n = 0; n < copies; n++) {
			this.pending++;
			void this.pass(body);
		}
	}

	stop(): void {
		this.stopping.abort();
		this.pending = 0;
	}

	private async pass(body: Envelope): Promise<void> {
		const { reversed = 1 } = this.webhook;
		this.held.push(body);
		const place = ++this.lastHeld;
		if (this.held.length < reversed) {
			if (!(await this.pause(HOLD_FOR)) || place !== this.lastHeld) return;
		}
		const bodies = this.held.splice(0).reverse();
		this.queue.push(...bodies.map((each) => ({ body: each, attempt: 1 })));
		this.work();
	}

	private work(): void {
		const { parallel = 1, retries } = this.webhook;
		while (this.underWay < parallel && this.queue.length > 0) {
			const [next] = this.queue.splice(0, 1);
			this.underWay++;
			void this.attempt(next).then((isDone) => {
				this.underWay--;
				if (this.stopping.signal.aborted) return;
				if (isDone || !retries || next.attempt > RETRY_AFTER.length) this.pending--;
				else void this.retry(next);
				this.work();
			});
		}
	}

	/** Makes a delivery that failed once more, when it is time and its turn. */
	private async retry({ body, attempt }: Queued): Promise<void> {
		const { timeScale = 1 } = this.webhook;
		if (!(await this.pause(RETRY_AFTER[attempt - 1] / timeScale))) return;
		this.queue.push({ body, attempt: attempt + 1 });
		this.work();
	}

	/** Makes a delivery. @returns whether it was answered with 200 */
	private async attempt({ body, attempt }: Queued): Promise<boolean> {
		const { url, username = '', password = '', timeoutMs = TIMEOUT } = this.webhook;
		const credentials = Buffer.from(`${username}:${password}`).toString('base64');
		const timeout = AbortSignal.timeout(timeoutMs);
		const at = Date.now();
		const began = performance.now();
		let answer: Answer & Pick<Delivery, 'error'> = { status: 0 };
		try {
			const signal = AbortSignal.any([this.stopping.signal, timeout]);
			const authorization = username || password ? { authorization: `Basic ${credentials}` } : {};
			const headers = { 'content-type': 'application/json', ...authorization };
			const { dispatcher } = this;
			const sent = { method: 'POST', headers, signal, dispatcher, body: JSON.stringify(body) };
			const { statusCode, body: received } = await request(url, sent);
			answer = { status: statusCode, message: sentenceIn(await received.text()) };
		} catch (reason) {
			answer.error = timeout.aborted ? `No answer within ${timeoutMs} ms` : String(reason);
		}
		if (this.stopping.signal.aborted) return true;
		const ms = performance.now() - began;
		this.note({ at, url, attempt, ms, body, ...answer });
		return answer.status === 200;
	}

	/** @returns whether the wait was over before the channel was stopped */
	private async pause(ms: number): Promise<boolean> {
		return wait(ms, true, { signal: this.stopping.signal }).catch(() => false);
	}
}
