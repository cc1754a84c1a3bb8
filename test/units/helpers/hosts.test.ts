import {
	isCertainlyPrivateHost,
	isLoopback,
	isUnreachableFromInternet,
} from '../../../nodes/CometChat/helpers/hosts';

const classify = (hostname: string) =>
	[
		isLoopback(hostname),
		isCertainlyPrivateHost(hostname),
		isUnreachableFromInternet(hostname),
	].filter(Boolean).length;

test.each<[string, number, string[]]>([
	['this machine', 3, ['localhost', '127.0.0.1', '127.8.9.10', '[::1]']],
	[
		'a private network for certain',
		2,
		[
			...['10.0.0.1', '192.168.1.2', '172.16.0.1', '172.31.255.255', '[fc00::1]', '[fd12:34::5]'],
			...['sandbox', 'n8n', 'host.docker.internal'],
		],
	],
	[
		'a private network by name',
		1,
		[
			...['n8n.local', 'x.localhost', 'n8n.internal', 'nas.lan', 'nas.home.arpa', '0.0.0.0'],
			...['169.254.1.1', '100.64.0.1', '100.127.255.255', '[::2]', '[fe80::1]'],
		],
	],
	[
		'the internet',
		0,
		[
			...['chat.example.com', 'localhost.example.com', '127.0.0.1.example.com', '8.8.8.8'],
			...['172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '[2001:db8::1]'],
		],
	],
])('Hosts in %s are recognized', (_, count, hosts) => {
	expect(hosts.map((host) => [host, classify(host)])).toEqual(hosts.map((host) => [host, count]));
});
