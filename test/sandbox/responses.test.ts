import { startSandbox } from '../../tools/sandbox/server';
import { CONTRACT } from '../contract/document';
import { call, useSandbox } from './client';

const sandbox = useSandbox({ groups: 40, now: () => 1_770_000_000 });

/**
 * Each row contains requests, followed by pairs of a path in the last response and the value expected there.
 */
const RESPONSES = `
GET /users?perPage=5&page=1 | data.*.uid | ["reminder-bot","carla","yuki","felix","leo"] | cursor | {"updatedAt":1725148800,"affix":"append"} | meta.cursor | -
POST /users {"uid":"ann","name":"Ann"} & GET /users?perPage=1 | data.*.uid | ["ann"]
GET /users?perPage=1&page=0 | data.*.uid | ["reminder-bot"] | meta.pagination.current_page | 1
GET /users?searchKey=MIRA%20H | data.*.uid | ["mira"]
GET /users?searchKey=ext&searchIn=name,uid | data.*.uid | ["ext_sam-99"]
GET /users?searchKey=old-account | data.*.uid | []
GET /groups/all-hands/members?perPage=4&page=1 | data.*.uid | ["mira","reminder-bot","carla","yuki"] | cursor.affix | "append" | meta.cursor | -
GET /groups/all-hands/members?status=available | data.*.uid | ["yuki","felix"]
POST /groups/lunch/members {"admins":["mira"],"participants":["Yuki","felix"]} & GET /groups/lunch/members | data.*.uid | ["leo","felix","mira","yuki"]
POST /groups/lunch/members {"admins":["mira"],"participants":["Yuki","felix"]} & GET /groups/lunch/members?scopes=admin | data.*.uid | ["leo","mira"]
POST /groups/lunch/members {"admins":["mira"],"participants":["Yuki"]} | data | {"admins":{"mira":{"success":true,"message":"User mira has joined the group."}},"participants":{"yuki":{"success":true,"message":"User yuki has joined the group."}}}
POST /groups/support/members as carla {"participants":["leo"]} & GET /groups/support/members?scopes=participant | data.*.uid | ["leo","aisha","felix"]
POST /groups/lunch/members {"usersToBan":["felix"],"participants":["yuki"]} | data | {"participants":{"yuki":{"success":true,"message":"User yuki has joined the group."}}}
DELETE /groups/brand/members/CARLA & GET /groups/brand/members | data.*.uid | ["aisha"]
GET /groups/All-Hands/messages?limit=100&affix=append | data.*.id | ["108","109","117"]
GET /messages | meta | {"current":{"limit":10,"count":10},"next":{"affix":"prepend","id":"120","sentAt":1754115600}} | data.*.id | ["120","121","122","123","124","125","126","127","128","129"]
GET /messages?limit=1000 as carla | data.*.id | ["106","108","109","116","117","120"]
GET /groups/all-hands/messages?limit=1&affix=append&id=108 | meta | {"current":{"limit":1,"count":1},"next":{"affix":"append","id":"109","sentAt":1754070000},"previous":{"affix":"prepend","id":"109","sentAt":1754070000}}
GET /groups/all-hands/messages?limit=1&affix=prepend&id=109 | meta | {"current":{"limit":1,"count":1},"previous":{"affix":"append","id":"108","sentAt":1754065200}}
DELETE /messages/109 {"permanent":true} & GET /groups/all-hands/messages?limit=1&affix=append&id=109 | data.0.id | "117"
DELETE /messages/109 & GET /messages?limit=99&searchKey=aurora | data.*.id | ["119"]
DELETE /messages/109 & GET /messages?sender=mira&conversationId=group_all-hands&hideDeleted=1 | data.*.id | []
DELETE /messages/109 & GET /messages?sender=mira&conversationId=group_all-hands&hideDeleted=0 | data.*.id | ["109"]
DELETE /messages/109 & GET /messages?onlyDeleted=1 | data.*.id | ["109"]
GET /messages?tags=orders | data.0.tags | -
GET /messages?tags=orders&withTags=true | data.0.tags | ["orders"]
PUT /messages/109 {"data":{"text":"x"}} & GET /messages?categories=action | data.*.data.entities.on.entity.id | ["109"]
GET /groups/project-aurora/messages?hideReplies=true | data.*.id | ["118"]
GET /messages?limit=99&hasLinks=true | data.*.id | ["119","122"]
GET /messages?limit=99&hasMentions=true | data.*.id | ["118"]
GET /messages?limit=99&attachmentTypes=video,image | data.*.id | ["117"]
GET /messages?limit=99&mentionedUids=priya,leo | data.*.id | ["118"]
GET /messages?limit=99&mentionedUids=mira | data | []
GET /messages?limit=99&types=image,file | data.*.id | ["117","121"]
GET /groups/project-aurora/messages?myMentionsOnly=true as priya | data.*.id | ["118"]
GET /groups/project-aurora/messages?unread=true as priya | data.*.id | ["118"]
GET /users/Mira/messages?limit=2 | data.*.id | ["101","102"] | meta | {"pagination":{"total":0,"count":2,"per_page":2,"current_page":1,"total_pages":1},"cursor":{"id":"101","affix":"prepend"}}
GET /users/Mira/messages?perPage=1 | data.*.id | ["102"] | meta.pagination.per_page | 1
GET /users/Mira/messages?limit=1&perPage=2 | data.*.id | ["102"]
GET /users?status=available | data.*.uid | ["yuki","felix"]
GET /users?roles=support,default&searchKey=m | data.*.uid | ["mira"]
GET /users?tags=nothing | data | []
PUT /users/leo {"tags":["vip"]} & GET /users?tags=vip | data.0.tags | -
PUT /users/leo {"tags":["vip"]} & GET /users?searchKey=leo&withTags=true | data.0.tags | ["vip"]
GET /users?onlyDeactivated=true | data.*.uid | ["old-account"]
GET /users?withDeactivated=true&searchKey=old | data.*.uid | ["old-account"]
PUT /groups/brand/members/CARLA {"scope":"moderator"} | data | {"guid":"brand","uid":"carla","scope":"moderator","joinedAt":1707228000}
PUT /groups/brand/members/CARLA {"scope":"moderator"} & GET /groups/brand/members?scopes=moderator | data.*.uid | ["carla"]
POST /groups/brand/bannedusers/CARLA as aisha | data.data.action | "banned"
POST /groups/brand/bannedusers/CARLA as aisha & GET /groups/brand/members | data.*.uid | ["aisha"]
POST /groups/brand/bannedusers/CARLA as aisha & GET /groups/brand/bannedusers | data.*.uid | ["carla"] | data.0.scope | - | data.0.joinedAt | - | cursor.affix | "append"
GET /users/ext_sam-99/blockedusers | data.*.uid | ["carla","noor"] | meta.cursor | {"updatedAt":1723731600,"affix":"append"}
GET /conversations?conversationType=user as mira | data.*.conversationId | ["mira_user_jonas"] | data.0.unreadMessageCount | "1" | data.0.conversationWith.uid | "jonas"
DELETE /messages/107 {"permanent":true} & GET /moderation/flagged-messages | status | 200
PATCH /moderation/flagged-messages/107 {"status":"approved"} & DELETE /messages/107 {"permanent":true} & GET /moderation/reviewed-messages | data | []
GET /conversations?tags=urgent&withTags=true as leo | data.*.tags | [["urgent","release"]]
POST /users/JONAS/conversation/read as mira {"messageId":102} & GET /conversations?unread=true&conversationType=user as mira | data | []
POST /messages as leo {"receiver":"all-hands","receiverType":"group","data":{"text":"Yes"},"quotedMessageId":"109"} | data.quotedMessageId | "109" | data.quotedMessage.sender | "mira"
POST /groups/project-aurora/conversation/read as mira {"messageId":118} & GET /groups/project-aurora/messages?unread=true as mira | data.*.id | ["119"]
GET /users/yuki/friends | data.*.uid | ["mira","felix"] | meta.cursor.affix | "append"
GET /users/mira/friends?searchKey=Fé | data.*.uid | ["felix"]
POST /users/leo/friends {"accepted":["Noor","mira"]} | data.accepted.noor.success | true | data.accepted.mira.error.code | "ERR_ALREADY_FRIEND"
DELETE /users/MIRA/friends {"friends":["Leo","yuki"]} & GET /users/mira/friends | data.*.uid | ["noor","felix"]
DELETE /users/leo/auth_tokens | data.success | true
DELETE /users {"uidsToDeactivate":["Leo","old-account","nobody"]} | data | {"deactivatedUids":["Leo"],"alreadyDeactivatedUids":["old-account"],"notFound":["nobody"]}
DELETE /users {"uidsToDeactivate":["LEO"]} & DELETE /users {"uidsToDeactivate":["Leo"]} | data | {"alreadyDeactivatedUids":["Leo"]}
PUT /users {"uidsToActivate":["Old-Account","mira"]} | data | {"reactivatedUids":["Old-Account"],"nonDeactivatedUids":["mira"]}
DELETE /users/leo & GET /users/leo | status | 404
DELETE /users/leo {"permanent":false} | data | {"deactivatedUids":["leo"]}
POST /users/leo/auth_tokens & POST /users/leo/auth_tokens {"force":true} | data.uid | "leo"
POST /groups/brand/bannedusers/CARLA & DELETE /groups/brand/bannedusers/CARLA & GET /groups/brand/bannedusers | data | []
GET /users/yuki/messages?limit=1&affix=append | data.0.data.entities.by.entity.uid | "felix" | data.0.data.entities.for.entity.uid | "yuki" | data.0.data.action | "unanswered"
GET /groups/backend/messages | data.0.data.entities.on.entity.sessionid | "v1.us.100" | data.0.data.entities.for.entityType | "group"
GET /messages/99 as yuki | data.category | "call" | data.data.entities.on.entity.data.entities.receiver.entity.uid | "yuki"
DELETE /messages/99 & GET /messages/99 | data.data.action | - | data.deletedAt | 1770000000
GET /messages?limit=99&hasReactions=true&sender=leo | data.*.id | ["104"]
GET /messages?limit=99&hasAttachments=false&sender=aisha | data.*.id | ["112","117"]
GET /messages?limit=99&receiverType=user&sender=leo | data.*.id | ["104"]
GET /messages?limit=99&conversationId=mira_user_jonas | data.*.id | ["101","102"]
GET /messages?limit=99&fromTimestamp=1754040000&toTimestamp=1754040420 | data.*.id | ["101","102"]
GET /groups/project-aurora/messages?toTimestamp=1 | data.*.id | ["118","119"]
POST /groups {"guid":"Lamp-Club_7","name":"Lamp Club","type":"password","password":"brass","icon":"https://x.example/a.png","description":"x","metadata":{"city":"Osaka","floors":[1,2]},"owner":"Yuki","tags":["social","two words"]} & GET /groups/lamp-club_7 | data | {"guid":"lamp-club_7","name":"Lamp Club","description":"x","icon":"https://x.example/a.png","type":"password","membersCount":1,"conversationId":"group_lamp-club_7","metadata":{"city":"Osaka","floors":[1,2]},"createdAt":1770000000,"owner":"yuki","tags":["social","two words"]}
POST /groups {"guid":"plain","name":"Plain"} | data | {"guid":"plain","name":"Plain","type":"public","membersCount":0,"conversationId":"group_plain","createdAt":1770000000,"owner":"app_system"}
POST /groups as leo {"guid":"mine","name":"Mine"} | data | {"guid":"mine","name":"Mine","type":"public","scope":"admin","membersCount":1,"joinedAt":1770000000,"conversationId":"group_mine","hasJoined":true,"createdAt":1770000000,"owner":"leo"}
PUT /groups/brand {} | data | {"guid":"brand","name":"Brand & Photos","icon":"https://assets.example.com/groups/brand.png","type":"public","membersCount":2,"conversationId":"group_brand","createdAt":1707224400,"owner":"aisha","tags":["design"]}
PUT /groups/generated-0000002 {"name":"Seven"} | data | {"guid":"generated-0000002","name":"Seven","description":"Generated group number 2","type":"private","membersCount":2,"conversationId":"group_generated-0000002","createdAt":1600000194,"updatedAt":1770000000,"updatedBy":"app_system","owner":"priya","tags":["generated","even-more"]}
PUT /groups/all-hands {"metadata":{"a":1}} & PUT /groups/all-hands {"unset":["icon","description","metadata"]} | data | {"guid":"all-hands","name":"All Hands","type":"public","membersCount":11,"conversationId":"group_all-hands","createdAt":1704096000,"updatedAt":1770000000,"updatedBy":"app_system","owner":"mira","tags":["company","news"]}
PUT /groups/brand as aisha {"owner":"leo","name":"B"} | data.owner | "aisha"
PUT /groups/brand {"owner":"Leo"} & GET /groups/brand as leo | data.scope | "admin"
PUT /groups/brand {"owner":"Leo"} & GET /groups/brand | data.owner | "leo"
DELETE /groups/incidents & GET /groups/incidents | status | 404
DELETE /groups/incidents & GET /messages/110 | status | 404
DELETE /groups/incidents & GET /messages/109 | status | 200
DELETE /groups/generated-0000000 & GET /groups/generated-0000000 | status | 404
GET /messages/101 as Jonas | status | 200
SEND as MIRA & GET /messages/LAST | data.sender | "mira"
POST /messages {"receiver":"Leo","receiverType":"user","data":{"text":"Hi"}} | data.conversationId | "app_system_user_leo"
PUT /messages/117 {"data":{"text":"Second light"}} | data.data.entities.on.entity.data.text | "Second light" | data.data.entities.on.entity.data.attachments.0.name | "first-light.jpg"
PUT /messages/109 as mira {"data":{"text":"x"},"tags":["late"]} & GET /messages/109 | data.data.text | "x" | data.data.metadata | {"pinned":true} | data.tags | ["late"] | data.editedBy | "mira" | data.editedAt | 1770000000
DELETE /messages/109 as mira & GET /messages/109 | data.data.text | - | data.deletedBy | "mira" | data.deletedAt | 1770000000
DELETE /messages/109 & PUT /messages/109 {"data":{"text":"x"}} | error.code | "ERR_MESSAGE_ACTION_NOT_ALLOWED"
DELETE /messages/109 & DELETE /messages/LAST | error.code | "ERR_MESSAGE_ACTION_NOT_ALLOWED"
DELETE /messages/109 & DELETE /messages/109 | error.code | "ERR_MESSAGE_ACTION_NOT_ALLOWED"
POST /messages/109/reactions/ok as mira & POST /messages/109/reactions/ok as mira | data.data.reactions.3 | {"reaction":"ok","count":1,"reactedByMe":true}
POST /messages/101/thread as jonas {"data":{"text":"Hi"}} | data.receiver | "mira" | data.parentId | "101"
GET /messages/110/reactions | data.*.uid | ["jonas","leo","yuki"] | data.0.reactedBy.name | "Jonas Wirt" | data.0.messageId | "110"
GET /messages/110/reactions/%F0%9F%91%80 | data.*.uid | ["jonas","leo"]
GET /messages/110/reactions/nothing | data | []
GET /messages/109/reactions?limit=2&affix=append | meta | {"current":{"limit":2,"count":2},"next":{"affix":"append","id":"25"}}
GET /messages/109/reactions?limit=2&affix=prepend&id=28 | data.*.id | ["26","27"]
GET /groups/ALL-HANDS as JONAS | data.scope | "moderator"
GET /groups?sortBy=name&sortOrder=desc&types=private&searchKey=sales | data.*.name | ["Sales EMEA","Sales"]
GET /groups?searchKey=%E5%A4%A7%E9%98%AA | data.*.guid | ["office-osaka"]
GET /groups?searchKey=%26&searchIn=name | data.*.guid | ["data","cooking","partners","brand"]
GET /groups?type=protected&searchKey=support | data.*.guid | ["support-es","support"]
GET /groups?type=protected&types=password | data | []
GET /groups?tags=social,nowhere&searchKey=oo | data.*.guid | ["cooking","book-club","watercooler"]
GET /groups?withTags=true&perPage=1 | meta.pagination.total | 65
GET /groups?hasJoined=true&type=protected&searchKey=lab as ext_sam-99 | data.*.guid | ["hardware-lab"]
GET /groups?hasJoined=true&searchKey=support as ext_sam-99 | data | []
GET /groups?hasJoined=false as ext_sam-99 | meta.pagination.total | 86
GET /groups?updatedAt=1600001000&affix=prepend | data.*.guid | ["generated-0000009","generated-0000008","generated-0000007","generated-0000006","generated-0000004","generated-0000003","generated-0000002","generated-0000001"]
POST /groups {"guid":"new","name":"New"} & GET /groups?updatedAt=1769999999 | data.*.guid | ["new"]
POST /bots {"uid":"LEO","webhookURL":"https://a.example"} | data | {"uid":"leo","webhookURL":"https://a.example","groupChatSetting":"none","useBasicAuth":false,"enabled":false,"createdAt":1770000000}
POST /bots {"uid":"leo","webhookURL":"https://a.example","username":"u","password":"p"} | data.username | - | data.password | -
POST /bots {"uid":"leo","webhookURL":"https://a.example","useBasicAuth":true,"username":"u","password":"p"} & GET /bots/Leo | data.username | "u" | data.password | "p"
POST /bots {"uid":"leo","webhookURL":"https://a.example","useBasicAuth":true,"username":"u","password":"p"} & PUT /bots/leo {"useBasicAuth":false,"enabled":true} & GET /bots | data.*.password | ["p"] | data.*.enabled | [true] | data.*.updatedAt | [1770000000]
POST /bots {"uid":"leo","webhookURL":"https://a.example"} & PUT /bots/leo {"password":"p"} | data.password | "p"
POST /bots {"uid":"leo","webhookURL":"https://a.example"} & DELETE /bots/leo & GET /users/leo | data.uid | "leo"
POST /bots {"uid":"leo","webhookURL":"https://a.example"} & POST /bots/leo/messages {"receiver":"mira","receiverType":"user","data":{"text":"Hi"}} | data.sender | "leo"
PUT /groups/brand {"type":"password","password":"x"} & PUT /groups/brand {"type":"password","name":"B"} | data.type | "password"
PUT /groups/brand {"type":"password","password":"x"} & PUT /groups/brand {"type":"public"} & PUT /groups/brand {"type":"password"} | error.code | "ERR_EMPTY_GROUP_PASS"
`;

/**
 * Each row contains sandbox settings, requests, and any number of expectations. An expectation is a path in
 * the last response, the value with default settings, and the value with the row's settings.
 */
const SETTINGS = `
{"boundary":"inclusive"} | GET /groups?updatedAt=1754299980 | data.*.guid | ["releases"] | ["project-aurora","project-borealis","releases"]
{"clockSkew":90} | POST /groups {"guid":"new","name":"x"} | data.createdAt | 1770000000 | 1770000090
{"totalPages":"next"} | GET /groups?perPage=20 | meta.pagination | {"total":86,"count":20,"per_page":20,"current_page":1,"total_pages":5} | {"total":0,"count":20,"per_page":20,"current_page":1,"total_pages":2}
{"totalPages":"next"} | GET /groups?perPage=43&page=2 | meta.pagination.total_pages | 2 | 2
{"listOrder":"oldestFirst"} | GET /groups?perPage=1 | data.*.guid | ["ideas"] | ["generated-0000000"]
{"listOrder":"oldestFirst"} | GET /users?perPage=1 | data.*.uid | ["reminder-bot"] | ["ext_sam-99"]
{"listOrder":"oldestFirst"} | GET /groups/support/members | data.*.uid | ["noor","aisha","felix","carla"] | ["noor","carla","felix","aisha"]
{"bannedFields":"ban"} | POST /groups/brand/bannedusers/carla & GET /groups/brand/bannedusers | data.0.isBanned | - | true | data.0.bannedAt | - | 1770000000
{"privateMetadata":"top"} | PUT /users/leo {"metadata":{"a":1,"@private":{"email":"leo@example.com"}}} | data.metadata | {"a":1,"@private":{"email":"leo@example.com"}} | {"a":1,"email":"leo@example.com"}
{"privateMetadata":"top"} | PUT /users/leo {"metadata":{"@private":{"email":"leo@example.com"}}} & GET /users?searchKey=leo | data.0.metadata.email | - | "leo@example.com"
{"privateMetadata":"top"} | PUT /users/leo {"metadata":{"@private":{"email":"leo@example.com"}}} & GET /users/leo | data.metadata.email | - | -
{"cursorPlace":"beside"} | GET /groups?updatedAt=1754299980 | meta.cursor.affix | "append" | - | cursor.affix | - | "append"
{"attachmentSize":"text"} | GET /messages/117 | data.data.attachments.0.size | 284113 | "284113"
{"hideUpdatedAt":true} | GET /groups/project-aurora | data.updatedAt | 1754299980 | -
{"updatedAtOnlyAfterChange":true} | GET /groups?updatedAt=0&perPage=1 | meta.pagination.total | 86 | 26
{"updatedAtOnlyAfterChange":true} | POST /groups {"guid":"new","name":"x"} & GET /groups?searchKey=new&searchIn=guid&perPage=1&sortOrder=desc | meta.cursor.updatedAt | 1770000000 | -
{"maxPerPage":20} | GET /groups?perPage=500 | meta.pagination | {"total":86,"count":86,"per_page":500,"current_page":1,"total_pages":1} | {"total":86,"count":20,"per_page":20,"current_page":1,"total_pages":5}
{"maxPerPage":20,"perPageShown":"asked"} | GET /groups?perPage=500&page=5 | meta.pagination | {"total":86,"count":0,"per_page":500,"current_page":5,"total_pages":1} | {"total":86,"count":6,"per_page":500,"current_page":5,"total_pages":5}
{"maxPerPage":20,"totalPagesShown":"asked"} | GET /groups?perPage=500&page=5 | meta.pagination.total_pages | 1 | 1
{"perPageShown":"missing"} | GET /groups?perPage=9 | meta.pagination.per_page | 9 | -
{"totalPagesShown":"missing"} | GET /groups?perPage=9 | meta.pagination.total_pages | 10 | -
{"totalShown":"missing"} | GET /groups?perPage=9 | meta.pagination.total | 86 | -
{"maxPerPage":3} | GET /users?perPage=100 | meta.pagination.count | 12 | 3
{"messageOrder":"descending"} | GET /groups/all-hands/messages?affix=prepend&limit=2 | data.*.id | ["109","117"] | ["117","109"]
{"idBoundary":"inclusive"} | GET /groups/all-hands/messages?affix=append&id=109 | data.*.id | ["117"] | ["109","117"]
{"nextShown":"always"} | GET /groups/all-hands/messages?affix=append | meta.next.id | - | "117"
{"nextShown":"always"} | GET /groups/all-hands/messages?affix=append&id=117 | meta.next.id | - | "117"
{"nextShown":"never"} | GET /messages/109/reactions?limit=2 | meta.next.affix | "append" | -
{"messageIds":"number"} | PUT /messages/109 {"data":{"text":"x"}} | data.data.entities.on.entity.id | "109" | 109
{"withoutAffix":"append"} | GET /groups/all-hands/messages?limit=1 | data.*.id | ["117"] | ["108"]
{"maxMessagesPerPage":2} | GET /groups/all-hands/messages?limit=9&affix=append | meta.current | {"limit":9,"count":3} | {"limit":9,"count":2} | meta.next.id | - | "109"
{"messagesMeta":"cursor"} | GET /groups/all-hands/messages?limit=2&affix=append | meta.next.id | "109" | - | meta.cursor.id | - | "109" | meta.pagination | - | {"total":0,"count":2,"per_page":2,"current_page":1,"total_pages":2}
{"listActions":false} | PUT /messages/109 {"data":{"text":"x"}} & GET /groups/all-hands/messages?limit=2 | data.*.category | ["message","action"] | ["message","message"]
{"reactionsInMessages":true} | GET /messages/102 as mira | data.data.reactions.0.reactedByMe | - | true
{"absentReaction":"accept"} | DELETE /messages/109/reactions/none as mira | status | 404 | 200
{"takenStatus":409} | POST /groups {"guid":"lunch","name":"x"} | status | 400 | 409
{"unknownRole":"notFound"} | PUT /users/leo {"role":"chief"} | status | 400 | 404 | error.code | "ERR_BAD_REQUEST" | "ERR_ROLE_NOT_FOUND"
{"accessDelay":3} | SEND as mira & GET /messages/LAST as mira | status | 200 | 403
{"accessDelay":3} | SEND as mira | data.data.moderation.status | - | "pending"
{"accessDelay":3} | GET /messages/109 as mira | status | 200 | 200
{"reactionsPerPage":2} | GET /messages/109/reactions | meta.current | {"limit":100,"count":7} | {"limit":2,"count":2}
{"emptyLists":"null"} | POST /groups/lunch/members {"admins":["mira"]} | data.participants | - | null
{"banResponse":"success"} | POST /groups/brand/bannedusers/carla & DELETE /groups/brand/bannedusers/carla | data.category | "action" | -
{"bannedInMembers":true} | POST /groups/brand/bannedusers/carla & GET /groups/brand/members | data.*.uid | ["aisha"] | ["aisha","carla"]
{"threadPages":"cursor"} | GET /messages/124/thread?perPage=1&page=2 | data.*.id | ["127"] | ["125"]
{"maxMembers":1} | POST /groups/lunch/members {"admins":["mira"]} | data.admins.mira.error.code | - | "ERR_NO_VACANCY"
{"permanentDefault":true} | DELETE /messages/109 & GET /messages/109 | status | 200 | 404
{"permanentResponse":"success"} | DELETE /messages/109 {"permanent":true} | data.success | - | true
{"groupMetadata":"merge"} | PUT /groups/lunch {"metadata":{"a":1}} & PUT /groups/lunch {"metadata":{"b":2}} | data.metadata | {"b":2} | {"a":1,"b":2}
{"replyReceiver":"required"} | POST /messages/118/thread as mira {"data":{"text":"Hi"}} | status | 200 | 400 | error.details | - | {"receiver":["The receiver field is required."],"receiverType":["The receiverType field is required."]}
{"replyReceiver":"required"} | POST /messages/118/thread as mira {"data":{"text":"Hi"},"receiver":"project-aurora","receiverType":"group"} | data.parentId | "118" | "118"
{"unknownTypes":"refuse"} | GET /messages?types=text,smell&affix=append&limit=1 | data.0.id | "101" | - | error.details.types | - | ["The selected type is invalid."]
{"unknownTypes":"refuse"} | GET /messages?types=text,ticket&affix=append&limit=1 | data.*.id | ["101"] | ["101"]
{"repeatedMuid":"refuse"} | SEND as mira & SEND as mira | status | 200 | 400
{"reviewResponse":"top"} | PATCH /moderation/flagged-messages/107 {"status":"approved"} | success | - | true
{"reviewResponse":"empty"} | PATCH /moderation/flagged-messages/107 {"status":"disapproved"} | data | {"success":true,"message":"Message with ID 107 has been disapproved successfully."} | {}
{"readResponse":"receipt"} | POST /groups/makers/conversation/read as noor {"messageId":126} | data.success | true | - | data.sender | - | "noor" | data.body.messageId | - | "126"
{"readResponse":"empty"} | POST /users/jonas/conversation/read as mira {"messageId":102} | data | {"success":true,"message":"The messages have been marked as read."} | {}
{"absentFriend":"skip"} | DELETE /users/mira/friends {"friends":["leo","carla"]} & GET /users/mira/friends | data.*.uid | ["leo","yuki","noor","felix"] | ["yuki","noor","felix"]
{"absentFriend":"skip"} | DELETE /users/mira/friends {"friends":["carla"]} | error.code | "ERR_NOT_A_FRIEND" | "ERR_NOT_A_FRIEND"
{"groupAccess":"members"} | GET /groups/lunch as noor | error.code | - | "ERR_GROUP_NOT_JOINED"
{"groupAccess":"members"} | GET /groups/lunch as leo | data.guid | "lunch" | "lunch"
{"deactivatedTokens":"delete"} | DELETE /users/old-account/auth_tokens | status | 404 | 200
{"filterCommas":"literal"} | GET /users?roles=default,support&searchKey=m | data.*.uid | ["mira"] | []
{"queueNext":"always"} | GET /moderation/flagged-messages?limit=1 | meta.next.affix | - | "append"
{"quotedMessages":"id"} | POST /messages as leo {"receiver":"all-hands","receiverType":"group","data":{"text":"Yes"},"quotedMessageId":"109"} | data.quotedMessage.sender | "mira" | -
{"reactionPages":"single"} | GET /messages/109/reactions?limit=1&affix=append | data.*.uid | ["priya"] | ["priya","jonas","leo","yuki","priya","mira","jonas"]
{"mediaUrl":"keep"} | POST /messages as mira {"receiver":"all-hands","receiverType":"group","type":"image","data":{"url":"https://a.example/a.png"}} | data.data.url | - | "https://a.example/a.png" | error.code | "ERR_INVALID_MEDIA_MESSAGE" | -
{"listMetadata":"refuse"} | PUT /groups/lunch {"metadata":[1]} & PUT /groups/lunch {"metadata":{"a":1}} | status | 200 | 400
{"moderationInPlan":false} | POST /messages/101/flagged as mira {"reasonId":"spam"} | status | 200 | 403
`;

const SENT =
	'POST /messages$& {"receiver":"all-hands","receiverType":"group","data":{"text":"Hi"},"muid":"m"}';

const rowsOf = (table: string) =>
	table
		.trim()
		.split('\n')
		.map((row) => row.split(' | '));

const read = (text: string): unknown => (text === '-' ? undefined : JSON.parse(text));

/** Returns the value at a path. `*` in the path matches every entry of a list. */
function at(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined) return value;
	if (name === '*') return (value as unknown[]).map((entry) => at(entry, rest));
	return at((value as Record<string, unknown> | undefined)?.[name], rest);
}

/** Sends the requests in order and returns the last response's status and body. */
async function ask(requests: string): Promise<unknown> {
	let last: unknown;
	for (const line of requests.split(' & ')) {
		const id = sandbox().store.messages.all().at(-1)?.id ?? '';
		const request = line.replace(/^SEND( as \w+)/, SENT.replace('$&', '$1')).replace('LAST', id);
		const [, method, path, as, body] =
			/^(\w+) (\S+)(?: as (\S+))?(?: (\{.*\}))?$/.exec(request) ?? [];
		const json: unknown = body && JSON.parse(body);
		const { status, text } = await call(sandbox(), path, { method, as, json });
		last = { status, ...JSON.parse(text) };
	}
	return last;
}

test.each(rowsOf(RESPONSES))('The response to %s has the expected values', async (...row) => {
	const [requests, ...expected] = row;
	const response = await ask(requests);
	for (let index = 0; index < expected.length; index += 2) {
		const [path, value] = expected.slice(index);
		expect([path, at(response, path.split('.'))]).toEqual([path, read(value)]);
	}
	expect(sandbox().violations).toEqual([]);
});

test.each(rowsOf(SETTINGS))('The setting %s changes the response to %s', async (...row) => {
	const [settings, requests, ...expected] = row;
	const byDefault = await ask(requests);
	sandbox().reset();
	sandbox().setSettings(JSON.parse(settings));
	const changed = await ask(requests);
	for (let index = 0; index < expected.length; index += 3) {
		const [path, ...values] = expected.slice(index, index + 3);
		const found = [byDefault, changed].map((response) => at(response, path.split('.')));
		expect([path, ...found]).toEqual([path, ...values.map(read)]);
	}
});

test('a response has a Date header unless the settings remove the header', async () => {
	const dateOf = async () => (await call(sandbox(), '/groups')).headers.date;
	expect(await dateOf()).toMatch(/GMT$/);
	sandbox().setSettings({ dateShown: 'missing' });
	expect(await dateOf()).toBeUndefined();
});

/** Settings that the tests of webhooks, bots and files, or the other tests of this file cover. */
const TESTED_ELSEWHERE = [
	...['changeEvents', 'changesSent', 'dateShown', 'limitShown', 'emptyPage'],
	...['botField', 'botGroups', 'botOwnMessages', 'botRetries', 'botsHearBots'],
	...['mediaAccess', 'mediaLifetime', 'uploads'],
];

test('each setting has a test in this file, or in the tests of webhooks, bots or files', () => {
	const names = rowsOf(SETTINGS).flatMap(([settings]) => Object.keys(JSON.parse(settings)));
	const distinct = new Set([...names, ...TESTED_ELSEWHERE]);
	expect([...distinct].sort()).toEqual(Object.keys(sandbox().settings).sort());
});

/** Query parameters that select a page. Tests of the node read pages of all lists. */
const PAGING = ['page', 'perPage', 'limit', 'affix', 'id', 'sentAt'];

test('each filter and order has a row for one of the lists with the same entities', () => {
	const urls = rowsOf(RESPONSES).flatMap(([requests]) => requests.match(/\/\S*\?\S*/g) ?? []);
	const missing = CONTRACT.flatMap(({ tags: [tag], operationId, parameters }) => {
		const paths = CONTRACT.filter(({ tags }) => tags.includes(tag)).map(
			({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
		);
		const tested = urls
			.map((url) => new URL(url, 'http://sandbox'))
			.filter(({ pathname }) => paths.some((path) => path.test(pathname)))
			.flatMap(({ searchParams }) => [...searchParams.keys()]);
		return parameters
			.filter((parameter) => parameter.in === 'query')
			.filter(({ name }) => ![...PAGING, ...tested].includes(name))
			.map(
				({ name }) =>
					`RESPONSES in test/sandbox/responses.test.ts has no row with ${name} of ${operationId}`,
			);
	});
	expect(missing).toEqual([]);
});

test('lists can lack the page size and be empty in two ways, unlike in the contract', async () => {
	const lenient = await startSandbox({ validate: false, limitShown: 'missing' });
	const bodyOf = async (path: string) => JSON.parse((await call(lenient, path, {})).text);
	const lists = ['/groups/lunch/messages', '/messages/109/reactions', '/messages/124/thread'];
	for (const path of lists) expect((await bodyOf(path)).meta.current).not.toHaveProperty('limit');
	lenient.setSettings({ emptyPage: 'null' });
	expect(await bodyOf('/users?tags=nothing')).toMatchObject({ data: null });
	lenient.setSettings({ emptyPage: 'object' });
	expect(await bodyOf('/users?tags=nothing')).toMatchObject({ data: {} });
	await lenient.close();
});
