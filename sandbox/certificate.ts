/** Key and certificate in PEM, as Node's TLS takes them. */
export interface Certificate {
	key: string;
	cert: string;
}

export interface CertificateOptions {
	/** Default an hour ago. */
	validFrom?: Date;
	/** Default a day from now. */
	validTo?: Date;
}

const HOUR = 3_600_000;
const HOST = 'localhost';

/**
 * Makes a certificate for this machine that nobody has signed but itself, with a key of its own. Who trusts it as an authority
 * can connect.
 */
export async function selfSignedCertificate({
	validFrom = new Date(Date.now() - HOUR),
	validTo = new Date(Date.now() + 24 * HOUR),
}: CertificateOptions = {}): Promise<Certificate> {
	// Loaded when it is needed: it is large, and most sandboxes speak plain http.
	const { generate } = await import('selfsigned');
	const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate: validFrom,
		notAfterDate: validTo,
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: HOST },
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { key, cert };
}
