import { isIP } from 'node:net';

/** Key and certificate in PEM, as Node's TLS takes them. */
export interface Certificate {
	key: string;
	cert: string;
}

export interface CertificateOptions {
	/** Host names and IPv4 addresses that it is for. Default `localhost` and `127.0.0.1`. */
	hosts?: string[];
	/** Default an hour ago. */
	validFrom?: Date;
	/** Default a day from now. */
	validTo?: Date;
}

const HOUR = 3_600_000;

/**
 * Makes a certificate that nobody has signed but itself, with a key of its own. Who trusts it as an authority can connect to
 * its hosts.
 */
export async function selfSignedCertificate({
	hosts = ['localhost', '127.0.0.1'],
	validFrom = new Date(Date.now() - HOUR),
	validTo = new Date(Date.now() + 24 * HOUR),
}: CertificateOptions = {}): Promise<Certificate> {
	// Loaded when it is needed: it is large, and most sandboxes speak plain http.
	const { generate } = await import('selfsigned');
	const { private: key, cert } = await generate([{ name: 'commonName', value: hosts[0] }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate: validFrom,
		notAfterDate: validTo,
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{
				name: 'subjectAltName',
				altNames: hosts.map((host) =>
					isIP(host) ? { type: 7, ip: host } : { type: 2, value: host },
				),
			},
		],
	});
	return { key, cert };
}
