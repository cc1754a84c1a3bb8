/** A private key and certificate in PEM format, as Node's TLS options expect. */
export interface Certificate {
	key: string;
	cert: string;
}

export interface CertificateOptions {
	/** Start of the validity period. Defaults to an hour ago. */
	validFrom?: Date;
	/** End of the validity period. Defaults to a day from now. */
	validTo?: Date;
	/** Hostname in the certificate. Defaults to localhost, plus the IP address 127.0.0.1. */
	host?: string;
	/** Certificate authority that signs the certificate. Self-signed by default. */
	signedBy?: Certificate;
}

const HOUR = 3_600_000;

/** Generates a private key and certificate. */
export async function makeCertificate({
	validFrom = new Date(Date.now() - HOUR),
	validTo = new Date(Date.now() + 24 * HOUR),
	host,
	signedBy,
}: CertificateOptions = {}): Promise<Certificate> {
	// Imported on demand, because the library is large and most sandboxes use plain HTTP
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
