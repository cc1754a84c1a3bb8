import { useSandbox } from './harness';
import { BEHAVIOURS, COUNT, ORDERS, expectEachOnce, fillGroup } from './messageList';

const sandbox = useSandbox({ validate: false });

const LIMITS = Array.from({ length: COUNT + 1 }, (_, index) => index + 1);

describe.each(BEHAVIOURS)('Where the service has %j,', (behaviour) => {
	test.each(ORDERS)(
		'%s returns each message once, in order',
		async (order) => {
			fillGroup(sandbox());
			sandbox().setSettings(behaviour);
			await expectEachOnce(sandbox(), order, LIMITS, [2, 3, 4, 5, 11, 22, 23, 24, 1000]);
		},
		60_000,
	);
});
