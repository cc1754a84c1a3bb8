import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { createParameterReader } from '../request/parameterReader';
import { readRequest } from '../request/request';
import { asObject, asText } from '../helpers/json';
import { botProperties } from './properties';

/** The trigger's validated parameters. UIDs are in lower case. */
export interface BotParameters {
	botId: string;
	/** CometChat's name for the group messages that the bot receives, e.g. "mentionedMessages" */
	groupMessages: string;
	output: unknown;
	/** Names of the fields to return if `output` is "fields" */
	fields: unknown;
	takeOver: boolean;
	/** UIDs of the users who may start the workflow. An empty set allows any user except the app itself. */
	onlySenders: ReadonlySet<string>;
	includeActions: boolean;
}

/** @throws InputError for an invalid value */
export function readParameters(context: IHookFunctions | IWebhookFunctions): BotParameters {
	const { values } = readRequest({ fields: botProperties }, createParameterReader(context));
	const { onlySenders, takeOver, includeActions } = asObject(values.options);
	return {
		botId: asText(values.botId).toLowerCase(),
		groupMessages: asText(values.groupMessages),
		output: values.output,
		fields: values.fields,
		takeOver: takeOver === true,
		onlySenders: new Set([onlySenders ?? []].flat().map((uid) => asText(uid).toLowerCase())),
		includeActions: includeActions === true,
	};
}
