import type { INodeProperties } from 'n8n-workflow';

/** Creates the field that determines whether the app's own actions start the workflow. */
export const createEventsCausedByAppField = (defaultValue: 'safe' | 'always'): INodeProperties => ({
	displayName: 'Events Caused by the App Itself',
	name: 'appEvents',
	type: 'options',
	options: [
		{
			name: 'Start Unless It Could Loop',
			value: 'safe',
			description:
				"Ignore the app's messages, reactions, groups and unknown events: the workflow may cause them",
		},
		{
			name: 'Always Start',
			value: 'always',
			description: 'Make sure that the workflow does nothing that starts it again',
		},
		{
			name: 'Never Start',
			value: 'never',
			description: 'Only actions by users start the workflow',
		},
	],
	default: defaultValue,
	description:
		'Whether actions by the app itself (app_system) start the workflow, e.g. in the dashboard, or by a request with an empty On Behalf Of or Send As',
	builderHint: {
		propertyHint:
			"'safe' skips events that could make the workflow start itself, 'never' skips all actions of the app. Use either if the workflow sends messages or changes groups.",
	},
});
