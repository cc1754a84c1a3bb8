import fc from 'fast-check';

import { createDatabase, startPublisher } from '../../tools/n8nEngine/publication';
import { startSandbox, type Sandbox } from '../../tools/sandbox/server';
import { credentialsOf } from '../actionNode/harness';
import { countCases } from '../countCases';
import { triggerNode } from './harness';

const WORKFLOW = 'w';

const GROUP = 'lunch';

const action = fc.constantFrom(
	...(['publish', 'change', 'unpublish', 'restart', 'lead', 'send', 'send', 'poll'] as const),
	...(['goDown', 'comeBack'] as const),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Returns a version of the workflow. A change of `maxItems` changes the trigger, but not what the trigger polls. */
const toVersion = (maxItems: number) => ({
	id: String(maxItems),
	nodes: [
		triggerNode({ event: 'messageSent', watch: 'groups', groupIds: GROUP, options: { maxItems } }),
	],
});

/** An n8n that publishes a workflow with a Polling Trigger, restarts, and loses its connection to CometChat. */
class PublicationHistory {
	private readonly database = createDatabase();
	private n8n?: Awaited<ReturnType<typeof startPublisher>>;
	private maxItems = 1_000;
	private isPublished = false;
	private isDown = false;
	private count = 0;
	/** Messages that must start the workflow, because the trigger has polled before */
	private readonly due: string[] = [];
	private hasPolled = false;
	private readonly returned: string[] = [];

	constructor(private readonly sandbox: Sandbox) {
		sandbox.reset();
	}

	private async start() {
		const credentials = () => credentialsOf(this.sandbox);
		this.n8n = await startPublisher({ credentials, database: this.database });
		return this.n8n;
	}

	private async stop(): Promise<void> {
		const items = this.n8n?.executions.flatMap((execution) => execution.items) ?? [];
		this.returned.push(...items.map(({ json }) => String(json.text)));
		await this.n8n?.close();
	}

	private async publish(): Promise<void> {
		const n8n = this.n8n ?? (await this.start());
		const { published } = n8n.find(WORKFLOW);
		const isKept = this.isPublished && published?.id === String(this.maxItems);
		const publishing = n8n.publish(WORKFLOW, toVersion(this.maxItems));
		const error = await publishing.then(() => undefined, String);
		const isFailed = error !== undefined;
		if (isFailed !== (this.isDown && !isKept)) throw new Error(`Publishing said: ${error}`);
		this.isPublished = !isFailed;
		this.hasPolled ||= this.isPublished;
	}

	private readonly actions: Record<Action, () => Promise<void> | void> = {
		publish: async () => await this.publish(),
		change: () => {
			this.maxItems++;
		},
		unpublish: async () => {
			await this.n8n?.unpublish(WORKFLOW);
			this.isPublished = false;
		},
		restart: async () => {
			await this.stop();
			await (await this.start()).reconcile('startup');
		},
		lead: async () => {
			this.n8n?.loseLeadership();
			await this.n8n?.reconcile('takeover');
		},
		send: () => {
			const text = `Message ${++this.count}`;
			this.sandbox.store.sendMessage({
				...{ sender: 'mira', receiver: GROUP, receiverType: 'group', text },
			});
			if (this.hasPolled) this.due.push(text);
		},
		poll: async () => {
			const errors = (await this.n8n?.poll(WORKFLOW)) ?? [];
			if (errors.length !== Number(this.isDown && this.isPublished)) throw new Error(errors.join());
		},
		goDown: () => {
			this.isDown = true;
			this.sandbox.setFaults([{ effect: { status: { status: 403 } } }]);
		},
		comeBack: () => {
			this.isDown = false;
			this.sandbox.setFaults([]);
		},
	};

	/** @throws Error if a published trigger ends, or if a message doesn't start the workflow once */
	async play(actions: Action[]): Promise<void> {
		for (const name of actions) {
			await this.actions[name]();
			const statuses = [...(this.n8n?.find(WORKFLOW).statuses.values() ?? [])];
			const isActive = statuses.some(({ status }) => status === 'activated');
			if (isActive !== this.isPublished) throw new Error(`After ${name}, active is ${isActive}`);
		}
		for (const name of ['comeBack', 'publish', 'poll'] as const) await this.actions[name]();
		await this.stop();
		expect(this.returned).toEqual(this.due);
	}
}

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

test('In any history of publications, starts and outages, a published trigger goes on, and loses nothing', async () => {
	const property = fc.asyncProperty(
		fc.array(action, { minLength: 5, maxLength: 30 }),
		async (actions) => await new PublicationHistory(sandbox).play(actions),
	);
	await fc.assert(property, { numRuns: countCases({ eachChange: 40, nightly: 1_000 }) });
}, 1_800_000);
