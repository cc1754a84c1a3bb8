import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface LogEntry {
	id: number;
	/** Arrival in milliseconds since 1970. */
	at: number;
	method: string;
	/** Request target exactly as received. */
	url: string;
	/** Path, percent-encoded. */
	path: string;
	/** Decoded query. A repeated key has several values. */
	query: Record<string, string | string[]>;
	/** Headers with lowercase names. The value of `apikey` is masked. */
	headers: Record<string, string | string[] | undefined>;
	/** True if the API key has the fullAccess scope. */
	keyOk: boolean;
	/** Status of the response. 0 before the response, or if the connection was closed instead. */
	status: number;
	/** Effects on the request, joined by `+`. */
	fault?: string;
	/** Number of the TCP connection, from 1. */
	connection: number;
	/** Open requests at the arrival, including this request. */
	inFlight: number;
	/** Milliseconds from the arrival to the end of the response, or 0 before. */
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
	/** Number of responses by status. 0 stands for closed connections. */
	byStatus: Record<number, number>;
}

const KEY_MASK = '***';

/** Records requests, contract violations and counts. */
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
	 * @param logLimit maximum log entries
	 * @param onDone called with each entry after its response
	 */
	constructor(
		private readonly logLimit: number,
		private readonly onDone: (entry: LogEntry) => void = () => {},
	) {}

	/** Current counts. */
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

	/** Records a request until its response is sent or its connection is closed. */
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
		// Removing one entry at a time would move the whole log each time
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

	/** Records a contract violation. */
	violation({ method, url }: LogEntry, what: string): void {
		this.violations.push(`${method} ${url} ${what}`);
	}

	/** Forgets everything except open connections and requests. */
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
