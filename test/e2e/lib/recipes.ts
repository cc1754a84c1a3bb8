import { submitDecision } from './answerForm';
import { FINAL, type Execution } from './client';
import { loadExample, type SavedCredentials } from './examples';
import { waitFor } from './processes';
import { useChatModel, useTestSystem } from './testHooks';
import { LOGIN, webhookUrl } from './webhook';

/** Path segment that every answer link contains. */
const WAITING_PATH = '/webhook-waiting/';

/** Time limit for an execution with thousands of items. */
export const LONGEST_RUN_MS = 300_000;

/** Content of a message with a picture. */
export const PICTURE = {
	type: 'image',
	attachments: [
		{
			...{ url: 'https://example.com/a.png', name: 'a.png', extension: 'png' },
			...{ mimeType: 'image/png', size: '1' },
		},
	],
};

/** Traces of a missing value in a text that a recipe sends. */
export const MISSING_VALUE = /\b(?:undefined|null|NaN)\b|\[object /;

const BY_HAND = 'When clicking ‘Execute workflow’';

/** Parameter values that replace those of an example, keyed by node name. */
type Changes = Parameters<typeof loadExample>[2];

interface PublishOptions {
	/** More credentials */
	saved?: SavedCredentials;
	/** Changes the example's JSON */
	edit?(json: string): string;
	change?: Changes;
	/** True to deliver chat events to the workflow */
	listen?: boolean;
}

/**
 * Starts n8n, the sandbox and a chat model before the first test in a file. Returns functions that run the
 * example workflows.
 */
export function useRecipes() {
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
		expect(listSentByApp().filter((text) => MISSING_VALUE.test(text))).toEqual([]);
	});

	/** Returns the messages sent by the app itself, formatted as "receiver: text". */
	const listSentByApp = (): string[] =>
		system()
			.sandbox.store.messages.all()
			.filter(({ sender, category }) => sender === 'app_system' && category === 'message')
			.map(({ receiver, text }) => `${receiver}: ${text}`);

	/** Publishes an example until the end of the test, and returns its ID. */
	async function publish(
		name: string,
		{ saved: more, edit = (json) => json, change, listen = false }: PublishOptions = {},
	): Promise<string> {
		const { client, n8n, sandbox } = system();
		const draft = loadExample(name, { ...saved, ...more }, change);
		const id = await client.addWorkflow(JSON.parse(edit(JSON.stringify(draft))));
		await client.publish(id);
		published.add(id);
		if (listen) sandbox.webhooks.set([{ url: webhookUrl(n8n, draft), ...LOGIN }]);
		return id;
	}

	return {
		system,
		model,
		publish,
		listSentByApp,

		/** Imports an example, runs it from a trigger, and expects the execution to succeed. */
		async run(
			name: string,
			trigger = BY_HAND,
			change?: Changes,
			input?: object[],
		): Promise<Execution> {
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

		/** Imports an example, starts it from a trigger, and returns the execution ID. */
		async start(name: string, trigger = BY_HAND, change?: Changes): Promise<string> {
			const { client } = system();
			const id = await client.addWorkflow(loadExample(name, saved, change));
			return await client.start(id, trigger);
		},

		/** Publishes an example and delivers chat events to it while a function runs. */
		async whileListening(
			use: (workflowId: string) => Promise<void>,
			name: string,
			options?: PublishOptions,
		): Promise<void> {
			await use(await publish(name, { ...options, listen: true }));
			await unpublishAll();
		},

		/** Waits until n8n has handled all delivered events. */
		async settle(workflowId: string): Promise<void> {
			const { client, sandbox } = system();
			await sandbox.webhooks.idle();
			let idleChecks = 0;
			await waitFor('The end of all executions', async () => {
				const statuses = (await client.listExecutions(workflowId)).map(({ status }) => status);
				const isIdle = statuses.every((status) => !['new', 'running'].includes(status));
				idleChecks = isIdle ? idleChecks + 1 : 0;
				// n8n answers a webhook before it lists the execution
				return idleChecks === 5;
			});
		},

		/** Returns the texts that the app itself sent to a user or group. */
		textsTo: (receiver: string): string[] =>
			listSentByApp()
				.filter((text) => text.startsWith(`${receiver}: `))
				.map((text) => text.slice(receiver.length + 2)),

		/** Waits for a question whose text matches, answers it, and returns the text. */
		async answer(question: RegExp, label: string): Promise<string> {
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

		/** Publishes an example with a form until the end of the test. */
		async openForm(name: string) {
			const { client, n8n } = system();
			const id = await publish(name);
			const draft = loadExample(name, saved);
			const { webhookId } = draft.nodes.find(({ type }) => type.endsWith('formTrigger')) ?? {};
			let submissions = 0;
			return {
				/**
				 * Fills in the form, waits until the execution has the expected status, and returns the response.
				 */
				async submit(fields: string[], expected: 'success' | 'error' = 'success'): Promise<string> {
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

		/** Returns the GUIDs of a user's groups, sorted. */
		groupsOf: (uid: string): string[] =>
			system()
				.sandbox.store.groups.all()
				.filter(({ members }) => members.some((member) => member.uid === uid))
				.map(({ guid }) => guid)
				.sort(),

		/** Returns the scope of a group's member, or undefined if the user isn't a member. */
		scopeOf: (guid: string, uid: string): string | undefined =>
			system()
				.sandbox.store.groups.get(guid)
				?.members.find((member) => member.uid === uid)?.scope,

		isBanned: (guid: string, uid: string): boolean =>
			system()
				.sandbox.store.groups.get(guid)
				?.banned?.some((banned) => banned.uid === uid) ?? false,
	};
}
