import { guidsOfPoll, happen, started, useClockedSandbox } from './harness';

const sandbox = useClockedSandbox();

const change = (name: string) => sandbox().store.updateGroup('old', { name });

const wait = (seconds: number) => {
	sandbox().clock.now += seconds;
};

test('A change is returned although CometChat once dated the group in the future', async () => {
	happen(sandbox(), 'old');
	const trigger = await started(sandbox(), { event: 'groupUpdated' });
	wait(9_000);
	change('dated in the future');
	wait(-8_940);
	expect(await guidsOfPoll(trigger)).toEqual(['old']);
	wait(60);
	change('dated now');
	expect(await guidsOfPoll(trigger)).toEqual(['old']);
	expect(await guidsOfPoll(trigger)).toBeUndefined();
});

test('An old group whose change has no time is returned once per change', async () => {
	happen(sandbox(), 'old');
	wait(100_000);
	happen(sandbox(), 'new');
	sandbox().setSettings({ hideUpdatedAt: true });
	const trigger = await started(sandbox(), { event: 'groupUpdated' });
	for (const name of ['first', 'second']) {
		wait(60);
		change(name);
		expect(await guidsOfPoll(trigger)).toEqual(['old']);
		wait(60);
		expect(await guidsOfPoll(trigger)).toBeUndefined();
	}
});
