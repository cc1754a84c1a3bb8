import type { INodeExecutionData } from 'n8n-workflow';

import { valueToText } from '../../nodes/CometChat/helpers/json';
import { isLoopbackHost } from '../sandbox/loopback';
import { perform, type Service } from './perform';
import type { CheckResult } from './results';
import type { Step } from './steps';

export interface DownloadOptions {
	/** ID of a message with a file. */
	messageId: string;
	/** Addition to the operation's name in the report. */
	note: string;
	/** The file's content. Default: any content */
	content?: Buffer;
	signal: AbortSignal;
}

/** Lets the node download the file of a message from the service's media host, and compares the bytes. */
export async function checkDownload(
	service: Service,
	{ messageId, note, content, signal }: DownloadOptions,
): Promise<CheckResult> {
	const { host } = new URL(service.recorder.target);
	const step: Step = [
		'message downloadFiles',
		({ member: onBehalfOf }) => ({
			...{ messageId, onBehalfOf },
			// The sandbox serves files itself. The node knows only the recorder's address
			options: isLoopbackHost(host) ? { hosts: [host] } : {},
		}),
	];
	const inspect = ([item]: INodeExecutionData[]): string[] => {
		const received = Buffer.from(valueToText(item?.binary?.data?.data), 'base64');
		if (received.length === 0) return ['no file was downloaded'];
		return content?.equals(received) === false ? ['the file has other bytes'] : [];
	};
	return await perform(step, service, { signal, note, inspect });
}
