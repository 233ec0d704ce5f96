/** Indicators are relayed only if both members show them. */
import { sql } from 'kysely'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { typingIntervalMs } from '#contract/realtime/realtime.ts'
import type { AuthenticatedMember } from '../auth/session.ts'
import type { Database } from '../database/open-database.ts'
import type { ServerLogger } from '../log.ts'
import { memberKeyParameter, whereMemberHasAbility, whereMemberMayRead } from '../policy/index.ts'
import type { ChangeDelivery } from './outbox-delivery.ts'

/**
 * Sends nothing back if the signal is too frequent, forbidden or for another member's conversation, because
 * a response would reveal the recipient's settings.
 */
export type TypingRelay = (me: AuthenticatedMember, conversationId: string) => Promise<void>

export function createTypingRelay({
  database: { kysely: db },
  live,
  log,
}: {
  database: Database
  live: ChangeDelivery
  log: ServerLogger
}): TypingRelay {
  const recent = new RateLimiterMemory({ points: 1, duration: typingIntervalMs / 1000 })

  return async (me, conversationId) => {
    const meParam = memberKeyParameter(me.id)
    const { rows } = await sql<{ other: number }>`
      select case c.low_id when ${meParam} then c.high_id else c.low_id end as other from conversations c
      where c.public_id = ${conversationId} and ${whereMemberMayRead(meParam, 'conversations', 'c')}
        and ${whereMemberHasAbility(meParam, 'signalTyping', 'conversations', 'c')}`
      .execute(db)
      .catch((error: unknown) => {
        log.debug({ err: error }, 'typing indicators could not be sent')
        return { rows: [] }
      })
    const [found] = rows
    if (!found) return
    const isDue = await recent.consume(`${me.id} ${found.other}`).then(
      () => true,
      () => false,
    )
    if (isDue) live.signalTyping(found.other, { conversationId, personId: me.publicId })
  }
}
