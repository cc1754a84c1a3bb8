import type { Browser } from 'playwright-core';

import { startBrowser } from './browser';
import { startReceiver, type Receiver } from '../../sandbox/receiver';
import { startChatModel, type ChatModel } from './chatModel';
import { EditorPage } from './editorPage';
import { startTestSystem, type TestSystem, type TestSystemOptions } from './testSystem';

/**
 * Opens a resource before the first test in a file and closes it after the last.
 *
 * @param reset called before each test
 * @param timeoutMs time limit for opening the resource
 * @returns a function that returns the open resource
 */
export function useResource<T extends { close(): Promise<unknown> }>(
	open: () => Promise<T>,
	reset: (opened: T) => void = () => {},
	timeoutMs?: number,
): () => T {
	let opened: T | undefined;
	const current = () => {
		if (opened === undefined) throw new Error('The resource opens before the first test');
		return opened;
	};
	beforeAll(async () => {
		opened = await open();
	}, timeoutMs);
	beforeEach(() => reset(current()));
	afterAll(async () => await opened?.close());
	return current;
}

/** Starts n8n with the packed package installed, and resets the sandbox before each test. */
export const useTestSystem = (options?: TestSystemOptions): (() => TestSystem) =>
	useResource(
		async () => await startTestSystem(options),
		({ sandbox }) => {
			sandbox.reset();
			sandbox.webhooks.set([]);
		},
	);

export const useBrowser = (): (() => Browser) => useResource(startBrowser);

/** Opens n8n's editor in a browser window and signs in. */
export function useEditor(system: () => TestSystem): () => EditorPage {
	const browser = useBrowser();
	return useResource(async () => await EditorPage.open(browser(), system().n8n.url));
}

export const useChatModel = (): (() => ChatModel) =>
	useResource(startChatModel, ({ requests }) => void requests.splice(0));

export const useReceiver = (): (() => Receiver) =>
	useResource(startReceiver, ({ received }) => void received.splice(0));
