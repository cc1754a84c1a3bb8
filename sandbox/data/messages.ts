/** A message as the store keeps it: who reacted how, instead of counts. */
export interface StoredMessage {
	id: string;
	sender: string;
	receiverType: 'user' | 'group';
	/** UID or GUID. */
	receiver: string;
	text: string;
	metadata?: Record<string, unknown>;
	/** Unix seconds. */
	sentAt: number;
	/** Unix seconds. */
	updatedAt: number;
	/** Reaction → UIDs, in the order in which they came. Keys are compared code point by code point. */
	reactions: Map<string, string[]>;
}

/** sender, receiver (`#` marks a group), minutes after the first message, text, reactions, metadata */
type Row = [string, string, number, string, Record<string, string>, Record<string, unknown>?];

/** Reactions that look alike or are easily damaged on their way: each is spelt by its code points. */
export const REACTIONS = {
	thumbsUp: '\u{1F44D}',
	thumbsUpMediumSkin: '\u{1F44D}\u{1F3FD}',
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

const FIRST_ID = 101;
const FIRST_SENT = Date.parse('2025-08-01T09:20:00Z') / 1000;

/** The messages of the sample data, made anew at each call. */
export function sampleMessages(): StoredMessage[] {
	return ROWS.map(([sender, receiver, minutes, text, reactions, metadata], index) => {
		const sentAt = FIRST_SENT + minutes * 60;
		const toGroup = receiver.startsWith('#');
		return {
			id: String(FIRST_ID + index),
			sender,
			receiverType: toGroup ? 'group' : 'user',
			receiver: receiver.replace('#', ''),
			text,
			...(metadata ? { metadata } : {}),
			sentAt,
			updatedAt: sentAt,
			reactions: new Map(
				Object.entries(reactions).map(([reaction, uids]) => [reaction, uids.split(' ')]),
			),
		};
	});
}
