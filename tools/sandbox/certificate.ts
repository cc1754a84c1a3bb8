/** Key and certificate in PEM, as Node's TLS reads them. */
export interface Certificate {
	key: string;
	cert: string;
}

export interface CertificateOptions {
	/** Default an hour ago. */
	validFrom?: Date;
	/** Default a day from now. */
	validTo?: Date;
	/** Hostname. Default localhost and 127.0.0.1. */
	host?: string;
	/** Certificate authority. Default self-signed. */
	signedBy?: Certificate;
}

const HOUR = 3_600_000;

/** Generates a key and a certificate. */
export async function makeCertificate({
	validFrom = new Date(Date.now() - HOUR),
	validTo = new Date(Date.now() + 24 * HOUR),
	host,
	signedBy,
}: CertificateOptions = {}): Promise<Certificate> {
	// The library is large, and most sandboxes use plain HTTP
	const { generate } = await import('selfsigned');
	const name = host ?? 'localhost';
	const address = host === undefined ? [{ type: 7 as const, ip: '127.0.0.1' }] : [];
	const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate: validFrom,
		notAfterDate: validTo,
		ca: signedBy,
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: [{ type: 2, value: name }, ...address] },
		],
	});
	return { key, cert };
}
