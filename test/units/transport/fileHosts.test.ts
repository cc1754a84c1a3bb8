import { decideFileUrlAccess, parseHttpUrl } from '../../../nodes/CometChat/transport/fileHosts';

const US = { region: ' us ', appId: '2380119f4c6a5b7d' };

const custom = (baseUrl: string) => ({ region: 'custom', baseUrl });

const classify = (address: string, credentials: object, others: string[] = []) => {
	const url = parseHttpUrl(address);
	return url && decideFileUrlAccess(url, { ...credentials }, others);
};

test.each([
	['https://data-us.cometchat.io/a', 'own'],
	['https://files-us.cometchat.io/a', 'own'],
	['HTTPS://MEDIA-US.cometchat.io:443/a?Expires=1', 'own'],
	['https://media-eu.cometchat.io/a', 'other'],
	['https://media-in.cometchat.io/a', 'other'],
	['https://media-xx.cometchat.io/a', undefined],
	['http://media-us.cometchat.io/a', undefined],
	['https://2380119f4c6a5b7d.api-us.cometchat.io/v3/users', undefined],
	['https://media-us.cometchat.io.evil.example/a', undefined],
	['https://mediaxus.cometchat.io/a', undefined],
	['https://evil.example/media-us.cometchat.io', undefined],
	['https://evil.example#media-us.cometchat.io', undefined],
	['https://media-us。cometchat.io/a', 'own'],
	['ftp://media-us.cometchat.io/a', undefined],
	['//media-us.cometchat.io/a', undefined],
	['https://files.example.com/a', 'other'],
	['http://files.example.com/a', 'other'],
	['https://files.example.com:8443/a', undefined],
	['https://x.files.example.com/a', undefined],
])('Of an app in the US, %s is %s', (address, expected) => {
	expect(classify(address, US, ['files.example.com'])).toBe(expected);
});

test.each([
	['http://127.0.0.1:4100/v3', 'http://127.0.0.1:4100/media/a', 'own'],
	['http://127.0.0.1:4100/v3', 'http://127.0.0.1:4100/v3/users', undefined],
	['http://127.0.0.1:4100/v3', 'http://127.0.0.1:4100/v3', undefined],
	['http://127.0.0.1:4100/v3', 'http://127.0.0.1:4100/v33/a', 'own'],
	['http://127.0.0.1:4100/v3', 'http://127.0.0.1:4101/media/a', undefined],
	['http://127.0.0.1:4100', 'http://127.0.0.1:4100/media/a', undefined],
	['http://localhost:4100/v3', 'http://127.0.0.1:4100/media/a', undefined],
	['http://10.0.0.5/v3', 'http://10.0.0.5/media/a', undefined],
	['https://chat.example.com/v3', 'https://chat.example.com/media/a', undefined],
	['https://chat.example.com/v3', 'https://media-us.cometchat.io/a', 'other'],
])('With the base URL %s, %s is %s', (baseUrl, address, expected) => {
	expect(classify(address, custom(baseUrl))).toBe(expected);
});
