import type { Store } from '../../../tools/sandbox/store/store';

/** Adds entries to the sample data, so that every filter finds some, and most columns have a value somewhere. */
export function addData(store: Store): void {
	const { people } = store;
	people.update('leo', {
		...{ tags: ['vip', 'two words'], role: 'support', statusMessage: 'Back at 3' },
		...{ link: 'https://example.com/leo', metadata: { email: 'leo@example.com', team: 'shop' } },
	});
	const own = { email: 'noor@example.com', contactNumber: '+31 20 123' };
	people.update('noor', { tags: ['vip'], metadata: { '@private': own, team: 'care' } });
	people.update('jonas', { metadata: { '@private': { email: '' }, email: 'jonas@example.com' } });
	people.block('leo', 'mira');
	store.updateGroup('lunch', { metadata: { team: 'shop' }, tags: ['two words'] });
	store.updateGroup('ideas', { name: 'Ideas & 100% ü+😀#/?a=b' });
	store.banMember('makers', 'ext_sam-99');

	const at = 1_754_150_000;
	const send = (sender: string, receiver: string, text: string, more = {}) =>
		store.sendMessage({ sender, receiver, text, sentAt: at, ...more }).id;
	store.moderation.rules = [
		{ id: 'r1', name: 'Insults', words: ['idiot'], action: 'blockMessage' },
		{ id: 'r2', name: 'Advertising', words: ['cheap'], action: 'flagMessage' },
	];
	// CometChat pages by ID, and these times are in a different order
	for (const offset of [900, 300, 600])
		send('leo', 'lunch', `Soup at ${offset}`, { sentAt: at + offset });
	const toUser = { receiverType: 'user' } as const;
	send('jonas', 'mira', 'Ask <@uid:leo> about https://example.com', { ...toUser, tags: ['vip'] });
	store.addReaction(send('mira', 'jonas', 'Will do', toUser), 'jonas', '👍');
	const gone = send('mira', 'jonas', 'Wrong chat', toUser);
	store.deleteMessage(gone, { by: 'mira' });
	store.editMessage('124', { text: 'My first lantern, <@uid:yuki>. Be honest!' }, 'felix');
	store.editMessage('114', { text: 'Soup?' }, 'leo');
	store.editMessage('108', { text: 'The office is closed.' }, 'priya');
	store.deleteMessage('128');
	store.deleteMessage(send('noor', 'makers', 'Never mind', { parentId: '124' }), { by: 'noor' });
	const quotedMessageId = '124';
	send('felix', 'makers', 'Thanks', { parentId: '124', tags: ['release'], quotedMessageId });
	send('mira', 'jonas', 'This one?', { ...toUser, quotedMessageId: gone, muid: 'this-one' });
	for (const [type, receiver] of [
		['audio', 'lunch'],
		['video', 'makers'],
	]) {
		send('leo', receiver, '', { category: 'call', type, text: undefined });
	}
	const blocked = ['You idiot', 'IDIOT', 'idiot again'].map((text) =>
		send('ext_sam-99', 'makers-help', text),
	);
	const [cheap] = ['Cheap shades', 'Cheap glue'].map((text) =>
		send('felix', 'makers', text, { quotedMessageId }),
	);
	store.flagMessage('107', { uid: 'leo', reasonId: 'harassment', remark: 'Again' });
	store.reviewMessage('blocked', blocked[0], 'approved');
	store.reviewMessage('blocked', blocked[1], 'disapproved');
	store.reviewMessage('flagged', cheap, 'approved');
	store.flagMessage('117', { uid: 'mira', reasonId: 'spam' });
}
