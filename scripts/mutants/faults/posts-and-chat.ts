// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { PlantedFault } from '../planted-fault.ts'

const blocks = 'server/features/people/blocks.test.ts'
const postLists = 'server/features/posts/post-lists.test.ts'
const sameTime = 'posts of the same millisecond appear once and newest first in every list'
const homeSameTime = 'posts of the same millisecond are newest first on the home page'
const groupSameTime = "posts of the same millisecond stay newest first on a group's page"
const rateLimits = 'server/http/rate-limits.test.ts'
const unstarted = 'server/features/chat/unstarted-conversations.test.ts'
const privateAccounts = 'server/features/people/private-accounts.test.ts'
const sharing = 'server/features/posts/post-sharing.test.ts'
const reportedComments = 'server/features/moderation/reported-comments.test.ts'
const acrossABlock = 'server/features/moderation/reports-across-a-block.test.ts'
const reactions = 'server/features/chat/reactions.test.ts'

export const postAndChatFaults: PlantedFault[] = [
  {
    name: 'messages to nonexistent conversations each create a counter',
    file: 'server/features/chat/conversation-routes.ts',
    find: "if (!isOwn) await limits.reset('unanswered', subject)",
    replace: '',
    red: [
      'server/http/rate-limits.test.ts',
      'messages to conversations of others or to unknown conversations are not counted, in both APIs',
    ],
  },
  {
    name: 'followers’ comments stay when a post moves into a group',
    file: 'server/features/posts/post-effects.ts',
    find: '(before.group_id !== null || before.followers_only)',
    replace: '(before.group_id !== null)',
    red: [
      'server/features/comments/comment-removal.test.ts',
      "leaves followers' comments and likes behind and names nobody",
    ],
  },
  {
    name: 'a comment reappears when its author’s suspension ends',
    file: 'server/features/moderation/decide-case.ts',
    find: "(kind === 'post' || kind === 'comment')",
    replace: "kind === 'post'",
    red: [
      reportedComments,
      "MOD-15 suspending a comment's author removes the comment, which stays removed after the suspension",
    ],
  },
  {
    name: 'a reported comment that its author deleted still looks present',
    file: 'server/features/comments/comment-effects.ts',
    find: 'if (actor !== systemActor)',
    replace: 'if (actor === systemActor)',
    red: [
      reportedComments,
      'REP-07 a reported comment stays as evidence after its deletion; a deleted comment cannot be reported',
    ],
  },
  {
    name: 'a report shows moderators content that the reporter cannot read',
    file: 'server/features/moderation/capture-report-evidence.ts',
    find: "t.id = c.parent_id and ${whereCommentShown(meParam, 't')}",
    replace: 't.id = c.parent_id',
    red: [
      reportedComments,
      'evidence of a comment has its text, author, post and parent, as far as the reporter can read them',
    ],
  },
  {
    name: 'content reported to the group cannot be reported to the moderators',
    file: 'server/features/moderation/create-report.ts',
    find: 'and coalesce(r.desk, c.desk) = ${chosen} and c.about_id',
    replace: 'and c.about_id',
    red: [
      acrossABlock,
      'MOD-19 a report to the group can be repeated to the moderators as a second report with evidence, counted once',
    ],
  },
  {
    name: 'a report that a block kept from the admin is claimed',
    file: 'server/features/moderation/report-routes.ts',
    find: "coalesce(r.desk, c.desk) = 'moderators' and c.claimed_by",
    replace: 'c.claimed_by',
    red: [acrossABlock, 'moderators claim and dismiss it'],
  },
  {
    name: 'the moderators’ decision also closes a group report that only a block kept from the admin',
    file: 'server/features/moderation/case-states.ts',
    find: "coalesce(r.desk, c.desk) = 'group' and t.desk = 'moderators'",
    replace: 'false',
    red: [acrossABlock, 'because another member reported it'],
  },
  {
    name: 'a second report does not store the post’s new version',
    file: 'server/features/moderation/create-report.ts',
    find: 'evidence.filter((_, n) => !unchanged[n])',
    replace: 'evidence.filter((_, n) => !unchanged[n] && n < 0)',
    red: [
      'server/features/moderation/reports.test.ts',
      "REP-07 REP-10 reporting a changed post again adds its later text to the first report's evidence, at most three times",
    ],
  },
  {
    name: 'a former admin is warned for changes made after she handed the group over',
    file: 'server/features/moderation/create-report.ts',
    find: "  if (kind === 'group') await makeCaseAboutFormerAdmin(db, id, about)\n",
    replace: '',
    red: [
      'server/features/moderation/reported-groups.test.ts',
      'REP-10 MOD-14 after a handover, earlier reports of the group concern its former admin, and later reports the new admin',
    ],
  },
  {
    name: 'a closed account shows its picture in a conversation',
    file: 'server/features/chat/hydrate-chat.ts',
    find: 'case when seen.visible and not heard.quietly then face.public_id end',
    replace: 'case when not heard.quietly then face.public_id end',
    red: [
      blocks,
      'after a block each member sees the name that the other had then, without a picture, as with a closed account',
    ],
  },
  {
    name: 'withdrawing a repeated request restarts the waiting time after a decline',
    file: 'server/features/people/follow-request-routes.ts',
    find: 'set withdrawn = true, public_id',
    replace: "set status = 'pending', decided_at = null, public_id",
    red: [
      privateAccounts,
      'REQ-06 REQ-07 after a decline the requester sees no difference, and asking again notifies nobody for 30 days',
    ],
  },
  {
    name: 'explore skips rows of the same millisecond',
    file: 'server/features/posts/post-list-routes.ts',
    find: "sql`and (p.updated_at, p.id) < (${value('at')}, ${value('id')})`",
    replace: "sql`and p.updated_at < ${value('at')}`",
    red: [postLists, sameTime],
  },
  {
    name: 'explore orders rows of the same millisecond backwards',
    file: 'server/features/posts/post-list-routes.ts',
    find: 'order by p.updated_at desc, p.id desc limit',
    replace: 'order by p.updated_at desc, p.id limit',
    red: [postLists, sameTime],
  },
  {
    name: 'saved and liked posts skip rows of the same millisecond',
    file: 'server/features/posts/post-list-routes.ts',
    find: 'sql`and (m.at, m.post_id) < (${after.at}, ${after.id})`',
    replace: 'sql`and m.at < ${after.at}`',
    red: [postLists, sameTime],
  },
  {
    name: 'saved and liked posts order rows of the same millisecond backwards',
    file: 'server/features/posts/post-list-routes.ts',
    find: 'order by m.at desc, m.post_id desc limit',
    replace: 'order by m.at desc, m.post_id limit',
    red: [postLists, sameTime],
  },
  {
    name: "a member's posts skip rows of the same millisecond",
    file: 'server/features/posts/post-list-routes.ts',
    find: 'sql`and (p.created_at, p.id) < (${after.at}, ${after.id})`',
    replace: 'sql`and p.created_at < ${after.at}`',
    red: [postLists, sameTime],
  },
  {
    name: 'home skips rows of the same millisecond',
    file: 'server/features/posts/home-feed-routes.ts',
    find: "sql`and (p.created_at, p.id) < (${value('at')}, ${value('id')})`",
    replace: "sql`and p.created_at < ${value('at')}`",
    red: [postLists, homeSameTime],
  },
  {
    name: 'home orders rows of the same millisecond backwards',
    file: 'server/features/posts/home-feed-routes.ts',
    find: 'order by created_at desc, id desc limit',
    replace: 'order by created_at desc, id limit',
    red: [postLists, homeSameTime],
  },
  {
    name: "a group's page skips rows of the same millisecond",
    file: 'server/store/pagination.ts',
    find: 'sql`and (t.created_at, t.id) < (${after.createdAt}, ${after.rowId})`',
    replace: 'sql`and t.created_at < ${after.createdAt}`',
    red: [postLists, groupSameTime],
  },
  {
    name: "a group's page shows the row at its border twice",
    file: 'server/store/pagination.ts',
    find: 'sql`and (t.created_at, t.id) < (${after.createdAt}, ${after.rowId})`',
    replace: 'sql`and (t.created_at, t.id) <= (${after.createdAt}, ${after.rowId})`',
    red: [postLists, groupSameTime],
  },
  {
    name: "a group's page orders rows of the same millisecond backwards",
    file: 'server/store/pagination.ts',
    find: 'order by t.created_at desc, t.id desc limit',
    replace: 'order by t.created_at desc, t.id limit',
    red: [postLists, groupSameTime],
  },
  {
    name: 'likers of the same moment are skipped at a page’s end',
    file: 'server/features/posts/like-and-save-routes.ts',
    find: 'sql`and (l.created_at, l.user_id) < (${after.created_at}, ${after.user_id})`',
    replace: 'sql`and l.created_at < ${after.created_at}`',
    red: [postLists, 'LIKE-13 the list of members who like a post is newest first, in pages'],
  },
  {
    name: 'a join request across a block changes the notification badge',
    file: 'server/features/notifications/notification-candidates.ts',
    find: "and ${whereAccessRuleAllows(sql<number>`g.admin_id`, 'read', 'group_requests', 'r')}",
    replace: '',
    red: [
      'server/features/notifications/notifications.test.ts',
      "bea's request to join ana's group does not notify ana after a block by ",
    ],
  },
  {
    name: 'a search for a tag finds longer ones',
    file: 'server/database/text-search.ts',
    find: 'tag ? sql`fold_each(${tags}) @> array[fold(${tag})]` :',
    replace: 'tag ? whereTextContains(tags_folded, tag) :',
    red: [postLists, 'EXP-14 a search with # finds the whole tag, and captions that contain the tag'],
  },
  {
    name: 'a deleted row is a cursor for two days',
    file: 'server/store/pagination.ts',
    find: "interval '24 hours'",
    replace: "interval '48 hours'",
    red: [postLists, 'editing or deleting the last post of a page does not shift the next page'],
  },
  {
    name: 'a deleted row is a cursor for half a day',
    file: 'server/store/pagination.ts',
    find: "interval '24 hours'",
    replace: "interval '12 hours'",
    red: [postLists, 'editing or deleting the last post of a page does not shift the next page'],
  },
  {
    name: 'an upload costs one kilobyte, whatever it has',
    file: 'server/features/files/file-routes.ts',
    find: '{ cost: Math.ceil(bytes / 1000) }',
    replace: '{ cost: Math.ceil(bytes / 1000) && 1 }',
    red: [
      rateLimits,
      'every uploaded kilobyte counts toward the limit, whether the picture is accepted or refused',
    ],
  },
  {
    name: 'a profile created on first use is announced to another account',
    file: 'server/features/account/current-member-routes.ts',
    find: 'accountId: account.publicId,',
    replace: 'accountId: profile.$id,',
    red: [
      'server/features/account/sign-up-and-sessions.test.ts',
      'AUTH-10 AUTH-11 an account without a profile gets initials and a username from its email, with digits if that is taken',
    ],
  },
  {
    name: 'the documents API lists a conversation without messages',
    file: 'server/appwrite/documents/chat-collections.ts',
    find: '  listFilter: () => sql`t.last_message_id is not null`,\n',
    replace: '',
    red: [
      unstarted,
      'RT-06 CHAT-31 PERM-06 a conversation without messages appears in no list, count or event of the other participant',
    ],
  },
  {
    name: 'a search for a common tag reads every post that has it',
    file: 'server/database/text-search.ts',
    find: 'sql`fold_each(${tags}) @> array[fold(${tag})]`',
    replace: "sql`(' ' || ${tags_folded} || ' ' like '% ' || ${literal(tag)} || ' %')`",
    red: [
      'server/database/text-search-at-scale.test.ts',
      'a search for a common tag reads only the posts it finds, and a search for a rare tag uses its index',
    ],
  },
  {
    name: 'edits through the Appwrite API have the limit of ordinary writes',
    file: 'server/appwrite/documents/routes.ts',
    find: "publicCollections.has(collection.name) ? 'edit' : 'write'",
    replace: "'write'",
    red: [
      rateLimits,
      'ana can make thirty profile edits a minute through both APIs, and can still save her preferences',
    ],
  },
  {
    name: 'a declined request notifies the requester',
    file: 'server/features/chat/message-request-routes.ts',
    find: "await tx.recordChangeFor('conversations', [id], ctx.me.id)",
    replace: "await tx.recordChange('conversations', id)",
    red: [
      'server/features/chat/message-requests.test.ts',
      'MSGR-11 a declined request disappears for ana, and iria sees the same as without an answer',
    ],
  },
  {
    name: 'a member who turned receipts off receives the other participant’s read mark',
    file: 'server/features/chat/conversation-routes.ts',
    find: '  if (!notifies) {\n',
    replace: '  if (!tells && message === -1) {\n',
    red: [
      'server/features/chat/read-receipts.test.ts',
      'TYPE-04 a read leaves no record for the other participant while receipts are off',
    ],
  },
  {
    name: 'a search skips older messages of a short conversation beside a long one',
    file: 'server/features/chat/message-search-routes.ts',
    find: '          and id >= coalesce((select id from ended), 0)\n',
    replace: '',
    red: [
      'server/features/chat/message-search.test.ts',
      'CHPH-09 a search that continues further back skips nothing in long and short conversations',
    ],
  },
  {
    name: 'a write without a value is permitted on a row that has one',
    file: 'server/policy/index.ts',
    find: 'nullAsFalse(and(...areNull, ',
    replace: 'nullAsFalse(and(...areNull.slice(1), ',
    red: [
      sharing,
      'SHARE-02 the id of a message that shares a post is refused for a message that shares none, at both APIs',
    ],
  },
  {
    name: 'a member can share a post that she cannot read',
    file: 'server/features/chat/message-routes.ts',
    find: "where p.public_id = ${postId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'posts', 'p')})",
    replace: 'where p.public_id = ${postId})',
    red: [
      sharing,
      'SHARE-05 a member can share only a post that she can read; secret and unknown posts get the same refusal',
    ],
  },
  {
    name: 'a member can react to an unsent message',
    file: 'server/features/chat/reaction-routes.ts',
    find: 'm.public_id = ${messageId} and m.unsent_at is null',
    replace: 'm.public_id = ${messageId}',
    red: [reactions, 'UNSEND-06 reacting to a message while it is unsent leaves no reaction'],
  },
  {
    name: 'a tag page lists posts that the reader may not find',
    file: 'server/features/posts/topic-posts.ts',
    find: "      and ${whereMayListPost(meParam, 'p')} and",
    replace: '      and',
    red: [
      'server/features/posts/tags.test.ts',
      'TAG-02 tag pages follow the access rule for followers-only posts, mutes, blocks and former groups',
    ],
  },
  {
    name: 'the loved posts include posts that the reader may not find',
    file: 'server/features/posts/trending/list-trending-posts.ts',
    find: "      and ${whereMayListPost(meParam, 'p')} and",
    replace: '      and',
    red: [
      'server/features/posts/trending/trending-posts.test.ts',
      'TREND-02 a post disappears from trending posts at once for members who lose access',
    ],
  },
  {
    name: 'a repeated post is refused because its photos are already attached',
    file: 'server/features/posts/post-routes.ts',
    find: "throwFailure('document_already_exists')",
    replace: 'Promise.reject(error)',
    red: [
      'server/features/posts/post-photos.test.ts',
      'PHOTO-10 resending a post under its id reports a conflict and leaves the post unchanged, whatever its photos',
    ],
  },
  {
    name: 'a tag declined in the meantime still notifies',
    file: 'server/features/notifications/notification-candidates.ts',
    find: "where named.state = 'waiting' and named.hidden_at is null and",
    replace: 'where named.hidden_at is null and',
    red: [
      'server/features/photo-tags/photo-tags.test.ts',
      'PICT-04 declining a pending tag sends a change only to its author, and the member is not notified afterwards',
    ],
  },
  {
    name: 'declining a waiting photo tag notifies every reader',
    file: 'server/features/photo-tags/photo-tag-routes.ts',
    find: "if (photoTag.was === 'shown') await tx.recordChange(",
    replace: "if (photoTag.was !== 'declined') await tx.recordChange(",
    red: [
      'server/features/photo-tags/photo-tags.test.ts',
      'PICT-04 declining a pending tag sends a change only to its author, and the member is not notified afterwards',
    ],
  },
  {
    name: 'anyone can reuse the id of a deleted post',
    file: 'server/database/migrations/0008-posts.sql',
    find: 'create trigger posts_refuse_taken_id after insert on posts for each row execute function refuse_taken_id();',
    replace: '',
    red: [
      'server/appwrite/documents/post-collections.test.ts',
      "nobody else can reuse the id of a deleted post, of a deleted group or of the group's posts",
    ],
  },
]
