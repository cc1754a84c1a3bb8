import { searchGroups } from '../../../nodes/CometChat/methods/pickers';
import { testCredential } from '../../../tools/n8nEngine/credentialTest';
import { makeCertificate, startSandbox } from '../../../tools/sandbox/server';
import { AS_TOOL, credentialsOf, get, itemsOf } from '../../actionNode/harness';
import { activate } from '../../pollingTrigger/harness';
import { createPickerContext } from '../context';

test("'Ignore SSL Issues' accepts any certificate for operations, tools, pickers, polls and the credential test", async () => {
	const service = await startSandbox({ tls: await makeCertificate() });
	const parameters = get('101', { requestOptions: { maxTries: 1 } });
	const connect = async (allowUnauthorizedCerts: boolean) => {
		const credentials = credentialsOf(service, { allowUnauthorizedCerts });
		const outcomes = await Promise.allSettled([
			itemsOf(service, parameters, { credentials }),
			itemsOf(service, parameters, { credentials, settings: AS_TOOL }),
			searchGroups.call(createPickerContext(credentials)),
			activate(service, { event: 'groupCreated' }, { credentials }).poll(),
			testCredential(credentials).then(({ status, message }) => {
				if (status !== 'OK') throw new Error(message);
			}),
		]);
		return outcomes.map((outcome) =>
			outcome.status === 'rejected' ? outcome.reason.message : outcome.status,
		);
	};
	try {
		expect(await connect(true)).toEqual(Array(5).fill('fulfilled'));
		const refused = /^Couldn't connect to CometChat: its certificate is not trusted/;
		expect(await connect(false)).toEqual(Array(5).fill(expect.stringMatching(refused)));
	} finally {
		await service.close();
	}
});
