import {
	updateDisplayOptions,
	type DisplayCondition,
	type INodeCredentialDescription,
	type INodeProperties,
	type NodeParameterValue,
} from 'n8n-workflow';

import { createTextField, createUserListField } from '../fields/commonFields';
import { checkNotBrokenId } from '../fields/fieldChecks';
import { createOptionsCollection } from '../fields/options';
import { createOutputFields } from '../fields/outputFields';
import { createEventsCausedByAppField } from '../sharedByTriggers/appEvents';
import { ignoredUsersField } from '../sharedByTriggers/ignoredUsers';
import {
	watchField,
	watchFields,
	watchedGroupsField,
	watchedUsersField,
	wholeAppNotice,
} from '../sharedByTriggers/watchFields';
import type { Field } from '../types';
import type { EventAudienceReader } from './audience';
import {
	ALL_EVENTS_VALUE,
	COMMON_EVENTS,
	EVENTS,
	MORE_EVENTS,
	getLabelOfEventDefinition,
	type EventDefinition,
} from './events';

/** URL of the set-up instructions in the README. */
const SETUP_URL =
	'https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/README.md#set-up-the-cometchat-trigger';

const setupNotice: INodeProperties = {
	// The editor strips all HTML elements from a notice, except a, ul and li. A ul without li has no bullets.
	displayName: [
		'<ul>1. Copy from Webhook URLs above: Test URL to try, Production URL to publish.</ul>',
		'<ul>2. In the dashboard, add it with username and password.</ul>',
		'<ul>3. Choose its events, and turn it on. Then execute the step, or publish.</ul>',
		`<a href="${SETUP_URL}" target="_blank">How to set up the webhook</a>`,
	].join(''),
	name: 'setupNotice',
	type: 'notice',
	default: '',
};

const allEventsOption = {
	name: 'All Events',
	value: ALL_EVENTS_VALUE,
	description: 'Every event that the webhook sends, including events not listed here',
};

const toOption = (event: EventDefinition) => ({
	name: getLabelOfEventDefinition(event),
	value: event.trigger,
	description: event.description,
});

/** 'Trigger On' parameter that accepts every event in `EVENTS`. The editor shows `eventMenu` instead. */
const acceptedEventsField: Field = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	options: [allEventsOption, ...EVENTS.map(toOption)],
	default: [ALL_EVENTS_VALUE],
	description:
		'Events that start the workflow, if the webhook sends them. Not every plan has all events. More events are under Options → More Events.',
	hint: 'For reported messages, use CometChat Polling Trigger',
};

/**
 * 'Trigger On' parameter as shown in the editor. Lists only common events, because n8n's node panel shows
 * each listed event above the actions.
 */
const eventMenu: INodeProperties = {
	...acceptedEventsField,
	options: [allEventsOption, ...COMMON_EVENTS.map(toOption)],
};

const optionFields: Field[] = [
	{
		...createTextField('App ID', 'appId', '2379614d5a4b27f1', 'Start only for events of this app'),
		check: checkNotBrokenId,
	},
	{
		displayName: 'Fetch Message',
		name: 'fetchMessage',
		type: 'boolean',
		default: true,
		description:
			'Whether to also return the message of a reaction. With Whole App, messageError says why the message is missing if it does not come within 1.5 seconds.',
	},
	ignoredUsersField,
	{
		displayName: 'Include Actions',
		name: 'includeActions',
		type: 'boolean',
		default: false,
		description:
			'Whether Message Sent also starts the workflow for notes such as "Mira joined", which CometChat stores as messages with the category action',
	},
	{
		displayName: 'More Events',
		name: 'moreEvents',
		type: 'multiOptions',
		options: MORE_EVENTS.map(toOption),
		default: [],
		description:
			'Other events that start the workflow. To start only for these, remove All Events above.',
	},
	createUserListField(
		'Only From',
		'onlySenders',
		'Only events caused by these users start the workflow',
	),
];

const options = createOptionsCollection(
	'Events that start the workflow, and content of their items',
	optionFields,
);

/**
 * Fields for reading and validating parameters. The editor shows `webhookProperties` instead, with other versions
 * of 'Trigger On' and of the fields of 'Watch'.
 */
export const parameterFieldsToRead: Field[] = [
	setupNotice,
	acceptedEventsField,
	...watchFields,
	createEventsCausedByAppField('safe'),
	options,
	...createOutputFields(['events', 'options.moreEvents', 'options.fetchMessage']),
];

const toTriggers = (types: readonly EventDefinition[]) => types.map(({ trigger }) => trigger);

/**
 * Values in the menu of 'Trigger On': All Events and the common events. Each of these can happen in a group or a
 * conversation, so the editor shows the fields of 'Watch' if one of them is chosen.
 */
const EVENT_MENU_VALUES = [ALL_EVENTS_VALUE, ...toTriggers(COMMON_EVENTS)];

/** Creates a display condition that is met if the field has chosen values, and `values` contains all of them. */
const allChosenIn = (values: string[]): DisplayCondition => ({
	_cnd: { regex: `^(${values.join('|')})$` },
});

/**
 * Adds display conditions that hide fields if they apply to no chosen event. Returns each field twice, because
 * n8n can't combine conditions on 'Trigger On' and 'More Events' with "or".
 */
const showForAudience = (
	applies: (audience: EventAudienceReader) => boolean,
	...fields: Field[]
): INodeProperties[] => {
	const isOther = ({ audience }: EventDefinition) => audience === undefined || !applies(audience);
	const others = allChosenIn(toTriggers(MORE_EVENTS.filter(isOther)));
	return fields.flatMap((field) => [
		...updateDisplayOptions({ show: { events: EVENT_MENU_VALUES } }, [field]),
		...updateDisplayOptions(
			// A "show" condition on an option wouldn't work, because n8n ignores options while it loads a node
			{ hide: { events: EVENT_MENU_VALUES, '/options.moreEvents': [others] } },
			[field],
		),
	]);
};

const watchProperties: INodeProperties[] = [
	...showForAudience(() => true, watchField),
	...showForAudience(({ hasPlace }) => hasPlace, watchedGroupsField),
	...showForAudience(() => true, watchedUsersField, wholeAppNotice),
];

/**
 * Hidden field that the node has only if 'Watch' is Groups or Users. These need the CometChat API credential, to
 * list groups or users and to fetch the messages of reactions. n8n always shows properties that depend on a field
 * whose value starts with "=". The expression "==" results in the text "=", so the value of this field starts with
 * "=" before and after n8n resolves it.
 */
const [usesApi] = updateDisplayOptions({ show: { watch: ['groups', 'users'] } }, [
	{ displayName: 'Uses API', name: 'usesApi', type: 'hidden', default: '==' },
]) as [INodeProperties];

/**
 * Condition that is always met, even if the field is missing. If the node has no `usesApi`, 'Fetch Message' alone
 * therefore decides whether n8n shows the credential. The cast is needed because n8n's types lack conditions for
 * credentials.
 */
const always = { _cnd: { not: '' } } as unknown as NodeParameterValue;

/**
 * Display conditions of the CometChat API credential. n8n shows the credential if the node has `usesApi`, or if
 * 'Fetch Message' is on.
 */
export const apiCredentialDisplayOptions: INodeCredentialDescription['displayOptions'] = {
	show: { usesApi: [always], '/options.fetchMessage': [true] },
};

/**
 * Properties that the editor shows: `parameterFieldsToRead`, but with fewer events in 'Trigger On', with more display
 * conditions for the fields of 'Watch', and with `usesApi`.
 */
export const webhookProperties: INodeProperties[] = parameterFieldsToRead
	.filter((field) => !watchFields.includes(field))
	.flatMap((field) => (field === acceptedEventsField ? [eventMenu, ...watchProperties] : field))
	.concat(usesApi);

/** Creates the expression for the node's subtitle, which shows the event's label or the number of events. */
export function createSubtitle(): string {
	const labels = JSON.stringify(
		Object.fromEntries(EVENTS.map((event) => [event.trigger, getLabelOfEventDefinition(event)])),
	);
	// The expression contains this list several times, because some n8n versions don't allow functions in expressions
	const chosen = '[$parameter.events, $parameter.options.moreEvents ?? []].flat()';
	const single = `(${labels})[${chosen}[0]] ?? ${chosen}[0]`;
	const words = `${chosen}.length === 1 ? ${single} : ${chosen}.length + " Events"`;
	return `={{ ${chosen}.includes("${ALL_EVENTS_VALUE}") ? "All Events" : ${words} }}`;
}
