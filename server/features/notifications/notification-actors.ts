import { type Expression, type RawBuilder, sql } from 'kysely'
import {
  maxNotificationCount,
  type NotificationKind,
  notificationKinds,
} from '#contract/notifications/notifications.ts'
import {
  type MemberKeyExpression,
  memberKeyParameter,
  whereHandoverOpen,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { selectDecisionForReporter, whereCaseIsClaimed } from '../moderation/case-states.ts'
import { whereNeitherMutedNorRestricted } from '../people/mute-filter.ts'

type Reader = {
  me: MemberKeyExpression
  /**
   * The condition on the kind comes first, so that PostgreSQL runs only the part for the kind of the row `n`.
   */
  is: RawBuilder<boolean>
  isNoticed: (actor: string) => RawBuilder<unknown>
}

const most = sql.lit(maxNotificationCount)

const whereGroupPostsReadable = (
  me: MemberKeyExpression,
) => sql`exists (select from groups g where g.id = n.group_id
  and ${whereMemberMayRead(me, 'groups', 'g')} and ${whereMemberHasAbility(me, 'readPosts', 'groups', 'g')})`

/** A comment that mentions `me` notifies only as a mention, unless `me` switched mentions off. */
export const whereCommentNotifiesAsMention = (me: Expression<unknown>): RawBuilder<boolean> =>
  sql`exists (select from mentions mn where mn.comment_id = c.id and mn.user_id = ${me} and not exists (
    select from notification_preferences mp where mp.user_id = ${me} and mp.kind = 'mention' and not mp.enabled))`

export const whereCommentRepliesTo = (member: Expression<unknown>): RawBuilder<boolean> =>
  sql`exists (select from comments thread where thread.id = c.parent_id and thread.author_id = ${member}
    and thread.removed_at is null)`

const selectCommenters = ({ me, is, isNoticed }: Reader, which: RawBuilder<unknown>) => sql`
  select c.author_id, max(c.created_at), (array_agg(c.post_id order by c.id desc))[1], (array_agg(c.id order by c.id desc))[1] from (
    select c.id, c.author_id, c.created_at, c.post_id from comments c
    where ${is} and ${which} and c.created_at >= n.since and c.author_id <> ${me} and c.removed_at is null
      and not ${whereCommentNotifiesAsMention(me)}
      and ${whereMemberMayRead(me, 'comments', 'c')} and ${isNoticed('c.author_id')}
    order by c.id desc limit ${most}
  ) c group by c.author_id`

/**
 * Selects the actors of a row `n` (notifications): `id` (null if nobody is named), `at`, `post_id`,
 * `comment_id`.
 */
const actorsByKind: Record<NotificationKind, (reader: Reader) => RawBuilder<unknown>> = {
  like: ({ me, is, isNoticed }) => sql`
    select l.user_id, l.created_at, l.post_id, null::bigint from post_likes l
    where ${is} and l.post_id = n.post_id and l.created_at >= n.since and l.user_id <> ${me}
      and ${whereMemberMayRead(me, 'post_likes', 'l')} and ${isNoticed('l.user_id')}
    order by l.created_at desc limit ${most}`,
  comment: (reader) =>
    selectCommenters(
      reader,
      sql`c.post_id = n.post_id and not ${whereCommentRepliesTo(reader.me)}
        and exists (select from posts own where own.id = c.post_id and own.creator_id = ${reader.me})`,
    ),
  reply: (reader) =>
    selectCommenters(reader, sql`c.parent_id = n.comment_id and ${whereCommentRepliesTo(reader.me)}`),
  follow: ({ me, is, isNoticed }) => sql`
    select f.follower_id, f.created_at, null, null from follows f
    where ${is} and f.following_id = ${me} and f.created_at >= n.since
      and ${whereMemberMayRead(me, 'follows', 'f')} and ${isNoticed('f.follower_id')}
    order by f.created_at desc limit ${most}`,
  'follow-request': ({ me, is, isNoticed }) => sql`
    select r.asker_id, r.created_at, null, null from follow_requests r
    where ${is} and r.id = n.follow_request_id and r.asked_id = ${me}
      and ${whereMemberMayRead(me, 'follow_requests', 'r')} and ${isNoticed('r.asker_id')}`,
  'follow-accepted': ({ me, is, isNoticed }) => sql`
    select f.following_id, f.created_at, null, null from follows f
    where ${is} and f.follower_id = ${me} and f.following_id = n.person_id and f.created_at <= n.last_at
      and ${whereMemberMayRead(me, 'follows', 'f')} and ${isNoticed('f.following_id')}`,
  'join-request': ({ me, is, isNoticed }) => sql`
    select r.user_id, r.created_at, null, null from group_requests r
    where ${is} and r.id = n.group_request_id and r.user_id <> ${me}
      and ${whereMemberMayRead(me, 'group_requests', 'r')} and ${isNoticed('r.user_id')}`,
  'join-approved': ({ me, is }) => sql`
    select null, r.processed_at, null, null from group_requests r
    where ${is} and r.id = n.group_request_id and r.user_id = ${me} and r.status = 'accepted' and ${whereGroupPostsReadable(me)}
      and ${whereMemberMayRead(me, 'group_requests', 'r')}`,
  'group-handover': ({ me, is }) => sql`
    select null, n.last_at, null, null from group_handovers h join groups g on g.id = h.group_id and g.admin_id = h.to_id
    where ${is} and h.group_id = n.group_id and n.subject = 'handover:' || h.id and h.to_id = ${me} and ${whereHandoverOpen('h')}
      and ${whereGroupPostsReadable(me)}`,
  'group-post': ({ me, is, isNoticed }) => sql`
    select p.creator_id, max(p.created_at), (array_agg(p.id order by p.created_at desc))[1], null from (
      select p.id, p.creator_id, p.created_at from posts p
      where ${is} and ${whereGroupPostsReadable(me)} and p.group_id = n.group_id and p.created_at >= n.since and p.creator_id <> ${me}
        and ${whereMemberMayRead(me, 'posts', 'p')} and ${isNoticed('p.creator_id')}
      order by p.created_at desc limit ${most}
    ) p group by p.creator_id`,
  mention: ({ me, is, isNoticed }) => sql`
    select p.creator_id, n.last_at, p.id, null from posts p
    where ${is} and n.comment_id is null and p.id = n.post_id
      and exists (select from mentions mn where mn.user_id = ${me} and mn.post_id = p.id and mn.comment_id is null)
      and ${whereMemberMayRead(me, 'posts', 'p')} and ${isNoticed('p.creator_id')}
    union all select c.author_id, n.last_at, c.post_id, c.id from comments c
    where ${is} and c.id = n.comment_id
      and exists (select from mentions mn where mn.user_id = ${me} and mn.comment_id = c.id)
      and ${whereMemberMayRead(me, 'comments', 'c')} and ${isNoticed('c.author_id')}`,
  'photo-tag': ({ me, is, isNoticed }) => sql`
    select p.creator_id, n.last_at, p.id, null from posts p
    where ${is} and p.id = n.post_id
      and exists (select from post_people named where named.post_id = p.id and named.person_id = ${me}
        and named.state <> 'declined' and named.hidden_at is null)
      and ${whereMemberMayRead(me, 'posts', 'p')} and ${isNoticed('p.creator_id')}`,
  'message-request': ({ me, is, isNoticed }) => sql`
    select person.id, n.last_at, null, null from conversations c
    join users person on person.id = case c.low_id when ${me} then c.high_id else c.low_id end
    where ${is} and c.id = n.conversation_id and c.asked_id = ${me}
      and exists (select from messages lm where lm.id = c.last_message_id and lm.unsent_at is null)
      and ${whereMemberHasAbility(me, 'listAsRequest', 'conversations', 'c')}
      and ${whereMemberMayRead(me, 'users', 'person')} and ${isNoticed('person.id')}`,
  'guest-joined': ({ me, is, isNoticed }) => sql`
    select guest.id, i.used_at, null, null from invitations i join users guest on guest.account_id = i.account_id
    where ${is} and i.inviter_id = ${me} and i.used_at >= n.since
      and ${whereMemberMayRead(me, 'users', 'guest')} and ${isNoticed('guest.id')}
    order by i.used_at desc limit ${most}`,
  report: ({ me, is }) => sql`
    select null, (select max(r.created_at) from reports r where r.case_id = c.id), null, null from moderation_cases c
    where ${is} and c.status = 'open' and not ${whereCaseIsClaimed('c')} and ${whereMemberMayRead(me, 'moderation_cases', 'c')}
    limit ${most}`,
  'report-decided': ({ me, is }) => sql`
    select null, d.decided_at, null, null from reports r join moderation_cases c on c.id = r.case_id
    cross join lateral (${selectDecisionForReporter}) told join moderation_cases d on d.id = told.id
    where ${is} and r.id = n.report_id and ${whereMemberMayRead(me, 'reports', 'r')}`,
  application: ({ me, is }) => sql`
    select null, p.created_at, null, null from applications p
    where ${is} and p.state = 'waiting' and exists (
      select from users o where o.id = ${me} and ${whereMemberHasAbility(me, 'operateCommunity', 'users', 'o')})
    limit ${most}`,
  'vouch-request': ({ me, is }) => sql`
    select null, p.created_at, null, null from applications p
    where ${is} and p.state = 'waiting' and p.voucher_id = ${me} and p.vouched is null limit ${most}`,
  'new-device': ({ is }) => sql`select null, n.last_at, null, null where ${is}`,
  'two-steps-off': ({ is }) => sql`select null, n.last_at, null, null where ${is}`,
  'export-ready': ({ is }) => sql`
    select null, e.ready_at, null, null from exports e
    where ${is} and n.subject = 'export:' || e.id and e.state = 'ready' and e.dies_at > clock_timestamp()`,
}

export function notificationActors(me: number): RawBuilder<unknown> {
  const asMe = memberKeyParameter(me)
  const isNoticed = (actor: string) => whereNeitherMutedNorRestricted(asMe, sql.ref(actor))
  const parts = notificationKinds.map(
    (kind) => sql`(${actorsByKind[kind]({ me: asMe, is: sql`n.kind = ${sql.lit(kind)}`, isNoticed })})`,
  )
  return sql`(${sql.join(parts, sql` union all `)}) as actor (id, at, post_id, comment_id)`
}
