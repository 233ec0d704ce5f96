/** What happened to an account, kept beside the write and in its transaction (security reference §5.8). */
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './database/schema.ts'

export type AccountEvent =
  | 'user.create'
  | 'user.update'
  | 'session.create'
  | 'session.update'
  | 'session.delete'
  | 'recovery.create'
  | 'recovery.update'
  | 'verification.create'
  | 'verification.update'
  | 'identity.delete'

export const userAgentOf = (request: FastifyRequest): string =>
  (request.headers['user-agent'] ?? '').slice(0, 512)

/**
 * In the transaction of what it tells.
 * @param accountId null writes nothing, by the same statement: it takes as long (reading D-15)
 */
export async function noteEvent(
  db: Kysely<Tables>,
  request: FastifyRequest,
  accountId: number | null,
  event: AccountEvent,
): Promise<void> {
  await sql`
    insert into account_events (account_id, event, ip, user_agent)
    select ${accountId}::bigint, ${event}, ${request.ip}::inet, ${userAgentOf(request)}
    where ${accountId}::bigint is not null`.execute(db)
}
