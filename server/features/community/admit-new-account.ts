/** Every way to create an account goes through this module. */
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import type { Config } from '../../config.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { readCommunitySettings } from './community-settings.ts'

/** `invite` takes precedence over the header. `invite` is a hash if an earlier request contained the code. */
export type RegistrationContext = { request: FastifyRequest; config: Config; invite?: string | Buffer }

/** This header is for clients of the Appwrite API, whose calls have no parameter for an invitation code. */
const inviteHeader = 'x-juntas-invite'

/**
 * Must run in the account's transaction, so that of two requests with one invitation, the second waits and is
 * refused.
 * @returns the result of `create`; if it is undefined, the invitation stays open
 * @throws Failure `user_invite_required`, `application_required`, `registration_closed`, `invitation_over`
 */
export async function admitNewAccount<Account extends { id: number } | undefined>(
  db: Kysely<DatabaseTables>,
  { request, config, invite = readInviteHeader(request) }: RegistrationContext,
  create: () => Promise<Account>,
): Promise<Account> {
  const { registration, isSetUp } = await readCommunitySettings(db, config)
  // Nobody can join before the operator has set up the instance.
  if (config.production && !isSetUp) return throwFailure('registration_closed')
  if (registration === 'closed') return throwFailure('registration_closed')
  if (registration === 'invite' && !invite) return throwFailure('user_invite_required')
  if (registration === 'approval' && !invite) return throwFailure('application_required')
  const invitation = invite ? await lockOpenInvitation(db, invite) : null
  const account = await create()
  if (invitation !== null && account !== undefined) {
    await sql`
      update invitations set uses = uses + 1,
        account_id = case when not reusable then ${account.id}::bigint end,
        used_at = case when not reusable then clock_timestamp() end
      where id = ${invitation}`.execute(db)
  }
  return account
}

function readInviteHeader(request: FastifyRequest): string | undefined {
  const given = request.headers[inviteHeader]
  return typeof given === 'string' && given !== '' ? given : undefined
}

/** Ignores case and surrounding spaces, because people type the code. */
export const hashInvitationCode = (code: string): Buffer => hashSecretSha256(code.trim().toLowerCase())

/** The inviter must still be a member, and still an operator if the invitation is reusable. */
export const whereInvitationOpen = sql<boolean>`
  (i.used_at is null and i.ended_at is null and i.expires_at > clock_timestamp() and ${hasOpenAccount(sql.ref('i.inviter_id'))}
    and (not i.reusable or exists (
      select from users iu join accounts ia on ia.id = iu.account_id
      where iu.id = i.inviter_id and ia.labels @> array['operator'])))`

async function lockOpenInvitation(db: Kysely<DatabaseTables>, code: string | Buffer): Promise<number> {
  const hash = typeof code === 'string' ? hashInvitationCode(code) : code
  // The lock is a separate statement, because a single statement would see the state from before it waited.
  await sql`select from invitations where code_hash = ${hash} for update`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select i.id from invitations i where i.code_hash = ${hash} and ${whereInvitationOpen}`.execute(db)
  return rows[0]?.id ?? throwFailure('invitation_over')
}
