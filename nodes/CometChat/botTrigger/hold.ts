import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { asText, isObject } from '../helpers/json';
import type { Bot } from './botApi';

/** A bot's settings before this node redirected the bot. Passwords are never stored. */
export type Before = Omit<Bot, 'password'>;

/** Record of a bot that sends its messages to this node. n8n stores the record in the workflow's static data. */
export interface Hold {
	botId: string;
	/** True for a test that n8n listens for with Execute Step, false for the published workflow */
	isTest: boolean;
	/** Webhook URL and group setting that this node gave to the bot */
	url: string;
	groupChatSetting: string;
	/** True if this node made the bot */
	isMade: boolean;
	/** Fingerprint of the login that the bot sends */
	fingerprint: string;
	/** Settings to give back. Missing if the bot belongs only to this node, or if the settings are unknown. */
	before?: Before;
}

function readBefore(value: unknown): Before | undefined {
	if (!isObject(value)) return undefined;
	return {
		webhookURL: asText(value.webhookURL),
		groupChatSetting: asText(value.groupChatSetting),
		useBasicAuth: value.useBasicAuth === true,
		enabled: value.enabled === true,
		username: asText(value.username),
	};
}

type Context = Pick<IHookFunctions | IWebhookFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

const getName = (isTest: boolean) => (isTest ? 'test' : 'published');

/** @returns undefined if the node holds no bot */
export function readHold(context: Context, isTest: boolean): Hold | undefined {
	const saved = context.getWorkflowStaticData('node')[getName(isTest)];
	if (!isObject(saved)) return undefined;
	return {
		botId: asText(saved.botId),
		isTest,
		url: asText(saved.url),
		groupChatSetting: asText(saved.groupChatSetting),
		isMade: saved.isMade === true,
		fingerprint: asText(saved.fingerprint),
		before: readBefore(saved.before),
	};
}

/**
 * Holds by workflow and webhook URL, for as long as n8n runs. Static data is not enough: n8n starts each test
 * of a step with empty static data, finds none for a renamed node, and in some versions saves none if
 * publishing fails. A copied workflow can have the same URL.
 */
const recentHolds = new Map<string, Hold>();

/** Keys of the holds of nodes that are published or tested at the moment. */
const activeKeys = new Set<string>();

const getKey = (context: Context, url: string): string =>
	JSON.stringify([context.getWorkflow().id, url]);

export const findRecentHold = (context: Context, url: string): Hold | undefined =>
	recentHolds.get(getKey(context, url));

/** @returns the hold of a node that is published or tested at the moment, if the node is in the same workflow */
export const findActiveHold = (context: Context, url: string): Hold | undefined =>
	activeKeys.has(getKey(context, url)) ? findRecentHold(context, url) : undefined;

/** Ends the time in which a node is published or tested, even if the node can't release its bot. */
export function deactivateHold(context: Context, url: string): void {
	activeKeys.delete(getKey(context, url));
}

export function saveHold(context: Context, hold: Hold): void {
	const key = getKey(context, hold.url);
	recentHolds.set(key, hold);
	activeKeys.add(key);
	const { before, ...rest } = hold;
	const saved: IDataObject = { ...rest, ...(before ? { before: { ...before } } : {}) };
	context.getWorkflowStaticData('node')[getName(hold.isTest)] = saved;
}

export function removeHold(context: Context, { isTest, url }: Hold): void {
	recentHolds.delete(getKey(context, url));
	deactivateHold(context, url);
	Reflect.deleteProperty(context.getWorkflowStaticData('node'), getName(isTest));
}
