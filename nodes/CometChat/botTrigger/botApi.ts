import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { readServiceWords } from '../errors/serviceWords';
import type { Explanation } from '../errors/table';
import type { Client } from '../transport/client';
import { getRefusal } from '../transport/failure';
import { asText } from '../helpers/json';
import { entityReader, pageReader, readConfirmation } from '../transport/response';
import type { RestRequest, RestResponse } from '../transport/types';
import type { Login } from './login';
import { createLoginRedactor, isRedactable, removeWords } from './secrets';

/** Bot settings that this node reads and writes. A bot's answer repeats the password, which is a secret. */
export interface Bot {
	webhookURL: string;
	groupChatSetting: string;
	useBasicAuth: boolean;
	username: string;
	password: string;
	enabled: boolean;
}

/** Maximum number of bots in an app. */
const MAX_BOTS = 25;

const FULL = new DescribedError(
	`The app already has ${MAX_BOTS} bots, which is CometChat's maximum`,
	"Delete a bot that is no longer needed, or choose an existing bot and add the option 'Take Over Bot'.",
);

/** Explanations of refusals, keyed by CometChat's error code. */
export const BOT_ERRORS: Readonly<Record<string, Explanation>> = {
	ERR_UID_NOT_FOUND: {
		message: 'No active user has the UID of the bot',
		check: ['botId'],
		advice:
			'First create the user, with the CometChat node (User → Create) or in the CometChat dashboard',
	},
};

const toBot = (sent: IDataObject): Bot => ({
	webhookURL: asText(sent.webhookURL),
	groupChatSetting: asText(sent.groupChatSetting),
	useBasicAuth: sent.useBasicAuth === true,
	username: asText(sent.username),
	password: asText(sent.password),
	enabled: sent.enabled === true,
});

const getCode = (error: unknown): string | undefined => {
	const refusal = getRefusal(error);
	return refusal && (readServiceWords(refusal).code ?? '');
};

/** Login of a user who isn't a bot. */
const NO_LOGIN: Login = { username: '', password: '' };

/**
 * Reads and changes bots. Throws the errors of `Client`. CometChat's words are removed from an error that could
 * repeat a password that `redact` wouldn't find.
 */
export class BotApi {
	/** Logins of the bots that were read, by UID */
	private readonly logins = new Map<string, Login>();

	constructor(private readonly client: Client) {}

	/** Redacts the passwords of all bots that were read. */
	redact<T>(value: T): T {
		return [...this.logins.values()].reduce(
			(redacted, login) => createLoginRedactor(login)(redacted),
			value,
		);
	}

	/** @returns undefined if the user isn't a bot */
	async find(uid: string): Promise<Bot | undefined> {
		const request = { method: 'GET', path: `/bots/${uid}` } as const;
		const bot = await this.send(uid, request, entityReader('bot')).then(toBot, (error: unknown) => {
			if (getCode(error) === 'ERR_BOT_NOT_FOUND') return undefined;
			throw error;
		});
		this.logins.set(uid, bot ?? NO_LOGIN);
		return bot;
	}

	/** @throws DescribedError if the app has no room for another bot */
	async create(uid: string, bot: Bot): Promise<void> {
		const request = { method: 'POST', path: '/bots', body: { uid, ...bot } } as const;
		await this.send(uid, request, readConfirmation).catch(async (error: unknown) => {
			const code = getCode(error);
			if (code === undefined || Object.hasOwn(BOT_ERRORS, code)) throw error;
			// Open question 32: CometChat's documentation doesn't name the error code of the 26th bot
			const isFull = await this.count().then(
				(count) => count >= MAX_BOTS,
				() => false,
			);
			throw isFull ? FULL : error;
		});
	}

	async update(uid: string, change: Partial<Bot>): Promise<void> {
		const request = { method: 'PUT', path: `/bots/${uid}`, body: { ...change } } as const;
		await this.send(uid, request, readConfirmation);
	}

	/** Deletes a bot. The user stays. A bot that is already gone is no error. */
	async delete(uid: string): Promise<void> {
		const request = { method: 'DELETE', path: `/bots/${uid}` } as const;
		await this.send(uid, request, readConfirmation).catch((error: unknown) => {
			if (getCode(error) !== 'ERR_BOT_NOT_FOUND') throw error;
		});
	}

	private async send<T>(
		uid: string,
		request: RestRequest,
		read: (response: RestResponse) => T,
	): Promise<T> {
		return await this.client.send(request, read).catch((error: unknown) => {
			throw isRedactable(this.logins.get(uid)) ? error : removeWords(error);
		});
	}

	private async count(): Promise<number> {
		const request = { method: 'GET', path: '/bots' } as const;
		return (await this.client.send(request, pageReader('bots'))).data.length;
	}
}
