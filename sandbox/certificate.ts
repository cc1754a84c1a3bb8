import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
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

/** DER: a tag, the length, the content. */
function der(tag: number, ...content: Buffer[]): Buffer {
	const body = Buffer.concat(content);
	if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
	const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
	return Buffer.concat([Buffer.from([tag, 0x82]), length, body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
const bitString = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
const octetString = (bytes: Buffer): Buffer => der(0x04, bytes);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** UTCTime: `YYMMDDHHMMSSZ`. */
function time(date: Date): Buffer {
	const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
	return der(0x17, Buffer.from(digits.slice(2)));
}

const COMMON_NAME = oid('550403');
const ALTERNATIVE_NAMES = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function alternativeName(host: string): Buffer {
	if (isIP(host) === 4) return der(0x87, Buffer.from(host.split('.').map(Number)));
	return der(0x82, Buffer.from(host));
}

function extensions(hosts: string[]): Buffer {
	const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
	return der(
		0xa3,
		sequence(
			sequence(BASIC_CONSTRAINTS, octetString(isAuthority)),
			sequence(ALTERNATIVE_NAMES, octetString(sequence(...hosts.map(alternativeName)))),
		),
	);
}

/**
 * Makes a certificate that nobody has signed but itself, with a key of its own. Who trusts it as an authority can connect to
 * its hosts. Source of the format: RFC 5280.
 */
export function selfSignedCertificate({
	hosts = ['localhost', '127.0.0.1'],
	validFrom = new Date(Date.now() - HOUR),
	validTo = new Date(Date.now() + 24 * HOUR),
}: CertificateOptions = {}): Certificate {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(hosts[0])))));
	// A serial number is positive: its first bit is not set.
	const serial = randomBytes(12);
	serial[0] = 0x40 | (serial[0] & 0x3f);
	const content = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, serial),
		ECDSA_WITH_SHA256,
		name,
		sequence(time(validFrom), time(validTo)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		extensions(hosts),
	);
	const signature = bitString(sign('sha256', content, privateKey));
	const lines = sequence(content, ECDSA_WITH_SHA256, signature)
		.toString('base64')
		.replace(/.{64}/g, '$&\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
	};
}
