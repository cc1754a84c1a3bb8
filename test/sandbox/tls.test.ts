import { X509Certificate } from 'node:crypto';
import { Agent } from 'undici';
import { selfSignedCertificate, startSandbox, type Sandbox } from '../../sandbox/server';
import { call } from './client';

const agents: Agent[] = [];
const running: Sandbox[] = [];

async function start(options?: Parameters<typeof selfSignedCertificate>[0]) {
	const tls = selfSignedCertificate(options);
	const sandbox = await startSandbox({ tls });
	running.push(sandbox);
	return { sandbox, tls };
}

/** A client that trusts a certificate. */
function trusting(cert: string): Agent {
	const agent = new Agent({ connect: { ca: cert } });
	agents.push(agent);
	return agent;
}

afterEach(async () => {
	await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
	await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

/** The code of the reason why a request failed. */
async function codeOf(request: Promise<unknown>): Promise<string> {
	return request.then(
		() => 'it went through',
		(error: NodeJS.ErrnoException) => String(error.code),
	);
}

test('the service speaks TLS with the certificate it is given', async () => {
	const { sandbox, tls } = await start();
	expect(sandbox.baseUrl).toBe(`https://127.0.0.1:${sandbox.port}/v3`);
	const answer = await call(sandbox, '/messages/101', { dispatcher: trusting(tls.cert) });
	expect(answer.status).toBe(200);
	expect(sandbox.log).toHaveLength(1);
});

test('who does not trust the certificate sends nothing', async () => {
	const { sandbox } = await start();
	expect(await codeOf(call(sandbox, '/groups'))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
	expect(sandbox.log).toEqual([]);
});

test('plain http does not get through', async () => {
	const { sandbox } = await start();
	await expect(fetch(`http://127.0.0.1:${sandbox.port}/v3/groups`)).rejects.toThrow();
});

test.each([
	['for another host', { hosts: ['chat.example.com'] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
	['that has expired', { validTo: new Date(Date.now() - 1000) }, 'CERT_HAS_EXPIRED'],
	['that is not valid yet', { validFrom: new Date(Date.now() + 60_000) }, 'CERT_NOT_YET_VALID'],
])('a certificate %s is refused though it is trusted', async (_, options, code) => {
	const { sandbox, tls } = await start(options);
	const request = call(sandbox, '/groups', { dispatcher: trusting(tls.cert) });
	expect(await codeOf(request)).toBe(code);
});

test('a certificate is its own issuer, for the hosts named, and differs each time', () => {
	const { cert, key } = selfSignedCertificate({ hosts: ['chat.example.com', '10.1.2.3'] });
	const parsed = new X509Certificate(cert);
	expect(parsed.checkIssued(parsed)).toBe(true);
	expect(parsed.verify(parsed.publicKey)).toBe(true);
	expect(parsed.ca).toBe(true);
	expect(parsed.checkHost('chat.example.com')).toBe('chat.example.com');
	expect(parsed.checkIP('10.1.2.3')).toBe('10.1.2.3');
	expect(parsed.checkHost('localhost')).toBeUndefined();
	expect(selfSignedCertificate().key).not.toBe(key);
});
