import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serve } from '../../tools/n8nEngine/serve';
import { makeCertificate, startSandbox, type CertificateOptions } from '../../tools/sandbox/server';
import { errorOf, get, runChild } from './harness';
import { KEY } from './recorder';

// Node.js reads these environment variables only at startup, so each test starts a process

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

const NOT_TRUSTED = "Couldn't connect to CometChat: its certificate is not trusted";

/** Server certificates from an authority that n8n trusts, and the resulting error or null. */
const CERTIFICATES: Array<[CertificateOptions, string | null]> = [
	[{}, null],
	[
		{ host: 'chat.example.com' },
		"Couldn't connect to CometChat: the certificate is for another host",
	],
	[{ validFrom: inDays(1), validTo: inDays(2) }, NOT_TRUSTED],
	[
		{ validFrom: inDays(-2), validTo: inDays(-1) },
		"Couldn't connect to CometChat: its certificate has expired",
	],
];

test("The connection error explains a wrong certificate of n8n's NODE_EXTRA_CA_CERTS authority", async () => {
	const authority = await makeCertificate({ host: 'authority.example.com' });
	const services = await Promise.all(
		CERTIFICATES.map(
			async ([options]) =>
				await startSandbox({
					tls: await makeCertificate({ ...options, signedBy: authority }),
				}),
		),
	);
	const folder = mkdtempSync(join(tmpdir(), 'cometchat-authority-'));
	const file = join(folder, 'authority.pem');
	writeFileSync(file, authority.cert);
	try {
		const messages = await runChild(
			'removals.child.ts',
			[services[0].apiKey, ...services.map(({ baseUrl }) => baseUrl)],
			{ env: { NODE_EXTRA_CA_CERTS: file } },
		);
		expect(messages).toEqual(CERTIFICATES.map(([, message]) => message));
		// This process doesn't trust the authority
		const { message } = await errorOf(services[0], get('101', { requestOptions: { maxTries: 1 } }));
		expect(message).toBe(NOT_TRUSTED);
	} finally {
		rmSync(folder, { recursive: true });
		await Promise.all(services.map((service) => service.close()));
	}
});

test("Requests use the proxy from n8n's environment", async () => {
	const requested: unknown[] = [];
	const proxy = await serve((request, response) => {
		requested.push(request.url);
		response.setHeader('content-type', 'application/json').end('{"data":{"id":"101"}}');
	});
	const errors = await runChild('removals.child.ts', [KEY, 'http://sandbox/v3'], {
		env: { HTTP_PROXY: proxy.url, NO_PROXY: '' },
	}).finally(proxy.close);
	expect(errors).toEqual([null]);
	expect(requested).toEqual([
		`http://sandbox/v3/messages/101/reactions/${encodeURIComponent('👍')}`,
	]);
});
