import { NotFound } from './errors';

/** Group messages that a bot receives. */
export type GroupChatSetting = 'none' | 'mentionedMessages' | 'slashedMessages' | 'allMessages';

/** A user whose messages are relayed to a webhook. */
export interface Bot {
	uid: string;
	webhookURL: string;
	groupChatSetting: GroupChatSetting;
	useBasicAuth: boolean;
	username?: string;
	password?: string;
	enabled: boolean;
	createdAt: number;
	updatedAt?: number;
}

export type NewBot = Pick<Bot, 'uid' | 'webhookURL'> & Partial<Bot>;
export type BotChange = Partial<Omit<Bot, 'uid' | 'createdAt'>>;

/** Stores bots in the order of their creation. */
export class Bots {
	private readonly byUid = new Map<string, Bot>();

	/** @param now the service's clock, in Unix seconds */
	constructor(private readonly now: () => number) {}

	all(): Bot[] {
		return [...this.byUid.values()];
	}

	get(uid: string): Bot | undefined {
		return this.byUid.get(uid);
	}

	/** Adds a bot. Like CometChat, discards the username and password unless `useBasicAuth` is true. */
	create({ username, password, ...fields }: NewBot): Bot {
		const bot: Bot = {
			groupChatSetting: 'none',
			useBasicAuth: false,
			enabled: false,
			...fields,
			...(fields.useBasicAuth ? { username, password } : {}),
			createdAt: this.now(),
		};
		this.byUid.set(bot.uid, bot);
		return bot;
	}

	/**
	 * Changes a bot. Like CometChat, keeps the username and password whatever `useBasicAuth` is.
	 *
	 * @throws {NotFound} if no such bot exists
	 */
	update(uid: string, change: BotChange): Bot {
		const bot = this.byUid.get(uid);
		if (!bot) throw new NotFound(`There is no bot ${uid}`);
		return Object.assign(bot, change, { updatedAt: this.now() });
	}

	/** @returns false if no such bot exists */
	delete(uid: string): boolean {
		return this.byUid.delete(uid);
	}
}
