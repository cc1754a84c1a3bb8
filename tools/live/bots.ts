import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { readMessageToBotOrProblem } from '../../nodes/CometChat/resources/message/relayedMessage';
import { isObject } from '../../nodes/CometChat/helpers/json';
import { basicAuth } from '../sandbox/loopback';
import { parseJson } from '../sandbox/parse';
import { createAsk, type Ask } from './ask';
import { findDeviations } from './deviations';
import type { Service } from './perform';
import { formatOutcome, isOk, isRefused, readField, type Exchange } from './recorder';
import type { CheckResult } from './results';
import type { Run } from './steps';
import { getBotUrl, waitUntilQuiet, type BotDelivery, type Listener } from './webhooks';

/** Address of the bot without a listener. Nothing can arrive there, and the bot also stays turned off. */
const NOWHERE = 'https://n8n-check.invalid/';

const MAX_DELETIONS = 3;
const DELETE_AGAIN_MS = 500;

/** Maximum numbers of the listener's pauses to wait for the expected messages, and for a repetition. */
const PAUSES_FOR_MESSAGES = 20;
const PAUSES_FOR_REPETITION = 5;

/** Results of checking bots. Never contain the bot's password. */
export interface BotResults {
	/** Messages that the bot received, compared with the contract. Empty without a listener. */
	events: CheckResult[];
	/**
	 * The messages that the bot received, with repetitions. Undefined without a listener, or if the bot didn't
	 * receive the messages that every bot receives, so that the other messages prove nothing.
	 */
	heard?: BotMessage[];
	/** False if the bot may still exist. */
	isRemoved: boolean;
}

export interface BotOptions {
	/** Stops the check. The bot is deleted nevertheless. */
	signal: AbortSignal;
	/** Server that receives the messages to the bot. Without a server, no message is sent to the bot. */
	listener?: Listener;
	onResult: (result: CheckResult) => void;
}

/** Messages that are sent while the bot exists. The bot has joined only the first group. */
const MESSAGES = {
	'own group': ({ member, guid }) => [member, 'group', guid],
	'own private': ({ member, owner }) => [member, 'user', owner],
	'other group': ({ guest, otherGuid }) => [guest, 'group', otherGuid],
	private: ({ owner, member }) => [owner, 'user', member],
	// The listener refuses this message once. It's the last, because a refusal can delay further messages
	'joined group': ({ owner, guid }) => [owner, 'group', guid],
} satisfies Record<string, (run: Run) => [sender: string, receiverType: string, receiver: string]>;

export type BotMessage = keyof typeof MESSAGES;

const KINDS = Object.keys(MESSAGES) as BotMessage[];

/** Messages that every bot receives. */
const EXPECTED: BotMessage[] = ['private', 'joined group'];

/** Text of a message. Tells messages of this check from all others. */
const textOf = ({ id }: Run, kind: BotMessage) => `${id} ${kind}`;

/** Returns the message that a delivery contains, or undefined for a message of somebody else. */
const findKind = ({ body }: BotDelivery, run: Run): BotMessage | undefined =>
	KINDS.find((kind) => readField(parseJson(body), 'data', 'data', 'text') === textOf(run, kind));

/** Lists the fields whose values differ from the expected ones, without the values. */
const findWrongFields = (bot: unknown, expected: Record<string, unknown>): string[] =>
	Object.entries(expected)
		.filter(([name, value]) => readField(bot, name) !== value)
		.map(([name]) => `unexpected value: ${name}`);

/** Fields that contain a text or a number in every message, and in every delivery. */
const MESSAGE_FIELDS = ['id', 'conversationId', 'category', 'type'];
const BODY_FIELDS = ['appId', 'region', 'chatAPIVersion'];

/**
 * Lists the differences between a delivery and the fields that the contract names. The descriptions never
 * include values.
 */
function findDeliveryDeviations(
	{ authorization, body }: BotDelivery,
	login: string | undefined,
): string[] {
	const read = readMessageToBotOrProblem(parseJson(body));
	if (typeof read === 'string') return ['unexpected shape: the bot trigger finds no message'];
	const { message, envelope } = read;
	const isMissing = (value: unknown) => !['string', 'number'].includes(typeof value);
	const missing = [
		...MESSAGE_FIELDS.filter((name) => isMissing(message[name])).map((name) => `data/${name}`),
		...(isMissing(readField(message, 'data', 'text')) ? ['data/data/text'] : []),
		...BODY_FIELDS.filter((name) => isMissing(envelope[name])),
		...(isObject(envelope.origin) ? [] : ['origin']),
		...(authorization === login ? [] : ["the bot's login"]),
	];
	return [
		...missing.map((name) => `missing: ${name}`),
		...('webhook' in envelope ? ['unexpected field: webhook'] : []),
	];
}

/** Everything that the requests of a bot need. */
interface BotContext extends Service, BotOptions {
	ask: Ask;
	/** Path of the bot. */
	path: string;
	/** The bot's fields after it was created, as the request named them. */
	made: Record<string, unknown>;
}

/** Reports a response's differences from the contract, and from the bot's expected fields. */
function report(
	{ contract, onResult, run }: BotContext,
	name: string,
	exchange: Exchange,
	expected: Record<string, unknown>,
): void {
	const deviations = findDeviations(contract, exchange);
	const data = readField(exchange.body, 'data');
	const bot: unknown = Array.isArray(data)
		? data.find((each) => readField(each, 'uid') === run.member)
		: data;
	if (deviations.length === 0) deviations.push(...findWrongFields(bot, expected));
	onResult({ name, outcome: formatOutcome(exchange), deviations });
}

/** Sends all messages to a group that the bot has joined, to another group, and to the bot. */
async function sendMessages({ ask, contract, run }: BotContext): Promise<string[]> {
	const { guest, otherGuid } = run;
	const participants = { body: { participants: [guest] } };
	const exchanges = [await ask('POST', `/groups/${otherGuid}/members`, participants)];
	for (const kind of KINDS) {
		const [onBehalfOf, receiverType, receiver] = MESSAGES[kind](run);
		const data = { text: textOf(run, kind) };
		const body = { receiver, receiverType, category: 'message', type: 'text', data };
		exchanges.push(await ask('POST', '/messages', { body, onBehalfOf }));
	}
	return exchanges.flatMap((exchange) => findDeviations(contract, exchange));
}

/** Has messages sent to the bot, and compares those that arrive with the contract. */
async function checkRelay(
	context: BotContext,
	listener: Listener,
): Promise<Pick<BotResults, 'events' | 'heard'>> {
	const { run, signal, made } = context;
	const { botDeliveries, maxPauseMs } = listener;
	listener.refuseOnce('bot', textOf(run, 'joined group'));
	const deviations = await sendMessages(context);
	const listHeard = () => botDeliveries.flatMap((delivery) => findKind(delivery, run) ?? []);
	const listMissing = () => EXPECTED.filter((kind) => !listHeard().includes(kind));
	const isRepeated = () => new Set(listHeard()).size < listHeard().length;
	const waitUntil = async (isDone: () => boolean, pauses: number) => {
		for (let count = 0; count < pauses && !isDone(); count++) {
			await wait(maxPauseMs, undefined, { signal });
		}
	};
	await waitUntil(() => listMissing().length === 0, PAUSES_FOR_MESSAGES);
	await waitUntilQuiet(botDeliveries, maxPauseMs, signal);
	await waitUntil(isRepeated, PAUSES_FOR_REPETITION);
	const own = botDeliveries.filter(({ body }) => body.includes(run.id));
	const { authorization } = basicAuth(made);
	deviations.push(...own.flatMap((delivery) => findDeliveryDeviations(delivery, authorization)));
	const heard = listHeard();
	const missing = listMissing();
	deviations.push(...missing.map((kind) => `missing: ${kind} message`));
	const outcome = String(own.length);
	return {
		events: [{ name: 'message to a bot', outcome, deviations: [...new Set(deviations)] }],
		heard: missing.length === 0 ? heard : undefined,
	};
}

/** Makes a user a bot, then reads, changes and uses the bot. */
async function useBot(context: BotContext, results: BotResults): Promise<void> {
	const { ask, path, made, listener } = context;
	report(context, 'bot list', await ask('GET', '/bots'), made);
	report(context, 'bot get', await ask('GET', path), made);
	// Without a listener, the bot stays turned off, because the app's own messages must not be sent anywhere
	const body = { groupChatSetting: 'allMessages', enabled: listener !== undefined };
	report(context, 'bot update', await ask('PUT', path, { body }), { ...made, ...body });
	if (listener) Object.assign(results, await checkRelay(context, listener));
}

/** Deletes the bot. A bot that doesn't exist counts as deleted. */
async function deleteBot(ask: Ask, path: string): Promise<Exchange> {
	let exchange = await ask('DELETE', path);
	for (let count = 1; count < MAX_DELETIONS && ![200, 404].includes(exchange.status); count++) {
		await wait(DELETE_AGAIN_MS);
		exchange = await ask('DELETE', path);
	}
	return exchange;
}

/**
 * Checks the requests for bots with one of the check's own users. Deletes the bot at the end, even if another
 * step fails or the check is stopped. The bot's password is never part of a result.
 */
export async function checkBots(service: Service, options: BotOptions): Promise<BotResults> {
	const { contract, run } = service;
	const { signal, listener, onResult } = options;
	const webhookURL = listener ? getBotUrl(listener) : NOWHERE;
	const login = { username: 'n8n-check', password: randomBytes(16).toString('hex') };
	const fields = { uid: run.member, webhookURL, useBasicAuth: true, ...login };
	const context: BotContext = {
		...{ ...service, ...options, ask: createAsk(service, signal), path: `/bots/${run.member}` },
		made: { ...fields, groupChatSetting: 'none', enabled: false },
	};
	const { ask, path, made } = context;
	const results: BotResults = { events: [], isRemoved: true };
	let created: Exchange | undefined;
	try {
		const missing = await ask('GET', path);
		const deviations = findDeviations(contract, missing, '404 ERR_BOT_NOT_FOUND');
		onResult({ name: 'bot get, without a bot', outcome: formatOutcome(missing), deviations });
		results.isRemoved = false;
		created = await ask('POST', '/bots', { body: fields });
		report(context, 'bot create', created, made);
		if (isOk(created)) await useBot(context, results);
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		if (created && isRefused(created)) results.isRemoved = true;
		// The bot may also exist if the response was lost
		if (!results.isRemoved) {
			const deleted = await deleteBot(createAsk(service), path);
			results.isRemoved = deleted.status === 200 || deleted.status === 404;
			if (created && isOk(created) && !signal.aborted) report(context, 'bot delete', deleted, {});
		}
	}
	return results;
}
