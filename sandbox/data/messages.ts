import type { MessageContent, NewMessage, SampleMessage } from '../store/messages';

/** sender, receiver (`#` marks a group), minutes after the first message, text, reactions, metadata */
type Row = [string, string, number, string, Record<string, string>, Record<string, unknown>?];

/** Reactions that look alike or are easily damaged on their way: each is spelt by its code points. */
export const REACTIONS = {
	thumbsUp: '\u{1F44D}',
	thumbsUpMediumSkin: '\u{1F44D}\u{1F3FD}',
	thumbsDown: '\u{1F44E}',
	heart: '\u2764\uFE0F',
	heartAsText: '\u2764',
	keycapHash: '#\uFE0F\u20E3',
	family: '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}',
	flagIndia: '\u{1F1EE}\u{1F1F3}',
	/** é as one code point, and as a letter with an accent. */
	composed: 'caf\u00E9',
	decomposed: 'cafe\u0301',
} as const;

const R = REACTIONS;

const ROWS: Row[] = [
	[
		'mira',
		'jonas',
		0,
		'Did the samples arrive?',
		{ [R.thumbsUp]: 'jonas mira', ':+1:': 'jonas' },
		{ priority: 'high', ticket: { id: 4711, tags: ['samples', 'lab'] } },
	],
	['jonas', 'mira', 7, 'Yes, all of them.', { [R.heart]: 'mira jonas', [R.heartAsText]: 'mira' }],
	['priya', 'leo', 65, 'The shop is slow again, can you look?', { '\u{1F440}': 'leo' }],
	[
		'leo',
		'priya',
		80,
		'Found it: <script>alert(1)</script> in a product text & a missing index.',
		{ '100%': 'priya', 'a/b': 'priya leo', '?x=1&y#z': 'priya' },
		{ fixed: true },
	],
	[
		'yuki',
		'tomas',
		200,
		'新しいランプは明日届きます。',
		{ [R.keycapHash]: 'tomas yuki', [R.flagIndia]: 'tomas' },
	],
	[
		'noor',
		'carla',
		260,
		'Holiday plan for August is in the folder.',
		{ [R.family]: 'carla', '\u{1F468}': 'noor' },
	],
	[
		'ext_sam-99',
		'tomas',
		300,
		'Quote attached, valid for 30 days.',
		{},
		{ attachment: 'quote-2025-08.pdf', bytes: 182044 },
	],
	[
		'priya',
		'#all-hands',
		420,
		'The office is closed on Friday.',
		{
			[R.thumbsUp]: 'mira jonas priya',
			[R.thumbsUpMediumSkin]: 'aisha',
			'\u{1F389}': 'leo yuki felix',
		},
	],
	[
		'mira',
		'#all-hands',
		500,
		'Aurora ships on Monday. Thank you all!',
		{ [R.heart]: 'priya jonas leo yuki', '\u{1F680}': 'priya mira', shipped: 'jonas' },
		{ pinned: true },
	],
	[
		'felix',
		'#incidents',
		610,
		'Orders are delayed by five minutes, looking into it.',
		{ '\u{1F440}': 'jonas leo', ack: 'yuki' },
		{ severity: 2 },
	],
	[
		'tomas',
		'#makers',
		720,
		'Whose lamp is the one with the brass foot?',
		{ [R.composed]: 'yuki', [R.decomposed]: 'yuki felix', '\u{1F60D}': 'noor' },
	],
	[
		'aisha',
		'#design-crit',
		800,
		'Two drafts for Thursday are up.',
		{ '+1': 'noor', 'with space': 'yuki', 'semi;colon': 'yuki' },
	],
	[
		'reminder-bot',
		'#on-call',
		900,
		'Handover in 15 minutes.',
		{ '\u2705': 'jonas' },
		{ automated: true, rota: ['jonas', 'leo', 'yuki'] },
	],
	['leo', '#lunch', 960, 'Anyone?', {}],
	['yuki', '#office-osaka', 1000, '今日は停電があります。', { 了解: 'yuki' }],
	['carla', 'noor', 1100, 'Thanks!', { ':heart:': 'noor', ':D': 'noor' }],
];

type Rest = Pick<NewMessage, 'category' | 'type' | 'tags' | 'parentId'> & MessageContent;

/** Messages of other kinds. sender, GUID, minutes after the first message, the rest, reactions */
const MORE: Array<[string, string, number, Rest, Record<string, string>?]> = [
	[
		'aisha',
		'all-hands',
		1180,
		{
			type: 'image',
			text: 'First light in the big hall',
			attachments: [
				{
					url: 'https://assets.example.com/files/first-light.jpg',
					name: 'first-light.jpg',
					mimeType: 'image/jpeg',
					extension: 'jpg',
					size: '284113',
				},
			],
		},
		{ [R.heart]: 'mira tomas noor', '\u{1F929}': 'leo' },
	],
	[
		'leo',
		'project-aurora',
		1210,
		{ text: '<@uid:priya> can you sign off the last test?', tags: ['release'] },
	],
	[
		'priya',
		'project-aurora',
		1224,
		{
			text: 'Signed off: https://tests.example.com/aurora/312',
			parentId: '118',
			tags: ['release', 'tests'],
			metadata: { run: 312, passed: true },
		},
		{ '\u{1F680}': 'mira leo' },
	],
	[
		'noor',
		'support',
		1260,
		{
			category: 'custom',
			type: 'ticket',
			customData: { number: 4711, state: 'open', subject: 'The lamp hums' },
		},
		{ '\u{1F440}': 'carla' },
	],
	[
		'felix',
		'incidents',
		1300,
		{
			type: 'file',
			attachments: [
				{
					url: 'https://assets.example.com/files/orders.log',
					name: 'orders.log',
					mimeType: 'text/plain',
					extension: 'log',
					size: '18230',
				},
			],
			tags: ['orders'],
		},
	],
	[
		'ext_sam-99',
		'hardware-lab',
		1340,
		{ text: 'Cheap bulbs, only today: https://bulbs.example.net' },
		{ '\u{1F6AB}': 'tomas yuki', '\u{1F4A9}': 'leo' },
	],
	[
		'jonas',
		'watercooler',
		1400,
		{ text: 'The coffee machine is back.' },
		{ '\u2615': 'mira priya aisha' },
	],
	[
		'felix',
		'makers',
		1420,
		{ text: 'My first lantern from scrap. Be honest!' },
		{ [R.heart]: 'yuki noor', [R.thumbsDown]: 'tomas ext_sam-99' },
	],
	[
		'noor',
		'makers',
		1431,
		{ text: 'Mine flickers. Is that a bug or a feature?', parentId: '124' },
		{ '\u{1F602}': 'felix', [R.thumbsDown]: 'aisha' },
	],
	[
		'tomas',
		'makers',
		1440,
		{ text: 'New shades from recycled paper, free to take.' },
		{ '\u{1F44F}': 'noor aisha', [R.thumbsDown]: 'ext_sam-99 yuki' },
	],
	[
		'yuki',
		'makers',
		1452,
		{ text: 'Please keep it friendly in here.', parentId: '124' },
		{ [R.thumbsUp]: 'noor aisha', [R.thumbsDown]: 'ext_sam-99' },
	],
	['ext_sam-99', 'makers', 1460, { text: 'Cheap bulbs for everyone, write to me!' }],
	['ext_sam-99', 'makers-help', 1461, { text: 'Stuck? Cheap bulbs help, write to me!' }],
];

const FIRST_SENT = Date.parse('2025-08-01T09:20:00Z') / 1000;

/** From the first message to the last one. */
const SPAN = Math.max(...[...ROWS, ...MORE].map(([, , minutes]) => minutes)) * 60;

function reactionsOf(made: Record<string, string> = {}): SampleMessage['reactions'] {
	return Object.entries(made).flatMap(([reaction, uids]) =>
		uids.split(' ').map((uid) => ({ reaction, uid })),
	);
}

/**
 * The messages of the sample data, oldest first, made anew at each call: they are a day's talk.
 *
 * @param lastSentAt when the last of them was sent, in Unix seconds
 */
export function sampleMessages(lastSentAt = FIRST_SENT + SPAN): SampleMessage[] {
	const sentAfter = (minutes: number): number => lastSentAt - SPAN + minutes * 60;
	const texts = ROWS.map(([sender, receiver, minutes, text, reactions, metadata]) => ({
		message: {
			sender,
			receiver: receiver.replace('#', ''),
			receiverType: receiver.startsWith('#') ? ('group' as const) : ('user' as const),
			text,
			...(metadata ? { metadata } : {}),
			sentAt: sentAfter(minutes),
		},
		reactions: reactionsOf(reactions),
	}));
	const others = MORE.map(([sender, receiver, minutes, rest, reactions]) => ({
		message: { sender, receiver, ...structuredClone(rest), sentAt: sentAfter(minutes) },
		reactions: reactionsOf(reactions),
	}));
	return [...texts, ...others];
}
