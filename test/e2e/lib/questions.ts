import type { INode } from 'n8n-workflow';

import { cometChat, type WorkflowDraft } from '../../../tools/n8nEngine/draft';
import type { TestSystem } from './testSystem';

/** Name of the node that asks, with characters that expressions and URLs could change. */
const ASK = 'Ask "them" {{ now }}';

/** Approval options for a question with two buttons. */
export const DOUBLE = {
	values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' },
};

/** Item that replaces the answer if nobody answers in time. */
export const UNANSWERED = { data: { answered: false } };

/** An execution that waits for an answer to a question. */
export interface Waiting {
	executionId: string;
	messageId: string;
	urls: string[];
}

/** Returns the answer links in a message's metadata. */
export function readLinks({ metadata }: { metadata?: unknown }): string[] {
	const { answers = [] } = Object(Object(metadata).sendAndWait);
	return (answers as Array<{ url: string }>).map(({ url }) => url);
}

/** Creates functions that ask questions with Send and Wait, and read what became of them. */
export function createQuestions(system: () => TestSystem) {
	const questionNode = (parameters: INode['parameters'], rest: Partial<INode> = {}): INode =>
		cometChat(
			system().credentialId,
			{
				resource: 'message',
				operation: 'sendAndWait',
				groupId: 'makers',
				message: 'Order "lamps" & <b>bulbs</b>?',
				...parameters,
			},
			{ name: ASK, id: 'ask', ...rest },
		);

	/** Runs a workflow until it has sent a question and waits for the answer. */
	async function ask(draft: WorkflowDraft): Promise<Waiting> {
		const { client, sandbox } = system();
		const workflowId = await client.addWorkflow(draft);
		const executionId = await client.start(workflowId, 'Manual');
		await client.waitForQuestion(workflowId);
		// Exclude the action messages that updates of questions create, and questions of other executions
		const isOwn = (metadata: unknown) =>
			JSON.stringify(metadata ?? '').includes(`/webhook-waiting/${executionId}/`);
		const sent = sandbox.store.messages
			.all()
			.filter(({ category, metadata }) => category === 'message' && isOwn(metadata));
		expect(sent).toHaveLength(1);
		return { executionId, messageId: sent[0].id, urls: readLinks(sent[0]) };
	}

	const readText = (id: string) => String(system().sandbox.store.messages.get(id)?.text);
	const hasLink = (id: string) => /\n\nYes \/ No: http\S+$/.test(readText(id));
	const waitForAnswers = async (id: string) =>
		(await system().client.waitForEnd(id)).items(ASK).map(({ json }) => json);

	return { questionNode, ask, readText, hasLink, waitForAnswers };
}
