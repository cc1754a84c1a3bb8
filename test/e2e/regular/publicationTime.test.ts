import { setTimeout as wait } from 'node:timers/promises';

import { compareWithModel, START_MS } from '../lib/publicationStory';
import { useTestSystem } from '../lib/testHooks';

const system = useTestSystem();

test('n8n ends publications with a silent CometChat as the model does', async () => {
	const readLog = () => system().n8n.service.log();
	const { length: logLength } = readLog();
	const { n8n, model } = await compareWithModel(system(), async (machine, note) => {
		const { sandbox, publish, restart, getStatus } = machine;
		note(`publishing says ${await publish('One')}`);
		await machine.unpublish();
		note('unpublishing');
		sandbox.setFaults([{ match: { method: 'PUT', path: '/v3/bots' }, effect: { half: 'stall' } }]);
		note(`publishing with a silent CometChat says ${await publish('Two')}`);
		await wait(5_000);
		note('five seconds later');
		await restart(20);
		await wait(START_MS);
		note(`after a start, the failed trigger is ${await getStatus()}`);
		note(`publishing within 14 seconds says ${await publish('Three')}`);
	});
	expect(n8n).toEqual(model);
	const text = n8n.join('\n');
	expect(text).toMatch(/with a silent CometChat says Error: CometChat did not respond in time/);
	expect(text).toContain('five seconds later: ;');
	expect(text).toContain('the failed trigger is activated,failed');
	expect(text).toContain('within 14 seconds says Error: Workflow publication processing exceeded');
	// One line for each of the two failed publications
	const lines = readLog()
		.slice(logLength)
		.match(/could not be set up: CometChat did not respond/g);
	expect(lines).toHaveLength(2);
});
