import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

export type AccountEvent =
  | 'user.create'
  | 'user.update'
  | 'user.close'
  | 'user.reopen'
  | 'username.update'
  | 'password.update'
  | 'password.delete'
  | 'email.request'
  | 'email.update'
  | 'email.undo'
  | 'session.create'
  | 'session.update'
  | 'session.delete'
  | 'recovery.create'
  | 'recovery.update'
  | 'recovery.operator'
  | 'verification.create'
  | 'verification.update'
  | 'identity.create'
  | 'identity.delete'
  | 'mfa.create'
  | 'mfa.delete'
  | 'mfa.codes'
  | 'mfa.recovery'
  | 'mfa.unlock'
  | 'mfa.unlock-stop'
  | 'passkey.create'
  | 'passkey.delete'
  | 'passkey.refused'
  | 'session.refused'
  | 'export.create'
  | 'export.open'
  | 'export.delete'
  | 'deletion.create'
  | 'deletion.delete'

export const readUserAgentHeader = (request: FastifyRequest): string =>
  (request.headers['user-agent'] ?? '').slice(0, 512)

export const recordAccountEventWithoutRequest = (
  db: Kysely<DatabaseTables>,
  accountId: number,
  event: AccountEvent,
) => sql`insert into account_events (account_id, event) values (${accountId}, ${event})`.execute(db)

/**
 * Call this in the transaction of the change.
 * @param accountId null runs the same statement, so that the response time does not reveal whether an account
 * exists
 */
export async function recordAccountEvent(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  accountId: number | null,
  event: AccountEvent,
): Promise<void> {
  await sql`
    insert into account_events (account_id, event, ip, user_agent)
    select ${accountId}::bigint, ${event}, ${request.ip}::inet, ${readUserAgentHeader(request)}
    where ${accountId}::bigint is not null`.execute(db)
}
