import type { IHookFunctions } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { checkAddress } from './address';
import type { Bot } from './botApi';
import {
	deactivateHold,
	findActiveHold,
	findRecentHold,
	readHold,
	removeHold,
	saveHold,
	type Before,
	type Hold,
} from './hold';
import { computeFingerprint, isDerivedUsername, type Login } from './login';
import { readParameters, type BotParameters } from './parameters';
import { withSession, type Session } from './session';

/** Returns the end of the node's webhook URLs, which the Test URL and the Production URL have in common. */
function getUrlEnd({ context, url }: Session): string {
	const id = context.getNode().webhookId ?? context.getWorkflow().id ?? '';
	return url.slice(Math.max(url.lastIndexOf(`/${id}/`), 0));
}

const getOrigin = (url: string): string | undefined =>
	URL.canParse(url) ? new URL(url).origin : undefined;

/**
 * True if a bot already sends its messages to this node. Usually the URL shows it, but a copy of the workflow can
 * have the same URL, or the same end of the URL in another n8n. Only the login then tells them apart.
 */
async function isOwn(session: Session, bot: Bot, hold: Hold | undefined): Promise<boolean> {
	const { url, logins, apiKey } = session;
	if (!bot.webhookURL.endsWith(getUrlEnd(session))) return false;
	if (Object.values(logins).some(({ username }) => username === bot.username)) return true;
	if (hold?.fingerprint === (await computeFingerprint(bot, 'foreign', apiKey))) return true;
	if (isDerivedUsername(bot.username)) return false;
	// After n8n has moved, only the record has the earlier address
	return bot.webhookURL === hold?.url || getOrigin(bot.webhookURL) === getOrigin(url);
}

/** Describes the place to which a bot of somebody else sends its messages. */
function describePlace({ url }: Session, { webhookURL }: Bot): string {
	const origin = getOrigin(webhookURL);
	const host = origin === undefined ? 'another address' : new URL(webhookURL).host;
	return origin === getOrigin(url) ? `another workflow of this n8n (${host})` : host;
}

/**
 * Checks that the node may redirect a bot that doesn't send its messages to this node. Two published nodes of a
 * workflow never share a bot, because unpublishing the workflow would leave the bot behind.
 *
 * @throws DescribedError with advice
 */
function checkTakeOver(session: Session, bot: Bot, { botId, takeOver }: BotParameters): void {
	const { context } = session;
	const other = findActiveHold(context, bot.webhookURL);
	const arePublished = other?.isTest === false && context.getMode() !== 'manual';
	if (takeOver && !arePublished) return;
	const place = other ? 'another node of this workflow' : describePlace(session, bot);
	throw new DescribedError(
		`The bot "${botId}" already sends its messages to ${place}`,
		arePublished
			? "Choose another user in 'Bot', or delete one of the two nodes."
			: "Choose another user in 'Bot', or add the option 'Take Over Bot'. Unpublishing this workflow then gives the bot back.",
	);
}

/** Returns the settings that differ from the bot's current settings. */
function findChanges(bot: Bot, wanted: Partial<Bot>): Partial<Bot> {
	const current = new Map<string, unknown>(Object.entries(bot));
	return Object.fromEntries(
		Object.entries(wanted).filter(([name, value]) => current.get(name) !== value),
	);
}

/** The login that a bot sends to this node. */
interface ChosenLogin {
	login: Login;
	kind: 'derived' | 'foreign';
}

/** Chooses a bot's login. A bot that this node takes over keeps the login of its owner, if there is one. */
function chooseLogin({ logins }: Session, bot: Bot | undefined, isMade: boolean): ChosenLogin {
	if (!bot || isMade) return { login: logins.made, kind: 'derived' };
	const { username, password } = bot;
	const hasLogin = username !== '' && password !== '' && username !== logins.taken.username;
	return hasLogin
		? { login: { username, password }, kind: 'foreign' }
		: { login: logins.taken, kind: 'derived' };
}

/**
 * Returns the settings to give back later: in a test those of the published workflow, and otherwise those of
 * the bot's owner.
 */
function findBefore(
	{ context, url }: Session,
	bot: Bot,
	{ isKnown, isTest, hold }: { isKnown: boolean; isTest: boolean; hold: Hold | undefined },
): Before | undefined {
	const isBorrowed = isTest && bot.webhookURL !== url;
	if (isKnown && !isBorrowed) return (hold ?? findRecentHold(context, bot.webhookURL))?.before;
	const { webhookURL, groupChatSetting, useBasicAuth, enabled, username } = bot;
	return { webhookURL, groupChatSetting, useBasicAuth, enabled, username };
}

/** Makes the bot, or redirects the existing bot to this node. */
async function setUp(session: Session): Promise<void> {
	const { context, credentials, api, apiKey, url, logins } = session;
	const parameters = readParameters(context);
	const { botId, groupMessages: groupChatSetting } = parameters;
	checkAddress(url, credentials);
	const isTest = context.getMode() === 'manual';
	const saved = readHold(context, isTest);
	// n8n has unpublished the previous version, but CometChat may have been unreachable at that time
	if (saved && saved.botId !== botId) await release(session, saved);
	const hold = saved?.botId === botId ? saved : undefined;
	const bot = await api.find(botId);
	const isKnown = bot !== undefined && (await isOwn(session, bot, hold));
	if (bot && !isKnown) checkTakeOver(session, bot, parameters);
	const wasMade = hold?.isMade ?? bot?.username === logins.made.username;
	const isMade = !bot || (isKnown && wasMade);
	const { login, kind } = chooseLogin(session, bot, isMade);
	const settings = {
		...{ webhookURL: url, groupChatSetting, useBasicAuth: true, enabled: true },
		...login,
	};
	const fingerprint = await computeFingerprint(login, kind, apiKey);
	const before = bot && findBefore(session, bot, { isKnown, isTest, hold });
	const next: Hold = { botId, isTest, url, groupChatSetting, isMade, fingerprint, before };
	if (!bot) {
		await api.create(botId, settings);
		saveHold(context, next);
		return;
	}
	saveHold(context, next);
	const changes = findChanges(bot, settings);
	// If this fails, the change may have worked. n8n then calls `delete`, which gives the bot back
	if (Object.keys(changes).length > 0) await api.update(botId, changes);
}

/** Deletes the bot or gives the bot back. Leaves the bot alone if somebody else has redirected the bot. */
async function release(session: Session, hold: Hold): Promise<void> {
	const { api, context } = session;
	const bot = await api.find(hold.botId);
	const isHeld = hold.isTest
		? bot?.webhookURL === hold.url
		: bot !== undefined && (await isOwn(session, bot, hold));
	if (bot && isHeld) await giveBack(session, bot, hold);
	removeHold(context, hold);
}

async function giveBack({ api, logins, context }: Session, bot: Bot, hold: Hold): Promise<void> {
	const { botId, before, isMade, groupChatSetting } = hold;
	if (!before) {
		if (isMade) {
			await api.delete(botId);
			return;
		}
		context.logger.warn(
			`The earlier address of the bot "${botId}" is unknown. The bot is turned off.`,
		);
		await api.update(botId, { enabled: false });
		return;
	}
	const { username, webhookURL, ...settings } = before;
	const given = new Map<string, unknown>(
		Object.entries({ groupChatSetting, useBasicAuth: true, enabled: true }),
	);
	const current = new Map<string, unknown>(Object.entries(bot));
	// Settings that somebody else has changed in the meantime stay
	const restored = Object.entries(settings).filter(
		([name]) => current.get(name) === given.get(name),
	);
	await api.update(botId, findChanges(bot, { webhookURL, ...Object.fromEntries(restored) }));
	if (bot.username !== logins.taken.username || username === bot.username) return;
	// The owner's bot had no login. Open question 24: CometChat may refuse an empty login
	await api.update(botId, { username, password: '' }).catch(() => {});
}

/**
 * Returns the record of the bot to release. Without a record, only the node's own bot with exactly this URL
 * counts.
 */
async function findHold(session: Session): Promise<Hold | undefined> {
	const { context, api, url, logins } = session;
	const test = readHold(context, true);
	const hold =
		(test?.url === url ? test : readHold(context, false)) ?? findRecentHold(context, url);
	if (hold) return hold;
	const { botId, groupMessages: groupChatSetting } = readParameters(context);
	const bot = await api.find(botId);
	if (bot?.webhookURL !== url || !(await isOwn(session, bot, undefined))) return undefined;
	const isMade = bot.username === logins.made.username;
	return { botId, isTest: true, url, groupChatSetting, isMade, fingerprint: '' };
}

/** Hooks that n8n calls to publish and unpublish the workflow, and before and after a test of the step. */
export const webhookMethods = {
	default: {
		/** Always false, so that n8n calls `create`, which leaves a bot unchanged if nothing differs. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return Promise.resolve(false);
		},
		async create(this: IHookFunctions): Promise<boolean> {
			await withSession(this, setUp);
			return true;
		},
		/** Logs errors instead of throwing them, because n8n would keep the workflow's webhook registered. */
		async delete(this: IHookFunctions): Promise<boolean> {
			deactivateHold(this, this.getNodeWebhookUrl('default') ?? '');
			try {
				await withSession(this, async (session) => {
					const hold = await findHold(session);
					if (hold) await release(session, hold);
				});
				return true;
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				this.logger.warn(
					`The CometChat bot could not be released: ${reason}. Publishing the workflow again repairs the bot.`,
				);
				return false;
			}
		},
	},
};
