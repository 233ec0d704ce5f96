// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
/** Lists other than posts: ties at the ends of pages, and closed accounts. */
import type { PlantedFault } from '../planted-fault.ts'

const lists = 'server/store/pagination.test.ts'
const limiter = 'server/concurrency/expensive-list-query-limiter.test.ts'
const joining = 'requests to join'
const following = 'requests to follow'
const writing = 'requests to write'

export const faultsInLists: PlantedFault[] = [
  {
    name: 'the documents API lists all messages and comments that a member wrote',
    file: 'server/appwrite/documents/comment-collections.ts',
    find: "      othersOnlyWithin: ['postId', 'parentId'],\n",
    replace: '',
    red: [
      'server/appwrite/documents/comment-collections.test.ts',
      "members list ana's comments under a post or in a thread, and only ana lists all her comments",
    ],
  },
  {
    name: 'what others did pushes the notice of a new device out of a list',
    file: 'server/features/notifications/write-notifications.ts',
    find: '        sql`not ${isOfAccount}`,\n',
    replace: '        sql`true`,\n',
    red: [
      'server/features/notifications/notification-bounds-at-scale.test.ts',
      "later notifications never push a new-device notice out of ana's list",
    ],
  },
  {
    name: 'notifications without a name displace those with one',
    file: 'server/features/notifications/write-notifications.ts',
    find: 'sql`${whereNotificationIsListed(id)} desc, n.seq desc`',
    replace: 'sql`n.seq desc`',
    red: [
      'server/features/notifications/notification-bounds-at-scale.test.ts',
      'notifications without a visible name are removed before notifications with a name',
    ],
  },
  {
    name: 'lists get connections in order of arrival',
    file: 'server/concurrency/expensive-list-query-limiter.ts',
    find: 'waiting.queue.charge(waiting.memberId, listStatementTimeoutMs)',
    replace: 'waiting.queue.charge(waiting.memberId, 0)',
    red: [limiter, 'a member with running or slow lists waits until other members have been served'],
  },
  {
    name: 'callers of slow lists share the queue with everyone',
    file: 'server/concurrency/expensive-list-query-limiter.ts',
    find: 'if (cost >= slowMs) {',
    replace: 'if (cost >= 100 * slowMs) {',
    red: [limiter, 'a member with running or slow lists waits until other members have been served'],
  },
  {
    name: 'a full queue refuses the caller with fewer waiting lists',
    file: 'server/concurrency/expensive-list-query-limiter.ts',
    find: '    waiting.queue.displace(memberId)?.refuse()\n',
    replace: '',
    red: [limiter, 'if too many lists are waiting, the member with the most waiting lists is refused'],
  },
  {
    name: 'a list of documents sorted by its texts counts as a read',
    file: 'server/appwrite/documents/list-documents.ts',
    find: 'query.order.some(({ attribute }) => comparesTexts(collection, attribute)) ||',
    replace: '',
    red: [limiter, 'a list sorted without an index counts as a search'],
  },
  {
    name: 'lists of members, groups and follows skip rows of the same moment',
    file: 'server/store/pagination.ts',
    find: 'sql`and (t.created_at, t.id) < (${after.createdAt}, ${after.rowId})`',
    replace: 'sql`and t.created_at < ${after.createdAt}`',
    red: [lists, 'members'],
  },
  {
    name: 'join requests skip rows of the same moment',
    file: 'server/features/groups/group-request-routes.ts',
    find: 'sql`and (r.created_at, r.id) < (${after.createdAt}, ${after.rowId})`',
    replace: 'sql`and r.created_at < ${after.createdAt}`',
    red: [lists, joining],
  },
  {
    name: 'join requests of the same moment are ordered backwards',
    file: 'server/features/groups/group-request-routes.ts',
    find: 'order by r.created_at desc, r.id desc limit ${limit}',
    replace: 'order by r.created_at desc, r.id limit ${limit}',
    red: [lists, joining],
  },
  {
    name: 'follow requests skip rows of the same moment',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'and (r.created_at, r.public_id) < (${after.at}, ${after.id}::public_id)',
    replace: 'and r.created_at < ${after.at}',
    red: [lists, following],
  },
  {
    name: 'follow requests of the same moment are ordered backwards',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'order by r.created_at desc, r.public_id desc',
    replace: 'order by r.created_at desc, r.public_id',
    red: [lists, following],
  },
  {
    name: 'message requests skip rows of the same moment',
    file: 'server/features/chat/message-request-routes.ts',
    find: 'and (c.updated_at, c.public_id) < (${after.at}, ${after.id}::public_id)',
    replace: 'and c.updated_at < ${after.at}',
    red: [lists, writing],
  },
  {
    name: 'message requests of the same moment are ordered backwards',
    file: 'server/features/chat/message-request-routes.ts',
    find: 'order by c.updated_at desc, c.public_id desc',
    replace: 'order by c.updated_at desc, c.public_id',
    red: [lists, writing],
  },
  {
    name: 'the lists of muted and restricted members skip rows of the same moment',
    file: 'server/features/people/mute-and-restriction-lists.ts',
    find: 'sql`and (entry.created_at, entry.id) < (${after.created_at}, ${after.id})`',
    replace: 'sql`and entry.created_at < ${after.created_at}`',
    red: [lists, 'the restricted'],
  },
  {
    name: 'muted and restricted members of the same moment are ordered backwards',
    file: 'server/features/people/mute-and-restriction-lists.ts',
    find: 'order by entry.created_at desc, entry.id desc',
    replace: 'order by entry.created_at desc, entry.id',
    red: [lists, 'the muted'],
  },
  {
    name: 'blocks of the same moment are ordered backwards',
    file: 'server/features/people/block-routes.ts',
    find: 'order by b.created_at desc, b.id desc',
    replace: 'order by b.created_at desc, b.id',
    red: [lists, 'members blocked at the same moment appear once each in a stable order, across pages'],
  },
  {
    name: 'reports skip rows of the same moment',
    file: 'server/features/moderation/report-routes.ts',
    find: 'sql`(r.created_at, r.id) < (${after.created_at}, ${after.id})`',
    replace: 'sql`r.created_at < ${after.created_at}`',
    red: [lists, 'what she reported'],
  },
  {
    name: 'reports of the same moment are ordered backwards',
    file: 'server/features/moderation/report-routes.ts',
    find: 'order by r.created_at desc, r.id desc',
    replace: 'order by r.created_at desc, r.id',
    red: [lists, 'what she reported'],
  },
  {
    name: 'posts of followed members in Explore skip rows of the same moment',
    file: 'server/features/posts/home-feed-routes.ts',
    find: "sql`and (p.created_at, p.id) < (${value('at')}, ${value('id')})`",
    replace: "sql`and p.created_at < ${value('at')}`",
    red: [lists, 'posts of the followed'],
  },
  {
    name: 'the page of a tag orders posts of the same moment backwards',
    file: 'server/features/posts/topic-posts.ts',
    find: 'order by t.created_at desc, t.post_id desc',
    replace: 'order by t.created_at desc, t.post_id',
    red: [
      'server/features/posts/tags.test.ts',
      'TAG-02 posts with equal times are listed once each, despite concurrent deletions, additions and moves',
    ],
  },
  {
    name: "a member's posts of the same moment are ordered backwards",
    file: 'server/features/posts/post-list-routes.ts',
    find: 'order by p.created_at desc, p.id desc',
    replace: 'order by p.created_at desc, p.id',
    red: [
      'server/features/posts/post-lists.test.ts',
      'EXP-06 SAV-02 LIKE-12 PROF-14 posts of the same millisecond appear once and newest first in every list, wherever pages end',
    ],
  },
  {
    name: 'an invitation from a closed account admits a new member',
    file: 'server/features/community/admit-new-account.ts',
    find: " and ${hasOpenAccount(sql.ref('i.inviter_id'))}",
    replace: '',
    red: [
      'server/features/community/invitations.test.ts',
      "INV-04 another member cannot revoke an invitation, and an invitation ends with its inviter's account",
    ],
  },
  {
    name: 'a typing indicator reaches a closed account on the lower side of a conversation',
    file: 'server/policy/abilities.ts',
    find: '        isMemberVisible(me, conversation.low_id),\n        isMemberVisible(me, conversation.high_id),\n        not(isNull(conversation.last',
    replace: '        isMemberVisible(me, conversation.high_id),\n        not(isNull(conversation.last',
    red: [
      'server/realtime/typing-relay.test.ts',
      'no indicator crosses a block, a restriction, a message request, an empty conversation or a closed account',
    ],
  },
  {
    name: 'a photo tag shows a closed account',
    file: 'server/policy/access-rules.ts',
    find: '          isMemberVisible(me, named.person_id),\n          readablePhoto',
    replace: '          notBlocked(me, named.person_id),\n          readablePhoto',
    red: [
      'server/features/photo-tags/photo-tags.test.ts',
      "PICT-03 leaving the group or closing the account removes the member's tag",
    ],
  },
  {
    name: 'the server cannot locate a deleted reply',
    file: 'server/features/comments/comment-routes.ts',
    find: "d.collection = 'comments' and d.public_id = ${after ?? null}",
    replace: "d.collection = 'none' and d.public_id = ${after ?? null}",
    red: [
      'server/features/comments/comments.test.ts',
      'CMT-05 a cursor at a deleted comment still works, but only in its own thread and post',
    ],
  },
  {
    name: 'a deleted reply is located in another thread',
    file: 'server/features/comments/comment-routes.ts',
    find: "\n            and (d.keys ->> 'parent_id')::bigint = t.id",
    replace: '',
    red: [
      'server/features/comments/comments.test.ts',
      'CMT-05 a cursor at a deleted comment still works, but only in its own thread and post',
    ],
  },
  {
    name: 'a deleted comment is located under another post',
    file: 'server/features/comments/comment-routes.ts',
    find: "\n        and (d.keys ->> 'post_id')::bigint = p.id",
    replace: '',
    red: [
      'server/features/comments/comments.test.ts',
      'CMT-05 a cursor at a deleted comment still works, but only in its own thread and post',
    ],
  },
  {
    name: 'the last page of comments offers another page',
    file: 'server/features/comments/comment-routes.ts',
    find: 'next: threads.length > limit ?',
    replace: 'next: threads.length >= limit ?',
    red: [
      'server/features/comments/comments.test.ts',
      'CMT-05 a cursor at a deleted comment still works, but only in its own thread and post',
    ],
  },
  {
    name: 'the last page of replies offers another page',
    file: 'server/features/comments/comment-routes.ts',
    find: 'next: rows.length > limit ? (shown',
    replace: 'next: rows.length >= limit ? (shown',
    red: [
      'server/features/comments/comments.test.ts',
      'CMT-05 a cursor at a deleted comment still works, but only in its own thread and post',
    ],
  },
  {
    name: 'the list of notifications is unlimited',
    file: 'server/features/notifications/notification-routes.ts',
    find: 'last && documents.length === limit ? String',
    replace: 'last ? String',
    red: [
      'server/features/notifications/notification-bounds-at-scale.test.ts',
      'NOT-12 the pages of notifications contain each one once, and a cursor beyond the end returns an empty page',
    ],
  },
  {
    name: 'the moderators’ review queue is unlimited',
    file: 'server/features/moderation/case-routes.ts',
    find: 'next: toRowKeyPage(rows, limit).next',
    replace: 'next: rows.at(-1)?.public_id ?? null',
    red: [
      'server/features/moderation/cases.test.ts',
      'MOD-06 the queue is sorted by severity, then age, in pages, regardless of repeated reports',
    ],
  },
  {
    name: 'a hidden group is refused where a deleted one is empty',
    file: 'server/appwrite/documents/group-post-list-guard.ts',
    find: "and ${whereMemberMayRead(asMe, 'groups', 'g')} and not",
    replace: 'and not',
    red: ['server/features/moderation/hidden-posts.test.ts', 'shows its summary only to its members'],
  },
]
