import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod/v4';
import type { Envelope } from './envelope';
import { basicAuth, LOOPBACK_URL } from './loopback';
import { parseAs, parseJson } from './parse';
import { readSteadyClock } from './traffic';
import type { JsonObject } from './types';

/** A webhook, with options that delay, repeat, or reorder its deliveries. */
const WEBHOOK = z.strictObject({
	url: LOOPBACK_URL,
	/** Value of `webhook` in each delivery. Defaults to `sandbox`. */
	name: z.string().optional(),
	/** Deliveries use Basic authentication if a username or password is set. */
	username: z.string().optional(),
	password: z.string().optional(),
	/** Triggers to deliver. Defaults to all triggers. */
	triggers: z.array(z.string()).optional(),
	/**
	 * True to retry deliveries that don't get a 200, first after 10 seconds and again after 30. Defaults to
	 * false.
	 */
	retries: z.boolean().optional(),
	/** Divisor for the wait before each retry. Defaults to 1. */
	timeScale: z.number().positive().optional(),
	/** Milliseconds to wait for a response. Defaults to 2,000. */
	timeoutMs: z.number().min(1).optional(),
	/** Number of times that each event is delivered. Defaults to 1. */
	copies: z.int().min(1).optional(),
	/** Number of deliveries to collect and send in reverse order. Defaults to 1, which keeps the order. */
	reversed: z.int().min(1).optional(),
	/** Maximum number of deliveries at the same time. Defaults to 1, so that deliveries arrive in order. */
	parallel: z.int().min(1).optional(),
});

export type Webhook = z.infer<typeof WEBHOOK>;

/** One attempt to deliver an event. */
export interface Delivery {
	id: number;
	/** Start time in milliseconds since 1970. */
	at: number;
	url: string;
	/** Number of the attempt, starting at 1. */
	attempt: number;
	/** Response status, or 0 if no response arrived. */
	status: number;
	/** Reason why no response arrived. */
	error?: string;
	/** Value of `message` in the response body. */
	message?: string;
	/** Milliseconds until the response arrived or the attempt failed. */
	ms: number;
	body: Envelope;
}

/** App ID and region sent in every delivery. */
export interface WebhookFacts {
	appId: string;
	region: string;
}

const TIMEOUT = 2000;
/** Milliseconds to wait before each retry, as stated in the contract. */
const RETRY_AFTER = [10_000, 30_000];
/** Maximum milliseconds to wait for more deliveries before an incomplete reversed batch is sent. */
const HOLD_FOR = 500;

/** @throws {TypeError} if the value isn't a list of webhooks with URLs on this machine */
export function parseWebhooks(value: unknown): Webhook[] {
	return parseAs(z.array(WEBHOOK), value, 'Webhooks');
}

/** Delivers events to webhooks and logs each attempt. */
export class Webhooks {
	/** Log of delivery attempts, oldest first. */
	readonly deliveries: Delivery[] = [];
	private channels: Channel[] = [];
	/** Channels to the webhooks of bots, by URL, login and retries. */
	private readonly botChannels = new Map<string, Channel>();
	/** Divisor for the wait before each retry of a message to a bot. */
	relayTimeScale = 1;
	/** Reuses connections and doesn't follow redirects. */
	private readonly agent = new Agent();

	/** @param logLimit maximum number of logged attempts */
	constructor(
		private readonly facts: WebhookFacts,
		private readonly logLimit: number,
	) {}

	get list(): Webhook[] {
		return this.channels.map(({ webhook }) => webhook);
	}

	/**
	 * Replaces the webhooks and drops pending deliveries.
	 *
	 * @throws {TypeError} if a webhook isn't valid
	 */
	set(webhooks: Webhook[]): void {
		const next = parseWebhooks(webhooks);
		this.channels.forEach((channel) => channel.stop());
		this.channels = next.map((webhook) => new Channel(webhook, this.agent, this.note));
	}

	/** Delivers an event to every webhook that accepts its trigger. Any trigger and data are allowed. */
	deliver(trigger: string, data: JsonObject): void {
		for (const channel of this.channels) {
			const { webhook } = channel;
			if (webhook.triggers && !webhook.triggers.includes(trigger)) continue;
			const { appId, region } = this.facts;
			channel.add({ trigger, data, appId, region, webhook: webhook.name ?? 'sandbox' });
		}
	}

	/** Sends a message to a bot's webhook. Logs a failed attempt if the URL isn't on this machine. */
	relay(webhook: Webhook, body: Envelope): void {
		if (!LOOPBACK_URL.safeParse(webhook.url).success) {
			const error = 'The sandbox relays messages only to this machine';
			return this.note({
				at: readSteadyClock(),
				url: webhook.url,
				attempt: 1,
				status: 0,
				ms: 0,
				body,
				error,
			});
		}
		const key = JSON.stringify(webhook);
		const scaled = { ...webhook, timeScale: this.relayTimeScale };
		const channel = this.botChannels.get(key) ?? new Channel(scaled, this.agent, this.note);
		this.botChannels.set(key, channel);
		channel.add(body);
	}

	/** Drops pending messages to bots. */
	stopRelays(): void {
		this.botChannels.forEach((channel) => channel.stop());
		this.botChannels.clear();
	}

	/**
	 * Sends a logged delivery again.
	 *
	 * @throws {RangeError} if no such delivery exists, or its webhook was removed
	 */
	repeat(id: number): void {
		const delivery = this.deliveries.find((entry) => entry.id === id);
		const channel = this.allChannels().findLast(({ webhook }) => webhook.url === delivery?.url);
		if (!delivery || !channel) throw new RangeError(`The delivery ${id} cannot be repeated`);
		channel.add(delivery.body);
	}

	/** Resolves after all deliveries and retries have finished. */
	async idle(): Promise<void> {
		while (this.allChannels().some(({ pending }) => pending > 0)) await wait(2);
	}

	private allChannels(): Channel[] {
		return [...this.channels, ...this.botChannels.values()];
	}

	/** Drops pending deliveries and closes the connections. */
	close(): void {
		this.set([]);
		this.stopRelays();
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

const ANSWER = z.object({ message: z.string().optional() }).catch({});

/** A delivery that is waiting to be sent. */
type Queued = Pick<Delivery, 'body' | 'attempt'>;

/** Sends the deliveries for one webhook, including reversed batches and retries. */
class Channel {
	/** Number of deliveries that have neither succeeded nor permanently failed yet. */
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
		while (this.underWay < parallel) {
			const next = this.queue.shift();
			if (next === undefined) return;
			this.underWay++;
			void this.attempt(next).then((isDone) => {
				this.underWay--;
				if (this.stopping.signal.aborted) return;
				const wait = retries ? RETRY_AFTER[next.attempt - 1] : undefined;
				if (isDone || wait === undefined) this.pending--;
				else void this.retry(next, wait);
				this.work();
			});
		}
	}

	/** @param wait wait before the next attempt, in milliseconds */
	private async retry({ body, attempt }: Queued, wait: number): Promise<void> {
		const { timeScale = 1 } = this.webhook;
		if (!(await this.pause(wait / timeScale))) return;
		this.queue.push({ body, attempt: attempt + 1 });
		this.work();
	}

	/**
	 * Sends a delivery and logs the attempt.
	 *
	 * @returns true if the response status is 200
	 */
	private async attempt({ body, attempt }: Queued): Promise<boolean> {
		const { url, timeoutMs = TIMEOUT } = this.webhook;
		const timeout = AbortSignal.timeout(timeoutMs);
		const at = readSteadyClock();
		let answer: Answer & Pick<Delivery, 'error'> = { status: 0 };
		try {
			const signal = AbortSignal.any([this.stopping.signal, timeout]);
			const headers = { 'content-type': 'Application/json', ...basicAuth(this.webhook) };
			const { dispatcher } = this;
			const sent = { method: 'POST', headers, signal, dispatcher, body: JSON.stringify(body) };
			const { statusCode, body: received } = await request(url, sent);
			answer = {
				status: statusCode,
				message: ANSWER.parse(parseJson(await received.text())).message,
			};
		} catch (reason) {
			answer.error = timeout.aborted ? `No answer within ${timeoutMs} ms` : String(reason);
		}
		if (this.stopping.signal.aborted) return true;
		const ms = readSteadyClock() - at;
		this.note({ at, url, attempt, ms, body, ...answer });
		return answer.status === 200;
	}

	/** @returns false if the channel was stopped during the wait */
	private async pause(ms: number): Promise<boolean> {
		return wait(ms, true, { signal: this.stopping.signal }).catch(() => false);
	}
}
