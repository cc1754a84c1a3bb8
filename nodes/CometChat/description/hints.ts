import type { IRelatedNode, NodeHint } from 'n8n-workflow';

/** Hint shown next to output that can contain an auth token. */
export const authTokenHint: NodeHint = {
	message: "The token is a secret. n8n stores it with this execution's data.",
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
	displayCondition:
		'={{ $parameter["resource"] === "user" && ($parameter["operation"] === "createAuthToken" || $parameter["additionalFields"]?.withAuthToken === true) }}',
};

/** Nodes that n8n's AI builder suggests together with the CometChat node. */
export const relatedNodes: IRelatedNode[] = [
	{
		nodeType: 'n8n-nodes-cometchat.cometChatTrigger',
		relationHint:
			'Starts a workflow when CometChat sends an event: messages, mentions, reactions, members, messages blocked by a moderation rule',
	},
	{
		nodeType: 'n8n-nodes-cometchat.cometChatBotTrigger',
		relationHint:
			'Starts a workflow when somebody writes to a bot or mentions the bot, and sets up the bot in CometChat',
	},
	{
		nodeType: 'n8n-nodes-cometchat.cometChatPollingTrigger',
		relationHint:
			'Starts a workflow when a message is sent or reported, or when a group is created, updated or joined',
	},
];
