import type { INodeParameters, WorkflowActivateMode } from 'n8n-workflow';

import type { ActivationOptions } from '../../tools/n8nEngine/poll';
import type { FaultEffect } from '../../tools/sandbox/faults';
import { credentialsOf } from '../actionNode/harness';
import { activate, errorOfPoll, started, useClockedSandbox } from './harness';

const sandbox = useClockedSandbox({ validate: false });

const watched: INodeParameters = {
	...{ event: 'messageSent', watch: 'groups', groupIds: ['lunch'] },
	requestOptions: { maxTries: 1 },
};

interface Problem {
	/** Fault of the service while n8n starts */
	fault?: FaultEffect;
	parameters?: INodeParameters;
	options?: () => Partial<ActivationOptions>;
	/** Part of the error's text */
	text: RegExp;
}

const PROBLEMS: Record<string, Problem> = {
	'no connection': { fault: { cutBefore: true }, text: /connection/i },
	'an unknown host': {
		options: () => ({
			credentials: { ...credentialsOf(sandbox()), baseUrl: 'https://unknown.invalid/v3' },
		}),
		text: /host/i,
	},
	'a rate limit': { fault: { tooManyRequests: { seconds: 600 } }, text: /rate limit/i },
	'a failing service': { fault: { status: { status: 503 } }, text: /503/ },
	'a wrong key': { fault: { echoKey: { status: 401 } }, text: /REST API Key/ },
	'a credential that n8n cannot read': {
		options: () => ({ credentials: undefined }),
		text: /credential/,
	},
	'an invalid parameter': {
		parameters: { groupIds: '={{ [] }}' },
		text: /'Groups to Watch' is empty/,
	},
	'a service that never answers': {
		fault: { half: 'stall' },
		options: () => ({ budgetMs: 100 }),
		text: /did not answer in time/,
	},
};

describe.each(Object.entries(PROBLEMS))('With %s', (_, { fault, parameters, options, text }) => {
	const publish = (activationMode: WorkflowActivateMode, more: Partial<ActivationOptions> = {}) => {
		if (fault) sandbox().setFaults([{ effect: fault }]);
		return activate(
			sandbox(),
			{ ...watched, ...parameters },
			{ activationMode, ...more, ...options?.() },
		);
	};

	test.each<[WorkflowActivateMode, 'a saved state' | 'no state']>([
		['init', 'a saved state'],
		['init', 'no state'],
		['leadershipChange', 'a saved state'],
		['leadershipChange', 'no state'],
	])(
		'the first poll of the mode %s with %s is only logged, and the next one fails',
		async (mode, state) => {
			const logs: string[] = [];
			const staticData =
				state === 'no state' ? undefined : (await started(sandbox(), watched)).staticData();
			const trigger = publish(mode, { staticData, onErrorLog: (log) => logs.push(log) });
			expect(await trigger.poll()).toBeNull();
			expect(logs).toEqual([expect.stringMatching(text)]);
			expect(logs[0]).toMatch(
				/^When n8n started, the first poll of "CometChat Polling Trigger" in "Workflow" failed\. /,
			);
			expect(JSON.stringify(logs)).not.toContain(sandbox().apiKey);
			await errorOfPoll(trigger);
			expect(logs).toHaveLength(1);
		},
	);

	test.each<WorkflowActivateMode>(['activate', 'update'])(
		'a person who publishes (mode %s) reads why this failed, and what to do',
		async (mode) => {
			const { staticData } = await started(sandbox(), watched);
			const trigger = publish(mode, { staticData: staticData() });
			const error = await errorOfPoll(trigger);
			expect(error.message).toMatch(text);
			expect(Reflect.get(error, 'description') ?? undefined).toBeUndefined();
		},
	);
});

test('after n8n has started without CometChat, each message starts the workflow once', async () => {
	const before = await started(sandbox(), watched);
	sandbox().clock.now += 60;
	sandbox().store.sendMessage({ sender: 'leo', receiver: 'lunch', text: 'meanwhile' });
	sandbox().setFaults([{ effect: { cutBefore: true } }]);
	const trigger = activate(sandbox(), watched, {
		activationMode: 'init',
		staticData: before.staticData(),
	});
	expect(await trigger.poll()).toBeNull();
	sandbox().setFaults(undefined);
	expect((await trigger.poll())?.map(({ json }) => json.text)).toEqual(['meanwhile']);
	expect(await trigger.poll()).toBeNull();
});
