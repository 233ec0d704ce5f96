/** A push message contains only what its recipient may see now. */
import { type Kysely, sql } from 'kysely'
import type { PushKind } from '#contract/notifications/notification-delivery.ts'
import type { Notification, NotificationKind } from '#contract/notifications/notifications.ts'
import type { PushMessage } from '#contract/notifications/push.ts'
import type { Config } from '../../../config.ts'
import type { DatabaseTables } from '../../../database/schema.ts'
import { memberKeyParameter, whereMemberHasAbility, whereMemberMayRead } from '../../../policy/index.ts'
import { countUnreadConversations } from '../../chat/conversation-routes.ts'
import { whereNotMuted } from '../../people/mute-filter.ts'
import { countNotifications, listUnseenNotifications } from '../notification-queries.ts'

/** `upTo` is the number of the newest event in the message. */
export type ComposedPush = { message: Omit<PushMessage, 'badge'>; upTo: number }

const maxNews = 20

export const accountSafetyNotificationKinds: readonly NotificationKind[] = ['new-device', 'two-steps-off']

type UnreadRow = { id: number; name: string; conversation: string }

export async function composeMessagePush(
  db: Kysely<DatabaseTables>,
  me: number,
  { after, hidesContents }: { after: number; hidesContents: boolean },
): Promise<ComposedPush | null> {
  const asMe = memberKeyParameter(me)
  const unreadAs = (side: 'low' | 'high', other: 'high_id' | 'low_id') => sql`(
    select newest.id, sender.name, c.public_id as conversation from conversations c
    join users sender on sender.id = c.${sql.ref(other)}
    cross join lateral (
      select m.id from messages m
      where m.conversation_id = c.id and m.id > c.${sql.ref(`${side}_read_id`)} and m.id > ${after}
        and m.sender_id = sender.id and m.unsent_at is null and ${whereMemberMayRead(asMe, 'messages', 'm')}
      order by m.id desc limit 1) newest
    where c.${sql.ref(`${side}_id`)} = ${asMe} and c.last_message_id > c.${sql.ref(`${side}_read_id`)}
      and ${whereMemberMayRead(asMe, 'conversations', 'c')} and ${whereMemberMayRead(asMe, 'users', 'sender')}
      and ${whereMemberHasAbility(asMe, 'list', 'conversations', 'c')} and ${whereNotMuted(me, sql.ref(`c.${other}`))}
    order by newest.id desc limit ${maxNews})`
  const { rows } = await sql<UnreadRow>`
    select * from (${unreadAs('low', 'high_id')} union all ${unreadAs('high', 'low_id')}) unread
    order by id desc limit ${maxNews}`.execute(db)
  const [newest] = rows
  if (!newest) return null
  return {
    upTo: newest.id,
    message: {
      kind: 'message',
      ...(hidesContents ? {} : named(newest.name, rows.length - 1)),
      ...(rows.length === 1 ? { conversationId: newest.conversation } : {}),
    },
  }
}

const named = (name: string, others: number) => ({ name, ...(others > 0 ? { others } : {}) })

export async function composeNotificationPush(
  db: Kysely<DatabaseTables>,
  config: Config,
  me: number,
  about: { kinds: readonly NotificationKind[]; after: number; hidesContents: boolean },
): Promise<ComposedPush | null> {
  const rows = await listUnseenNotifications(db, config, me, { ...about, limit: maxNews })
  const [newest] = rows
  if (!newest) return null
  const isSafety = accountSafetyNotificationKinds.includes(newest.kind)
  return {
    upTo: newest.seq,
    message: {
      ...(about.hidesContents && !isSafety ? { kind: 'news' } : describe(newest)),
      ...(rows.length === 1 ? destinationOf(newest) : {}),
    },
  }
}

const describe = ({ kind, people, count }: Notification) => ({
  kind,
  ...(people[0] ? named(people[0].name, count - 1) : {}),
})

function destinationOf({ post, group, conversationId }: Notification) {
  if (conversationId !== null) return { conversationId }
  if (post !== null) return { postId: post.$id }
  return group === null ? {} : { groupId: group.$id }
}

export const toPushedNotificationKinds = (chosen: readonly PushKind[]): NotificationKind[] => [
  ...chosen.filter((kind) => kind !== 'message'),
  'export-ready',
]

export async function countAppBadge(db: Kysely<DatabaseTables>, me: number): Promise<number> {
  const [{ unseen }, conversations] = await Promise.all([
    countNotifications(db, me),
    countUnreadConversations(db, me),
  ])
  return unseen + conversations
}
