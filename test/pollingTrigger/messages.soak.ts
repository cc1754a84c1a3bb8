import { MESSAGE_OVERLAP_SECONDS } from '../../nodes/CometChat/pollingTrigger/newMessages';
import { GROUPS, START, started, useClockedSandbox } from './harness';

const sandbox = useClockedSandbox({ validate: false, logLimit: 10 });

test('A burst of 10,000 messages starts the workflow once for each message', async () => {
	const trigger = await started(sandbox(), {
		event: 'messageSent',
		watch: 'groups',
		groupIds: GROUPS,
	});
	for (let number = 0; number < 10_000; number++) {
		if (number % 1_000 === 0) sandbox().clock.now += 1;
		const receiver = GROUPS[number % GROUPS.length];
		sandbox().store.sendMessage({ sender: 'leo', receiver, text: String(number) });
	}
	const items = (await trigger.poll()) ?? [];
	expect(items.map(({ json }) => Number(json.text))).toEqual(
		Array.from({ length: 10_000 }, (_, number) => number),
	);
	expect(await trigger.poll()).toBeNull();
}, 600_000);

test('With 100 groups, the saved state stays below 1 MB after a burst of 10,000 messages', async () => {
	sandbox().reset();
	sandbox().clock.now = START;
	const groupIds = Array.from({ length: 100 }, (_, number) => `group-of-many-${number}`);
	for (const guid of groupIds) sandbox().store.createGroup({ guid });
	const trigger = await started(sandbox(), { event: 'messageSent', watch: 'groups', groupIds });
	sandbox().clock.now += 60;
	for (let number = 0; number < 10_000; number++) {
		const receiver = groupIds[number % 100];
		sandbox().store.sendMessage({ sender: 'leo', receiver, text: 'Hi' });
	}
	expect(await trigger.poll()).toHaveLength(10_000);
	expect(trigger.staticData().length).toBeLessThan(1_000_000);
	// Later polls forget the messages
	sandbox().clock.now += MESSAGE_OVERLAP_SECONDS + 1;
	expect(await trigger.poll()).toBeNull();
	expect(await trigger.poll()).toBeNull();
	expect(trigger.staticData().length).toBeLessThan(50_000);
}, 600_000);
