import type { ICredentialsHelper, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

/**
 * Creates the additional data that n8n passes to executions.
 *
 * @param origin origin of the n8n instance's URLs
 */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
	origin = 'http://127.0.0.1:5678',
): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		instanceBaseUrl: `${origin}/`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		webhookBaseUrl: `${origin}/webhook`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		executionId: '1',
		variables: {},
		logAiEvent: () => {},
	};
	return data as IWorkflowExecuteAdditionalData;
}
