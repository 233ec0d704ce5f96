/**
 * The queries read the current rows, so withdrawn actions notify nobody.
 * The actions of blocked members affect neither counts nor sockets.
 */
import { type RawBuilder, sql } from 'kysely'
import { type NotificationKind, notificationKinds } from '#contract/notifications/notifications.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import {
  whereAccessRuleAllows,
  whereHandoverOpen,
  whereMaySeeMemberInGroup,
  whereMemberHasAbility,
} from '../../policy/index.ts'
import { selectDecisionForReporter } from '../moderation/case-states.ts'
import { whereNeitherMutedNorRestricted } from '../people/mute-filter.ts'
import { whereCommentNotifiesAsMention, whereCommentRepliesTo } from './notification-actors.ts'

/** Posts in larger groups send no push notifications. Opening the list writes their notifications instead. */
export const maxPushedGroupMembers = 2000

/** Only a like's change names its actor, because the changed row is the post. */
export type NotifiableChange = {
  id: number
  collection: string
  kind: string
  row_id: number
  actor_id: number | null
  xid: string
}

/** `throttle` limits pushes to one a day per actor. If it is null, every event sends one. */
type Columns = {
  user_id: string
  kind: string
  subject: string
  actor_id: string
  throttle?: string
  at: string
  refs?: Partial<Record<(typeof references)[number], string>>
  userAgent?: string
}

const references = [
  'post_id',
  'group_id',
  'group_request_id',
  'follow_request_id',
  'conversation_id',
  'comment_id',
  'person_id',
  'report_id',
] as const

/** The parts of a `union all` need the same order of columns. */
export const renderNotificationCandidateColumns = ({
  user_id,
  kind,
  subject,
  actor_id,
  throttle,
  at,
  refs = {},
  userAgent = 'null',
}: Columns) => sql`
  ${sql.raw(user_id)} as user_id, ${sql.lit(kind)}::text as kind, ${sql.raw(subject)} as subject, ${sql.raw(actor_id)}::bigint as actor_id,
  ${sql.raw(throttle ?? 'null')}::text as throttle, ${sql.raw(at)} as at,
  ${sql.raw(userAgent)}::text as user_agent,
  ${sql.join(references.map((name) => sql`${sql.raw(refs[name] ?? 'null')}::bigint as ${sql.ref(name)}`))}`

export function unnestLikes(changes: readonly NotifiableChange[]): RawBuilder<unknown> {
  const likes = new Map(
    changes.flatMap(({ collection, row_id, actor_id }) =>
      collection === 'posts' && actor_id !== null
        ? [[`${row_id} ${actor_id}`, { row_id, actor_id }] as const]
        : [],
    ),
  )
  const liked = [...likes.values()]
  const posts = hideKeyArrayLengthFromPlanner(liked.map(({ row_id }) => row_id))
  return sql`unnest(${posts}, ${hideKeyArrayLengthFromPlanner(liked.map(({ actor_id }) => actor_id))})`
}

/** Selects the candidates that changes of one kind in one collection cause. */
type Source = {
  changes: string
  select: (changes: readonly NotifiableChange[]) => RawBuilder<unknown>
}

/** A like's change is an update of the post that names its actor. */
const nameChange = ({ collection, kind, actor_id }: NotifiableChange) =>
  `${collection} ${actor_id === null ? kind : 'like'}`

/** @param select receives a table `t` of the rows' keys and the changes' transactions */
const afterChanges = (
  collection: string,
  kind: 'create' | 'update',
  select: (keys: RawBuilder<unknown>) => RawBuilder<unknown>,
): Source => {
  const name = `${collection} ${kind}`
  return {
    changes: name,
    select(changes) {
      const found = new Map(
        changes.filter((change) => nameChange(change) === name).map(({ row_id, xid }) => [row_id, xid]),
      )
      return select(
        sql`unnest(${hideKeyArrayLengthFromPlanner([...found.keys()])}, (select ${[...found.values()]}::xid8[])::xid8[]) as t (id, xid)`,
      )
    },
  }
}

/** Selects new comments. Edits do not notify, and mentions have their own row. */
const selectNewComments = (
  columns: Pick<Columns, 'user_id' | 'kind' | 'subject' | 'refs'>,
  which: RawBuilder<unknown>,
) => {
  const recipient = sql.ref<number>(columns.user_id)
  return afterChanges(
    'comments',
    'create',
    (
      keys,
    ) => sql`select ${renderNotificationCandidateColumns({ ...columns, actor_id: 'c.author_id', at: 'c.created_at' })}
    from ${keys} join comments c on c.id = t.id
    join posts p on p.id = c.post_id left join comments thread on thread.id = c.parent_id
    where ${which} and ${recipient} <> c.author_id and c.removed_at is null and not ${whereCommentNotifiesAsMention(recipient)}
      and ${whereAccessRuleAllows(recipient, 'read', 'comments', 'c')}
      and ${whereNeitherMutedNorRestricted(recipient, sql.ref('c.author_id'))}`,
  )
}

const selectReportsFor = (from: RawBuilder<unknown>, at: string) => sql`
  select ${renderNotificationCandidateColumns({ user_id: 'mo.member_id', kind: 'report', subject: `'reports'`, actor_id: 'null', at })}
  from ${from} cross join moderators mo
  where c.status = 'open' and ${whereAccessRuleAllows(sql<number>`mo.member_id`, 'read', 'moderation_cases', 'c')}
    and not exists (select from suspension_proposals sp where sp.case_id = c.id and sp.proposed_by = mo.member_id)`

/** True if the same transaction deleted the follow request. */
const whereFollowWasApproved = sql<boolean>`exists (
  select from changes c where c.xid = t.xid and c.collection = 'followRequests' and c.kind = 'delete')`

const sourcesByKind: Record<NotificationKind, readonly Source[]> = {
  like: [
    {
      changes: 'posts like',
      select: (changes) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'p.creator_id',
        kind: 'like',
        subject: `'post:' || p.id`,
        actor_id: 'l.user_id',
        throttle: `'post:' || p.id`,
        at: 'l.created_at',
        refs: { post_id: 'p.id' },
      })}
    from ${unnestLikes(changes)} as t (post_id, actor_id)
    join posts p on p.id = t.post_id
    join post_likes l on l.post_id = t.post_id and l.user_id = t.actor_id
    where p.creator_id <> l.user_id and ${whereNeitherMutedNorRestricted(sql.ref('p.creator_id'), sql.ref('l.user_id'))}`,
    },
  ],
  comment: [
    selectNewComments(
      { user_id: 'p.creator_id', kind: 'comment', subject: `'post:' || p.id`, refs: { post_id: 'p.id' } },
      sql`not ${whereCommentRepliesTo(sql.ref('p.creator_id'))}`,
    ),
  ],
  reply: [
    selectNewComments(
      {
        user_id: 'thread.author_id',
        kind: 'reply',
        subject: `'comment:' || thread.id`,
        refs: { post_id: 'p.id', comment_id: 'thread.id' },
      },
      sql`thread.removed_at is null`,
    ),
  ],
  // The member who approved a request already knows.
  follow: [
    afterChanges(
      'follows',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'f.following_id',
        kind: 'follow',
        subject: `'follow'`,
        actor_id: 'f.follower_id',
        throttle: `'follow'`,
        at: 'f.created_at',
      })}
    from ${keys} join follows f on f.id = t.id
    where ${whereNeitherMutedNorRestricted(sql.ref('f.following_id'), sql.ref('f.follower_id'))} and not ${whereFollowWasApproved}`,
    ),
  ],
  'follow-request': [
    afterChanges(
      'followRequests',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'r.asked_id',
        kind: 'follow-request',
        subject: `'member:' || r.asker_id`,
        actor_id: 'r.asker_id',
        throttle: `'follow'`,
        at: 'r.created_at',
        refs: { follow_request_id: 'r.id' },
      })}
    from ${keys} join follow_requests r on r.id = t.id
    where r.status = 'pending' and ${whereNeitherMutedNorRestricted(sql.ref('r.asked_id'), sql.ref('r.asker_id'))}`,
    ),
  ],
  'follow-accepted': [
    afterChanges(
      'follows',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'f.follower_id',
        kind: 'follow-accepted',
        subject: `'member:' || f.following_id`,
        actor_id: 'f.following_id',
        at: 'f.created_at',
        refs: { person_id: 'f.following_id' },
      })}
    from ${keys} join follows f on f.id = t.id
    where ${whereNeitherMutedNorRestricted(sql.ref('f.follower_id'), sql.ref('f.following_id'))} and ${whereFollowWasApproved}`,
    ),
  ],
  'join-request': [
    afterChanges(
      'groupRequests',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'g.admin_id',
        kind: 'join-request',
        subject: `'group:' || r.group_id || ':member:' || r.user_id`,
        actor_id: 'r.user_id',
        throttle: `'group:' || r.group_id`,
        at: 'r.created_at',
        refs: { group_id: 'r.group_id', group_request_id: 'r.id' },
      })}
    from ${keys} join group_requests r on r.id = t.id join groups g on g.id = r.group_id
    where r.status = 'pending' and r.user_id <> g.admin_id and ${whereNeitherMutedNorRestricted(sql.ref('g.admin_id'), sql.ref('r.user_id'))}
      and ${whereAccessRuleAllows(sql<number>`g.admin_id`, 'read', 'group_requests', 'r')}`,
    ),
  ],
  'join-approved': [
    afterChanges(
      'groupRequests',
      'update',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'r.user_id',
        kind: 'join-approved',
        subject: `'group:' || r.group_id`,
        actor_id: 'null',
        at: 'r.processed_at',
        refs: { group_id: 'r.group_id', group_request_id: 'r.id' },
      })}
    from ${keys} join group_requests r on r.id = t.id
    where r.status = 'accepted'`,
    ),
  ],
  'group-handover': [
    afterChanges(
      'groups',
      'update',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'h.to_id',
        kind: 'group-handover',
        subject: `'handover:' || h.id`,
        actor_id: 'null',
        at: 'h.created_at',
        refs: { group_id: 'h.group_id' },
      })}
    from ${keys} join groups g on g.id = t.id join group_handovers h on h.group_id = g.id and h.to_id = g.admin_id
    where ${whereHandoverOpen('h')} and h.created_at > clock_timestamp() - interval '7 days'
      and not exists (select from notifications n where n.user_id = h.to_id and n.kind = 'group-handover' and n.subject = 'handover:' || h.id)`,
    ),
  ],
  // One candidate per recipient, author and group, however many posts the author wrote.
  'group-post': [
    afterChanges(
      'posts',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'm.user_id',
        kind: 'group-post',
        subject: `'group:' || made.group_id`,
        actor_id: 'made.creator_id',
        at: 'made.at',
        refs: { group_id: 'made.group_id' },
      })}
    from (
      select p.group_id, p.creator_id, max(p.created_at) as at from ${keys} join posts p on p.id = t.id
      where p.group_id is not null group by p.group_id, p.creator_id
    ) made
    join groups g on g.id = made.group_id and g.member_count <= ${maxPushedGroupMembers}
    join group_members m on m.group_id = made.group_id and m.user_id <> made.creator_id and m.created_at <= made.at
    where ${whereNeitherMutedNorRestricted(sql.ref('m.user_id'), sql.ref('made.creator_id'))}
      and ${whereMaySeeMemberInGroup(sql<number>`m.user_id`, sql.ref('made.creator_id'), sql.ref('made.group_id'))}`,
    ),
  ],
  mention: [
    ...(['create', 'update'] as const).map((kind) =>
      afterChanges(
        'posts',
        kind,
        (keys) => sql`select ${renderNotificationCandidateColumns({
          user_id: 'u.user_id',
          kind: 'mention',
          subject: `'post:' || p.id`,
          actor_id: 'p.creator_id',
          at: 'p.updated_at',
          refs: { post_id: 'p.id' },
        })}
      from ${keys} join posts p on p.id = t.id
      join mentions u on u.post_id = p.id and u.comment_id is null
      where ${whereAccessRuleAllows(sql<number>`u.user_id`, 'read', 'posts', 'p')}
        and ${whereNeitherMutedNorRestricted(sql.ref('u.user_id'), sql.ref('p.creator_id'))}
        and not exists (select from notifications n where n.user_id = u.user_id and n.kind = 'mention' and n.subject = 'post:' || p.id)`,
      ),
    ),
    ...(['create', 'update'] as const).map((kind) =>
      afterChanges(
        'comments',
        kind,
        (keys) => sql`select ${renderNotificationCandidateColumns({
          user_id: 'u.user_id',
          kind: 'mention',
          subject: `'comment:' || c.id`,
          actor_id: 'c.author_id',
          at: 'coalesce(c.edited_at, c.created_at)',
          refs: { post_id: 'c.post_id', comment_id: 'c.id' },
        })}
      from ${keys} join comments c on c.id = t.id join mentions u on u.comment_id = c.id
      where ${whereAccessRuleAllows(sql<number>`u.user_id`, 'read', 'comments', 'c')}
        and ${whereNeitherMutedNorRestricted(sql.ref('u.user_id'), sql.ref('c.author_id'))}
        and not exists (select from notifications n where n.user_id = u.user_id and n.kind = 'mention' and n.subject = 'comment:' || c.id)`,
      ),
    ),
  ],
  'message-request': [
    afterChanges(
      'messages',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'c.asked_id',
        kind: 'message-request',
        subject: `'conversation:' || c.id`,
        actor_id: 'm.sender_id',
        throttle: `'conversation:' || c.id`,
        at: 'm.created_at',
        refs: { conversation_id: 'c.id' },
      })}
    from ${keys} join messages m on m.id = t.id join conversations c on c.id = m.conversation_id
    where c.asked_id <> m.sender_id and c.declined_at is null and ${whereNeitherMutedNorRestricted(sql.ref('c.asked_id'), sql.ref('m.sender_id'))}`,
    ),
  ],
  'photo-tag': [
    afterChanges(
      'namings',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'named.person_id',
        kind: 'photo-tag',
        subject: `'post:' || p.id`,
        actor_id: 'p.creator_id',
        throttle: `'named:' || p.id`,
        at: 'named.asked_at',
        refs: { post_id: 'p.id' },
      })}
    from ${keys} join post_people named on named.id = t.id join posts p on p.id = named.post_id
    where named.state = 'waiting' and named.hidden_at is null and ${whereNeitherMutedNorRestricted(sql.ref('named.person_id'), sql.ref('p.creator_id'))}`,
    ),
  ],
  // The session may have ended. An account's first session is not a new device.
  // A session becomes complete with its second factor.
  'new-device': ['create', 'update'].map((kind) => ({
    changes: `sessions ${kind}`,
    select: (changes) => sql`select ${renderNotificationCandidateColumns({
      user_id: 'u.id',
      kind: 'new-device',
      subject: `'session:' || c.row_id`,
      actor_id: 'null',
      at: 'c.created_at',
      userAgent: `c.state ->> 'new_device'`,
    })}
    from changes c join accounts a on a.id = c.account_id join users u on u.account_id = a.id
    where c.id = any(${hideKeyArrayLengthFromPlanner(changes.filter((change) => nameChange(change) === `sessions ${kind}`).map(({ id }) => id))})
      and c.state ->> 'new_device' is not null and c.created_at > a.first_session_at`,
  })),
  'guest-joined': [
    afterChanges(
      'users',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'i.inviter_id',
        kind: 'guest-joined',
        subject: `'guests'`,
        actor_id: 'guest.id',
        at: 'i.used_at',
      })}
    from ${keys} join users guest on guest.id = t.id join invitations i on i.account_id = guest.account_id
    where ${whereNeitherMutedNorRestricted(sql.ref('i.inviter_id'), sql.ref('guest.id'))}
      and ${whereAccessRuleAllows(sql<number>`i.inviter_id`, 'read', 'users', 'guest')}`,
    ),
  ],
  // Cases that a group passed on count as new reports.
  report: [
    afterChanges('reports', 'create', (keys) =>
      selectReportsFor(
        sql`${keys} join reports r on r.id = t.id join moderation_cases c on c.id = r.case_id`,
        'r.created_at',
      ),
    ),
    afterChanges('moderationCases', 'create', (keys) =>
      selectReportsFor(sql`${keys} join moderation_cases c on c.id = t.id`, 'c.created_at'),
    ),
  ],
  'report-decided': [
    afterChanges(
      'moderationCases',
      'update',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'r.reporter_id',
        kind: 'report-decided',
        subject: `'report:' || r.id`,
        actor_id: 'null',
        at: 'd.decided_at',
        refs: { report_id: 'r.id' },
      })}
    from ${keys} join moderation_cases d on d.id = t.id and d.status = 'decided'
    join moderation_cases c on c.kind = d.kind and c.subject_id = d.subject_id
    join reports r on r.case_id = c.id and r.reporter_id is not null
    cross join lateral (${selectDecisionForReporter}) told
    where told.id = d.id`,
    ),
  ],
  application: [
    afterChanges(
      'applications',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'o.id',
        kind: 'application',
        subject: `'applications'`,
        actor_id: 'o.id',
        throttle: `'applications'`,
        at: 'p.created_at',
      })}
    from ${keys} join applications p on p.id = t.id cross join users o
    where p.state = 'waiting' and o.account_id in (select a.id from accounts a where a.labels @> array['operator'])
      and ${whereMemberHasAbility(sql<number>`o.id`, 'operateCommunity', 'users', 'o')}`,
    ),
  ],
  'vouch-request': [
    afterChanges(
      'applications',
      'create',
      (keys) => sql`select ${renderNotificationCandidateColumns({
        user_id: 'p.voucher_id',
        kind: 'vouch-request',
        subject: `'vouch-requests'`,
        actor_id: 'p.voucher_id',
        throttle: `'vouch-requests'`,
        at: 'p.created_at',
      })}
    from ${keys} join applications p on p.id = t.id
    where p.state = 'waiting' and p.vouched is null and p.voucher_id is not null`,
    ),
  ],
  // `end-two-factor.ts` writes the row.
  'two-steps-off': [],
  // `gather-export.ts` writes the row.
  'export-ready': [],
}

const sources = notificationKinds.flatMap((kind) => sourcesByKind[kind])

/**
 * Returns one query for each name of the changes. PostgreSQL plans each text once per connection. A single
 * query of all sources would take 80 ms to plan, even for changes that need only two of them.
 */
export function buildCandidateQueries(changes: readonly NotifiableChange[]): RawBuilder<unknown>[] {
  return [...new Set(changes.map(nameChange))].flatMap((name) => {
    const needed = sources.filter((source) => source.changes === name)
    if (needed.length === 0) return []
    return [
      sql.join(
        needed.map(({ select }) => select(changes)),
        sql` union all `,
      ),
    ]
  })
}

/** @param query one of `buildCandidateQueries` */
export const selectCandidatesAsJson = (query: RawBuilder<unknown>) =>
  sql<{ candidate: string }>`select jsonb_strip_nulls(to_jsonb(c))::text as candidate from (${query}) as c`

/** @param candidates rows of `selectCandidatesAsJson` */
export const selectFromCandidatesAsJson = (candidates: readonly string[]): RawBuilder<unknown> => sql`
  select c.* from jsonb_array_elements(${`[${candidates.join(',')}]`}::jsonb) as each (value)
  cross join lateral jsonb_to_record(each.value) as c (user_id bigint, kind text, subject text, actor_id bigint,
    throttle text, at timestamptz, user_agent text, ${sql.join(references.map((name) => sql`${sql.ref(name)} bigint`))})`
