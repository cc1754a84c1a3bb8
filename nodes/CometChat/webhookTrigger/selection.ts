import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { getTargetMessage } from '../resources/message/entity';
import { asText, asObject, isObject } from '../transport/json';
import { APP_USER } from '../transport/types';
import { createParameterReader } from '../request/parameterReader';
import { readRequest } from '../request/request';
import type { Delivery } from './delivery';
import { ALL_EVENTS, couldLoop, getEventType, readSubjects, type EventType } from './events';
import {
	readObject,
	readUnknownEvent,
	toLowerCaseId,
	type EventSubject,
	type Person,
} from './eventReaders';
import { webhookFields } from './properties';

/** The trigger's validated parameters. IDs are in lower case. */
export interface TriggerParameters {
	output: unknown;
	/** Names of the fields to return if `output` is "fields" */
	fields: unknown;
	fetchMessage: boolean;
	/** True if 'Events', 'More Events', 'Include Actions' and 'App ID' select the event */
	isChosen: (delivery: Delivery) => boolean;
	/** GUIDs of the groups whose events may start the workflow. An empty set allows any group. */
	groupIds: ReadonlySet<string>;
	/** True if an event caused by this user may start the workflow */
	canStart: (trigger: string, user: Person) => boolean;
}

function toIdSet(value: unknown): ReadonlySet<string> {
	return new Set([value ?? []].flat().map((id) => asText(id).toLowerCase()));
}

/** @throws InputError for an invalid value */
export function readParameters(context: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const { values } = readRequest({ fields: webhookFields }, createParameterReader(context));
	const { events, appEvents, output, fields } = values;
	const options = asObject(values.options);
	const ignored = toIdSet(options.ignoreSenders);
	const chosen = new Set([events ?? [], options.moreEvents ?? []].flat());
	if (chosen.size === 0) {
		throw new InputError(
			'Events',
			'is empty',
			'Choose an event there, or under Options → More Events.',
		);
	}
	const appId = asText(options.appId).toLowerCase();
	const canAppStart = (trigger: string) =>
		appEvents === 'always' || (appEvents === 'safe' && !couldLoop(trigger));
	return {
		output,
		fields,
		fetchMessage: options.fetchMessage === true,
		isChosen: (delivery) =>
			(chosen.has(ALL_EVENTS) || chosen.has(delivery.trigger)) &&
			(options.includeActions === true || !isActionNote(delivery)) &&
			(appId === '' || appId === toLowerCaseId(delivery.appId)),
		groupIds: toIdSet(options.groupIds),
		canStart: (trigger, user) => {
			const uid = toLowerCaseId(user.uid);
			if (uid === undefined) return true;
			return !ignored.has(uid) && (uid !== APP_USER || canAppStart(trigger));
		},
	};
}

/**
 * True if an event is an action message such as "Mira joined", which CometChat delivers like a user's
 * message.
 */
function isActionNote({ trigger, data }: Delivery): boolean {
	return trigger === 'message_sent' && readObject(data, 'message').category === 'action';
}

/** Result of reading an event's group: a GUID in lower case, or null for a conversation between two users. */
type GroupId = string | null | undefined;

/** Reads the group that a message, call or receipt was sent to. Returns undefined if the group is unknown. */
function readGroupIdOfMessage({ receiver, receiverType, conversationId }: IDataObject): GroupId {
	if (receiverType === 'group') return toLowerCaseId(receiver);
	if (receiverType === 'user') return null;
	const conversation = toLowerCaseId(conversationId);
	if (conversation === undefined) return undefined;
	return /^group_(.+)$/.exec(conversation)?.[1] ?? null;
}

/** Fields that contain a message or call, which always belongs to a group or to a conversation. */
const MESSAGES = ['message', 'call', 'resource', 'notificationDetails'];

/** Reads an event's group, from whichever field CometChat put the group in. */
function readGroupId(data: IDataObject): GroupId {
	const group = [data.group, data.groupDetails].find(isObject);
	if (group) return toLowerCaseId(group.guid);
	// Missed messages between two users have no group
	if (isObject(data.senderDetails)) return null;
	const messages = MESSAGES.map((name) => readObject(data, name));
	const places = [...messages, getTargetMessage(readObject(data, 'message')), data];
	return places.map(readGroupIdOfMessage).find((guid) => guid !== undefined);
}

/**
 * True if an event passes the trigger's group filter.
 *
 * @param data the event's data, or an object that contains the fetched message
 * @returns undefined if the event belongs to a group or a conversation, but its data doesn't say which
 */
export function isInSelectedGroup(
	data: IDataObject,
	{ groupIds }: TriggerParameters,
): boolean | undefined {
	const guid = readGroupId(data);
	if (groupIds.size === 0 || (guid && groupIds.has(guid))) return true;
	if (guid !== undefined) return false;
	return MESSAGES.some((name) => isObject(data[name])) ? undefined : true;
}

/** An event that starts the workflow. */
export interface SelectedEvent {
	/** Undefined for an event of unknown shape */
	type?: EventType;
	/** Entities that may start the workflow */
	subjects: EventSubject[];
}

/** @returns undefined if the delivery doesn't start the workflow */
export function selectEvent(
	delivery: Delivery,
	parameters: TriggerParameters,
): SelectedEvent | undefined {
	const { trigger, data } = delivery;
	if (!parameters.isChosen(delivery)) return undefined;
	const canStart = (user: Person) => parameters.canStart(trigger, user);
	const known = readSubjects(trigger, data, canStart);
	// Even an event of unknown shape may name the user who caused the event
	const all = known.length > 0 ? known : readUnknownEvent(data, canStart);
	const subjects = all.filter(({ by, possibleActors = [] }) =>
		[by, ...possibleActors].every(canStart),
	);
	if (subjects.length === 0) return undefined;
	return { type: known.length > 0 ? getEventType(trigger) : undefined, subjects };
}
