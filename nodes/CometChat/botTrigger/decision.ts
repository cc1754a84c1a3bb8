import { DescribedError } from '../errors/describedErrors';
import type { Login } from '../sharedByTriggers/basicAuth';
import type { BotWebhookSettings } from './botApi';
import { classifyBotOwner } from './login';

/** Events at which the node checks the bot's settings and may change them. "Step" means 'Execute step'. */
export type PublishingOrExecuteStepEvent =
	'publish' | 'reactivate' | 'unpublish' | 'stepStart' | 'stepEnd';

/** A bot's settings, without the login. */
export type BotSettingsWithoutLogin = Omit<BotWebhookSettings, 'username' | 'password'>;

/**
 * A bot that sends its messages to the Test URL during Execute step. Afterward, the node restores the bot's
 * settings.
 */
export interface BotLoanForExecuteStep {
	/** Test URL that receives the bot's messages during Execute step */
	url: string;
	/** The bot's settings before Execute step. If undefined, the user wasn't a bot, so the bot is turned off afterward. */
	before?: BotSettingsWithoutLogin;
}

/** Settings that the bot should have, and values that determine whether the node may change the bot. */
export interface BotActionInput {
	/** The node's Production URL, or the Test URL for Execute step */
	url: string;
	groupChatSetting: string;
	/** Login that the node derives for its bot. A bot with this username belongs to the node. */
	login: Login;
	takeOver: boolean;
	/** Borrowed bot to give back. Set only for `stepEnd`. */
	loan?: BotLoanForExecuteStep;
}

/** What the node does about a bot: create it, change its settings, leave it alone, or refuse with an error. */
export type BotAction =
	| { kind: 'create'; bot: BotWebhookSettings }
	/** `isTakenOver` is true if the bot belonged to another owner until now */
	| { kind: 'change'; change: Partial<BotWebhookSettings>; isTakenOver?: boolean }
	| { kind: 'leave' }
	| { kind: 'refuse' };

/** Ownership of a bot. An `ownElsewhere` bot belongs to the node, but points to another origin than this n8n's. */
type Ownership = 'own' | 'ownElsewhere' | 'other';

type Rule = (bot: BotWebhookSettings, input: BotActionInput) => BotAction;

const parseUrl = (url: string): Partial<URL> => (URL.canParse(url) ? new URL(url) : {});

/**
 * Settings that turn a bot off. `useBasicAuth: false` shows that the node, not a user in CometChat's dashboard,
 * turned the bot off.
 */
const TURNED_OFF = { enabled: false, useBasicAuth: false };

const isTurnedOffByHand = ({ enabled, useBasicAuth }: BotWebhookSettings): boolean =>
	!enabled && useBasicAuth;

const isTurnedOffByNode = ({ enabled, useBasicAuth }: BotWebhookSettings): boolean =>
	!enabled && !useBasicAuth;

const toWantedBot = ({ url, groupChatSetting, login }: BotActionInput): BotWebhookSettings => ({
	...{ webhookURL: url, groupChatSetting, useBasicAuth: true, enabled: true },
	...login,
});

/** Returns an action that updates only the settings that differ, or leaves the bot alone if none differ. */
function decideChange(bot: BotWebhookSettings, settings: Partial<BotWebhookSettings>): BotAction {
	const current = new Map<string, unknown>(Object.entries(bot));
	const differences = Object.entries(settings).filter(
		([name, value]) => current.get(name) !== value,
	);
	if (differences.length === 0) return { kind: 'leave' };
	return { kind: 'change', change: Object.fromEntries(differences) };
}

const redirect: Rule = (bot, input) => decideChange(bot, toWantedBot(input));

const redirectKeepingOffByHand: Rule = (bot, input) => {
	const { enabled, ...settings } = toWantedBot(input);
	return decideChange(bot, isTurnedOffByHand(bot) ? settings : { ...settings, enabled });
};

const takeOverIfAllowed: Rule = (bot, input) => {
	const isBesideNode =
		classifyBotOwner(bot.username, input.login.username) === 'thisWorkflow' && bot.enabled;
	// Refuses the bot of another node in this workflow. Otherwise, both nodes would take it over on every publish.
	if (!input.takeOver || isBesideNode) return { kind: 'refuse' };
	return { kind: 'change', change: toWantedBot(input), isTakenOver: true };
};

const turnOff: Rule = (bot) => (bot.enabled ? decideChange(bot, TURNED_OFF) : { kind: 'leave' });

const restoreAfterStep: Rule = (bot, { loan }) => {
	// Leaves the bot alone if it no longer points to the Test URL, e.g. because the workflow was published meanwhile
	if (!loan || !bot.enabled || parseUrl(bot.webhookURL).pathname !== parseUrl(loan.url).pathname)
		return { kind: 'leave' };
	const { before } = loan;
	// `before` contains the Test URL if n8n was killed during an earlier Execute step
	const isLeftover = before?.enabled === true && before.webhookURL === loan.url;
	return decideChange(bot, before && !isLeftover ? before : TURNED_OFF);
};

const leave: Rule = () => ({ kind: 'leave' });

const refuse: Rule = () => ({ kind: 'refuse' });

const RULES: Record<PublishingOrExecuteStepEvent, Record<Ownership, Rule>> = {
	publish: { own: redirect, ownElsewhere: redirect, other: takeOverIfAllowed },
	reactivate: {
		own: redirectKeepingOffByHand,
		ownElsewhere: redirectKeepingOffByHand,
		other: refuse,
	},
	unpublish: { own: turnOff, ownElsewhere: leave, other: leave },
	stepStart: { own: redirect, ownElsewhere: redirect, other: refuse },
	// Also restores the bot if a second n8n with a copy of this database has borrowed it during this step.
	// Otherwise, the second n8n would restore this n8n's Test URL after its own step.
	stepEnd: { own: restoreAfterStep, ownElsewhere: restoreAfterStep, other: leave },
};

/** True if the node sets the bot up on this occasion, instead of turning the bot off or giving it back. */
const isSettingUp = (occasion: PublishingOrExecuteStepEvent): boolean =>
	['publish', 'reactivate', 'stepStart'].includes(occasion);

function findOwnership(
	occasion: PublishingOrExecuteStepEvent,
	bot: BotWebhookSettings,
	{ login, url }: BotActionInput,
): Ownership {
	const owner = classifyBotOwner(bot.username, login.username);
	// A bot that another node of this n8n has turned off is free to use
	const isLeftBehind = ['thisWorkflow', 'thisN8n'].includes(owner) && isTurnedOffByNode(bot);
	if (owner !== 'thisNode' && !(isLeftBehind && isSettingUp(occasion))) return 'other';
	return parseUrl(bot.webhookURL).origin === parseUrl(url).origin ? 'own' : 'ownElsewhere';
}

/**
 * Decides what the node does with a bot. The bot's username shows whether the bot belongs to the node.
 *
 * @param bot undefined if the user isn't a bot
 */
export function decideBotAction(
	occasion: PublishingOrExecuteStepEvent,
	bot: BotWebhookSettings | undefined,
	input: BotActionInput,
): BotAction {
	if (bot) return RULES[occasion][findOwnership(occasion, bot, input)](bot, input);
	return isSettingUp(occasion) ? { kind: 'create', bot: toWantedBot(input) } : { kind: 'leave' };
}

/** Describes the destination of a bot's messages, e.g. "another workflow of this n8n (n8n.example.com)". */
export function describeBotWebhookReceiver(
	{ username, webhookURL }: BotWebhookSettings,
	login: Login,
): string {
	const host = URL.canParse(webhookURL) ? new URL(webhookURL).host : 'another address';
	return {
		thisNode: `this node at ${host}`,
		thisWorkflow: 'another node of this workflow',
		thisN8n: `another workflow of this n8n (${host})`,
		otherN8n: `another n8n (${host})`,
		somebody: host,
	}[classifyBotOwner(username, login.username)];
}

const AFTER_TAKE_OVER = 'The other workflow then stays published, but hears nothing.';

const CHOOSE = "Choose another user in 'Bot'";

/** Returns the advice for an error about a bot that the node doesn't own. */
function adviseOnRefusal(
	occasion: PublishingOrExecuteStepEvent,
	bot: BotWebhookSettings,
	{ login }: BotActionInput,
): string {
	const owner = classifyBotOwner(bot.username, login.username);
	if (occasion === 'reactivate') {
		return `n8n takes over no bot when it starts. To take the bot over, unpublish the workflow, then publish it with the option 'Take Over Bot'. Or choose another user in 'Bot'.`;
	}
	if (occasion === 'stepStart') {
		return `Execute step borrows only the node's own bot. To take the bot over, unpublish the workflow if it is published, then publish it with the option 'Take Over Bot'. Or choose another user in 'Bot'.`;
	}
	if (owner === 'thisWorkflow' && bot.enabled) {
		return `${CHOOSE}, or delete one of the two nodes. If the other node is deleted already, turn the bot off in the CometChat dashboard, and publish with the option 'Take Over Bot'.`;
	}
	const share =
		owner === 'thisN8n'
			? ` ${AFTER_TAKE_OVER} If both workflows need the messages, let one of them call the other with Execute Sub-workflow.`
			: '';
	return `${CHOOSE}, or add the option 'Take Over Bot' and publish the workflow.${share}`;
}

/** Thrown if the node may not change a bot that it doesn't own. The advice is complete, so callers add none. */
export class BotOfOtherOwnerError extends DescribedError {}

/** Creates the error for a bot that the node doesn't own. The message names the current destination. */
export function createBotOfOtherOwnerError(
	occasion: PublishingOrExecuteStepEvent,
	botId: string,
	bot: BotWebhookSettings,
	input: BotActionInput,
): BotOfOtherOwnerError {
	const place = describeBotWebhookReceiver(bot, input.login);
	const state = bot.enabled
		? `already sends its messages to ${place}`
		: `belongs to ${place}, and is turned off`;
	return new BotOfOtherOwnerError(
		`The bot "${botId}" ${state}`,
		adviseOnRefusal(occasion, bot, input),
	);
}
