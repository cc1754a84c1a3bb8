import type { User } from '../types';

/** A person of the sample data. Who is `deactivated` cannot act; who is `deleted` is only named in what they left. */
export interface SampleUser extends User {
	deactivated?: boolean;
	deleted?: boolean;
}

/** Roles that the app has. */
export const ROLES = ['default', 'support'];

const seconds = (iso: string): number => Date.parse(iso) / 1000;

function user(
	uid: string,
	name: string,
	createdAt?: string,
	avatar = true,
	status = 'offline',
): SampleUser {
	return {
		uid,
		name,
		...(avatar ? { avatar: `https://assets.example.com/users/${uid}.png` } : {}),
		status,
		role: 'default',
		...(createdAt ? { createdAt: seconds(createdAt) } : {}),
	};
}

/** The people of Lanternworks, an invented company that makes lamps, and of the community around it. */
export const sampleUsers = (): SampleUser[] => [
	user('mira', 'Mira Halden', '2024-01-01T08:00:00Z'),
	user('jonas', 'Jonas Wirt', '2024-01-01T08:05:00Z', false),
	user('priya', 'Priya Solberg', '2024-01-01T08:10:00Z'),
	user('tomas', 'Tomás Ferreo', '2024-01-03T09:00:00Z'),
	user('aisha', 'Aisha Lindqvist', '2024-02-12T10:30:00Z'),
	user('leo', 'Leo Brandt', '2024-03-04T07:45:00Z', false),
	user('noor', 'Noor van Dalen'),
	user('felix', 'Félix Okonjo', '2024-05-20T12:00:00Z', true, 'available'),
	user('yuki', 'Yuki 雪 Aalto', '2024-06-01T06:00:00Z', true, 'available'),
	user('carla', 'Carla Mendoza-Ruiz', '2024-08-15T14:20:00Z', false),
	user('reminder-bot', 'Reminder Bot', '2024-09-01T00:00:00Z'),
	user('ext_sam-99', 'Sam (Supplier)'),
	{ ...user('old-account', 'Old Account', '2024-01-02T00:00:00Z', false), deactivated: true },
];
