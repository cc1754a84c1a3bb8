import type { ICredentialDataDecryptedObject, WorkflowActivateMode } from 'n8n-workflow';

import type { Instance } from '../../tools/n8nEngine/activation';
import type { FaultEffect } from '../../tools/sandbox/faults';
import { credentialsOf } from '../actionNode/harness';
import {
	botWorkflow,
	makeForeignBot,
	readBot,
	shortenTimeLimits,
	startN8n,
	useBotSandbox,
	useFastClock,
} from './harness';

const sandbox = useBotSandbox();

useFastClock();

const ORIGIN = 'http://127.0.0.1:1';

/** What goes wrong while n8n calls the creation hook. */
interface Trouble {
	effect?: FaultEffect;
	/** HTTP method of the requests that fail. Defaults to all. */
	method?: string;
	/** True for a credential that n8n can't read */
	isUnreadable?: boolean;
	credential?: ICredentialDataDecryptedObject;
	parameters?: Parameters<typeof botWorkflow>[0];
	/** Address of the n8n that calls the hook. Defaults to the address in the bot's URL. */
	origin?: string;
	isForeign?: boolean;
	/** Words of the error or the log line */
	words: string;
}

const TROUBLES = {
	'no connection': {
		credential: { baseUrl: 'http://127.0.0.1:9/v3' },
		words: "Check 'Base URL' in the credential",
	},
	'no such host': {
		credential: { baseUrl: 'https://cometchat.local/v3' },
		words: "Check 'Base URL' in the credential",
	},
	'status 429': {
		effect: { tooManyRequests: { seconds: 60 } },
		words: "CometChat's rate limit was reached",
	},
	'status 503': {
		effect: { status: { status: 503 } },
		words: 'CometChat is currently unavailable',
	},
	'status 401': {
		credential: { apiKey: 'f'.repeat(40) },
		words: "Check 'REST API Key'",
	},
	'a credential that cannot be read': { isUnreadable: true, words: 'The credential was deleted' },
	'a bot of somebody else': {
		isForeign: true,
		words: 'already sends its messages to bots.example.com',
	},
	silence: { effect: { half: 'stall' }, words: 'CometChat did not respond in time' },
	'silence after the change': {
		...{ effect: { half: 'stall' }, method: 'PUT', parameters: { groupMessages: 'none' } },
		words: 'CometChat did not respond in time',
	},
	'an invalid parameter': { parameters: { botId: 'a b/c?' }, words: "'Bot'" },
	'an expression that fails': {
		parameters: { botId: '={{ missing() }}' },
		words: 'its expression returned no value',
	},
	'an address that is too long': {
		origin: `https://n8n.example.com/${'x'.repeat(230)}`,
		words: 'The webhook URL has',
	},
} satisfies Record<string, Trouble>;

/** Publishes a bot, and starts another n8n with the same data, in which something goes wrong. */
async function startTroubled(trouble: Trouble): Promise<Instance> {
	await (await startN8n({ origin: ORIGIN })).publish(botWorkflow());
	if (trouble.isForeign) {
		sandbox().store.bots.delete('reminder-bot');
		makeForeignBot();
	}
	const { effect, method, credential, isUnreadable, origin = ORIGIN } = trouble;
	if (effect?.half) shortenTimeLimits();
	if (effect) sandbox().setFaults([{ ...(method ? { match: { method } } : {}), effect }]);
	const credentials = () => {
		if (isUnreadable) throw new Error('The credential was deleted');
		return credentialsOf(sandbox(), credential);
	};
	return await startN8n({ origin, credentials });
}

const cases = (modes: WorkflowActivateMode[]) =>
	modes.flatMap((mode) =>
		Object.entries<Trouble>(TROUBLES).map(([name, trouble]) => ({ mode, name, trouble })),
	);

/** Settings of the bot that decide where its messages go. */
const addressOf = () => {
	const { webhookURL, username, password, enabled, useBasicAuth } = readBot() ?? {};
	return { webhookURL, username, password, enabled, useBasicAuth };
};

test.each(cases(['init', 'leadershipChange']))(
	'with the mode $mode, $name is logged once, and the bot is left as it is',
	async ({ mode, trouble }) => {
		const n8n = await startTroubled(trouble);
		const address = addressOf();
		await n8n.publish(botWorkflow(trouble.parameters), mode);
		sandbox().setFaults([]);
		expect(addressOf()).toEqual(address);
		expect(n8n.logs).toEqual([
			expect.stringMatching(
				/^When n8n started, the CometChat bot of "CometChat Bot Trigger" in "Workflow" was left as it is: /,
			),
		]);
		expect(n8n.logs[0]).toContain(trouble.words);
		expect(n8n.logs[0]).toMatch(
			trouble.isForeign
				? /then publish it with the option 'Take Over Bot'\. Or choose another user in 'Bot'\.$/
				: /[^.]\. If .* unpublish the workflow, then publish it\.$/,
		);
	},
);

test.each(cases(['activate', 'update']))(
	'with the mode $mode, $name fails aloud, and is logged once',
	async ({ mode, trouble }) => {
		const n8n = await startTroubled(trouble);
		const publishing = n8n.publish(botWorkflow(trouble.parameters), mode);
		await expect(publishing).rejects.toThrow(trouble.words);
		sandbox().setFaults([]);
		expect(n8n.logs.filter((line) => line.includes('could not'))).toEqual([
			expect.stringMatching(
				/^When n8n published the workflow, the CometChat bot of .* could not be set up: .*[^.]\.$/,
			),
		]);
		expect(n8n.logs.join()).toContain(trouble.words);
	},
);

test('a publication that has changed nothing only reads the bot', async () => {
	const n8n = await startTroubled(TROUBLES['a bot of somebody else']);
	sandbox().log.length = 0;
	await expect(n8n.publish(botWorkflow())).rejects.toThrow('already sends its messages');
	expect(sandbox().log.map(({ method }) => method)).toEqual(['GET']);
});

test('a try of a publication that may have changed the bot takes at most 12 seconds, and sends nothing afterwards', async () => {
	const trouble: Trouble = TROUBLES['silence after the change'];
	const n8n = await startTroubled(trouble);
	const timeout = jest.mocked(AbortSignal.timeout).mockClear();
	const publishing = n8n.publish(botWorkflow(trouble.parameters));
	await expect(publishing).rejects.toThrow('CometChat did not respond in time');
	// Each request has a time limit, too
	const limits = new Set(timeout.mock.calls.map(([ms]) => ms));
	expect([...limits]).toEqual([8_000, 5_000, 4_000]);
	const { length } = sandbox().log;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(sandbox().log).toHaveLength(length);
});
