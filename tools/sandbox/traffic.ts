import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface LogEntry {
	id: number;
	/** Arrival time in milliseconds since 1970, with a fraction. */
	at: number;
	method: string;
	/** Path and query, exactly as received. */
	url: string;
	/** Percent-encoded path. */
	path: string;
	/** Decoded query parameters. A repeated parameter has an array of values. */
	query: Record<string, string | string[]>;
	/** Request headers with lowercase names. The value of `apikey` is masked. */
	headers: Record<string, string | string[] | undefined>;
	/** True if the request's API key has the fullAccess scope. */
	keyOk: boolean;
	/** Response status, or 0 if no response was sent yet or the connection was closed without a response. */
	status: number;
	/** Names of parts that the sandbox accepted, but the node would send differently or not at all. */
	notes?: string[];
	/** Names of the faults applied to the request, joined by `+`. */
	fault?: string;
	/** Number of open requests when this request arrived, including this request. */
	inFlight: number;
	/**
	 * Milliseconds from the request's arrival to the end of the response, or 0 if the response hasn't ended.
	 */
	ms: number;
}

export interface Stats {
	requests: number;
	/** Number of connections that carried at least one request. */
	connections: number;
	peakConnections: number;
	inFlight: number;
	peakInFlight: number;
	/** Number of responses by status. Status 0 counts connections closed without a response. */
	byStatus: Record<number, number>;
}

const KEY_MASK = '***';

/** Returns the time in milliseconds since 1970. Unlike `Date.now()`, doesn't jump if the machine's clock is set. */
export const readSteadyClock = (): number => performance.timeOrigin + performance.now();

/** Logs requests and contract violations, and counts requests and connections. */
export class Traffic {
	readonly log: LogEntry[] = [];
	readonly violations: string[] = [];
	private readonly open = new Set<Socket>();
	private readonly counted = new Set<Socket>();
	private lastRequest = 0;
	private requests = 0;
	private inFlight = 0;
	private peakInFlight = 0;
	private peakConnections = 0;
	private byStatus: Record<number, number> = {};

	/**
	 * @param logLimit maximum number of log entries
	 * @param onDone called with a request's log entry after the response ends
	 */
	constructor(
		private readonly logLimit: number,
		private readonly onDone: (entry: LogEntry) => void = () => {},
	) {}

	/** Current request and connection counts. */
	get stats(): Stats {
		return {
			requests: this.requests,
			connections: this.counted.size,
			peakConnections: this.peakConnections,
			inFlight: this.inFlight,
			peakInFlight: this.peakInFlight,
			byStatus: { ...this.byStatus },
		};
	}

	/** Logs a request, and completes the log entry when the response is sent or the connection is closed. */
	begin(
		request: IncomingMessage,
		response: ServerResponse,
		facts: Pick<LogEntry, 'url' | 'path' | 'query' | 'keyOk'>,
	): LogEntry {
		this.requests++;
		this.peakInFlight = Math.max(this.peakInFlight, ++this.inFlight);
		this.count(request.socket);
		const { headers } = request;
		const entry: LogEntry = {
			id: ++this.lastRequest,
			at: readSteadyClock(),
			method: request.method ?? '',
			...facts,
			headers: 'apikey' in headers ? { ...headers, apikey: KEY_MASK } : headers,
			status: 0,
			inFlight: this.inFlight,
			ms: 0,
		};
		this.log.push(entry);
		// Remove entries in batches, because each removal shifts all remaining entries
		if (this.log.length > this.logLimit * 1.1) {
			this.log.splice(0, this.log.length - this.logLimit);
		}
		let done = false;
		const finish = () => {
			if (done) return;
			done = true;
			this.inFlight--;
			entry.ms = readSteadyClock() - entry.at;
			this.byStatus[entry.status] = (this.byStatus[entry.status] ?? 0) + 1;
			this.onDone(entry);
		};
		response.once('finish', finish);
		response.once('close', finish);
		// A form is logged after it has arrived, or when the connection has closed before its end
		if (request.socket.destroyed) finish();
		return entry;
	}

	/** Records a contract violation. */
	violation({ method, url }: LogEntry, what: string): void {
		this.violations.push(`${method} ${url} ${what}`);
	}

	/** Clears the log and all counts, except the counts of open connections and requests. */
	reset(): void {
		this.log.length = 0;
		this.violations.length = 0;
		this.counted.clear();
		this.requests = 0;
		this.peakInFlight = this.inFlight;
		this.peakConnections = this.open.size;
		this.byStatus = {};
	}

	private count(socket: Socket): void {
		this.counted.add(socket);
		if (this.open.has(socket)) return;
		this.open.add(socket);
		this.peakConnections = Math.max(this.peakConnections, this.open.size);
		socket.once('close', () => this.open.delete(socket));
	}
}
