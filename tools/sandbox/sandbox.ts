import type { Certificate } from './certificate';
import type { FaultPlan } from './faults';
import type { ModerationEngine } from './moderationEngine';
import type { Settings } from './settings';
import type { Store } from './store/store';
import type { LogEntry, Stats } from './traffic';
import type { Webhook, Webhooks } from './webhooks';

export interface SandboxOptions extends Partial<Settings> {
	/** Port to listen on. Defaults to 0, which selects any free port. */
	port?: number;
	/** Private key and certificate in PEM format, for HTTPS. Defaults to plain HTTP. */
	tls?: Certificate;
	/** The service's clock in Unix seconds, before adding `clockSkew`. Defaults to this machine's clock. */
	now?: () => number;
	/** True to give the sample messages recent send times instead of times in August 2025. */
	recent?: boolean;
	/** Number of generated groups in addition to the sample data. Defaults to 0. */
	groups?: number;
	/** True to validate responses against the contract. Defaults to true. Requests are always validated. */
	validate?: boolean;
	faults?: FaultPlan;
	/** Webhooks that receive events. Defaults to none. */
	webhooks?: Webhook[];
	/** Maximum number of log entries. Defaults to 10,000. */
	logLimit?: number;
	/** Called with a request's log entry after the response ends. */
	onRequest?: (entry: LogEntry) => void;
}

export interface Sandbox {
	/** `http://127.0.0.1:<port>`, or `https://127.0.0.1:<port>` with `tls`. Has no trailing slash. */
	readonly url: string;
	/** `url` plus the version segment, for the base URL in the credential. */
	readonly baseUrl: string;
	readonly port: number;
	readonly apiKey: string;
	/** A second API key with the fullAccess scope, because an app can have several. */
	readonly secondKey: string;
	/** An API key without the fullAccess scope, which the service refuses with 403. */
	readonly authOnlyKey: string;
	readonly appId: string;
	/** Log of received requests, oldest first. */
	readonly log: LogEntry[];
	/** Contract violations in requests and responses. */
	readonly violations: string[];
	/** Current request and connection counts. */
	readonly stats: Stats;
	readonly store: Store;
	/** Webhooks and their deliveries. */
	readonly webhooks: Webhooks;
	readonly settings: Readonly<Settings>;
	/** The current fault plan. */
	readonly faults: FaultPlan;
	readonly moderationEngine: ModerationEngine | undefined;
	/** @throws {TypeError} if a setting is unknown or has an invalid value */
	setSettings: (change: Partial<Settings>) => void;
	/** Replaces the fault plan. Pass undefined to remove all faults. */
	setFaults: (plan: FaultPlan | undefined) => void;
	/**
	 * Sets the moderation engine, which judges each message before anyone sees it. `reset` removes the engine.
	 */
	setModerationEngine: (engine: ModerationEngine | undefined) => void;
	/** Restores the initial data, settings, and webhooks. Clears logs, counts, and faults. */
	reset: () => void;
	/** Stops listening and closes open connections. */
	close: () => Promise<void>;
}
