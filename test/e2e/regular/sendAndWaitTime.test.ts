import { code, manual, workflow } from '../../../tools/n8nEngine/draft';
import { submitDecision } from '../lib/answerForm';
import { waitFor } from '../lib/processes';
import { createQuestions, DOUBLE, UNANSWERED, type Waiting } from '../lib/questions';
import { useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const { questionNode, ask, hasLink, waitForAnswers } = createQuestions(system);

afterEach(() => expect(system().sandbox.violations).toEqual([]));

test('Send and Wait gives the message and the workflow the same result if an answer arrives at the time limit', async () => {
	// Once a minute, n8n looks for waits that end within the next 70 seconds
	const ends = Date.now() + 70_000;
	const limitWaitTime = {
		values: { limitType: 'atSpecifiedTime', maxDateAndTime: new Date(ends).toISOString() },
	};
	const draft = (name: string) =>
		workflow(name, [
			manual(),
			code('Items', [{ n: 1 }, { n: 2 }, { n: 3 }]),
			questionNode({ approvalOptions: DOUBLE, options: { limitWaitTime } }),
		]);
	const moments = [-200, -50, 0, 50, 200];
	const waiting: Waiting[] = [];
	for (const moment of moments) waiting.push(await ask(draft(`Ends ${moment}`)));
	const given = waiting.map(async ({ urls }, index) => {
		await new Promise((done) => setTimeout(done, ends + moments[index] - Date.now()));
		await submitDecision(urls[0], true);
	});
	await Promise.all(given);
	for (const { executionId, messageId } of waiting) {
		const items = await waitForAnswers(executionId);
		const isAnswered = Object(items[0].data).answered === true;
		if (!isAnswered) expect(items).toEqual([UNANSWERED]);
		await waitFor('The same answer in the message', () => hasLink(messageId) !== isAnswered);
	}
}, 150_000);
