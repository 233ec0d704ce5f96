/** Decides who may become an account's holder: the one place that every way to make an account goes through. */
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import type { Config } from '../../config.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { readCommunitySettings } from './community-settings.ts'

/** The request that makes an account; `invite` in place of the header that clients of the dialect send. */
export type RegistrationContext = { request: FastifyRequest; config: Config; invite?: string }

/** Carries the code of an invitation where a call has no parameter for it. */
const inviteHeader = 'x-juntas-invite'

/**
 * Runs `create`, which inserts an account, if the community lets one in; it uses up the invitation it came with, unless that is reusable. Call it in the
 * transaction that the account is made in: of two who use one invitation the second waits, and is refused.
 * @returns what `create` returned; where that is undefined the invitation stays open
 * @throws Failure `user_invite_required`, `registration_closed`, `invitation_over`
 */
export async function admitNewAccount<Account extends { id: number } | undefined>(
  db: Kysely<DatabaseTables>,
  { request, config, invite = readInviteHeader(request) }: RegistrationContext,
  create: () => Promise<Account>,
): Promise<Account> {
  const { registration, isSetUp } = await readCommunitySettings(db, config)
  // Whoever came before the operator would find a place that nobody runs yet.
  if (config.production && !isSetUp) return throwFailure('registration_closed')
  if (registration === 'closed') return throwFailure('registration_closed')
  if (registration === 'invite' && !invite) return throwFailure('user_invite_required')
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

/** How an invitation's code is looked up: as it is typed, too. */
export const hashInvitationCode = (code: string): Buffer => hashSecretSha256(code.trim().toLowerCase())

/**
 * Tells whether the row `i` still lets somebody in: neither used, ended nor expired, its inviter still a member, and still an operator if
 * it is reusable.
 */
export const whereInvitationOpen = sql<boolean>`
  (i.used_at is null and i.ended_at is null and i.expires_at > clock_timestamp() and ${hasOpenAccount(sql.ref('i.inviter_id'))}
    and (not i.reusable or exists (
      select from users iu join accounts ia on ia.id = iu.account_id
      where iu.id = i.inviter_id and ia.labels @> array['operator'])))`

async function lockOpenInvitation(db: Kysely<DatabaseTables>, code: string): Promise<number> {
  // The state is read after the lock is had: in one statement it would be that of before the wait.
  await sql`select from invitations where code_hash = ${hashInvitationCode(code)} for update`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select i.id from invitations i where i.code_hash = ${hashInvitationCode(code)} and ${whereInvitationOpen}`.execute(
    db,
  )
  return rows[0]?.id ?? throwFailure('invitation_over')
}
