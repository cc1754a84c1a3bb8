import type { GroupType, JsonObject, Scope } from '../types';

export interface Member {
	uid: string;
	scope: Scope;
	/** Unix seconds. */
	joinedAt: number;
}

/** A group as the store keeps it: its members in full, instead of a view for one user. */
export interface StoredGroup {
	guid: string;
	name: string;
	description?: string;
	icon?: string;
	type: GroupType;
	owner: string;
	tags: string[];
	/** Unix seconds. */
	createdAt: number;
	/** Unix seconds; undefined for a group that was never changed. */
	updatedAt?: number;
	/** UID of who changed it last, as far as that is known. */
	updatedBy?: string;
	metadata?: JsonObject;
	/** Of a group of the type password; never shown. */
	password?: string;
	members: Member[];
	/** Who may not send or join, as the members that they were. */
	banned?: Member[];
}

/** guid, name, type, created, changed ('' for never), members (owner first, `*` marks a moderator), tags, description */
type Row = [string, string, GroupType, string, string, string, string, string];

const STAFF = 'mira jonas* priya* tomas aisha leo noor felix yuki carla reminder-bot';

const ROWS: Row[] = [
	[
		'all-hands',
		'All Hands',
		'public',
		'2024-01-01T08:00',
		'2025-06-02T09:00',
		STAFF,
		'company news',
		'What everybody at Lanternworks should know',
	],
	[
		'watercooler',
		'Watercooler',
		'public',
		'2024-01-01T08:01',
		'',
		'jonas mira priya tomas aisha leo felix yuki',
		'social',
		'Anything but work',
	],
	[
		'project-aurora',
		'Project Aurora',
		'private',
		'2025-01-06T10:00',
		'2025-08-04T09:33',
		'mira priya* jonas leo yuki',
		'project release',
		'Plans, risks and dates of the Aurora release',
	],
	[
		'project-borealis',
		'Project Borealis',
		'private',
		'2025-03-10T10:00',
		'2025-08-04T09:33',
		'priya mira tomas noor',
		'project',
		'A lamp that follows the sun',
	],
	[
		'project-zenith',
		'Project Zenith',
		'private',
		'2024-04-02T10:00',
		'',
		'tomas mira',
		'project archived',
		'Finished in spring',
	],
	[
		'design-crit',
		'Design Critique',
		'protected',
		'2024-02-05T13:00',
		'2025-02-11T08:15',
		'aisha noor* yuki priya',
		'design weekly',
		'Thursdays: two drafts, twenty minutes each',
	],
	['brand', 'Brand & Photos', 'public', '2024-02-06T13:00', '', 'aisha carla', 'design', ''],
	[
		'frontend',
		'Frontend',
		'public',
		'2024-01-08T09:00',
		'',
		'leo yuki jonas',
		'engineering',
		'The shop, the app, the status page',
	],
	[
		'backend',
		'Backend',
		'public',
		'2024-01-08T09:01',
		'2024-11-30T17:00',
		'jonas leo felix*',
		'engineering',
		'Orders, stock, firmware updates',
	],
	[
		'firmware',
		'Firmware',
		'private',
		'2024-01-08T09:02',
		'',
		'yuki jonas',
		'engineering hardware',
		'What runs inside the lamps',
	],
	[
		'hardware-lab',
		'Hardware Lab',
		'protected',
		'2024-01-09T09:00',
		'',
		'tomas yuki leo ext_sam-99',
		'hardware',
		'Bring goggles',
	],
	[
		'on-call',
		'On Call',
		'private',
		'2024-01-15T06:00',
		'2025-07-01T00:00',
		'jonas* leo yuki felix reminder-bot',
		'engineering urgent',
		'Pages at night go here',
	],
	[
		'incidents',
		'Incidents',
		'private',
		'2024-01-15T06:05',
		'',
		'felix jonas leo yuki mira',
		'engineering urgent',
		'One thread per incident',
	],
	[
		'releases',
		'Releases',
		'public',
		'2024-01-20T12:00',
		'2025-08-04T09:40',
		'priya jonas leo reminder-bot',
		'engineering release',
		'What went out, and when',
	],
	[
		'support',
		'Customer Support',
		'protected',
		'2024-02-01T08:00',
		'2025-05-19T11:11',
		'noor carla* felix aisha',
		'customers',
		'Questions that need a second pair of eyes',
	],
	[
		'support-es',
		'Soporte (Español)',
		'protected',
		'2024-02-01T08:30',
		'',
		'carla noor',
		'customers',
		'Atención a clientes en español',
	],
	[
		'vip-customers',
		'Key Customers',
		'password',
		'2024-02-02T08:00',
		'',
		'noor mira',
		'customers sales',
		'Hotels and theatres',
	],
	['sales', 'Sales', 'private', '2024-01-22T08:00', '', 'carla mira noor', 'sales', ''],
	[
		'sales-emea',
		'Sales EMEA',
		'private',
		'2024-07-01T08:00',
		'2024-12-24T10:00',
		'carla noor',
		'sales',
		'Europe, Middle East, Africa',
	],
	[
		'partners',
		'Partners & Suppliers',
		'password',
		'2024-03-01T10:00',
		'2025-04-14T16:20',
		'tomas ext_sam-99 carla',
		'sales hardware',
		'Shared with people from outside',
	],
	[
		'finance',
		'Finance',
		'private',
		'2024-01-02T08:00',
		'',
		'mira carla',
		'admin',
		'Invoices, budgets, forecasts',
	],
	[
		'hiring',
		'Hiring',
		'private',
		'2024-05-06T09:00',
		'2025-03-03T15:45',
		'mira aisha jonas',
		'admin people',
		'Candidates: never outside of this group',
	],
	[
		'onboarding',
		'Welcome Aboard',
		'public',
		'2024-05-06T09:10',
		'',
		'aisha mira carla leo',
		'people',
		'First week, first questions',
	],
	[
		'office-berlin',
		'Office Berlin',
		'public',
		'2024-01-05T07:00',
		'',
		'leo jonas aisha',
		'office',
		'Keys, plants, deliveries',
	],
	[
		'office-lisbon',
		'Office Lisbon',
		'public',
		'2024-01-05T07:05',
		'2025-01-20T10:10',
		'tomas carla',
		'office',
		'Rooftop is open again',
	],
	[
		'office-osaka',
		'Office Osaka / 大阪',
		'public',
		'2024-06-03T01:00',
		'',
		'yuki',
		'office',
		'大阪オフィスの連絡用',
	],
	[
		'remote',
		'Remote Folks',
		'public',
		'2024-01-05T07:10',
		'',
		'priya noor felix',
		'office social',
		'',
	],
	[
		'book-club',
		'Book Club',
		'public',
		'2024-03-14T18:00',
		'2025-07-28T20:00',
		'priya aisha felix noor',
		'social',
		'This month: a novel with a lighthouse',
	],
	[
		'board-games',
		'Board Games',
		'password',
		'2024-03-01T11:00',
		'',
		'felix leo jonas yuki',
		'social',
		'Tuesday nights; the password is on the shelf',
	],
	[
		'running',
		'Runners 🏃',
		'public',
		'2024-04-10T05:30',
		'',
		'noor tomas priya',
		'social sport',
		'Slow group, slower group',
	],
	[
		'climbing',
		'Climbing',
		'password',
		'2024-04-11T17:00',
		'2025-06-30T19:00',
		'yuki leo',
		'social sport',
		'',
	],
	[
		'cooking',
		'Cooking & Recipes',
		'public',
		'2024-04-12T17:00',
		'',
		'carla aisha tomas yuki',
		'social food',
		'"Salt, fat, acid, heat" and leftovers',
	],
	[
		'pets',
		'Pets of Lanternworks',
		'public',
		'2024-04-13T17:00',
		'2025-08-01T12:00',
		'aisha noor mira felix',
		'social',
		'🐈 🐕 🦜',
	],
	[
		'music',
		'Music <now playing>',
		'public',
		'2024-04-14T17:00',
		'',
		'felix yuki',
		'social',
		'Links & lists',
	],
	[
		'makers',
		'Lantern Makers',
		'public',
		'2024-09-02T10:00',
		'2025-08-03T21:00',
		'tomas yuki* felix noor ext_sam-99 aisha',
		'community',
		'Everyone who builds lamps, with us or without',
	],
	[
		'makers-help',
		'Makers: Help',
		'public',
		'2024-09-02T10:05',
		'',
		'yuki tomas noor',
		'community customers',
		'No question is too small',
	],
	[
		'makers-showcase',
		'Makers: Showcase',
		'public',
		'2024-09-02T10:10',
		'',
		'tomas aisha felix',
		'community',
		'Show what you made',
	],
	[
		'makers-mods',
		'Makers: Moderators',
		'private',
		'2024-09-02T10:15',
		'',
		'yuki tomas noor',
		'community',
		'',
	],
	[
		'beta-testers',
		'Beta Testers',
		'protected',
		'2024-10-01T09:00',
		'2025-07-15T08:00',
		'leo ext_sam-99 priya',
		'community release',
		'Unfinished firmware, honest opinions',
	],
	[
		'sustainability',
		'Sustainability',
		'protected',
		'2024-11-11T11:11',
		'',
		'aisha tomas priya',
		'',
		'Less packaging, longer life',
	],
	[
		'security',
		'Security',
		'private',
		'2024-11-12T09:00',
		'',
		'jonas felix',
		'',
		'Reports and reviews',
	],
	[
		'data',
		'Data & Metrics',
		'protected',
		'2025-02-03T09:00',
		'',
		'felix priya carla',
		'',
		'Numbers, and what they do not say',
	],
	[
		'offsite-2025',
		'Offsite 2025',
		'password',
		'2025-04-01T08:00',
		'2025-05-30T18:30',
		'priya mira jonas aisha leo',
		'social archived',
		'Three days by a lake',
	],
	['lunch', 'Lunch?', 'public', '2025-05-05T10:00', '', 'leo', '', ''],
	[
		'alerts',
		'Alerts',
		'public',
		'2025-06-16T00:00',
		'',
		'reminder-bot jonas',
		'',
		'Written by machines',
	],
	[
		'ideas',
		'Ideas',
		'public',
		'2025-07-07T07:07',
		'',
		'mira tomas yuki priya',
		'company',
		'Half-baked is fine',
	],
];

/** UIDs of who is banned, by GUID. */
const BANNED: Record<string, string> = { ideas: 'felix ext_sam-99' };

const seconds = (iso: string): number => Date.parse(`${iso}:00Z`) / 1000;
const HOUR = 3600;

function words(text: string): string[] {
	return text.split(' ').filter(Boolean);
}

function members(list: string, createdAt: number): Member[] {
	return words(list).map((word, index) => ({
		uid: word.replace('*', ''),
		scope: index === 0 ? 'admin' : word.endsWith('*') ? 'moderator' : 'participant',
		joinedAt: createdAt + index * HOUR,
	}));
}

const participants = (list: string, joinedAt: number): Member[] =>
	words(list).map((uid) => ({ uid, scope: 'participant', joinedAt }));

/**
 * The groups of the sample data, made anew at each call. Two of them were changed in the same second, so that what happens at
 * a cursor's edge can be seen.
 */
export function sampleGroups(): StoredGroup[] {
	return ROWS.map(([guid, name, type, created, changed, people, tags, description], index) => {
		const createdAt = seconds(created);
		return {
			guid,
			name,
			...(description ? { description } : {}),
			...(index % 4 === 3 ? {} : { icon: `https://assets.example.com/groups/${guid}.png` }),
			type,
			owner: members(people, createdAt)[0].uid,
			tags: words(tags),
			createdAt,
			...(changed ? { updatedAt: seconds(changed) } : {}),
			members: members(people, createdAt),
			...(guid in BANNED ? { banned: participants(BANNED[guid], createdAt) } : {}),
		};
	});
}
