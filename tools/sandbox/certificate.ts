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
	/** The one host that it is for. Default this machine. */
	host?: string;
	/** An authority. Default itself. */
	signedBy?: Certificate;
}

const HOUR = 3_600_000;

/** Makes a certificate with a key of its own. Who trusts the one that signed it can connect. */
export async function makeCertificate({
	validFrom = new Date(Date.now() - HOUR),
	validTo = new Date(Date.now() + 24 * HOUR),
	host,
	signedBy,
}: CertificateOptions = {}): Promise<Certificate> {
	// Loaded when it is needed: it is large, and most sandboxes speak plain http.
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
