import type { Browser } from 'playwright-core';

import { startBrowser } from './browser';
import { startChatModel, type ChatModel } from './chatModel';
import { EditorPage } from './editorPage';
import { startRecorder, type Recorder } from './recorder';
import { openStage, type Stage, type StageOptions } from './stage';

/**
 * Opens the resources of a test file before its first test and closes them after the last.
 *
 * @param reset called before each test
 */
function useOpened<T extends { close(): Promise<unknown> }>(
	open: () => Promise<T>,
	reset: (opened: T) => void = () => {},
): () => T {
	let opened: T | undefined;
	const current = () => {
		if (opened === undefined) throw new Error('It is opened before the first test');
		return opened;
	};
	beforeAll(async () => {
		opened = await open();
	});
	beforeEach(() => reset(current()));
	afterAll(async () => void (await opened?.close()));
	return current;
}

/** Starts n8n with the package, and resets the sandbox before each test. */
export const useStage = (options?: StageOptions): (() => Stage) =>
	useOpened(
		async () => await openStage(options),
		({ sandbox }) => {
			sandbox.reset();
			sandbox.webhooks.set([]);
		},
	);

export const useBrowser = (): (() => Browser) => useOpened(startBrowser);

/** Opens n8n's editor in a browser window, signed in. */
export function useEditor(stage: () => Stage): () => EditorPage {
	const browser = useBrowser();
	const window = useOpened(async () => {
		const editor = await EditorPage.open(browser(), stage().n8n.url);
		return { editor, close: async () => {} };
	});
	return () => window().editor;
}

export const useChatModel = (): (() => ChatModel) =>
	useOpened(startChatModel, ({ requests }) => void requests.splice(0));

export const useRecorder = (): (() => Recorder) =>
	useOpened(startRecorder, ({ requests }) => void requests.splice(0));
