import { searchGroups } from '../../../nodes/CometChat/methods/pickers';
import { testCredential } from '../../../tools/n8nEngine/credentialTest';
import { makeCertificate, startSandbox } from '../../../tools/sandbox/server';
import { AS_TOOL, credentialsOf, errorOf, get, itemsOf } from '../../actionNode/harness';
import { activate } from '../../pollingTrigger/harness';
import { createPickerContext } from '../context';

test("'Ignore SSL Issues' accepts any certificate for operations, tools, pickers, polls, the app's files and the credential test", async () => {
	const service = await startSandbox({ tls: await makeCertificate() });
	const parameters = get('101', { requestOptions: { maxTries: 1 } });
	const sent = { sender: 'leo', receiver: 'makers', receiverType: 'group', type: 'file' } as const;
	const download = (url: string) => {
		const attachments = [{ url, name: 'a.txt', mimeType: 'text/plain', size: '12' }];
		const { id } = service.store.messages.add({ ...sent, attachments }, 1_760_000_000);
		const hosts = [`localhost:${service.port}`];
		return { ...parameters, operation: 'downloadFiles', messageId: id, options: { hosts } };
	};
	const connect = async (allowUnauthorizedCerts: boolean) => {
		const credentials = credentialsOf(service, { allowUnauthorizedCerts });
		const outcomes = await Promise.allSettled([
			itemsOf(service, parameters, { credentials }),
			itemsOf(service, parameters, { credentials, settings: AS_TOOL }),
			itemsOf(service, download('media/a.txt'), { credentials }),
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
		expect(await connect(true)).toEqual(Array(6).fill('fulfilled'));
		const refused = /^Couldn't connect to CometChat: its certificate is not trusted/;
		expect(await connect(false)).toEqual(Array(6).fill(expect.stringMatching(refused)));
		const elsewhere = download(`https://localhost:${service.port}/media/a.txt`);
		const credentials = credentialsOf(service, { allowUnauthorizedCerts: true });
		expect((await errorOf(service, elsewhere, { credentials })).description).toContain(
			'The connection reported: self-signed certificate',
		);
	} finally {
		await service.close();
	}
});
