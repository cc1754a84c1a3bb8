import { setTimeout as wait } from 'node:timers/promises';

import { compareWithModel, START_MS, write } from '../lib/publicationStory';
import { useTestSystem } from '../lib/testHooks';

const system = useTestSystem();

const DOWN = [{ effect: { status: { status: 503 } } }];

// The model of n8n is used by the tests of the Bot Trigger
test('n8n publishes bots as the model does, and a start without CometChat keeps them', async () => {
	const { n8n, model } = await compareWithModel(system(), async (machine, note) => {
		const { sandbox, publish, unpublish, restart, getStatus } = machine;
		note(`publishing says ${await publish('One')}`);
		await write(machine, 'one');
		sandbox.store.bots.update('reminder-bot', { enabled: false });
		note(`publishing a change of another node says ${await publish('Two')}`);
		await unpublish();
		note('unpublishing');
		note(`publishing afterwards says ${await publish('Three')}`);
		await write(machine, 'two');

		sandbox.setFaults(DOWN);
		await restart();
		await wait(START_MS);
		note(`after a start without CometChat, the trigger is ${await getStatus()}`);
		sandbox.setFaults([]);
		await write(machine, 'three');
		await restart();
		await wait(START_MS);
		note(`after another start, the trigger is ${await getStatus()}`);
		await write(machine, 'four');
	});
	expect(n8n).toEqual(model);
	const text = n8n.join('\n');
	expect(text).toContain('publishing a change of another node says published: ; on: false');
	expect(text).toContain('publishing afterwards says published: GET PUT; on: true');
	expect(text).toContain('after a start without CometChat, the trigger is activated,activated');
});
