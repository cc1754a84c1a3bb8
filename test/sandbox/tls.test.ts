import { Agent } from 'undici';
import { selfSignedCertificate, startSandbox } from '../../sandbox/server';
import { call } from './client';

/** What becomes of a request by somebody who trusts the certificate, or does not. */
async function outcome(
	options: Parameters<typeof selfSignedCertificate>[0],
	isTrusted = true,
): Promise<number | string | undefined> {
	const tls = await selfSignedCertificate(options);
	const sandbox = await startSandbox({ tls });
	const agent = new Agent({ connect: isTrusted ? { ca: tls.cert } : {} });
	try {
		expect(sandbox.baseUrl).toBe(`https://127.0.0.1:${sandbox.port}/v3`);
		return await call(sandbox, '/messages/101', { dispatcher: agent }).then(
			({ status }) => status,
			({ code }: NodeJS.ErrnoException) => code,
		);
	} finally {
		await agent.destroy();
		await sandbox.close();
	}
}

test.each([
	['with a certificate that is trusted answers', {}, true, 200],
	['is not trusted by itself', {}, false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
	[
		'is refused for another host',
		{ hosts: ['chat.example.com', '10.1.2.3'] },
		true,
		'ERR_TLS_CERT_ALTNAME_INVALID',
	],
	['is refused once expired', { validTo: new Date(Date.now() - 1000) }, true, 'CERT_HAS_EXPIRED'],
	[
		'is refused before its time',
		{ validFrom: new Date(Date.now() + 60_000) },
		true,
		'CERT_NOT_YET_VALID',
	],
])('a sandbox with TLS %s', async (_, options, isTrusted, expected) => {
	expect(await outcome(options, isTrusted)).toBe(expected);
});
