// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { PlantedFault } from '../planted-fault.ts'

const closedAccounts = 'tests/security/closed-account-visibility.test.ts'
const everywhere = 'a closed account disappears from every list'
const comments = 'server/features/comments/comments.test.ts'
const matrix = 'tests/security/authorization/matrix.test.ts'
const cases = 'server/features/moderation/cases.test.ts'
const withheldPhotos = 'server/features/photo-tags/withheld-photos.test.ts'
const photoTags = 'server/features/photo-tags/photo-tags.test.ts'

export const accessRuleFaults: PlantedFault[] = [
  {
    name: 'a member who left a hidden group sees its name under her own post',
    file: 'server/features/posts/hydrate-posts.ts',
    find: "case when g.id is not null and ${whereMemberMayRead(meParam, 'groups', 'g')} then g.name end",
    replace: 'g.name',
    red: [
      'server/features/moderation/hidden-posts.test.ts',
      "MOD-12 iria's own post in a hidden group does not name the group after she left or asked to rejoin",
    ],
  },
  {
    name: 'the data export of an applicant names a hidden group',
    file: 'server/features/data-export/exported-data-queries.ts',
    find: " and ${whereMemberMayRead(me(of), 'groups', 'g')})`",
    replace: ')`',
    red: [
      'server/features/moderation/hidden-posts.test.ts',
      "MOD-12 iria's own post in a hidden group does not name the group after she left or asked to rejoin",
    ],
  },
  {
    name: 'requests of closed accounts are read',
    file: 'server/policy/access-rules.ts',
    find: '        or(eq(request.user_id, me), isGroupAdmin(me, request.group_id, lock)),\n        isMemberVisible(me, request.user_id),\n',
    replace: '        or(eq(request.user_id, me), isGroupAdmin(me, request.group_id, lock)),\n',
    red: [closedAccounts, everywhere],
  },
  {
    name: 'requests of closed accounts are approved',
    file: 'server/policy/access-rules.ts',
    find: 'and(isGroupAdmin(me, request.group_id, lock), isMemberVisible(me, request.user_id)),',
    replace: 'isGroupAdmin(me, request.group_id, lock),',
    red: [closedAccounts, everywhere],
  },
  {
    name: 'groups of closed accounts are read',
    file: 'server/policy/access-rules.ts',
    find: 'and(hasOpenAccount(group.admin_id), or(isNull(group.hidden_at), isGroupMember(me, group.id, lock))),',
    replace: 'or(isNull(group.hidden_at), isGroupMember(me, group.id, lock)),',
    red: [closedAccounts, everywhere],
  },
  {
    name: 'a hidden post can be edited',
    file: 'server/policy/access-rules.ts',
    find: "and(eq(post.creator_id, me), sql`${post.hidden_by} is distinct from 'moderator'`),",
    replace: 'eq(post.creator_id, me),',
    red: [
      'server/features/moderation/hidden-posts.test.ts',
      'MOD-13 a hidden post cannot be edited or moved through either API, but can be deleted, and the case stays',
    ],
  },
  {
    name: 'a post is read across a block',
    file: 'server/policy/access-rules.ts',
    find: '        or(notBlocked(me, post.creator_id), adminSeesBlockedMember(me, post.creator_id, post.group_id, lock)),\n',
    replace: '',
    red: [matrix, 'PP2 public post, read'],
    cells: 'K C',
  },
  {
    name: 'a membership is read across a block',
    file: 'server/policy/access-rules.ts',
    find: '        or(notBlocked(me, member.user_id), adminSeesBlockedMember(me, member.user_id, member.group_id, lock)),\n',
    replace: '',
    red: [matrix, 'GM2 membership, read'],
    cells: 'K C',
  },
  {
    name: 'a follow is read across a block',
    file: 'server/policy/access-rules.ts',
    find: '        isMemberVisible(me, follow.follower_id),\n        isMemberVisible(me, follow.following_id),\n        maySeeFollow(me, follow),\n',
    replace: '        maySeeFollow(me, follow),\n',
    red: [matrix, 'FO1 follow, list, read'],
    cells: 'K C',
  },
  {
    name: 'a member’s photo is seen across a block',
    file: 'server/policy/access-rules.ts',
    find: "          sql`${file.purpose} = 'user'`,\n          isMemberVisible(me, file.owner_id),\n",
    replace: "          sql`${file.purpose} = 'user'`,\n",
    red: [matrix, "FI6 member's photo, see"],
    cells: 'K C',
  },
  {
    name: 'a member who left a group sees who likes her post there',
    file: 'server/policy/access-rules.ts',
    find: "(${maySeeLikers(me, columnExpressionsOf<'posts'>('lp'), lock)} and ${isMemberVisible(me, like.user_id)})",
    replace: '${isMemberVisible(me, like.user_id)}',
    red: [
      'tests/security/likers-of-former-member.test.ts',
      'a former member sees the number of likes of her post in the group, and no names but her own',
    ],
  },
  {
    name: 'a member can change another member’s block',
    file: 'server/policy/access-rules.ts',
    find: '    update: (me, block) => eq(block.blocker_id, me),',
    replace: '    update: () => sql<boolean>`true`,',
    red: [matrix, 'BL3 block, change'],
  },
  {
    name: 'anyone can approve a follow request',
    file: 'server/policy/access-rules.ts',
    find: "    update: (me, request) =>\n      and(\n        eq(request.asked_id, me),\n        sql`${request.status} = 'pending'`,\n        isMemberVisible(me, request.asker_id),\n      ),\n    updated: (me, request) => eq(request.asked_id, me),",
    replace:
      "    update: (me, request) =>\n      and(sql`${request.status} = 'pending'`, isMemberVisible(me, request.asker_id)),\n    updated: () => sql<boolean>`true`,",
    red: [matrix, 'FR2 follow request, approve'],
  },
  {
    name: 'a hidden group shows its summary',
    file: 'server/policy/access-rules.ts',
    find: 'or(isNull(group.hidden_at), isGroupMember(me, group.id, lock))',
    replace: 'sql<boolean>`true`',
    red: [matrix, 'GH2 group hidden by a moderator, read its summary'],
    cells: 'S F X B Q N',
  },
  {
    name: 'a moderator can open the case about herself',
    file: 'server/policy/access-rules.ts',
    find: '    sql`${given.about_id} is distinct from ${me}`,\n',
    replace: '',
    red: [
      cases,
      'MOD-09 a moderator sees no case that involves her, her group or someone she blocked; being blocked changes nothing',
    ],
  },
  {
    name: 'a moderator can open the case of her own report',
    file: 'server/policy/access-rules.ts',
    find: '    sql`not exists (select from reports mine where mine.case_id = ${given.id} and mine.reporter_id = ${me})`,\n',
    replace: '',
    red: [
      cases,
      'MOD-09 a moderator sees no case that involves her, her group or someone she blocked; being blocked changes nothing',
    ],
  },
  {
    name: 'a moderator can open a case of her own group',
    file: 'server/policy/access-rules.ts',
    find: '    sql`not exists (select from groups own where own.id = ${given.group_id} and own.admin_id = ${me})`,\n',
    replace: '',
    red: [
      cases,
      'MOD-09 a moderator sees no case that involves her, her group or someone she blocked; being blocked changes nothing',
    ],
  },
  {
    name: 'a moderator can open a case about a member she blocked',
    file: 'server/policy/access-rules.ts',
    find: '    sql`not exists (select from blocks ob where ob.blocker_id = ${me} and ob.blocked_id = ${given.about_id})`,\n',
    replace: '',
    red: [
      cases,
      'MOD-09 a moderator sees no case that involves her, her group or someone she blocked; being blocked changes nothing',
    ],
  },
  {
    name: 'a moderator sees the review queue of a group',
    file: 'server/policy/access-rules.ts',
    find: "        sql`${given.desk} = 'moderators'`,\n        hasNoInterestInCase",
    replace: '        hasNoInterestInCase',
    red: [
      'server/features/moderation/group-queue.test.ts',
      "MOD-19 the queue exists only for the group's admin, not for members, the reporter, the author or moderators",
    ],
  },
  {
    name: 'anyone can read a note from the moderators',
    file: 'server/policy/access-rules.ts',
    find: '    read: (me, notice) => eq(notice.member_id, me),',
    replace: '    read: () => sql<boolean>`true`,',
    red: [matrix, "NM1 moderators' note, list"],
    cells: 'S F P M X A B K C Q N',
  },
  {
    name: 'anyone can list a report',
    file: 'server/policy/access-rules.ts',
    find: '    read: (me, report) => eq(report.reporter_id, me),',
    replace: '    read: () => sql<boolean>`true`,',
    red: [matrix, 'RE1 report, list'],
    cells: 'S F P M X A B K C N',
  },
  {
    name: 'any reader of a post comments, although its author allows only people she follows',
    file: 'server/policy/access-rules.ts',
    find: "(ap.comments_from = 'everyone' or",
    replace: "(ap.comments_from <> 'nobody' or",
    red: [comments, 'CMT-08 with the setting "people she follows", only they and the author can comment'],
  },
  {
    name: 'the server sends a photo that a tagged member has hidden',
    file: 'server/policy/access-rules.ts',
    find: "where pp.file_id = ${file.id}\n              and ${maySeePhoto(me, sql.ref('pp.withheld_by'), file.owner_id)}))",
    replace: 'where pp.file_id = ${file.id}))',
    red: [
      withheldPhotos,
      "PICT-06 a hidden photo's bytes are unavailable on every path at the next request, even for cached copies",
    ],
  },
  {
    name: 'a member who cannot see a post is tagged in its photo',
    file: 'server/policy/access-rules.ts',
    find: '        allowsTaggingInPhotos(me, named.person_id, lock),\n        mayReadPost(memberIn(named.person_id), named.post_id, lock),\n',
    replace: '        allowsTaggingInPhotos(me, named.person_id, lock),\n',
    red: [
      photoTags,
      'PICT-02 only members who can see the post and allow tags are suggested and tagged; every refusal is the same',
    ],
  },
  {
    name: 'a member who allows no photo tags is tagged',
    file: 'server/policy/access-rules.ts',
    find: '        allowsTaggingInPhotos(me, named.person_id, lock),\n',
    replace: '',
    red: [
      photoTags,
      'PICT-05 a member chooses who can tag her: people she follows by default, everyone, or nobody',
    ],
  },
  {
    name: 'a photo tag is shown before it is accepted',
    file: 'server/policy/access-rules.ts',
    find: "          or(sql`${named.state} = 'shown'`, createdPost(me, named.post_id)),\n",
    replace: '',
    red: [
      photoTags,
      'PICT-03 only the author and the tagged member see a pending tag, in documents, events, searches and catch-up',
    ],
  },
  {
    name: 'anyone can load the photos of a conversation',
    file: 'server/policy/access-rules.ts',
    find: "where mp.file_id = ${file.id} and ${isConversationParticipant(me, sql.ref('pm.conversation_id'))})`",
    replace: 'where mp.file_id = ${file.id})`',
    red: [
      'server/features/chat/message-photos.test.ts',
      "CHPH-02 CP1 only the participants get a photo's bytes: carla gets 404, and a known ETag reveals nothing",
    ],
  },
  {
    name: 'in a post with all photos hidden, taggable people reveal who hid it',
    file: 'server/policy/access-rules.ts',
    find: 'np.id = ${named.post_id} and np.withheld_by is null',
    replace: 'np.id = ${named.post_id}',
    red: [
      withheldPhotos,
      'PICT-08 when all photos of a post are hidden, tag suggestions for another photo do not reveal who hid them',
    ],
  },
]
