/**
 * A notification's row stores only the recipient and the subject. People and counts are read through the
 * policy on request.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  maxNotificationCount,
  type Notification,
  type NotificationCounts,
  type NotificationFilter,
  type NotificationKind,
  notificationTextLength,
  requestNotificationKinds,
} from '#contract/notifications/notifications.ts'
import type { PersonSummary } from '#contract/people/people.ts'
import { describeUserAgent } from '../../auth/describe-user-agent.ts'
import { whereSessionIsLive } from '../../auth/session.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { hideKeyArrayLengthFromPlanner } from '../../database/prepared-statements.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { buildPictureUrl, buildProfilePictureUrl } from '../../files/picture-urls.ts'
import type { CountryLookup } from '../../net/country-lookup.ts'
import { memberKeyParameter, selectFollowedMemberKeys, whereMemberMayRead } from '../../policy/index.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../people/person-summary.ts'
import { notificationActors } from './notification-actors.ts'

const namedPeople = 2

const isOn = (me: number) => sql`n.kind not in (
  select np.kind from notification_preferences np where np.user_id = ${memberKeyParameter(me)} and not np.enabled)`

export const whereNotificationIsListed = (me: number): RawBuilder<boolean> =>
  sql`(${isOn(me)} and exists (select from ${notificationActors(me)}))`

/** A member without marks has seen nothing. */
const joinMarks = sql`left join notification_marks marks on marks.user_id = n.user_id`
/** Whether the member has decided what the row asks, on any screen. */
const isAnswered = sql<boolean>`(case n.kind
  when 'join-request' then exists (
    select from group_requests answered where answered.id = n.group_request_id and answered.status <> 'pending')
  when 'photo-tag' then not exists (
    select from post_people named where named.post_id = n.post_id and named.person_id = n.user_id and named.state = 'waiting')
  else false end)`
const isUnread = sql<boolean>`(n.seq > n.read_seq and n.seq > coalesce(marks.read_seq, 0) and not ${isAnswered})`
/** Content that the member has read on its own screen counts as seen. */
const isUnseen = sql<boolean>`(n.seq > coalesce(marks.seen_seq, 0) and ${isUnread})`

const isWaiting = sql<boolean>`(n.kind = any(${[...requestNotificationKinds]}::text[])
  and (n.kind <> 'join-request' or exists (
    select from group_requests waiting where waiting.id = n.group_request_id and waiting.status = 'pending'))
  and (n.kind <> 'photo-tag' or exists (
    select from post_people named where named.post_id = n.post_id and named.person_id = n.user_id and named.state = 'waiting'
      and named.hidden_at is null)))`

export async function countNotifications(
  db: Kysely<DatabaseTables>,
  me: number,
): Promise<NotificationCounts> {
  const upTo = (condition: RawBuilder<unknown>) =>
    sql`least(count(*) filter (where ${condition}), ${sql.lit(maxNotificationCount)})::int`
  const { rows } = await sql<NotificationCounts>`
    select ${upTo(isUnseen)} as unseen, ${upTo(isUnread)} as unread, ${upTo(isWaiting)} as requests
    from notifications n ${joinMarks}
    where n.user_id = ${memberKeyParameter(me)} and (${isUnread} or ${isWaiting})
      and ${whereNotificationIsListed(me)}`.execute(db)
  return rows[0] ?? { unseen: 0, unread: 0, requests: 0 }
}

type NotificationRow = {
  public_id: string
  kind: NotificationKind
  at: Date
  seq: number
  unread: boolean
  people: number[] | null
  count: number
  post_id: string | null
  image_id: string | null
  shows_picture: boolean
  shows_face: boolean
  comment_id: string | null
  comment_text: string | null
  group_id: string | null
  group_name: string | null
  request_id: string | null
  request_status: 'pending' | 'accepted' | 'rejected' | null
  conversation_id: string | null
  user_agent: string | null
  session_id: string | null
  session_ip: string | null
}

/** Strangers could otherwise choose pictures that appear in the list. */
const isPictureAsked = (
  me: number,
  whose: RawBuilder<unknown>,
) => sql<boolean>`(n.kind <> 'mention' or post.group_id is not null
  or ${whose} = ${memberKeyParameter(me)} or exists (select from ${selectFollowedMemberKeys(memberKeyParameter(me))} as followed
    where followed.id = ${whose}))`

const excerptOf = (text: RawBuilder<unknown>) => sql<string | null>`(
  select case when char_length(line) <= ${sql.lit(notificationTextLength)} then line
    else rtrim(left(line, ${sql.lit(notificationTextLength - 1)})) || '…' end
  from btrim(regexp_replace(${text}, '\\s+', ' ', 'g')) as line)`

/**
 * The account is compared too, because after a restore, another account's session may have the same number.
 */
const deviceSql = (me: number, column: 'public_id' | 'ip') => sql`case when n.kind = 'new-device' then (
  select ${sql.ref(`device.${column}`)} from sessions device join users own on own.account_id = device.account_id
  where device.id = substr(n.subject, 9)::bigint and own.id = ${memberKeyParameter(me)}
    and device.created_at <= n.last_at and ${whereSessionIsLive('device')}) end`

/**
 * @param asking.session the caller's session, which is marked as current
 * @param page.before lists only smaller numbers
 */
export async function listNotifications(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  asking: { session: string; countries: CountryLookup },
  page: { only: NotificationFilter; before: number | null; limit: number },
): Promise<Notification[]> {
  const filters = { all: sql`true`, unread: isUnread, requests: isWaiting }
  const isBefore = page.before === null ? sql`true` : sql`n.seq < ${page.before}`
  return selectNotifications(db, config, me, sql`${filters[page.only]} and ${isBefore}`, {
    limit: page.limit,
    asking,
  })
}

/**
 * Lists unseen notifications, except those whose newest event was withdrawn, because the member may have seen
 * the older events.
 * @param about.after lists only larger numbers
 */
export function listUnseenNotifications(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  about: { kinds: readonly NotificationKind[]; after: number; limit: number },
): Promise<Notification[]> {
  return selectNotifications(
    db,
    config,
    me,
    sql`${isUnseen} and n.seq > ${about.after} and n.kind = any(${[...about.kinds]}::text[])
      and (told.at >= n.last_at or n.kind in ('export-ready', 'report', 'application', 'vouch-request'))`,
    { limit: about.limit, asking: null },
  )
}

/**
 * @param which a condition on `n` (notifications), `marks` and `told` (actors)
 * @param page.asking the caller's session; null shows every device as another one, without its country
 */
async function selectNotifications(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  which: RawBuilder<unknown>,
  { limit, asking }: { limit: number; asking: { session: string; countries: CountryLookup } | null },
): Promise<Notification[]> {
  const { rows } = await sql<NotificationRow>`
    select n.public_id, n.kind, told.at, n.seq, ${isUnread} as unread, told.people, told.count,
      post.public_id as post_id, picture.public_id as image_id, ${isPictureAsked(me, sql`post.creator_id`)} as shows_picture,
      n.kind <> 'message-request' and ${isPictureAsked(me, sql`told.people[1]`)} as shows_face,
      said.public_id as comment_id, ${excerptOf(sql.ref('said.content'))} as comment_text, grouped.public_id as group_id, grouped.name as group_name,
      coalesce(asked.public_id, joining.public_id) as request_id,
      case when asked.id is not null then 'pending' else joining.status end as request_status,
      talk.public_id as conversation_id, n.user_agent, ${deviceSql(me, 'public_id')} as session_id,
      ${deviceSql(me, 'ip')} as session_ip
    from notifications n ${joinMarks}
    cross join lateral (
      select max(actor.at) as at, count(*)::int as count,
        (array_agg(actor.id order by actor.at desc, actor.id desc) filter (where actor.id is not null))[1:${sql.lit(namedPeople)}] as people,
        (array_agg(actor.post_id order by actor.at desc))[1] as post_id,
        (array_agg(actor.comment_id order by actor.at desc))[1] as comment_id
      from ${notificationActors(me)} having count(*) > 0
    ) told
    left join posts post on post.id = told.post_id
    left join files picture on picture.id = post.image_id
    left join comments said on said.id = told.comment_id and ${isPictureAsked(me, sql`said.author_id`)}
    left join groups grouped on grouped.id = coalesce(n.group_id, post.group_id)
      and ${whereMemberMayRead(memberKeyParameter(me), 'groups', 'grouped')}
    left join follow_requests asked on asked.id = n.follow_request_id
    left join group_requests joining on joining.id = n.group_request_id
    left join conversations talk on talk.id = n.conversation_id
    where n.user_id = ${memberKeyParameter(me)} and ${isOn(me)} and ${which}
    order by n.seq desc limit ${limit}`.execute(db)
  const people = await loadPeople(
    db,
    config,
    rows.flatMap((row) => row.people ?? []),
  )
  const countries = await Promise.all(rows.map((row) => asking?.countries.find(row.session_ip) ?? null))
  return rows.map((row, place) => ({
    $id: row.public_id,
    kind: row.kind,
    at: formatIsoTimestamp(row.at),
    seq: row.seq,
    unread: row.unread,
    people: (row.people ?? [])
      .flatMap((key) => people.get(key) ?? [])
      .map((person) => (row.shows_face ? person : withInitials(config, person))),
    count: Math.min(row.count, maxNotificationCount),
    post:
      row.post_id !== null && row.image_id !== null
        ? { $id: row.post_id, ...(row.shows_picture ? pictureOf(config, row.image_id) : noPicture) }
        : null,
    comment:
      row.comment_id !== null && row.comment_text !== null
        ? { $id: row.comment_id, text: row.comment_text }
        : null,
    group: row.group_id === null ? null : { $id: row.group_id, name: row.group_name ?? '' },
    request:
      row.request_id !== null && row.request_status !== null
        ? { $id: row.request_id, status: row.request_status }
        : null,
    conversationId: row.conversation_id,
    device:
      row.user_agent === null
        ? null
        : {
            ...nameDevice(row.user_agent),
            country: countries[place] ?? null,
            deviceId: row.session_id,
            current: asking !== null && row.session_id === asking.session,
          },
  }))
}

const pictureOf = (config: Config, imageId: string) => ({
  imageUrl: buildPictureUrl(config, imageId),
  imageId,
})
const noPicture = { imageUrl: null, imageId: null }

/** Strangers could choose the photo. Message requests hide it too. */
const withInitials = (config: Config, person: PersonSummary): PersonSummary => ({
  ...person,
  imageUrl: buildProfilePictureUrl(config, person.name, null),
  imageId: null,
})

function nameDevice(userAgent: string) {
  const { browser, system } = describeUserAgent(userAgent)
  return { browser, system }
}

async function loadPeople(db: Kysely<DatabaseTables>, config: Config, keys: readonly number[]) {
  const { rows } = await sql<PersonSummaryRecord & { key: number }>`
    select wanted.id as key, ${personSummaryColumns}
    from unnest(${hideKeyArrayLengthFromPlanner([...new Set(keys)])}) as wanted (id) ${joinPersonSummaryRow(sql`wanted.id`)}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.key, toPersonSummary(config, row)]))
}
