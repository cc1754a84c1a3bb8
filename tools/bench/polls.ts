import type { INodeParameters } from 'n8n-workflow';

import { activateTrigger } from '../n8nEngine/poll';
import { node } from '../n8nEngine/draft';
import { startSandbox } from '../sandbox/server';

/** Numbers of watched groups, each with the latency of the service in milliseconds. */
const CASES: Array<[groups: number, latencyMs: number]> = [
	[1, 100],
	[20, 100],
	[100, 100],
	[250, 450],
	[270, 1_000],
	[1_000, 300],
	[1_000, 1_000],
];

/** Maximum polls until the message in the last group has been returned. */
const MAX_POLLS = 9;

/** Measures the first poll, and a poll for one new message in the last of many watched groups. */
async function measure(count: number, latencyMs: number): Promise<string> {
	const sandbox = await startSandbox({ validate: false, logLimit: 1 });
	const groupIds = Array.from({ length: count }, (_, index) => `group-${index}`);
	for (const guid of groupIds) sandbox.store.createGroup({ guid });
	const parameters: INodeParameters = { event: 'messageSent', watch: 'groups', groupIds };
	const trigger = activateTrigger(
		node({
			name: 'Poll',
			type: 'n8n-nodes-cometchat.cometChatPollingTrigger',
			parameters,
			credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
		}),
		{ credentials: { apiKey: sandbox.apiKey, region: 'custom', baseUrl: sandbox.baseUrl } },
	);
	sandbox.setFaults([{ effect: { latency: { ms: latencyMs } } }]);
	const time = async () => {
		const start = performance.now();
		const items = await trigger.poll();
		return { ms: Math.round(performance.now() - start), isFound: items !== null };
	};
	const first = await time();
	const receiver = groupIds.at(-1) ?? '';
	sandbox.store.sendMessage({ sender: 'mira', receiver, text: 'Hi' });
	const polls = [];
	while (polls.length < MAX_POLLS && !polls.at(-1)?.isFound) polls.push(await time());
	await sandbox.close();
	return [
		`| ${count} | ${latencyMs} | ${first.ms} | ${polls.map(({ ms }) => ms).join(', ')}`,
		polls.at(-1)?.isFound ? '' : 'not found',
	].join(' | ');
}

async function main(): Promise<void> {
	console.log('| groups | latency (ms) | first poll (ms) | polls until the message (ms) | |');
	console.log('| ---: | ---: | ---: | ---: | --- |');
	for (const each of CASES) console.log(`${await measure(...each)} |`);
}

void main();
