import type {
	ICredentialDataDecryptedObject,
	INodeCredentialTestResult,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { core } from './n8n';
import { nodeTypes } from './types';

/** Runs the test function that the node declares for its credential, as n8n's credentials tester does. */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { description, methods } = nodeTypes.getByNameAndVersion('n8n-nodes-cometchat.cometChat');
	const { testedBy } = description.credentials?.find(({ name }) => name === 'cometChatApi') ?? {};
	const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
	if (!test) throw new Error('The credential has no test');
	const context = new core.CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	return await test.call(context, { id: '1', name: 'CometChat', type: 'cometChatApi', data });
}
