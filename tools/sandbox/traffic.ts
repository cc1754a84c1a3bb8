import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface LogEntry {
	id: number;
	/** When it came, in milliseconds since 1970. */
	at: number;
	method: string;
	/** The request target exactly as received. */
	url: string;
	/** Its path, still percent-encoded. */
	path: string;
	/** Its query, decoded; a repeated key has several values. */
	query: Record<string, string | string[]>;
	/** Names in lower case; the value of `apikey` is masked. */
	headers: Record<string, string | string[] | undefined>;
	/** Whether the API key was the right one. */
	keyOk: boolean;
	/** 0 while there is no answer, and when the connection was cut instead. */
	status: number;
	/** The effects that the request met, joined by `+`. */
	fault?: string;
	/** Number of the TCP connection, from 1. */
	connection: number;
	/** Requests under way when it came, itself included. */
	inFlight: number;
	/** From its arrival to the end of the answer, in milliseconds; 0 while under way. */
	ms: number;
}

export interface Stats {
	requests: number;
	/** Connections that carried a request. */
	connections: number;
	openConnections: number;
	peakConnections: number;
	inFlight: number;
	peakInFlight: number;
	/** Status → answers; 0 stands for connections that were cut. */
	byStatus: Record<number, number>;
}

const KEY_MASK = '***';

/** Notes what comes in: the log, the violations of the contract, and counts. */
export class Traffic {
	readonly log: LogEntry[] = [];
	readonly violations: string[] = [];
	private readonly connectionIds = new WeakMap<Socket, number>();
	private readonly open = new Set<Socket>();
	private readonly counted = new Set<Socket>();
	private lastConnection = 0;
	private lastRequest = 0;
	private requests = 0;
	private inFlight = 0;
	private peakInFlight = 0;
	private peakConnections = 0;
	private byStatus: Record<number, number> = {};

	/**
	 * @param logLimit entries to keep at most
	 * @param onDone called with each entry once its answer is out
	 */
	constructor(
		private readonly logLimit: number,
		private readonly onDone: (entry: LogEntry) => void = () => {},
	) {}

	/** The counts as they are now. */
	get stats(): Stats {
		return {
			requests: this.requests,
			connections: this.counted.size,
			openConnections: this.open.size,
			peakConnections: this.peakConnections,
			inFlight: this.inFlight,
			peakInFlight: this.peakInFlight,
			byStatus: { ...this.byStatus },
		};
	}

	/** Notes a request, and follows it until its answer is out or its connection gone. */
	begin(
		request: IncomingMessage,
		response: ServerResponse,
		facts: Pick<LogEntry, 'url' | 'path' | 'query' | 'keyOk'>,
	): LogEntry {
		this.requests++;
		this.peakInFlight = Math.max(this.peakInFlight, ++this.inFlight);
		const { headers } = request;
		const entry: LogEntry = {
			id: ++this.lastRequest,
			at: Date.now(),
			method: request.method ?? '',
			...facts,
			headers: 'apikey' in headers ? { ...headers, apikey: KEY_MASK } : headers,
			status: 0,
			connection: this.connection(request.socket),
			inFlight: this.inFlight,
			ms: 0,
		};
		this.log.push(entry);
		// Dropped in blocks: dropping one from the front at each request would move the whole log.
		if (this.log.length > this.logLimit * 1.1) {
			this.log.splice(0, this.log.length - this.logLimit);
		}
		const began = performance.now();
		let done = false;
		const finish = () => {
			if (done) return;
			done = true;
			this.inFlight--;
			entry.ms = performance.now() - began;
			this.byStatus[entry.status] = (this.byStatus[entry.status] ?? 0) + 1;
			this.onDone(entry);
		};
		response.once('finish', finish);
		response.once('close', finish);
		return entry;
	}

	/** Notes in what a request or an answer left the contract. */
	violation({ method, url }: LogEntry, what: string): void {
		this.violations.push(`${method} ${url} ${what}`);
	}

	/** Forgets everything, save connections and requests that are still there. */
	reset(): void {
		this.log.length = 0;
		this.violations.length = 0;
		this.counted.clear();
		this.requests = 0;
		this.peakInFlight = this.inFlight;
		this.peakConnections = this.open.size;
		this.byStatus = {};
	}

	private connection(socket: Socket): number {
		this.counted.add(socket);
		const known = this.connectionIds.get(socket);
		if (known !== undefined) return known;
		this.connectionIds.set(socket, ++this.lastConnection);
		this.open.add(socket);
		this.peakConnections = Math.max(this.peakConnections, this.open.size);
		socket.once('close', () => this.open.delete(socket));
		return this.lastConnection;
	}
}
