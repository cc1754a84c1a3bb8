import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { createShape, type Shape } from '../results/shape';
import { createParameterReader } from '../values/parameterReader';
import { readRequest } from '../values/request';
import type { Entity } from '../description/types';
import { APP_USER } from '../transport/types';
import { asObject } from '../transport/json';
import { ALL_EVENTS, couldLoop } from './events';
import { webhookFields } from './properties';

/** An event with its envelope. */
const rawEvent: Entity = { name: 'event', plural: 'events', id: 'trigger', columns: {} };

/** The trigger's parameters, checked. IDs are in lower case. */
export interface TriggerParameters {
	/** Whether 'Events' or 'More Events' contains an event */
	isChosen: (trigger: string) => boolean;
	isSimplified: boolean;
	/** Shapes an item if the output is not simplified */
	shape: Shape;
	/** The only app that may start the workflow; undefined allows any app */
	appId?: string;
	/** GUIDs of the groups that may start the workflow; an empty set allows any group */
	groupIds: ReadonlySet<string>;
	/** Whether an event that this user caused may start the workflow */
	canStart: (uid: string | undefined, trigger: string) => boolean;
	fetchMessage: boolean;
	includeActions: boolean;
}

function toIdSet(value: unknown): ReadonlySet<string> {
	return new Set(Array.isArray(value) ? value.map((id) => String(id).toLowerCase()) : []);
}

/** @throws InputError for a wrong value */
export function readParameters(context: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const source = createParameterReader(context);
	const { values } = readRequest({ fields: webhookFields }, source);
	const { events, appEvents, output, fields, options } = values;
	const { appId, groupIds, ignoreSenders, fetchMessage, includeActions, moreEvents } =
		asObject(options);
	const ignored = toIdSet(ignoreSenders);
	const canAppStart = (trigger: string) =>
		appEvents === 'always' || (appEvents === 'safe' && !couldLoop(trigger));
	const chosen = new Set([events ?? [], moreEvents ?? []].flat());
	if (chosen.size === 0) {
		throw new InputError(
			'Events',
			'is empty',
			'Choose an event there, or under Options → More Events.',
		);
	}
	return {
		isChosen: (trigger) => chosen.has(ALL_EVENTS) || chosen.has(trigger),
		isSimplified: output === 'simplified',
		shape: createShape({ output: output === 'fields' ? output : 'raw', fields }, rawEvent),
		appId: typeof appId === 'string' ? appId.trim().toLowerCase() : undefined,
		groupIds: toIdSet(groupIds),
		canStart: (uid, trigger) =>
			uid === undefined || (!ignored.has(uid) && (uid !== APP_USER || canAppStart(trigger))),
		fetchMessage: fetchMessage === true,
		includeActions: includeActions === true,
	};
}
