// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
/** Faults of lists that are no lists of posts: rows of one moment at the end of a page, and whose account is closed. */
import type { PlantedFault } from '../planted-fault.ts'

const lists = 'server/pagination.test.ts'
const joining = 'requests to join'
const following = 'requests to follow'
const writing = 'requests to write'

export const faultsInLists: PlantedFault[] = [
  {
    name: 'lists of members, groups and follows skip rows of the same moment',
    file: 'server/pagination.ts',
    find: 'sql`and (t.created_at, t.id) < (${after.createdAt}, ${after.rowId})`',
    replace: 'sql`and t.created_at < ${after.createdAt}`',
    red: [lists, 'members'],
  },
  {
    name: 'requests to join skip those of the same moment',
    file: 'server/features/group-request-routes.ts',
    find: 'sql`and (r.created_at, r.id) < (${after.createdAt}, ${after.rowId})`',
    replace: 'sql`and r.created_at < ${after.createdAt}`',
    red: [lists, joining],
  },
  {
    name: 'requests to join of the same moment are ordered backwards',
    file: 'server/features/group-request-routes.ts',
    find: 'order by r.created_at desc, r.id desc limit ${limit}',
    replace: 'order by r.created_at desc, r.id limit ${limit}',
    red: [lists, joining],
  },
  {
    name: 'requests to follow skip those of the same moment',
    file: 'server/features/follow-request-routes.ts',
    find: 'and (r.created_at, r.public_id) < (${after.at}, ${after.id}::public_id)',
    replace: 'and r.created_at < ${after.at}',
    red: [lists, following],
  },
  {
    name: 'requests to follow of the same moment are ordered backwards',
    file: 'server/features/follow-request-routes.ts',
    find: 'order by r.created_at desc, r.public_id desc',
    replace: 'order by r.created_at desc, r.public_id',
    red: [lists, following],
  },
  {
    name: 'message requests skip those of the same moment',
    file: 'server/features/message-request-routes.ts',
    find: 'and (c.updated_at, c.public_id) < (${after.at}, ${after.id}::public_id)',
    replace: 'and c.updated_at < ${after.at}',
    red: [lists, writing],
  },
  {
    name: 'message requests of the same moment are ordered backwards',
    file: 'server/features/message-request-routes.ts',
    find: 'order by c.updated_at desc, c.public_id desc',
    replace: 'order by c.updated_at desc, c.public_id',
    red: [lists, writing],
  },
  {
    name: 'the muted and the restricted skip those of the same moment',
    file: 'server/features/mute-and-restriction-lists.ts',
    find: 'sql`and (entry.created_at, entry.id) < (${after.created_at}, ${after.id})`',
    replace: 'sql`and entry.created_at < ${after.created_at}`',
    red: [lists, 'the restricted'],
  },
  {
    name: 'the muted and the restricted of the same moment are ordered backwards',
    file: 'server/features/mute-and-restriction-lists.ts',
    find: 'order by entry.created_at desc, entry.id desc',
    replace: 'order by entry.created_at desc, entry.id',
    red: [lists, 'the muted'],
  },
  {
    name: 'blocks of the same moment are ordered backwards',
    file: 'server/features/block-routes.ts',
    find: 'order by b.created_at desc, b.id desc',
    replace: 'order by b.created_at desc, b.id',
    red: [lists, 'BLK-28 whom she blocked at one moment'],
  },
  {
    name: 'reports skip those of the same moment',
    file: 'server/moderation/report-routes.ts',
    find: 'sql`(r.created_at, r.id) < (${after.created_at}, ${after.id})`',
    replace: 'sql`r.created_at < ${after.created_at}`',
    red: [lists, 'what she reported'],
  },
  {
    name: 'reports of the same moment are ordered backwards',
    file: 'server/moderation/report-routes.ts',
    find: 'order by r.created_at desc, r.id desc',
    replace: 'order by r.created_at desc, r.id',
    red: [lists, 'what she reported'],
  },
  {
    name: 'posts of the followed in Explore skip those of the same moment',
    file: 'server/features/home-feed-routes.ts',
    find: "sql`and (p.created_at, p.id) < (${value('at')}, ${value('id')})`",
    replace: "sql`and p.created_at < ${value('at')}`",
    red: [lists, 'posts of the followed'],
  },
  {
    name: 'the page of a tag orders posts of the same moment backwards',
    file: 'server/features/posts/topic-posts.ts',
    find: 'order by t.created_at desc, t.post_id desc',
    replace: 'order by t.created_at desc, t.post_id',
    red: ['server/features/posts/tags.test.ts', 'posts of one moment come each once'],
  },
  {
    name: "a member's posts of the same moment are ordered backwards",
    file: 'server/features/post-list-routes.ts',
    find: 'order by p.created_at desc, p.id desc',
    replace: 'order by p.created_at desc, p.id',
    red: [
      'server/features/post-lists.test.ts',
      'come each once and newest first, however they fall into pages',
    ],
  },
  {
    name: 'an invitation by a closed account lets somebody in',
    file: 'server/community/admit-new-account.ts',
    find: " and ${hasOpenAccount(sql.ref('i.inviter_id'))})",
    replace: ')',
    red: ['server/community/invitations.test.ts', 'ends with its inviter’s account'],
  },
  {
    name: 'a sign of writing reaches a closed account on the lower side of a conversation',
    file: 'server/policy/abilities.ts',
    find: '        isMemberVisible(me, talk.low_id),\n        isMemberVisible(me, talk.high_id),\n        not(isNull(talk.last',
    replace: '        isMemberVisible(me, talk.high_id),\n        not(isNull(talk.last',
    red: ['server/realtime/typing-relay.test.ts', 'or with a closed account'],
  },
  {
    name: 'a name in a photo shows whose account is closed',
    file: 'server/policy/access-rules.ts',
    find: '          isMemberVisible(me, named.person_id),\n          readablePhoto',
    replace: '          notBlocked(me, named.person_id),\n          readablePhoto',
    red: ['server/photo-tags/photo-tags.test.ts', 'or closing the account takes her name off'],
  },
  {
    name: 'the place of an answer that is gone is unknown',
    file: 'server/comments/comment-routes.ts',
    find: "d.collection = 'comments' and d.public_id = ${after ?? null}",
    replace: "d.collection = 'none' and d.public_id = ${after ?? null}",
    red: ['server/comments/comments.test.ts', 'of an answer or comment that is gone the place is known'],
  },
  {
    name: 'the place of an answer that is gone leads into another thread',
    file: 'server/comments/comment-routes.ts',
    find: "\n            and (d.keys ->> 'parent_id')::bigint = t.id",
    replace: '',
    red: ['server/comments/comments.test.ts', 'of an answer or comment that is gone the place is known'],
  },
  {
    name: 'the place of a comment that is gone leads into another post',
    file: 'server/comments/comment-routes.ts',
    find: "\n        and (d.keys ->> 'post_id')::bigint = p.id",
    replace: '',
    red: ['server/comments/comments.test.ts', 'of an answer or comment that is gone the place is known'],
  },
  {
    name: 'a page with the last of the comments promises more',
    file: 'server/comments/comment-routes.ts',
    find: 'next: threads.length > limit ?',
    replace: 'next: threads.length >= limit ?',
    red: ['server/comments/comments.test.ts', 'of an answer or comment that is gone the place is known'],
  },
  {
    name: 'a page with the last of the answers promises more',
    file: 'server/comments/comment-routes.ts',
    find: 'next: rows.length > limit ? (shown',
    replace: 'next: rows.length >= limit ? (shown',
    red: ['server/comments/comments.test.ts', 'of an answer or comment that is gone the place is known'],
  },
  {
    name: 'the list of notifications has no end',
    file: 'server/notifications/notification-routes.ts',
    find: 'last && documents.length === limit ? String',
    replace: 'last ? String',
    red: [
      'server/notifications/notifications.test.ts',
      'the thousandth page of ties is the rest of the list',
    ],
  },
  {
    name: 'the queue of moderators has no end',
    file: 'server/moderation/case-routes.ts',
    find: 'next: toRowKeyPage(rows, limit).next',
    replace: 'next: rows.at(-1)?.public_id ?? null',
    red: ['server/moderation/cases.test.ts', 'the queue goes by severity, then age'],
  },
  {
    name: 'a hidden group is refused where a deleted one is empty',
    file: 'server/appwrite/documents/group-post-list-guard.ts',
    find: "and ${whereMemberMayRead(asMe, 'groups', 'g')} and not",
    replace: 'and not',
    red: ['server/moderation/hidden-posts.test.ts', 'shows its summary to its members alone'],
  },
]
