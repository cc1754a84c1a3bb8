import { createHash } from 'node:crypto';

import { isAuthorized } from '../../../../nodes/CometChat/trigger/auth';

const USERNAME = 'cometchat';

const base64 = (password: string) => Buffer.from(`${USERNAME}:${password}`).toString('base64');

const digestOf = (password: string) => createHash('sha256').update(base64(password)).digest();

const PASSWORD = 'Ahx7otai1Shei3Phoo9w';

/** A wrong password whose digest has this byte in common with that of the right one. */
function lookalike(position: number): string {
	const byte = digestOf(PASSWORD)[position];
	for (let number = 0; ; number++) {
		if (digestOf(`wrong${number}`)[position] === byte) return `wrong${number}`;
	}
}

async function isIn(password: string): Promise<boolean> {
	const credential = { username: USERNAME, password: PASSWORD };
	return await isAuthorized(`Basic ${base64(password)}`, credential);
}

test('lets in the right password only', async () => {
	expect(await isIn(PASSWORD)).toBe(true);
	expect(await isIn('wrong')).toBe(false);
});

test.each(Array.from({ length: 32 }, (_, position) => position))(
	'looks at all of the digest, not only at byte %d',
	async (position) => {
		expect(await isIn(lookalike(position))).toBe(false);
	},
);
