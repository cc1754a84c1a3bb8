import { call, useSandbox, type CallOptions } from './client';

const sandbox = useSandbox({ groups: 40, now: () => 1_770_000_000 });

/** Settings; requests as in refusals.test.ts; what to look at in the last response; by default, and with the settings. */
const CASES = `
{"boundary":"inclusive"} | GET /groups?updatedAt=1754299980 | data.*.guid | ["releases"] | ["project-aurora","project-borealis","releases"]
{"clockSkew":90} | POST /groups {"guid":"new","name":"x"} | data.createdAt | 1770000000 | 1770000090
{"totalPages":"next"} | GET /groups?perPage=20 | meta.pagination | {"total":86,"count":20,"per_page":20,"current_page":1,"total_pages":5} | {"total":0,"count":20,"per_page":20,"current_page":1,"total_pages":2}
{"totalPages":"next"} | GET /groups?perPage=43&page=2 | meta.pagination.total_pages | 2 | 2
{"cursorPlace":"beside"} | GET /groups?updatedAt=1754299980 | meta.cursor.affix | "append" | -
{"cursorPlace":"beside"} | GET /groups?updatedAt=1754299980 | cursor.affix | - | "append"
{"hideUpdatedAt":true} | GET /groups/project-aurora | data.updatedAt | 1754299980 | -
{"updatedAtOnlyAfterChange":true} | GET /groups?updatedAt=0&perPage=1 | meta.pagination.total | 86 | 26
{"maxPerPage":20} | GET /groups?perPage=500 | meta.pagination | {"total":86,"count":86,"per_page":500,"current_page":1,"total_pages":1} | {"total":86,"count":20,"per_page":20,"current_page":1,"total_pages":5}
{"maxPerPage":20,"perPageShown":"asked"} | GET /groups?perPage=500&page=5 | meta.pagination | {"total":86,"count":0,"per_page":500,"current_page":5,"total_pages":1} | {"total":86,"count":6,"per_page":500,"current_page":5,"total_pages":5}
{"maxPerPage":20,"totalPagesShown":"asked"} | GET /groups?perPage=500&page=5 | meta.pagination.total_pages | 1 | 1
{"perPageShown":"missing"} | GET /groups?perPage=9 | meta.pagination.per_page | 9 | -
{"totalPagesShown":"missing"} | GET /groups?perPage=9 | meta.pagination.total_pages | 10 | -
{"totalShown":"missing"} | GET /groups?perPage=9 | meta.pagination.total | 86 | -
{"maxPerPage":3} | GET /groups/all-hands/members?perPage=100 | meta.pagination.count | 11 | 3
{"maxPerPage":3} | GET /users?perPage=100 | meta.pagination.count | 12 | 3
{"messageOrder":"descending"} | GET /groups/all-hands/messages?affix=append | data.*.id | ["108","109","117"] | ["117","109","108"]
{"messageOrder":"descending"} | GET /groups/all-hands/messages?affix=prepend&limit=2 | data.*.id | ["109","117"] | ["117","109"]
{"idBoundary":"inclusive"} | GET /groups/all-hands/messages?affix=append&id=109 | data.*.id | ["117"] | ["109","117"]
{"idBoundary":"inclusive"} | GET /groups/all-hands/messages?affix=prepend&id=109 | data.*.id | ["108"] | ["108","109"]
{"nextShown":"always"} | GET /groups/all-hands/messages?affix=append | meta.next.id | - | "117"
{"nextShown":"always"} | GET /groups/all-hands/messages?affix=append&id=117 | meta.next.id | - | "117"
{"nextShown":"never"} | GET /groups/all-hands/messages?affix=append&limit=1 | meta.next.id | "108" | -
{"nextShown":"never"} | GET /messages/109/reactions?limit=2 | meta.next.affix | "append" | -
{"messageIds":"number"} | GET /messages/119 | data.id | "119" | 119
{"messageIds":"number"} | GET /messages/119 | data.parentId | "118" | 118
{"messageIds":"number"} | PUT /messages/109 {"data":{"text":"x"}} | data.data.entities.on.entity.id | "109" | 109
{"messageIds":"number"} | GET /messages/109/reactions | data.0.messageId | "109" | 109
{"withoutAffix":"append"} | GET /groups/all-hands/messages?limit=1 | data.*.id | ["117"] | ["108"]
{"maxMessagesPerPage":2} | GET /groups/all-hands/messages?limit=9&affix=append | meta.current | {"limit":9,"count":3} | {"limit":9,"count":2}
{"maxMessagesPerPage":2} | GET /groups/all-hands/messages?limit=9&affix=append | meta.next.id | - | "109"
{"messagesMeta":"cursor"} | GET /groups/all-hands/messages?limit=2&affix=append | meta.next.id | "109" | -
{"messagesMeta":"cursor"} | GET /groups/all-hands/messages?limit=2&affix=append | meta.cursor.id | - | "109"
{"messagesMeta":"cursor"} | GET /groups/all-hands/messages?limit=2&affix=append | meta.pagination | - | {"total":0,"count":2,"per_page":2,"current_page":1,"total_pages":2}
{"listActions":false} | PUT /messages/109 {"data":{"text":"x"}} & GET /groups/all-hands/messages?limit=2 | data.*.category | ["message","action"] | ["message","message"]
{"reactionsInMessages":true} | GET /messages/102 as mira | data.data.reactions.0.reactedByMe | - | true
{"absentReaction":"accept"} | DELETE /messages/109/reactions/none as mira | status | 404 | 200
{"takenStatus":409} | POST /groups {"guid":"lunch","name":"x"} | status | 400 | 409
{"accessDelay":3} | SEND as mira & GET /messages/LAST as mira | status | 200 | 403
{"accessDelay":3} | SEND as mira & GET /messages/LAST | status | 200 | 200
{"accessDelay":3} | GET /messages/109 as mira | status | 200 | 200
{"reactionsPerPage":2} | GET /messages/109/reactions | meta.current | {"limit":100,"count":7} | {"limit":2,"count":2}
{"memberError":"object"} | POST /groups/lunch/members {"participants":["leo"]} | data.participants.leo.code | - | "ERR_ALREADY_JOINED"
{"memberError":"object"} | POST /groups/lunch/members {"participants":["leo"]} | data.participants.leo.error.code | "ERR_ALREADY_JOINED" | -
{"memberError":"text"} | POST /groups/lunch/members {"participants":["leo"]} | data.participants.leo.success | false | -
{"emptyLists":"null"} | POST /groups/lunch/members {"admins":["mira"]} | data.participants | - | null
{"maxMembers":1} | POST /groups/lunch/members {"admins":["mira"]} | data.admins.mira.error.code | - | "ERR_NO_VACANCY"
{"permanentDefault":true} | DELETE /messages/109 & GET /messages/109 | status | 200 | 404
{"permanentDefault":true} | DELETE /messages/109 {"permanent":false} & GET /messages/109 | status | 200 | 200
{"permanentResponse":"success"} | DELETE /messages/109 {"permanent":true} | data.success | - | true
{"groupMetadata":"merge"} | PUT /groups/lunch {"metadata":{"a":1}} & PUT /groups/lunch {"metadata":{"b":2}} | data.metadata | {"b":2} | {"a":1,"b":2}
{"repeatedMuid":"refuse"} | SEND as mira & SEND as mira | status | 200 | 400
{"repeatedMuid":"refuse"} | SEND as mira & SEND as jonas | status | 200 | 200
`;

const SENT =
	'POST /messages$& {"receiver":"all-hands","receiverType":"group","data":{"text":"Hi"},"muid":"m"}';

const ROWS = CASES.trim()
	.split('\n')
	.map((row) => row.split(' | '));

/** What is at a path; `*` stands for each entry of a list. */
function at(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined) return value;
	if (name === '*') return (value as unknown[]).map((entry) => at(entry, rest));
	return at((value as Record<string, unknown> | undefined)?.[name], rest);
}

/** The last of some responses, its status beside its body. */
async function ask(requests: string): Promise<unknown> {
	let last: unknown;
	for (const line of requests.split(' & ')) {
		const id = sandbox().store.messages().at(-1)?.id ?? '';
		const request = line.replace(/^SEND( as \w+)/, SENT.replace('$&', '$1')).replace('LAST', id);
		const [, method, path, as, body] =
			/^(\w+) (\S+)(?: as (\S+))?(?: (\{.*\}))?$/.exec(request) ?? [];
		const json: unknown = body && JSON.parse(body);
		const { status, text } = await call(sandbox(), path, { method, as, json } as CallOptions);
		last = { status, ...JSON.parse(text) };
	}
	return last;
}

test.each(ROWS)(
	'%s: %s has at %s %s by default, and then %s',
	async (settings, requests, path, ...expected) => {
		const look = async () => at(await ask(requests), path.split('.'));
		const [byDefault, changed] = expected.map((text) =>
			text === '-' ? undefined : JSON.parse(text),
		);
		expect(await look()).toEqual(byDefault);
		sandbox().reset();
		sandbox().setSettings(JSON.parse(settings));
		expect(await look()).toEqual(changed);
	},
);

test('each setting has a case here, or in webhooks.test.ts', () => {
	const names = new Set(ROWS.flatMap(([settings]) => Object.keys(JSON.parse(settings))));
	for (const name of ['changeEvents', 'changesSent']) names.add(name);
	expect([...names].sort()).toEqual(Object.keys(sandbox().settings).sort());
});
