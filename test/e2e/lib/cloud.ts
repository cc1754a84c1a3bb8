import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { serve } from '../../../tools/n8nEngine/serve';
import type { Sandbox } from '../../../tools/sandbox/server';
import { freePort } from './ports';
import { run } from './processes';
import { forwardRequest } from './forwardRequest';

/** A local stand-in for CometChat's hosts, `{appId}.api-{region}.cometchat.io`. */
export interface Cloud {
	/** Environment variables that limit n8n's outgoing requests to CometChat's hosts and loopback */
	readonly env: Record<string, string>;
	close: () => Promise<void>;
}

const HOST = /^([a-z0-9-]+)\.api-(us|eu|in)\.cometchat\.io$/;

/** App ID that the sandbox doesn't know. Used for requests to regions other than the EU. */
const UNKNOWN_APP = 'elsewhere';

const CERTIFICATE_NAMES = ['us', 'eu', 'in']
	.map((region) => `DNS:*.api-${region}.cometchat.io`)
	.join(',');

interface Certificate {
	file: string;
	key: Buffer;
	cert: Buffer;
}

/** Creates a self-signed certificate for CometChat's hosts that is valid for two days. */
async function makeCertificate(folder: string): Promise<Certificate> {
	const keyFile = join(folder, 'cloud-key.pem');
	const file = join(folder, 'cloud-cert.pem');
	await run('openssl', [
		...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
		...['-subj', '/CN=api.cometchat.io', '-addext', `subjectAltName=${CERTIFICATE_NAMES}`],
		...['-keyout', keyFile, '-out', file],
	]);
	return { file, key: readFileSync(keyFile), cert: readFileSync(file) };
}

/**
 * Starts a proxy that forwards requests for CometChat's hosts to the sandbox. The sandbox's app belongs to
 * the EU region, so the hosts of other regions refuse requests.
 *
 * @param folder where to store the certificate
 */
export async function startCloud(sandbox: Sandbox, folder: string): Promise<Cloud> {
	const { file, key, cert } = await makeCertificate(folder);
	const hosts = createServer({ key, cert }, (incoming, response) => {
		const { url = '/', headers } = incoming;
		const [, appId, region] = HOST.exec(headers.host ?? '') ?? [];
		const app = region === 'eu' ? appId : UNKNOWN_APP;
		forwardRequest(incoming, response, `${sandbox.url}/app/${app}${url}`);
	});
	const hostsPort = await freePort();
	await new Promise<void>((done) => hosts.listen(hostsPort, '127.0.0.1', done));

	const proxy = await serve((_, response) => response.writeHead(403).end());
	proxy.server.on('connect', ({ url = '' }, client) => {
		client.on('error', () => client.destroy());
		const [host = '', port] = url.split(':');
		if (!HOST.test(host) || port !== '443') {
			client.end('HTTP/1.1 403 Forbidden\r\n\r\n', () => client.destroy());
			return;
		}
		const tunnel = connect(hostsPort, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			tunnel.pipe(client).pipe(tunnel);
		});
		tunnel.on('error', () => client.destroy());
		client.on('close', () => tunnel.destroy());
	});
	// Track the sockets, because closing the HTTP server leaves connections open after CONNECT
	const clients = new Set<Socket>();
	proxy.server.on('connection', (client) => {
		clients.add(client);
		client.once('close', () => clients.delete(client));
	});

	return {
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: file,
		},
		async close() {
			hosts.closeAllConnections();
			for (const client of clients) client.destroy();
			await Promise.all([proxy.close(), new Promise((done) => hosts.close(done))]);
		},
	};
}
