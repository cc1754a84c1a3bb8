import type {
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { Shape } from '../operation/output';
import { readFields } from '../operation/request';
import { isObject } from '../transport/types';
import { ALL_EVENTS } from './events';
import { shapeOfEnvelope } from './items';
import { webhookProperties } from './properties';

/** The trigger's parameters, checked. IDs are in lower case. */
export interface Settings {
	isChosen: (trigger: string) => boolean;
	isSimplified: boolean;
	/** The shape of an item that is not simplified */
	shape: Shape;
	/** Undefined for any app */
	appId?: string;
	/** Empty for any group */
	groupIds: ReadonlySet<string>;
	ignoredSenders: ReadonlySet<string>;
	fetchMessage: boolean;
}

function idsOf(value: unknown): ReadonlySet<string> {
	return new Set(Array.isArray(value) ? value.map((id) => String(id).toLowerCase()) : []);
}

/** @throws InputError for a value that means nothing */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const source = {
		read: (name: string, fallback: NodeParameterValueType) =>
			context.getNodeParameter(name, fallback),
		parameters: context.getNode().parameters,
		timezone: context.getTimezone(),
	};
	const { events, output, fields, options } = readFields(webhookProperties, source).values;
	const { appId, groupIds, ignoreSenders, fetchMessage }: IDataObject = isObject(options)
		? options
		: {};
	const chosen = new Set(Array.isArray(events) ? events.map(String) : []);
	return {
		isChosen: (trigger) => chosen.has(ALL_EVENTS) || chosen.has(trigger),
		isSimplified: output === 'simplified',
		shape: shapeOfEnvelope(output, fields),
		appId: typeof appId === 'string' ? appId.trim().toLowerCase() : undefined,
		groupIds: idsOf(groupIds),
		ignoredSenders: idsOf(ignoreSenders),
		fetchMessage: fetchMessage === true,
	};
}
