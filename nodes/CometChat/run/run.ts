import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { RequestWithValues } from '../types';
import type { ChangeOutcomesOfRun } from '../calls/outcomes';
import type { FoundFlagsByField } from '../output/shape';
import { formatNumber } from '../helpers/formatText';
import { RequestLimiter } from '../transport/limiter';
import { createSecretRedactor } from '../helpers/redact';
import type { RestRequest } from '../transport/restTypes';
import type { ParameterReader } from '../request/parameterReader';
import { IdenticalRequestHint } from './repetitions';
import { ChangeQueues } from './turns';

/** An input item to execute an operation for. */
export interface ItemAccess {
	/** Index of the item, counted from 0 */
	index: number;
	context: IExecuteFunctions | IExecutePaginationFunctions;
	reader: ParameterReader;
	/** Returns the request, completed with content that doesn't come from fields, e.g. links that n8n signs */
	completeRequest?: (read: RequestWithValues) => RestRequest;
}

/** Maximum number of IDs to list in the hint about items with the same ID. */
const MAX_LISTED_IDS = 10;

/**
 * Maximum number of messages with files that a run sends at a time. Each message holds at most one file in memory,
 * and only if n8n keeps binary data in memory.
 */
const MAX_PARALLEL_UPLOADS = 2;

/**
 * State shared by all items in a run. With 'Retry On Fail', each attempt has its own state, and shares only `outcomes`
 * with the earlier attempts.
 */
export class SharedRunState {
	readonly limiter: RequestLimiter;

	readonly turns = new ChangeQueues();

	readonly repetitions = new IdenticalRequestHint();

	/** API keys to redact in hints */
	readonly secrets = new Set<unknown>();

	/** Hints about the run's results, e.g. about an incomplete list */
	readonly hints = new Set<string>();

	/**
	 * Names of the fields that items select in 'Fields'. The value is true if the entity declares the field or any
	 * result has the field.
	 */
	readonly foundFields: FoundFlagsByField = new Map();

	/** Index of the item that created an entity, keyed by the entity's lowercased ID */
	private readonly creators = new Map<string, number>();

	private uploads = 0;

	/** Number of items with the same ID, keyed by the ID. The first of these items created the entity. */
	private readonly sharedIds = new Map<string, number>();

	/** @param outcomes outcomes of changes, including changes in earlier attempts of the run */
	constructor(
		readonly outcomes: ChangeOutcomesOfRun,
		private readonly cancelSignal: AbortSignal | undefined,
	) {
		this.limiter = new RequestLimiter(cancelSignal);
	}

	/** True if n8n canceled the execution, because the user did or because the execution's time limit ended. */
	get isCanceled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	/**
	 * Returns the key of an upload queue, in rotation. A run has `MAX_PARALLEL_UPLOADS` upload queues, and messages in
	 * the same queue are sent one after another.
	 */
	takeNextUploadQueueKey(): string {
		return `upload ${this.uploads++ % MAX_PARALLEL_UPLOADS}`;
	}

	/** Returns the index of the item that created the entity with this ID in this run, if any. */
	getCreatorIndex(id: string): number | undefined {
		return this.creators.get(id);
	}

	/** Records that an item created the entity with this ID, or found that the entity existed. */
	recordIdToExplainSharedIds(id: string, index: number, existed: boolean): void {
		if (!existed) this.creators.set(id, index);
		else if (this.creators.has(id)) this.sharedIds.set(id, (this.sharedIds.get(id) ?? 1) + 1);
	}

	/** Hint about IDs that several items share, which can mean that the expression for the ID is wrong. */
	private get sharedIdHints(): string[] {
		const ids = [...this.sharedIds].map(([id, count]) => `${id} (${formatNumber(count)} items)`);
		if (ids.length === 0) return [];
		const more = ids.splice(MAX_LISTED_IDS).length > 0 ? ', and others' : '';
		return [
			`Items with the same ID share what the first of them created: ${ids.join(', ')}${more}. If they are different, give each item its own ID.`,
		];
	}

	/** All hints, including a hint about selected fields that no item has. API keys are redacted. */
	get allHints(): string[] {
		const redactors = [...this.secrets].map(createSecretRedactor);
		return redactors.reduce((hints, redact) => redact(hints), this.unredactedHints);
	}

	private get unredactedHints(): string[] {
		const missing = [...this.foundFields].flatMap(([name, isFound]) =>
			isFound ? [] : `'${name}'`,
		);
		const hints = [...this.hints, ...this.sharedIdHints];
		if (missing.length === 0) return hints;
		const fields = missing.length > 1 ? 'fields' : 'field';
		return [...hints, `No item has the ${fields} ${missing.join(', ')}`];
	}

	/** Hints as output items, because an AI model sees only items. */
	get hintItems(): INodeExecutionData[] {
		return this.allHints.map((hint) => ({ json: { hint }, pairedItem: { item: 0 } }));
	}
}
