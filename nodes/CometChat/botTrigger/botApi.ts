import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/describedErrors';
import { isRefusedWith } from '../errors/refusalCodes';
import type { Explanation } from '../errors/table';
import type { Client } from '../transport/client';
import { getErrorResponseOfFailedAttempts } from '../transport/failure';
import { valueToText } from '../helpers/json';
import {
	createEntityReader,
	createPageBodyReader,
	readBodyMergedWithData,
} from '../transport/response';
import type { Login } from '../sharedByTriggers/basicAuth';
import { keepOnlyErrorCode } from './secrets';

/** Bot settings that the node reads and writes. CometChat's responses contain the password, which is a secret. */
export interface BotWebhookSettings {
	webhookURL: string;
	groupChatSetting: string;
	useBasicAuth: boolean;
	username: string;
	password: string;
	enabled: boolean;
}

/** CometChat's maximum number of bots in an app. */
const MAX_BOTS = 25;

const BOT_LIMIT_ERROR = new DescribedError(
	`The app already has ${MAX_BOTS} bots, which is CometChat's maximum`,
	"Delete a bot that is no longer needed, or choose an existing bot and add the option 'Take Over Bot'.",
);

/** Explanations of CometChat's errors about bots, keyed by error code. */
export const BOT_ERROR_EXPLANATIONS: Readonly<Record<string, Explanation>> = {
	ERR_UID_NOT_FOUND: {
		message: 'No active user has the UID of the bot',
		fieldsToCheck: ['botId'],
		advice:
			'First create the user, with the CometChat node (User → Create) or in the CometChat dashboard',
	},
};

const toBot = (received: IDataObject): BotWebhookSettings => ({
	webhookURL: valueToText(received.webhookURL),
	groupChatSetting: valueToText(received.groupChatSetting),
	useBasicAuth: received.useBasicAuth === true,
	username: valueToText(received.username),
	password: valueToText(received.password),
	enabled: received.enabled === true,
});

/**
 * Reads, creates and changes bots. Throws the errors of `Client`. Removes CometChat's message from an error if the
 * message could contain another owner's password.
 */
export class BotApi {
	/** True after sending a create or update request, even if the request failed */
	mayHaveChanged = false;

	/**
	 * @param login login that the node derives. The session redacts this login's password, so errors that can't
	 * contain any other password keep CometChat's message.
	 */
	constructor(
		private readonly client: Client,
		private readonly login: Login,
	) {}

	/** @returns undefined if the user isn't a bot */
	async findBot(uid: string): Promise<BotWebhookSettings | undefined> {
		const request = { method: 'GET', path: `/bots/${uid}` } as const;
		return await this.client
			.sendAndRead(request, createEntityReader('bot'))
			.then(toBot, (error: unknown) => {
				if (isRefusedWith(error, ['ERR_BOT_NOT_FOUND'])) return undefined;
				throw keepOnlyErrorCode(error);
			});
	}

	/** @throws DescribedError if CometChat refuses the bot and the app already has the maximum number of bots */
	async turnUserIntoBot(uid: string, bot: BotWebhookSettings): Promise<void> {
		const request = { method: 'POST', path: '/bots', body: { uid, ...bot } } as const;
		this.mayHaveChanged = true;
		await this.client.sendAndRead(request, readBodyMergedWithData).catch(async (error: unknown) => {
			const isKnown = isRefusedWith(error, Object.keys(BOT_ERROR_EXPLANATIONS));
			if (getErrorResponseOfFailedAttempts(error) === undefined || isKnown) throw error;
			// Open question 32: CometChat's documentation doesn't name the error code for an app's 26th bot
			const isFull = await this.countBots().then(
				(count) => count >= MAX_BOTS,
				() => false,
			);
			throw isFull ? BOT_LIMIT_ERROR : error;
		});
	}

	/** @param bot the bot before the change */
	async updateBot(
		uid: string,
		bot: BotWebhookSettings,
		change: Partial<BotWebhookSettings>,
	): Promise<void> {
		const request = { method: 'PUT', path: `/bots/${uid}`, body: { ...change } } as const;
		this.mayHaveChanged = true;
		await this.client.sendAndRead(request, readBodyMergedWithData).catch((error: unknown) => {
			throw ['', this.login.password].includes(bot.password) ? error : keepOnlyErrorCode(error);
		});
	}

	private async countBots(): Promise<number> {
		const request = { method: 'GET', path: '/bots' } as const;
		return (await this.client.sendAndRead(request, createPageBodyReader('bots'))).data.length;
	}
}
