import { submitDecision } from './answerForm';
import type { ChatModel } from './chatModel';
import { FINAL, type Execution } from './client';
import { loadExample, type SavedCredentials } from './examples';
import { waitFor } from './processes';
import { useChatModel, useTestSystem } from './testHooks';
import type { TestSystem } from './testSystem';
import { LOGIN, publishWebhook, webhookUrl } from './webhook';

/** Path segment that every answer link contains. */
const WAITING_PATH = '/webhook-waiting/';

/** Time limit for an execution with thousands of items. */
export const LONGEST_RUN_MS = 300_000;

const BY_HAND = 'When clicking ‘Execute workflow’';

/** Parameter values that replace those of an example, keyed by node name. */
export type Changes = Parameters<typeof loadExample>[2];

export interface PublishOptions {
	saved?: SavedCredentials;
	edit?(json: string): string;
	change?: Changes;
	/** True to deliver chat events to the workflow */
	listen?: boolean;
}

/** A published form. */
export interface Form {
	/** Fills in the form, waits until the execution has the expected status, and returns the response. */
	submit(fields: string[], expected?: 'success' | 'error'): Promise<string>;
}

/** Functions that run the example workflows in n8n against the sandbox. */
export interface Recipes {
	system(): TestSystem;
	model(): ChatModel;
	/** Credentials for CometChat, its webhook and the chat model */
	saved(): SavedCredentials;
	/** Imports an example, runs it from a trigger, and expects the execution to succeed. */
	run(name: string, trigger?: string, change?: Changes, input?: object[]): Promise<Execution>;
	/** Imports an example, starts it from a trigger, and returns the execution ID. */
	start(name: string, trigger?: string, change?: Changes): Promise<string>;
	/** Publishes an example and delivers chat events to it while a function runs. */
	whileListening(
		use: (workflowId: string) => Promise<void>,
		name: string,
		more?: SavedCredentials,
	): Promise<void>;
	/** Returns the messages sent by the app itself, formatted as "receiver: text". */
	listSentByApp(): string[];
	/** Returns the texts that the app itself sent to a user or group. */
	textsTo(receiver: string): string[];
	/**
	 * Publishes an example until the end of the test, and returns its ID.
	 *
	 * @param saved more credentials
	 * @param edit changes the example's JSON
	 */
	publish(name: string, options: PublishOptions): Promise<string>;
	/** Waits for a question whose text matches, answers it, and returns the text. */
	answer(question: RegExp, label: string): Promise<string>;
	/** Publishes an example with a form until the end of the test. */
	openForm(name: string): Promise<Form>;
	/** Returns the GUIDs of a user's groups, sorted. */
	groupsOf(uid: string): string[];
	/** Returns the scope of a group's member, or undefined if the user isn't a member. */
	scopeOf(guid: string, uid: string): string | undefined;
	isBanned(guid: string, uid: string): boolean;
}

/** Starts n8n, the sandbox and a chat model before the first test in a file. */
export function useRecipes(): Recipes {
	const system = useTestSystem();
	const model = useChatModel();
	let saved: SavedCredentials;

	beforeAll(async () => {
		const data = {
			cometChatWebhookApi: LOGIN,
			openAiApi: { apiKey: 'model-key', url: model().url },
		};
		saved = { cometChatApi: { id: system().credentialId, name: 'CometChat' } };
		for (const [type, values] of Object.entries(data)) {
			saved[type] = { id: await system().client.addCredential(type, type, values), name: type };
		}
	});

	/** IDs of workflows to unpublish after the test, even a failed one. */
	const published = new Set<string>();

	async function unpublishAll(): Promise<void> {
		for (const id of published) await system().client.unpublish(id);
		published.clear();
	}

	afterEach(async () => {
		await unpublishAll();
		expect(system().sandbox.violations).toEqual([]);
	});

	const listSentByApp = (): string[] =>
		system()
			.sandbox.store.messages.all()
			.filter(({ sender, category }) => sender === 'app_system' && category === 'message')
			.map(({ receiver, text }) => `${receiver}: ${text}`);

	return {
		system,
		model,
		saved: () => saved,
		listSentByApp,

		async run(name, trigger = BY_HAND, change, input) {
			const { client, sandbox } = system();
			const draft = loadExample(name, saved, change);
			if (input) draft.pinData = { [trigger]: input.map((json) => ({ json: { ...json } })) };
			const execution = await client.runFrom(
				await client.addWorkflow(draft),
				trigger,
				LONGEST_RUN_MS,
			);
			expect(execution.error).toBeUndefined();
			expect(execution.status).toBe('success');
			expect(execution.stored).not.toContain(sandbox.apiKey);
			return execution;
		},

		async start(name, trigger = BY_HAND, change) {
			const { client } = system();
			const id = await client.addWorkflow(loadExample(name, saved, change));
			return await client.start(id, trigger);
		},

		async whileListening(use, name, more = {}) {
			const { client, sandbox, n8n } = system();
			const draft = loadExample(name, { ...saved, ...more });
			const { id, url } = await publishWebhook(client, n8n, draft);
			published.add(id);
			sandbox.webhooks.set([{ url, ...LOGIN }]);
			await use(id);
			await unpublishAll();
		},

		textsTo: (receiver) =>
			listSentByApp()
				.filter((text) => text.startsWith(`${receiver}: `))
				.map((text) => text.slice(receiver.length + 2)),

		async publish(name, { saved: more, edit = (json) => json, change, listen = false }) {
			const draft = loadExample(name, { ...saved, ...more }, change);
			const { client } = system();
			const id = await client.addWorkflow(JSON.parse(edit(JSON.stringify(draft))));
			await client.publish(id);
			published.add(id);
			if (listen)
				system().sandbox.webhooks.set([{ url: webhookUrl(system().n8n, draft), ...LOGIN }]);
			return id;
		},

		async answer(question, label) {
			const text = await waitFor('The question', () =>
				listSentByApp().findLast((each) => each.includes(WAITING_PATH) && question.test(each)),
			);
			// The message lists the Approve label before the Decline label
			const [, labels = '', url = ''] = /^(.+ \/ .+): (http\S+)$/m.exec(text) ?? [];
			expect(labels.split(' / ')).toContain(label);
			// The link works only after the execution has started waiting
			await waitFor('The page', async () => (await fetch(url)).ok);
			expect((await submitDecision(url, labels.startsWith(`${label} /`))).status).toBe(200);
			return text;
		},

		async openForm(name) {
			const { client, n8n } = system();
			const draft = loadExample(name, saved);
			const id = await client.addWorkflow(draft);
			await client.publish(id);
			published.add(id);
			const { webhookId } = draft.nodes.find(({ type }) => type.endsWith('formTrigger')) ?? {};
			let submissions = 0;
			return {
				async submit(fields, expected = 'success') {
					const body = new FormData();
					fields.forEach((value, number) => body.set(`field-${number}`, value));
					const page = await fetch(`${n8n.url}/form/${webhookId}`, { method: 'POST', body });
					const text = await page.text();
					submissions += 1;
					const ended = await waitFor(
						'The end of the execution',
						async () => {
							const all = await client.listExecutions(id);
							const isDone =
								all.length >= submissions && all.every(({ status }) => FINAL.includes(status));
							return isDone && all;
						},
						LONGEST_RUN_MS,
					);
					expect(ended[0].status).toBe(expected);
					return text;
				},
			};
		},

		groupsOf: (uid) =>
			system()
				.sandbox.store.groups.all()
				.filter(({ members }) => members.some((member) => member.uid === uid))
				.map(({ guid }) => guid)
				.sort(),

		scopeOf: (guid, uid) =>
			system()
				.sandbox.store.groups.get(guid)
				?.members.find((member) => member.uid === uid)?.scope,

		isBanned: (guid, uid) =>
			system()
				.sandbox.store.groups.get(guid)
				?.banned?.some((banned) => banned.uid === uid) ?? false,
	};
}
