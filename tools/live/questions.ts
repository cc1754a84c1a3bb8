import { isDeepStrictEqual } from 'node:util';

import { asObjectOrEmpty, valueToText, isObject } from '../../nodes/CometChat/helpers/json';
import { formatTable } from '../scripts/markdown';
import type { Ask } from './ask';
import type { BotResults } from './bots';
import { isOk, isRefused, readErrorCode, readField, type Exchange } from './recorder';
import type { Run } from './steps';
import type { Uploads } from './uploads';
import { readTrigger, REFUSED_EVENT } from './webhooks';

/** Everything that a check observed. */
export interface Observations {
	/** All responses. */
	exchanges: Exchange[];
	/** Undefined if the check was stopped before. */
	bots?: BotResults;
	/** Undefined unless the user asked for the probes. */
	uploads?: Uploads;
	/** Webhook deliveries about the check's own users and groups. Undefined without a listener. */
	deliveries?: unknown[];
}

/**
 * A question that CometChat's documentation leaves open. Comments in the code that rest on a guess name the
 * question's number.
 */
export interface Question {
	number: number;
	question: string;
	/** The possible answers, each with what can be removed or changed if the answer is true. */
	answers: Record<string, string>;
	/** The likely answer, and why. The node still accepts the others. */
	leaning?: string;
	/** What a check lacks to answer the question, e.g. an option. */
	needs?: string;
	/** Reads the answer from everything that a check observed. Undefined if the question stays open. */
	read?: (exchanges: Exchange[], observed: Observations) => string | undefined;
	/** Sends requests whose responses answer the question. */
	ask?: (ask: Ask, run: Run) => Promise<string | undefined>;
}

const dataOf = ({ body }: Exchange): unknown => readField(body, 'data');

const listOf = (exchange: Exchange): unknown[] => {
	const data = dataOf(exchange);
	return Array.isArray(data) ? data : [];
};

const idsOf = (exchange: Exchange): string[] =>
	listOf(exchange).map((item) => valueToText(asObjectOrEmpty(item).id));

/** Returns the successful responses to requests whose method and path match. */
const select = (exchanges: Exchange[], method: string, path: RegExp): Exchange[] =>
	exchanges.filter((each) => each.method === method && path.test(each.path) && isOk(each));

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

const yesNoOrOpen = (is: boolean | undefined) => (is === undefined ? undefined : yesOrNo(is));

/** Sends a text to the check's first group. Returns the message's ID. */
async function sendText(ask: Ask, { guid, owner: onBehalfOf, id }: Run, muid?: string) {
	const data = { text: `${id} question` };
	const receiver = { receiver: guid, receiverType: 'group' };
	const body = { ...receiver, category: 'message', type: 'text', data, muid };
	const sent = await ask('POST', '/messages', { body, onBehalfOf });
	const messageId = valueToText(readField(sent.body, 'data', 'id') ?? '');
	return isOk(sent) && messageId !== '' ? messageId : undefined;
}

/** Sends a text from the check's first user to its second. Returns the message's ID. */
async function sendPrivateText(ask: Ask, { owner: onBehalfOf, member, id }: Run) {
	const data = { text: `${id} question` };
	const receiver = { receiver: member, receiverType: 'user' };
	const body = { ...receiver, category: 'message', type: 'text', data };
	const sent = await ask('POST', '/messages', { body, onBehalfOf });
	return isOk(sent) ? valueToText(asObjectOrEmpty(dataOf(sent)).id) : undefined;
}

/** Lists the private chat between the check's first two users. */
const listPrivate = async (ask: Ask, { owner: onBehalfOf, member }: Run, query: string) =>
	await ask('GET', `/users/${member}/messages?${query}`, { onBehalfOf });

/** A reaction that no other step adds. */
const REACTION = encodeURIComponent('🧪');

export const QUESTIONS: Question[] = [
	{
		number: 1,
		question: 'Is `total_pages` the number of pages, or the next page while there is one?',
		leaning:
			"CometChat's SDK requests the next page while the page number is below `total_pages`, which is right under both answers",
		answers: {
			'number of pages': '`mayHaveNextPage` compares the page with `total_pages` alone.',
			'next page': 'Pages are requested one at a time, and `MAX_AHEAD` goes.',
		},
		ask: async (ask, { id }) => {
			const page = await ask('GET', `/users?searchKey=${id}&perPage=1&page=1`);
			const total = readField(page.body, 'meta', 'pagination', 'total_pages');
			const answers = new Map([
				[3, 'number of pages'],
				[2, 'next page'],
			]);
			return answers.get(Number(total));
		},
	},
	{
		number: 2,
		question: 'Can a page be shorter than requested although more items follow?',
		answers: {
			no: 'Short pages end a list, so the comparisons with the first page go.',
			yes: 'Nothing. Full pages and page sizes are compared as today.',
		},
		needs: 'lists that are longer than a page',
	},
	{
		number: 3,
		question: 'Does List Replies read page numbers?',
		leaning: "`no`: CometChat's SDK pages replies by `affix`, `id` and `sentAt`",
		answers: {
			yes: '`PagesThenCursorsQueryBuilder` goes. Replies are listed as groups are.',
			no: '`PagesThenCursorsQueryBuilder` goes. Replies are listed by cursor.',
		},
		ask: async (ask, run) => {
			const path = `/messages/${await sendText(ask, run)}/thread`;
			for (const part of ['a', 'b']) {
				const data = { text: `${run.id} ${part}` };
				const receiver = { receiver: run.guid, receiverType: 'group' };
				const body = { ...receiver, category: 'message', type: 'text', data };
				await ask('POST', path, { body, onBehalfOf: run.member });
			}
			const first = await ask('GET', `${path}?page=1&perPage=1`);
			const second = await ask('GET', `${path}?page=2&perPage=1`);
			if (!isOk(first) || !isOk(second) || listOf(first).length === 0) return undefined;
			return yesOrNo(idsOf(first).join() !== idsOf(second).join());
		},
	},
	{
		number: 4,
		question: 'Do lists of reactions name their page size in `meta.current.limit`?',
		leaning: "not needed: CometChat's SDK reads `meta.next` and `meta.previous` alone",
		answers: {
			yes: '`CursorQueryBuilder` no longer compares pages with the first one.',
			no: '`CursorQueryBuilder` no longer reads the limit.',
		},
		read: (exchanges) => {
			const lists = select(exchanges, 'GET', /\/reactions(\/|\?|$)/);
			const limits = lists.map(({ body }) => readField(body, 'meta', 'current', 'limit'));
			return lists.length === 0 ? undefined : yesOrNo(limits.some((limit) => Number(limit) > 0));
		},
	},
	{
		number: 5,
		question: 'Do moderation queues have pages, and what asks for the next one?',
		answers: {
			yes: 'Moderation → List and Message Reported read all pages, and the hint about more entries goes.',
			no: 'The maximum of 100 entries goes.',
		},
		needs: 'a plan with moderation',
		read: (exchanges) => {
			const queues = select(exchanges, 'GET', /^\/moderation\/(flagged|blocked|reviewed)-messages/);
			const isPaged = ({ body }: Exchange) =>
				['next', 'cursor', 'pagination'].some(
					(name) => readField(body, 'meta', name) !== undefined,
				);
			return queues.length === 0 ? undefined : yesOrNo(queues.some(isPaged));
		},
	},
	{
		number: 6,
		question: 'In which order does a page of messages come?',
		answers: {
			'oldest first': '`sortMessagesInListDirection` only reverses pages.',
			'newest first': '`sortMessagesInListDirection` only reverses pages.',
		},
		read: (exchanges) => {
			const page = select(exchanges, 'GET', /^\/groups\/[^/]+\/messages/).find(
				(each) => listOf(each).length > 1,
			);
			if (page === undefined) return undefined;
			const [first = 0, second = 0] = idsOf(page).map(Number);
			return first < second ? 'oldest first' : 'newest first';
		},
	},
	{
		number: 7,
		question: 'Does new metadata of a user or a group replace the old?',
		answers: {
			replaced: 'Nothing. An update reads the stored metadata first, and merges.',
			merged: '`mergeMetadataObjectsOrThrow` and the request before an update go.',
		},
		ask: async (ask, { guid }) => {
			await ask('PUT', `/groups/${guid}`, { body: { metadata: { first: 1 } } });
			await ask('PUT', `/groups/${guid}`, { body: { metadata: { second: 2 } } });
			const metadata = readField((await ask('GET', `/groups/${guid}`)).body, 'data', 'metadata');
			if (!isObject(metadata) || !('second' in metadata)) return undefined;
			return 'first' in metadata ? 'merged' : 'replaced';
		},
	},
	{
		number: 8,
		question: "Do Get and List return a message's reactions?",
		leaning: "`yes`: CometChat's SDK reads reactions from messages",
		answers: {
			yes: 'Nothing. The column `reactions` is filled.',
			no: 'The column `reactions` is only offered by operations that change reactions.',
		},
		ask: async (ask, run) => {
			const { member: onBehalfOf } = run;
			const path = `/messages/${await sendText(ask, run)}`;
			await ask('POST', `${path}/reactions/${REACTION}`, { onBehalfOf });
			const message = await ask('GET', path, { onBehalfOf });
			return isOk(message)
				? yesOrNo(readField(message.body, 'data', 'data', 'reactions') !== undefined)
				: undefined;
		},
	},
	{
		number: 9,
		question: 'Is a second message with the same Message UID refused?',
		answers: {
			yes: 'With a Message UID, Send can be repeated after a lost response, and a refusal means success.',
			no: 'The description of Message UID says so.',
		},
		ask: async (ask, run) => {
			const first = await sendText(ask, run, run.id);
			const second = await sendText(ask, run, run.id);
			return first && yesOrNo(second === undefined);
		},
	},
	{
		number: 11,
		question: 'Does the limit of messages per sender apply to the REST API?',
		answers: {
			yes: 'Nothing changes.',
			no: 'Messages of all senders count toward one limit of the app: `findLimitKey` leaves out the sender.',
		},
		needs: 'more messages in a minute than a check sends',
	},
	{
		number: 12,
		question: 'How are the rate limit headers spelled?',
		answers: {
			'x-ratelimit-': 'The spelling `x-rate-limit-` goes.',
			'x-rate-limit-': 'The spelling `x-ratelimit-` goes.',
		},
		read: (exchanges) => {
			const names = exchanges.flatMap(({ headers }) => Object.keys(headers));
			const spellings = ['x-ratelimit-', 'x-rate-limit-'];
			return spellings.find((spelling) => names.some((name) => name.startsWith(spelling)));
		},
	},
	{
		number: 13,
		question:
			'Do `updatedAt` and `fromTimestamp` include the exact second, and `updatedAt` groups that never changed?',
		answers: {
			yes: 'A search for changes starts at the exact second, and Group Created uses the filter, too.',
			no: 'Nothing. A search starts a second earlier.',
		},
		ask: async (ask, { guid, otherGuid, id }) => {
			const group = await ask('GET', `/groups/${guid}`);
			const at = Number(readField(group.body, 'data', 'updatedAt'));
			if (!isOk(group) || !(at > 0)) return undefined;
			const query = `searchKey=${id}&updatedAt=${at}&affix=append`;
			const found = listOf(await ask('GET', `/groups?${query}`)).map(
				(item) => asObjectOrEmpty(item).guid,
			);
			const all = listOf(await ask('GET', `/groups?searchKey=${id}&updatedAt=1&affix=append`));
			const isNewFound = all.some((item) => asObjectOrEmpty(item).guid === otherGuid);
			return yesOrNo(found.includes(guid) && isNewFound);
		},
	},
	{
		number: 14,
		question: 'How long are users denied access to a new message?',
		answers: {
			'not at all': '`TEMPORARY_DENIAL_MS` and `isMessageAccessDenied` go.',
			'for a while': '`TEMPORARY_DENIAL_MS` becomes the longest time that was seen.',
		},
		read: (exchanges) => {
			const isDenied = exchanges.some((each) => readErrorCode(each) === 'ERR_MESSAGE_NO_ACCESS');
			return isDenied ? 'for a while' : 'not at all';
		},
	},
	{
		number: 15,
		question: 'Which message does an event about an edit or a deletion contain?',
		leaning: "`the changed message`, by the test code of CometChat's engineers",
		answers: {
			'the changed message': '`unwrapEditedOrDeletedMessage` no longer reads action messages.',
			'a note about the change': 'Nothing.',
		},
		needs: '`--listen`',
		read: (_, { deliveries = [] }) => {
			const changes = deliveries.filter((delivery) =>
				['message_edited', 'message_deleted'].includes(readTrigger(delivery)),
			);
			if (changes.length === 0) return undefined;
			const isNote = (delivery: unknown) =>
				readField(delivery, 'data', 'message', 'category') === 'action';
			return changes.some(isNote) ? 'a note about the change' : 'the changed message';
		},
	},
	{
		number: 16,
		question: 'Are events repeated, and in what do the repetitions differ?',
		answers: {
			'yes, unchanged': 'Events are compared as a whole, and `key` goes from the events.',
			'yes, changed': 'Events are compared by the fields that stay the same.',
			no: '`dedupe` goes.',
		},
		needs: '`--listen`, and a webhook with retries',
		read: (_, { deliveries = [] }) => {
			const [first, ...repetitions] = deliveries.filter(
				(delivery) => readTrigger(delivery) === REFUSED_EVENT,
			);
			if (first === undefined) return undefined;
			if (repetitions.length === 0) return 'no';
			const isSame = repetitions.every((each) => isDeepStrictEqual(each, first));
			return isSame ? 'yes, unchanged' : 'yes, changed';
		},
	},
	{
		number: 17,
		question: 'Which error does an unknown role get?',
		answers: {
			ERR_ROLE_NOT_FOUND: 'The advice about roles for ERR_BAD_REQUEST goes.',
			ERR_BAD_REQUEST: 'The entry ERR_ROLE_NOT_FOUND goes.',
		},
		ask: async (ask, { guest }) =>
			readErrorCode(await ask('PUT', `/users/${guest}`, { body: { role: 'n8n-check-none' } })) ||
			undefined,
	},
	{
		number: 18,
		question: 'Does a reply need a receiver?',
		answers: {
			no: '`isMissingReceiverError` and `addReceiver` go.',
			yes: 'Every reply reads the message first, and sends its receiver.',
		},
		read: (exchanges) => {
			const replies = exchanges.filter(
				({ method, path }) => method === 'POST' && /^\/messages\/[^/]+\/thread$/.test(path),
			);
			const [first] = replies;
			return first && yesOrNo(!isOk(first));
		},
	},
	{
		number: 19,
		question: 'Does CometChat refuse to remove a reaction that nobody added?',
		answers: {
			yes: 'Nothing.',
			no: 'Remove Reaction reads the reactions first, or says that a missing reaction is not an error.',
		},
		ask: async (ask, run) => {
			const path = `/messages/${await sendText(ask, run)}/reactions/${REACTION}`;
			const { status } = await ask('DELETE', path, { onBehalfOf: run.owner });
			return status === 0 ? undefined : yesOrNo(status >= 400);
		},
	},
	{
		number: 20,
		question: 'When does CometChat send `bannedAt`?',
		answers: {
			'with banned members': 'Nothing.',
			never: 'The column `bannedAt` goes.',
		},
		read: (exchanges) => {
			const banned = select(exchanges, 'GET', /^\/groups\/[^/]+\/bannedusers/).flatMap(listOf);
			if (banned.length === 0) return undefined;
			return banned.some((user) => 'bannedAt' in asObjectOrEmpty(user))
				? 'with banned members'
				: 'never';
		},
	},
	{
		number: 21,
		question: 'Where is private metadata in the responses?',
		answers: {
			'under @private': 'The columns `email` and `phone` read one place.',
			'beside the other metadata': 'The columns `email` and `phone` read one place.',
		},
		ask: async (ask, { guest }) => {
			const body = { metadata: { '@private': { email: 'check@example.com' } } };
			const user = await ask('PUT', `/users/${guest}`, { body });
			const metadata = asObjectOrEmpty(readField(user.body, 'data', 'metadata'));
			if ('@private' in metadata) return 'under @private';
			return 'email' in metadata ? 'beside the other metadata' : undefined;
		},
	},
	{
		number: 22,
		question: 'What does the answer to the review of a flagged message contain?',
		answers: {
			'a result': 'The result is required.',
			nothing: 'Nothing.',
		},
		needs: 'a plan with moderation',
		read: (exchanges) => {
			const [review] = select(exchanges, 'PATCH', /^\/moderation\/flagged-messages\//);
			if (review === undefined) return undefined;
			return JSON.stringify(review.body).includes('message') ? 'a result' : 'nothing';
		},
	},
	{
		number: 23,
		question: 'Does a bot hear its own messages?',
		answers: {
			yes: 'Nothing.',
			no: 'The check for own messages goes from `canMessageStartWorkflow`.',
		},
		needs: '`--listen`',
		read: (_, { bots }) =>
			yesNoOrOpen(bots?.heard?.some((kind) => kind === 'own group' || kind === 'own private')),
	},
	{
		number: 25,
		question: 'Does Remove Friends refuse all users if one of them is not a friend?',
		answers: {
			yes: 'Nothing. Each user is a request of their own.',
			no: 'Remove Friends sends up to 25 users at a time.',
		},
		ask: async (ask, { owner, member, guest }) => {
			const path = `/users/${owner}/friends`;
			const added = await ask('POST', path, { body: { accepted: [guest] } });
			await ask('DELETE', path, { body: { friends: [guest, member] } });
			const left = listOf(await ask('GET', path)).map((user) => asObjectOrEmpty(user).uid);
			return isOk(added) ? yesOrNo(left.includes(guest)) : undefined;
		},
	},
	{
		number: 26,
		question: 'Does deleting the auth tokens end open connections?',
		leaning: '`yes`: a page of October 2026 says that this ends the sessions on all devices',
		answers: {
			yes: 'The description of Sign Out Everywhere says so.',
			no: 'Nothing.',
		},
		needs: 'an app with an open connection',
	},
	{
		number: 27,
		question: 'Does CometChat send a group on behalf of a user who is not a member?',
		answers: {
			yes: '`NOT_A_MEMBER_CODES` goes from `fetchMembershipAsGroupAndUser`.',
			no: 'Get Member reads `isMember` from the refusal alone.',
		},
		ask: async (ask, { otherGuid, guest: onBehalfOf }) => {
			const group = await ask('GET', `/groups/${otherGuid}`, { onBehalfOf });
			return isOk(group) || readErrorCode(group) ? yesOrNo(isOk(group)) : undefined;
		},
	},
	{
		number: 28,
		question: 'What does the answer contain when a conversation is marked as read?',
		answers: {
			'a receipt': 'Mark as Read returns the columns of the receipt.',
			'a confirmation': 'Nothing.',
		},
		read: (exchanges) => {
			const [read] = select(exchanges, 'POST', /\/conversation\/read$/);
			if (read === undefined) return undefined;
			const isReceipt = ['body', 'messageId', 'readAt'].some(
				(name) => readField(read.body, 'data', name) !== undefined,
			);
			return isReceipt ? 'a receipt' : 'a confirmation';
		},
	},
	{
		number: 29,
		question: 'How does a media host that asks for the key give the address of a protected file?',
		answers: {
			'a redirect': '`readAddress` goes.',
			JSON: '`readAddress` reads the one field that contains the address.',
		},
		needs: 'an uploaded file, and token-based access to files',
	},
	{
		number: 30,
		question: 'Does a bot hear groups that it has not joined?',
		answers: {
			yes: 'The description of Group Messages no longer says that the bot must be added to groups.',
			no: 'Nothing.',
		},
		needs: '`--listen`',
		read: (_, { bots }) => yesNoOrOpen(bots?.heard?.includes('other group')),
	},
	{
		number: 31,
		question: 'Are messages to a bot repeated if they are not answered with status 200?',
		answers: {
			yes: 'Nothing.',
			no: 'The check for repetitions goes from the Bot Trigger.',
		},
		needs: '`--listen`',
		read: (_, { bots }) => yesNoOrOpen(bots?.heard && new Set(bots.heard).size < bots.heard.length),
	},
	{
		number: 32,
		question: 'Which error does the 26th bot of an app get?',
		answers: {
			'a code of its own': '`BOT_ERROR_EXPLANATIONS` explains the code, and `countBots` goes.',
			'a code of other errors, too': 'Nothing.',
		},
		needs: 'an app with 25 bots',
	},
	{
		number: 33,
		question: 'Does the REST API accept a message that contains a file, as multipart?',
		answers: {
			yes: 'From Input no longer says that CometChat does not document it, and `getAdviceIfCometChatIgnoredFiles` goes. If the message with two files kept fewer, `UploadForm` names the files otherwise, or From Input takes one.',
			no: 'From Input goes, with `inputFiles`, `addInputFilesToRequest` and `UploadForm`, unless question 34 is answered with yes.',
		},
		needs: '`--probe-uploads`',
		read: (_, { uploads }) => yesNoOrOpen(uploads?.inMessage.isAccepted),
	},
	{
		number: 34,
		question: 'Does the REST API give addresses to which files can be uploaded?',
		answers: {
			yes: 'If question 33 is answered with no, `UploadForm` gives way to an upload of each file, whose address is then sent.',
			no: 'Nothing.',
		},
		needs: '`--probe-uploads`',
		read: (_, { uploads }) => yesNoOrOpen(uploads?.toStorage.isAccepted),
	},
	{
		number: 35,
		question: 'Can the auth tokens of a deactivated user be deleted?',
		answers: {
			yes: 'The recipe for leavers signs out users who are deactivated already, too.',
			no: 'Nothing.',
		},
		ask: async (ask, { guest }) => {
			await ask('DELETE', '/users', { body: { uidsToDeactivate: [guest] } });
			const deletion = await ask('DELETE', `/users/${guest}/auth_tokens`);
			await ask('PUT', '/users', { body: { uidsToActivate: [guest] } });
			return isOk(deletion) || isRefused(deletion) ? yesOrNo(isOk(deletion)) : undefined;
		},
	},
	{
		number: 36,
		question: 'Does CometChat store a file as `data.url`, without attachments?',
		answers: {
			yes: 'Nothing.',
			no: '`readAttachments` goes. The column `attachments` reads the list alone.',
		},
		ask: async (ask, { guid, owner: onBehalfOf }) => {
			const data = { url: 'https://www.cometchat.com/favicon.ico' };
			const receiver = { receiver: guid, receiverType: 'group' };
			const body = { ...receiver, category: 'message', type: 'image', data };
			const sent = await ask('POST', '/messages', { body, onBehalfOf });
			if (!isOk(sent)) return isRefused(sent) ? 'no' : undefined;
			const stored = asObjectOrEmpty(readField(sent.body, 'data', 'data'));
			return yesOrNo('url' in stored && !('attachments' in stored));
		},
	},
	{
		number: 37,
		question: 'Do lists of reactions read `limit`, `affix` and `id`?',
		leaning: "`yes`: CometChat's SDK sends all three, at most 20 reactions per page",
		answers: {
			yes: 'List Reactions may send `limit`, for fewer requests. How a list ends follows question 4.',
			no: 'List Reactions reads one page, and says so if the page may lack reactions.',
		},
		ask: async (ask, run) => {
			const path = `/messages/${await sendText(ask, run)}/reactions`;
			for (const onBehalfOf of [run.owner, run.member]) {
				await ask('POST', `${path}/${REACTION}`, { onBehalfOf });
			}
			const first = await ask('GET', `${path}?limit=1`);
			const [id] = idsOf(first);
			if (id === undefined) return undefined;
			const second = await ask('GET', `${path}?limit=1&affix=append&id=${id}`);
			if (!isOk(second)) return isRefused(second) ? 'no' : undefined;
			const pages = [idsOf(first), idsOf(second)];
			return yesOrNo(pages.every(({ length }) => length === 1) && pages[1]?.[0] !== id);
		},
	},
	{
		number: 38,
		question: 'How long can moderation hold a message back before lists contain the message?',
		leaning:
			"`up to 5 minutes`: seconds by CometChat's test code, up to 30 with images and an AI engine",
		answers: {
			'up to 5 minutes': '`MESSAGE_OVERLAP_SECONDS` goes.',
			longer: '`MESSAGE_OVERLAP_SECONDS` becomes the longest time that was seen.',
		},
		needs: 'moderation rules that hold messages back',
	},
	{
		number: 39,
		question: 'What becomes of metadata that is a list if an update sends an object?',
		answers: {
			'the list is lost': 'Nothing. `mergeMetadataObjectsOrThrow` refuses the update.',
			'the list is kept': 'The refusal goes for lists, because CometChat merges or refuses.',
		},
		ask: async (ask, { otherGuid }) => {
			const path = `/groups/${otherGuid}`;
			const update = async (metadata: unknown) =>
				readField((await ask('PUT', path, { body: { metadata } })).body, 'data', 'metadata');
			if (!Array.isArray(await update(['first']))) return undefined;
			await update({ second: 2 });
			const metadata = readField((await ask('GET', path)).body, 'data', 'metadata');
			if (metadata === undefined) return undefined;
			return JSON.stringify(metadata).includes('first') ? 'the list is kept' : 'the list is lost';
		},
	},
	{
		number: 40,
		question: "Does CometChat relay a bot's message to another bot, with the message's metadata?",
		answers: {
			yes: 'Nothing.',
			'without metadata': 'The docs say that two bots need Ignored User Names or IDs.',
			no: 'The mark goes from Answer and from `canMessageStartWorkflow`.',
		},
		needs: 'two bots, one of which writes to the other',
	},
	{
		number: 41,
		question: "Do a user's messages include those of groups that the user has not joined?",
		answers: {
			yes: 'Message Sent with Watch: Users reads the groups of a user before a mention of all counts.',
			no: 'Nothing.',
		},
		needs: 'a user who has not joined a public group with messages',
	},
	{
		number: 42,
		question: 'Does Mark as Read work without a message, for the whole conversation?',
		leaning: '`yes`: a public bot does so with the API of the client SDKs',
		answers: {
			yes: 'Message ID becomes optional in Mark as Read.',
			no: 'Nothing.',
		},
		ask: async (ask, { guid, member: onBehalfOf }) => {
			const read = await ask('POST', `/groups/${guid}/conversation/read`, { body: {}, onBehalfOf });
			return isOk(read) || isRefused(read) ? yesOrNo(isOk(read)) : undefined;
		},
	},
	{
		number: 43,
		question: 'Does the REST API read `quotedMessageId`, and return the quoted message?',
		leaning:
			'`yes`: the service of the SDKs, which send `quotedMessageId` and read `quotedMessage`, also answers the REST API',
		answers: {
			yes: 'Nothing.',
			'only the ID': 'The columns `quotedText` and `quotedSender` go.',
			no: 'Quoted Message goes from Send, Quote the Question from Answer, and the columns that begin with `quoted`.',
		},
		ask: async (ask, run) => {
			const quotedMessageId = await sendText(ask, run);
			if (quotedMessageId === undefined) return undefined;
			const receiver = { receiver: run.guid, receiverType: 'group' };
			const data = { text: `${run.id} quote` };
			const body = { ...receiver, category: 'message', type: 'text', data, quotedMessageId };
			const sent = await ask('POST', '/messages', { body, onBehalfOf: run.owner });
			if (!isOk(sent)) return isRefused(sent) ? 'no' : undefined;
			const message = asObjectOrEmpty(dataOf(sent));
			if (asObjectOrEmpty(message.quotedMessage).id !== undefined) return 'yes';
			return message.quotedMessageId === undefined ? 'no' : 'only the ID';
		},
	},
	{
		number: 44,
		question: 'Does a list contain a message as soon as CometChat has confirmed it?',
		answers: {
			yes: 'Nothing.',
			no: 'An agent with CometChat Chat Memory may not know its latest answer. The docs say so.',
		},
		ask: async (ask, run) => {
			const id = await sendPrivateText(ask, run);
			const list = await listPrivate(ask, run, 'affix=prepend&limit=1');
			return id !== undefined && isOk(list) ? yesOrNo(idsOf(list).includes(id)) : undefined;
		},
	},
	{
		number: 45,
		question: 'Do messages with `affix` and `id`, read on behalf of a user, end before this ID?',
		answers: {
			yes: 'Nothing.',
			'at this ID': 'Nothing: `isBeforeQuestion` leaves the message out.',
			no: 'CometChat Chat Memory reads the newest messages, and `isBeforeQuestion` leaves out the question and later messages.',
		},
		ask: async (ask, run) => {
			const before = await sendPrivateText(ask, run);
			const id = await sendPrivateText(ask, run);
			await sendPrivateText(ask, run);
			const list = await listPrivate(ask, run, `affix=prepend&limit=1&id=${id}`);
			const [found] = idsOf(list);
			if (id === undefined || before === undefined || !isOk(list)) return undefined;
			return { [before]: 'yes', [id]: 'at this ID' }[String(found)] ?? 'no';
		},
	},
	{
		number: 46,
		question: "Does CometChat send a group's messages on behalf of a user who has not joined?",
		answers: {
			yes: 'CometChat Chat Memory also works in groups that the bot has not joined.',
			no: 'Nothing.',
		},
		ask: async (ask, { otherGuid, guest: onBehalfOf }) => {
			const list = await ask('GET', `/groups/${otherGuid}/messages?limit=1`, { onBehalfOf });
			return isOk(list) || readErrorCode(list) ? yesOrNo(isOk(list)) : undefined;
		},
	},
	{
		number: 47,
		question: 'Does List Replies read `affix` and `id`, so that a thread can be read from its end?',
		leaning: "`yes`: CometChat's SDK sends both",
		answers: {
			yes: 'CometChat Chat Memory reads a long thread from the question back, and `MAX_THREAD_PAGES` goes.',
			no: 'Nothing.',
		},
		ask: async (ask, run) => {
			const path = `/messages/${await sendText(ask, run)}/thread`;
			const ids: string[] = [];
			for (const text of ['a', 'b', 'c']) {
				const receiver = { receiver: run.guid, receiverType: 'group' };
				const data = { text: `${run.id} ${text}` };
				const body = { ...receiver, category: 'message', type: 'text', data };
				const reply = await ask('POST', path, { body, onBehalfOf: run.member });
				ids.push(valueToText(asObjectOrEmpty(dataOf(reply)).id));
			}
			const list = await ask('GET', `${path}?perPage=1&affix=prepend&id=${ids[2]}`);
			// A list that ignores both begins with the first reply
			return isOk(list) && ids[2] !== '' ? yesOrNo(idsOf(list)[0] === ids[1]) : undefined;
		},
	},
];

/** Answers questions with requests of their own. Adds the answers as they are found. */
export async function askQuestions(ask: Ask, run: Run, answers: Answers): Promise<void> {
	for (const question of QUESTIONS) {
		if (question.ask) answers[question.number] = await question.ask(ask, run);
	}
}

/** Answers the other questions from everything that a check observed. */
export function readAnswers(observed: Observations): Answers {
	return Object.fromEntries(
		QUESTIONS.map(({ number, read }) => [number, read?.(observed.exchanges, observed)]),
	);
}

/** The answers that a check found, by the question's number. */
export type Answers = Record<number, string | undefined>;

/** Formats the questions with the answers that a check found. */
export const formatAnswers = (answers: Answers): string =>
	formatTable(
		['', 'Open question', 'Answer'],
		QUESTIONS.map(({ number, question }) => [String(number), question, answers[number] ?? 'open']),
	);

/** Formats the questions with what each answer changes. */
export const formatQuestions = (): string =>
	formatTable(
		['', 'Open question', 'What each answer changes'],
		QUESTIONS.map(({ number, question, leaning, needs, answers }) => [
			String(number),
			[
				question,
				...(leaning === undefined ? [] : [`_Likely_: ${leaning}.`]),
				...(needs === undefined ? [] : [`_Needs ${needs}_`]),
			].join('<br>'),
			Object.entries(answers)
				.map(([answer, change]) => `_${answer}_: ${change}`)
				.join('<br>'),
		]),
	);
