import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import type { Field } from '../types';
import { capitalizeTitleWords } from '../helpers/formatText';
import { ID_RULE_TEXT, ENTERED_ID_REGEX_SOURCE, createUserOrGroupIdCheck } from './fieldChecks';

/** Placeholder for a picker's label in the message that n8n shows for an invalid ID. */
const LABEL_PLACEHOLDER = '{label}';

/** Inserts the labels of pickers, also inside a collection, into the messages that n8n shows for invalid IDs. */
export function addLabelToIdValidationMessages(field: Field): Field {
	const { displayName, modes, options } = field;
	if (modes) return { ...field, modes: modes.map((mode) => insertLabel(mode, displayName)) };
	if (!options) return field;
	return {
		...field,
		options: options.map((each) => ('type' in each ? addLabelToIdValidationMessages(each) : each)),
	};
}

function insertLabel(mode: INodePropertyMode, label: string): INodePropertyMode {
	const validation = mode.validation?.map((rule) => {
		if (typeof rule === 'function' || !('errorMessage' in rule.properties)) return rule;
		const errorMessage = String(rule.properties.errorMessage).replace(LABEL_PLACEHOLDER, label);
		return { ...rule, properties: { ...rule.properties, errorMessage } };
	});
	return validation ? { ...mode, validation } : mode;
}

/** Creates a picker's check, and its two modes: select an entry from a list, or enter an ID. */
export function createPickerModesAndCheck(
	what: string,
	idKind: string,
	example: string,
	method: string,
): Pick<Field, 'modes' | 'check'> {
	const list = `${capitalizeTitleWords(what)} → List`;
	return {
		check: createUserOrGroupIdCheck(idKind, list),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${what}...`,
				typeOptions: { searchListMethod: method, searchable: true },
			},
			{
				displayName: `By ${idKind}`,
				name: 'id',
				type: 'string',
				placeholder: `${idKind}, e.g. ${example}`,
				validation: [
					{
						type: 'regex',
						properties: {
							regex: ENTERED_ID_REGEX_SOURCE,
							errorMessage: `'${LABEL_PLACEHOLDER}' ${ID_RULE_TEXT}. Choose the ${what} From List, or get the ${idKind} with ${list}.`,
						},
					},
				],
			},
		],
	};
}

const userModesAndCheck = createPickerModesAndCheck(
	'user',
	'UID',
	'cometchat-uid-1',
	'searchUsers',
);

const NO_SELECTION: INodeProperties['default'] = { mode: 'list', value: '' };

/**
 * Marks a field as required. Adds a hint for n8n's AI builder, which treats fields with a default as
 * optional.
 */
export const requiredWithBuilderHint: Pick<Field, 'required' | 'builderHint'> = {
	required: true,
	builderHint: { propertyHint: 'Required' },
};

/** Field for the user that an operation reads or changes. */
export const userIdField: Field = {
	displayName: 'User',
	name: 'userId',
	type: 'resourceLocator',
	...requiredWithBuilderHint,
	default: NO_SELECTION,
	...userModesAndCheck,
	description: 'UID of the user',
};

/** Field for the user who acts as a bot. The field's picker lists existing bots first. */
export const botUserIdField: Field = {
	...userIdField,
	...createPickerModesAndCheck('user', 'UID', 'cometchat-uid-1', 'searchUsersBotsFirst'),
	displayName: 'Bot',
	name: 'botId',
};

/** Field for a deactivated user. Only this picker lists deactivated users. */
export const deactivatedUserIdField: Field = {
	...userIdField,
	...createPickerModesAndCheck('user', 'UID', 'cometchat-uid-1', 'searchDeactivatedUsers'),
	description: 'UID of the deactivated user',
};

/** Creates a field for an optional user. */
export const createUserPicker = (
	displayName: string,
	name: string,
	description: string,
): Field => ({
	displayName,
	name,
	type: 'resourceLocator',
	default: NO_SELECTION,
	...userModesAndCheck,
	description,
});

/** Field for the group that an operation reads or changes. */
export const groupIdField: Field = {
	displayName: 'Group',
	name: 'groupId',
	type: 'resourceLocator',
	...requiredWithBuilderHint,
	default: NO_SELECTION,
	...createPickerModesAndCheck('group', 'GUID', 'cometchat-guid-1', 'searchGroups'),
	description: 'GUID of the group',
};
