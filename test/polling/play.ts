import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { ActiveTrigger } from '../../engine/poll';
import type { ClockedSandbox } from './harness';
import { START, activate, errorOfPoll } from './harness';
import type { Action, History } from './history';
import type { Ledger, ModelGroup } from './model';
import { isDue, occurrenceIn, occurrenceOf } from './model';

const USER = 'leo';
const TAG = 'wanted';

/** More polls than any backlog of a history needs. */
const MOST_POLLS = 900;

function parametersOf({ event, isFiltered, maxGroups }: History): INodeParameters {
	return {
		event,
		onBehalfOf: event === 'groupJoined' ? USER : '',
		filters: isFiltered ? { tags: [TAG] } : {},
		options: { maxGroups, maxTries: 1 },
	};
}

/** Plays one history against the trigger and the sandbox, and checks every poll against the model. */
export class Play {
	private readonly groups: ModelGroup[] = [];

	private readonly everMade = new Map<string, ModelGroup>();

	private numbers = 0;

	private trigger: ActiveTrigger;

	/** What counts as given: at the activation, all that was there */
	private given: Ledger = new Map();

	private atActivation: Ledger = new Map();

	/** What n8n has in its database, and what had been handed over then */
	private saved = { staticData: '{}', given: this.given };

	constructor(
		private readonly sandbox: ClockedSandbox,
		private readonly history: History,
	) {
		const { boundary, totalPages, hideUpdatedAt, clockSkew, maxPerPage, totalShown } = history;
		sandbox.reset();
		sandbox.clear();
		sandbox.clock.now = START;
		sandbox.setSettings({
			...{ boundary, totalPages, hideUpdatedAt, clockSkew },
			...{ maxPerPage, totalShown },
		});
		this.trigger = this.activated();
	}

	/** @throws Error that says what was wrong, when something was */
	async run(): Promise<void> {
		const { before, actions, event } = this.history;
		for (const { fits, isJoined, seconds } of before) {
			this.create(fits);
			if (isJoined) this.join(this.pick(0));
			this.sandbox.clock.now += seconds;
		}
		const first = await this.trigger.poll();
		if (first !== null) throw new Error('The first poll gave something');
		for (const group of this.groups) {
			const occurrence = occurrenceOf(event, group);
			if (occurrence !== undefined) this.given.set(group.guid, occurrence);
		}
		this.atActivation = new Map(this.given);
		this.save();
		for (const action of actions) await this.act(action);
		await this.drain();
		this.checkNothingIsMissing();
	}

	private activated(): ActiveTrigger {
		return activate(this.sandbox, parametersOf(this.history), {
			staticData: this.saved.staticData,
			activation: this.saved.staticData === '{}' ? 'activate' : 'init',
		});
	}

	private save(): void {
		this.saved = { staticData: this.trigger.staticData(), given: new Map(this.given) };
	}

	/** n8n starts from what it had saved. */
	private startAgain(): void {
		this.given = new Map(this.saved.given);
		this.trigger = this.activated();
	}

	private async act(action: Action): Promise<void> {
		const { clock, setFaults } = this.sandbox;
		switch (action.do) {
			case 'create':
				return this.create(action.fits);
			case 'change':
				return this.change(this.pick(action.group), action.fits);
			case 'join':
				return this.join(this.pick(action.group));
			case 'leave':
				return this.leave(this.pick(action.group));
			case 'delete':
				return this.delete(this.pick(action.group));
			case 'burst':
				for (let index = 0; index < action.count; index++) {
					this.create(index % 3 > 0);
					if (index % 2 === 0) this.join(this.pick(0));
				}
				return;
			case 'wait':
				clock.now += action.seconds;
				return;
			case 'poll':
				await this.poll();
				return;
			case 'manual':
				return await this.unmoved(async () => {
					await this.trigger.poll('manual').catch(() => null);
				});
			case 'failingPoll':
				setFaults([{ effect: action.effect }]);
				await this.unmoved(async () => this.checkError(await errorOfPoll(this.trigger)));
				return setFaults(undefined);
			case 'interruptedPoll':
				setFaults([
					{ match: { nth: [action.request] }, effect: { tooManyRequests: { seconds: 600 } } },
				]);
				await this.interruptedPoll();
				return setFaults(undefined);
			case 'restart':
				this.save();
				return this.startAgain();
			case 'crash':
				return this.startAgain();
			case 'crashInPoll':
				await this.trigger.poll();
				return this.startAgain();
		}
	}

	private pick(index: number): ModelGroup | undefined {
		return this.groups.at(-1 - (index % Math.max(1, this.groups.length)));
	}

	private create(fits: boolean): void {
		const number = ++this.numbers;
		const guid = number === 1 ? '__proto__' : `g${number}`;
		this.sandbox.store.createGroup({ guid, name: String(number), tags: fits ? [TAG] : [] });
		const group: ModelGroup = {
			guid,
			fits,
			change: number,
			creation: number,
			fitsSinceCreation: fits,
			fitsSinceJoin: fits,
		};
		this.groups.push(group);
		this.everMade.set(guid, group);
	}

	private change(group: ModelGroup | undefined, fits: boolean): void {
		if (!group) return;
		group.change = ++this.numbers;
		group.fits = fits;
		group.fitsSinceCreation &&= fits;
		group.fitsSinceJoin &&= fits;
		this.sandbox.store.updateGroup(group.guid, {
			name: String(group.change),
			tags: fits ? [TAG] : [],
		});
	}

	private join(group: ModelGroup | undefined): void {
		if (!group || group.joinedAt !== undefined) return;
		const { members } = this.sandbox.store.joinGroup(group.guid, USER);
		group.joinedAt = members.find(({ uid }) => uid === USER)?.joinedAt;
		group.fitsSinceJoin = group.fits;
	}

	private leave(group: ModelGroup | undefined): void {
		if (!group) return;
		this.sandbox.store.leaveGroup(group.guid, USER);
		group.joinedAt = undefined;
	}

	private delete(group: ModelGroup | undefined): void {
		if (!group) return;
		this.sandbox.store.deleteGroup(group.guid);
		this.groups.splice(this.groups.indexOf(group), 1);
	}

	/** @returns whether something came */
	private async poll(): Promise<boolean> {
		const items = await this.trigger.poll();
		if (items === null) return false;
		if (items.length === 0) throw new Error('A poll started a workflow with nothing');
		if (items.length > this.history.maxGroups) throw new Error('A poll gave too many groups');
		for (const item of items) this.take(item);
		// n8n saves when it hands over
		this.save();
		return true;
	}

	/** A poll that returns what it had until then, or moves nothing. */
	private async interruptedPoll(): Promise<void> {
		const before = this.trigger.staticData();
		try {
			await this.poll();
		} catch (error) {
			if (!(error instanceof Error) || error.name !== 'NodeApiError') throw error;
			this.checkError(error);
			if (this.trigger.staticData() !== before) throw new Error('The cursor has moved');
		}
	}

	private take({ json }: INodeExecutionData): void {
		const { event } = this.history;
		const guid = String(json.guid);
		const group = this.everMade.get(guid);
		if (!group) throw new Error(`"${guid}" is no group of this history`);
		if (this.history.isFiltered && !JSON.stringify(json.tags ?? []).includes(TAG)) {
			throw new Error(`"${guid}" does not fit the filter`);
		}
		const occurrence = occurrenceIn(event, json, group);
		if (occurrence === undefined || this.given.get(guid) === occurrence) {
			throw new Error(`"${guid}" came again, though nothing had happened to it`);
		}
		this.given.set(guid, occurrence);
	}

	/** Something after which the static data has to be as before. */
	private async unmoved(act: () => Promise<void>): Promise<void> {
		const before = this.trigger.staticData();
		await act();
		if (this.trigger.staticData() !== before) throw new Error('The cursor has moved');
	}

	private checkError(error: Error): void {
		const shown = JSON.stringify({ ...error, message: error.message, stack: error.stack });
		if (shown.includes(this.sandbox.apiKey)) throw new Error('The error holds the API key');
	}

	private async drain(): Promise<void> {
		for (let polls = 0; await this.poll(); polls++) {
			if (polls > MOST_POLLS) throw new Error('The backlog does not end');
		}
	}

	private checkNothingIsMissing(): void {
		const { event } = this.history;
		const missing = this.groups.filter(
			(group) =>
				isDue(this.history, group, this.atActivation) &&
				this.given.get(group.guid) !== occurrenceOf(event, group),
		);
		if (missing.length > 0) {
			throw new Error(`Never given: ${missing.map(({ guid }) => `"${guid}"`).join(', ')}`);
		}
	}
}
