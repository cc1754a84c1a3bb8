import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { shapeOf, type Shape } from '../results/shape';
import { sourceOf } from '../values/source';
import { readRequest } from '../values/request';
import type { Entity } from '../description/types';
import { APP_USER } from '../transport/types';
import { objectOf } from '../transport/json';
import { ALL_EVENTS, isCausedByWorkflows } from './events';
import { webhookFields } from './properties';

const rawEvent: Entity = { name: 'event', plural: 'events', id: 'trigger', columns: {} };

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
	/** Whether what this user did starts the workflow */
	isWantedDoer: (uid: string | undefined, trigger: string) => boolean;
	fetchMessage: boolean;
	includeActions: boolean;
}

function idsOf(value: unknown): ReadonlySet<string> {
	return new Set(Array.isArray(value) ? value.map((id) => String(id).toLowerCase()) : []);
}

/** @throws InputError for a value that means nothing */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const source = sourceOf(context);
	const { values } = readRequest({ fields: webhookFields }, source);
	const { events, appEvents, output, fields, options } = values;
	const { appId, groupIds, ignoreSenders, fetchMessage, includeActions, moreEvents } =
		objectOf(options);
	const ignored = idsOf(ignoreSenders);
	const isWantedOfApp = (trigger: string) =>
		appEvents === 'always' || (appEvents === 'safe' && !isCausedByWorkflows(trigger));
	const chosen = new Set([events ?? [], moreEvents ?? []].flat());
	if (chosen.size === 0) {
		throw new InputError('Events', 'is empty', 'Choose one there, or under Options → More Events.');
	}
	return {
		isChosen: (trigger) => chosen.has(ALL_EVENTS) || chosen.has(trigger),
		isSimplified: output === 'simplified',
		shape: shapeOf(output === 'fields' ? output : 'raw', fields, rawEvent),
		appId: typeof appId === 'string' ? appId.trim().toLowerCase() : undefined,
		groupIds: idsOf(groupIds),
		isWantedDoer: (uid, trigger) =>
			uid === undefined || (!ignored.has(uid) && (uid !== APP_USER || isWantedOfApp(trigger))),
		fetchMessage: fetchMessage === true,
		includeActions: includeActions === true,
	};
}
