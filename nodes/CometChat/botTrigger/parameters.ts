import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { createParameterReaderWithoutIndex } from '../request/parameterReader';
import { buildRequestFromParameters } from '../request/request';
import { toLowerCaseIdSet, toLowerCaseId } from '../helpers/ids';
import { asObjectOrEmpty, valueToText } from '../helpers/json';
import type { Field } from '../types';
import { botIdField, botProperties } from './properties';

/** The trigger's validated parameters. UIDs and GUIDs are in lower case. */
export interface BotParameters {
	botId: string;
	/** CometChat's name for the group messages that the bot receives, e.g. "mentionedMessages" */
	groupMessages: string;
	output: unknown;
	/** Names of the fields to return if `output` is "fields" */
	fields: unknown;
	takeOver: boolean;
	/**
	 * UIDs of the only users who may start the workflow. If empty, any user may, but messages from the app itself or
	 * from the operation Answer don't start the workflow.
	 */
	onlySenders: ReadonlySet<string>;
	/** UIDs of the users who don't start the workflow */
	ignoreUsers: ReadonlySet<string>;
	/** GUIDs of the groups whose messages start the workflow. An empty set allows any group. */
	groupIds: ReadonlySet<string>;
	includeActions: boolean;
}

type Context = IHookFunctions | IWebhookFunctions;

const readValues = (context: Context, fields: Field[]) =>
	buildRequestFromParameters({ fields }, createParameterReaderWithoutIndex(context)).values;

/**
 * Reads only the bot's UID, which is needed to derive the login that CometChat sends with messages to the bot.
 *
 * @throws InputError for an invalid value
 */
export const readBotId = (context: Context): string =>
	toLowerCaseId(readValues(context, [botIdField]).botId);

/** @throws InputError for an invalid value */
export function readBotParameters(context: Context): BotParameters {
	const values = readValues(context, botProperties);
	const options = asObjectOrEmpty(values.options);
	return {
		botId: toLowerCaseId(values.botId),
		groupMessages: valueToText(values.groupMessages),
		output: values.output,
		fields: values.fields,
		takeOver: options.takeOver === true,
		onlySenders: toLowerCaseIdSet(options.onlySenders),
		ignoreUsers: toLowerCaseIdSet(options.ignoreUsers),
		groupIds: toLowerCaseIdSet(options.groupIds),
		includeActions: options.includeActions === true,
	};
}
