/** About other people, the export contains only the name, the username and their texts to the member. */
import { type RawBuilder, sql } from 'kysely'
import type { ExportStep } from '#contract/data-export/export-steps.ts'
import { describeUserAgent } from '../../auth/describe-user-agent.ts'
import { exportedColumns } from '../../database/personal-columns.ts'
import {
  columnExpressionsOf,
  countReadableComments,
  isGroupOfPostNotDeleted,
  memberKeyParameter,
  whereMemberMayRead,
} from '../../policy/index.ts'

export type ExportSubject = { account: number; member: number; export: number }

export type ExportedRow = { key: number; item: Record<string, unknown> }

type ExportedList = {
  name: string
  /** The document holds an object instead of a list. */
  single?: boolean
  /** @returns a query of `key` and `item`, which the caller filters by `key` */
  select(of: ExportSubject): RawBuilder<unknown>
  map?(item: Record<string, unknown>): Record<string, unknown>
}

type ExportedDocument = { name: string; step: ExportStep; lists: readonly ExportedList[] }

const me = ({ member }: ExportSubject) => memberKeyParameter(member)

/** Null for a hidden member. */
const person = (of: ExportSubject, key: string) => sql`(
  select jsonb_build_object('name', who.name, 'username', who.username) from users who
  where who.id = ${sql.ref(key)} and ${whereMemberMayRead(me(of), 'users', 'who')})`

/** Null if the member may not read the group, for example because it was hidden after they left. */
const group = (of: ExportSubject, key: string) => sql`(
  select g.name from groups g where g.id = ${sql.ref(key)} and ${whereMemberMayRead(me(of), 'groups', 'g')})`

const ownPost = (of: ExportSubject, alias: string) =>
  sql`${sql.ref(`${alias}.creator_id`)} = ${me(of)} and ${isGroupOfPostNotDeleted(columnExpressionsOf<'posts'>(alias))}`

const postOf = (of: ExportSubject, alias: string) => sql`jsonb_build_object(
  'id', ${sql.ref(`${alias}.public_id`)}, 'by', case when ${sql.ref(`${alias}.creator_id`)} = ${me(of)} then null
    else ${person(of, `${alias}.creator_id`)} end)`

function describeBrowser({ userAgent, ...item }: Record<string, unknown>): Record<string, unknown> {
  const { browser, system } = describeUserAgent(String(userAgent ?? ''))
  return { ...item, browser, system }
}

const profile: ExportedDocument = {
  name: 'profile',
  step: 'profile',
  lists: [
    {
      name: 'profile',
      single: true,
      select: (of) => sql`
        select u.id as key, jsonb_build_object(${exportedColumns('users', 'u', 'profile')}, ${exportedColumns('accounts', 'a', 'profile')},
          'photo', (select e.name from export_entries e where e.export_id = ${of.export} and e.file_id = u.image_id)) as item
        from users u join accounts a on a.id = u.account_id where u.id = ${me(of)}`,
    },
  ],
}

const settings: ExportedDocument = {
  name: 'settings',
  step: 'profile',
  lists: [
    {
      name: 'choices',
      single: true,
      select: (of) => sql`
        select u.id as key, jsonb_build_object(${exportedColumns('users', 'u', 'choices')},
          ${exportedColumns('accounts', 'a', 'choices')}) as item
        from users u join accounts a on a.id = u.account_id where u.id = ${me(of)}`,
    },
    {
      name: 'notifications',
      select: (of) => sql`
        select row_number() over (order by np.kind) as key, jsonb_build_object('kind', np.kind, 'on', np.enabled) as item
        from notification_preferences np where np.user_id = ${me(of)}`,
    },
    {
      name: 'outsideOfJuntas',
      single: true,
      select: (of) => sql`
        select d.user_id as key, jsonb_build_object('push', d.push_kinds, 'mail', d.mail_kinds, 'hidesContents', d.hides_contents,
          'quietFromMinute', d.quiet_from, 'quietToMinute', d.quiet_to, 'timeZone', d.time_zone, 'summary', d.summary) as item
        from notification_delivery d where d.user_id = ${me(of)}`,
    },
    {
      name: 'passkeys',
      select: (of) => sql`
        select k.id as key, jsonb_build_object('name', k.name, 'since', k.created_at, 'usedAt', k.used_at) as item
        from passkeys k where k.account_id = ${of.account}`,
    },
    {
      name: 'connectedAccounts',
      select: (of) => sql`
        select i.id as key, jsonb_build_object('provider', i.provider, 'email', i.provider_email, 'since', i.created_at) as item
        from identities i where i.account_id = ${of.account}`,
    },
  ],
}

const devices: ExportedDocument = {
  name: 'devices',
  step: 'profile',
  lists: [
    {
      name: 'devices',
      map: describeBrowser,
      select: (of) => sql`
        select s.id as key, jsonb_build_object('userAgent', s.user_agent, 'signedInAt', s.created_at, 'lastSeenAt', s.last_seen_at,
          'signedInWith', s.provider, 'rings', exists (select from push_subscriptions p where p.session_id = s.id)) as item
        from sessions s where s.account_id = ${of.account}`,
    },
  ],
}

const log: ExportedDocument = {
  name: 'log',
  step: 'profile',
  lists: [
    {
      name: 'events',
      map: describeBrowser,
      select: (of) => sql`
        select e.id as key, jsonb_build_object('event', e.event, 'at', e.created_at, 'userAgent', e.user_agent) as item
        from account_events e where e.account_id = ${of.account}`,
    },
  ],
}

const invitations: ExportedDocument = {
  name: 'invitations',
  step: 'profile',
  lists: [
    {
      name: 'invitations',
      select: (of) => sql`
        select i.id as key, jsonb_build_object('madeAt', i.created_at, 'until', i.expires_at, 'usedAt', i.used_at, 'reusable', i.reusable, 'uses', i.uses,
          'endedAt', i.ended_at, 'cameBy', (select ${person(of, 'guest.id')} from users guest where guest.account_id = i.account_id)) as item
        from invitations i where i.inviter_id = ${me(of)}`,
    },
    {
      name: 'application',
      single: true,
      select: (of) => sql`
        select p.id as key, jsonb_build_object('name', p.name, 'username', p.username, 'email', p.email, 'answer', p.answer,
          'named', p.voucher_named, 'appliedAt', p.created_at, 'approvedAt', p.decided_at) as item
        from applications p where p.account_id = ${of.account}`,
    },
    {
      name: 'applicantsKnown',
      select: (of) => sql`
        select p.id as key, jsonb_build_object('username', p.username, 'known', p.vouched, 'answeredAt', p.vouched_at) as item
        from applications p where p.voucher_id = ${me(of)} and p.vouched is not null`,
    },
  ],
}

const posts: ExportedDocument = {
  name: 'posts',
  step: 'posts',
  lists: [
    {
      name: 'posts',
      select: (of) => sql`
        select p.id as key, jsonb_build_object(${exportedColumns('posts', 'p')}, 'group', ${group(of, 'p.group_id')}, 'comments', ${countReadableComments(me(of), 'p')},
          'photos', (select coalesce(jsonb_agg(jsonb_build_object('file', e.name, 'alt', shown.alt) order by shown.position), '[]')
            from (select p.image_id as file_id, p.image_alt as alt, 0 as position
              union all select pp.file_id, pp.alt, pp.position from post_photos pp where pp.post_id = p.id) shown
            left join export_entries e on e.export_id = ${of.export} and e.file_id = shown.file_id),
          'before', (select coalesce(jsonb_agg(jsonb_build_object('caption', b.caption, 'location', b.location, 'tags', b.tags,
            'until', b.until) order by b.id), '[]') from post_edits b where b.post_id = p.id)) as item
        from posts p where ${ownPost(of, 'p')}`,
    },
  ],
}

const likes: ExportedDocument = {
  name: 'likes',
  step: 'posts',
  lists: [
    {
      name: 'posts',
      select: (of) => sql`
        select p.id as key, jsonb_build_object('post', ${postOf(of, 'p')}, 'at', l.created_at) as item
        from post_likes l join posts p on p.id = l.post_id
        where l.user_id = ${me(of)} and (${ownPost(of, 'p')} or ${whereMemberMayRead(me(of), 'posts', 'p')})`,
    },
    {
      name: 'comments',
      select: (of) => sql`
        select c.id as key, jsonb_build_object('by', ${person(of, 'c.author_id')}, 'at', l.created_at) as item
        from comment_likes l join comments c on c.id = l.comment_id
        where l.user_id = ${me(of)} and ${whereMemberMayRead(me(of), 'comments', 'c')}`,
    },
  ],
}

const saves: ExportedDocument = {
  name: 'saves',
  step: 'posts',
  lists: [
    {
      name: 'posts',
      select: (of) => sql`
        select s.id as key, jsonb_build_object('post', ${postOf(of, 'p')}, 'at', s.created_at) as item
        from saves s join posts p on p.id = s.post_id
        where s.user_id = ${me(of)} and (${ownPost(of, 'p')} or ${whereMemberMayRead(me(of), 'posts', 'p')})`,
    },
  ],
}

const comments: ExportedDocument = {
  name: 'comments',
  step: 'posts',
  lists: [
    {
      name: 'written',
      select: (of) => sql`
        select c.id as key, jsonb_build_object(${exportedColumns('comments', 'c')}, 'post', ${postOf(of, 'p')}) as item
        from comments c join posts p on p.id = c.post_id where c.author_id = ${me(of)} and c.removed_at is null`,
    },
    {
      name: 'received',
      select: (of) => sql`
        select c.id as key, jsonb_build_object('from', ${person(of, 'c.author_id')}, 'content', c.content, 'at', c.created_at,
          'post', p.public_id) as item
        from comments c join posts p on p.id = c.post_id
        where ${ownPost(of, 'p')} and c.author_id <> ${me(of)} and c.removed_at is null
          and ${whereMemberMayRead(me(of), 'comments', 'c')}`,
    },
  ],
}

const photosOfMe: ExportedDocument = {
  name: 'photos-of-me',
  step: 'posts',
  lists: [
    {
      name: 'photos',
      select: (of) => sql`
        select n.id as key, jsonb_build_object('post', ${postOf(of, 'p')}, 'state', n.state, 'hidden', n.hidden_at is not null,
          'at', n.asked_at) as item
        from post_people n join posts p on p.id = n.post_id
        where n.person_id = ${me(of)} and ${whereMemberMayRead(me(of), 'posts', 'p')}`,
    },
  ],
}

const follows: ExportedDocument = {
  name: 'follows',
  step: 'people',
  lists: [
    {
      name: 'following',
      select: (of) => sql`
        select t.id as key, jsonb_build_object('person', ${person(of, 't.following_id')}, 'since', t.created_at) as item
        from follows t join users u on u.id = t.following_id
        where t.follower_id = ${me(of)} and ${whereMemberMayRead(me(of), 'users', 'u')}`,
    },
    {
      name: 'followers',
      select: (of) => sql`
        select t.id as key, jsonb_build_object('person', ${person(of, 't.follower_id')}, 'since', t.created_at) as item
        from follows t join users u on u.id = t.follower_id
        where t.following_id = ${me(of)} and ${whereMemberMayRead(me(of), 'users', 'u')}`,
    },
    {
      name: 'asked',
      select: (of) => sql`
        select r.id as key, jsonb_build_object('person', ${person(of, 'r.asked_id')}, 'at', r.created_at) as item
        from follow_requests r where r.asker_id = ${me(of)} and ${whereMemberMayRead(me(of), 'follow_requests', 'r')}`,
    },
    {
      name: 'askedBy',
      select: (of) => sql`
        select r.id as key, jsonb_build_object('person', ${person(of, 'r.asker_id')}, 'at', r.created_at) as item
        from follow_requests r where r.asked_id = ${me(of)} and ${whereMemberMayRead(me(of), 'follow_requests', 'r')}`,
    },
  ],
}

const groups: ExportedDocument = {
  name: 'groups',
  step: 'people',
  lists: [
    {
      name: 'groups',
      select: (of) => sql`
        select m.id as key, jsonb_build_object(${exportedColumns('groups', 'g')}, 'role', m.role, 'since', m.created_at) as item
        from users own join group_members m on m.user_id = own.id join groups g on g.id = m.group_id where own.id = ${me(of)}`,
    },
    {
      name: 'requests',
      select: (of) => sql`
        select r.id as key, jsonb_build_object('group', ${group(of, 'r.group_id')}, 'status', r.status, 'at', r.created_at) as item
        from group_requests r where r.user_id = ${me(of)}`,
    },
  ],
}

const choices: ExportedDocument = {
  name: 'blocked-and-muted',
  step: 'people',
  lists: [
    {
      name: 'blocked',
      select: (of) => sql`
        select b.id as key, jsonb_build_object('person', jsonb_build_object('name', pair.other_name, 'username', pair.other_username),
          'since', b.created_at, 'newerAccounts', b.newer_accounts) as item
        from blocks b join block_pairs pair
          on pair.block_id = b.id and pair.member_id = b.blocker_id and pair.other_id = b.blocked_id
        where b.blocker_id = ${me(of)}`,
    },
    {
      name: 'muted',
      select: (of) => sql`
        select t.id as key, jsonb_build_object('person', ${person(of, 't.muted_id')}, 'since', t.created_at) as item
        from mutes t where t.muter_id = ${me(of)}`,
    },
    {
      name: 'restricted',
      select: (of) => sql`
        select t.id as key, jsonb_build_object('person', ${person(of, 't.restricted_id')}, 'since', t.created_at) as item
        from restrictions t where t.restricter_id = ${me(of)}`,
    },
  ],
}

const reports: ExportedDocument = {
  name: 'reports',
  step: 'people',
  lists: [
    {
      name: 'reports',
      select: (of) => sql`
        select r.id as key, jsonb_build_object('reason', r.reason, 'note', r.note, 'at', r.created_at) as item
        from reports r where r.reporter_id = ${me(of)}`,
    },
    {
      name: 'notices',
      select: (of) => sql`
        select t.id as key, jsonb_build_object('kind', t.kind, 'text', t.text, 'at', t.created_at) as item
        from moderation_notices t where t.member_id = ${me(of)}`,
    },
    {
      name: 'appeals',
      select: (of) => sql`
        select t.id as key, jsonb_build_object('text', t.text, 'at', t.created_at, 'outcome', t.outcome, 'answer', t.answer) as item
        from appeals t join moderation_cases c on c.id = t.case_id where c.about_id = ${me(of)}`,
    },
  ],
}

const conversationList: ExportedList = {
  name: 'conversations',
  select: (of) => sql`
    select c.id as key, jsonb_build_object('id', c.public_id, 'with', (select ${person(of, 'other.id')} from users other
        where other.id = case c.low_id when ${me(of)} then c.high_id else c.low_id end), 'since', c.created_at) as item
    from conversations c where c.last_message_id is not null and ${whereMemberMayRead(me(of), 'conversations', 'c')}`,
}

export const selectExportedMessages = (of: ExportSubject, conversation?: number): RawBuilder<unknown> => sql`
  select m.id as key, jsonb_build_object('conversation', c.public_id, 'mine', m.sender_id = ${me(of)}, ${exportedColumns('messages', 'm')},
    'content', case when m.unsent_at is null then m.content end, 'unsent', m.unsent_at is not null,
    'photos', (select coalesce(jsonb_agg(jsonb_build_object('file', e.name, 'alt', ph.alt) order by ph.position), '[]')
      from message_photos ph left join export_entries e on e.export_id = ${of.export} and e.file_id = ph.file_id where ph.message_id = m.id),
    'reactions', (select coalesce(jsonb_agg(jsonb_build_object('emoji', r.emoji, 'mine', r.user_id = ${me(of)})), '[]')
      from message_reactions r where r.message_id = m.id)) as item
  from messages m join conversations c on c.id = m.conversation_id
  where ${whereMemberMayRead(me(of), 'conversations', 'c')} ${conversation === undefined ? sql`` : sql`and c.id = ${conversation}`}`

const conversations: ExportedDocument = {
  name: 'conversations',
  step: 'messages',
  lists: [conversationList, { name: 'messages', select: (of) => selectExportedMessages(of) }],
}

export const exportedDocuments: readonly ExportedDocument[] = [
  ...[profile, settings, devices, log, invitations],
  ...[posts, likes, saves, comments, photosOfMe],
  ...[follows, groups, choices, reports],
  conversations,
]

export function findExportedList(document: string, name: string): ExportedList {
  const found = exportedDocuments
    .find((each) => each.name === document)
    ?.lists.find((list) => list.name === name)
  if (!found) throw new Error(`no list ${document}/${name}`)
  return found
}
