import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { invitationLifetimeDays, maxOpenInvitations } from '#contract/community/community-limits.ts'
import {
  createInvitationOperation,
  getInvitationOperation,
  type Invitation,
  listInvitationsOperation,
  revokeInvitationOperation,
} from '#contract/community/invitations.ts'
import type { AppContext } from '../../app-context.ts'
import type { InstanceKey } from '../../auth/instance-key.ts'
import { lockCallersAccount } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { isOperator, memberKeyParameter, selectReadableRows } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { assertRecentStrongestReauthentication } from '../account/reauthentication.ts'
import { hydratePeople } from '../people/hydrate-people.ts'
import { hashInvitationCode, whereInvitationOpen } from './admit-new-account.ts'
import { readCommunitySettings } from './community-settings.ts'

export function registerInvitationRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getInvitationOperation, async ({ code }, { database, config }) => {
    const { rows } = await sql<{ name: string; expires_at: Date; members: number }>`
      select u.name, i.expires_at,
        (select count(*)::int from users) as members
      from invitations i join users u on u.id = i.inviter_id
      where i.code_hash = ${hashInvitationCode(code)} and ${whereInvitationOpen}`.execute(database.kysely)
    const [open] = rows
    if (!open) return throwFailure('invitation_over')
    const { name, registration } = await readCommunitySettings(database.kysely, config)
    if (registration === 'closed') return throwFailure('invitation_over')
    return {
      inviter: { name: open.name },
      community: { name, membersAtLeast: roundDown(open.members) },
      expiresAt: open.expires_at.toISOString(),
    }
  })

  registerRoute(
    app,
    context,
    listInvitationsOperation,
    async (_input, { me, config, database, instanceKey }) => {
      const rows = await selectInvitations(database.kysely, me.id)
      const guests = new Map(
        (
          await hydratePeople(
            database.kysely,
            config,
            me.id,
            await readableMembers(
              database.kysely,
              me.id,
              rows.flatMap(({ guest_id }) => guest_id ?? []),
            ),
            { counts: false },
          )
        ).map((person) => [person.$id, person]),
      )
      const { registration } = await readCommunitySettings(database.kysely, config)
      return {
        documents: await Promise.all(
          rows.map(async (row) => ({
            ...(await toInvitation(instanceKey, row)),
            guest: guests.get(row.guest_public_id ?? '') ?? null,
          })),
        ),
        canInvite: registration !== 'closed',
      }
    },
  )

  registerRoute(app, context, createInvitationOperation, async ({ reusable = false }, ctx) => {
    const { me, caller, store, instanceKey } = ctx
    const operates = await isOperator(ctx)
    if (reusable && !operates) throwFailure('user_unauthorized', { field: 'reusable' })
    if (reusable) await assertRecentStrongestReauthentication(ctx)
    const limit = maxOpenInvitations[operates ? 'operator' : 'member']
    const days = invitationLifetimeDays[reusable ? 'reusable' : 'single']
    const publicId = generateId()
    const code = generateInvitationCode()
    const sealed = await instanceKey.seal(Buffer.from(code), { purpose: 'invitation', owner: publicId })
    return store.transact(async ({ db }) => {
      // Without the lock, a session that a new password just ended could still create an invitation, which
      // would stay open.
      await lockCallersAccount(db, caller)
      // The lock makes concurrent requests count each other's invitations.
      await sql`select from users where id = ${me.id} for update`.execute(db)
      const { rows } = await sql<InvitationRow>`
        insert into invitations as i (public_id, code_hash, sealed_code, inviter_id, reusable, expires_at)
        select ${publicId}, ${hashInvitationCode(code)}, ${sealed}, ${me.id}, ${reusable},
          clock_timestamp() + make_interval(days => ${days})
        where (select count(*) from invitations i where i.inviter_id = ${me.id} and ${whereInvitationOpen}) < ${limit}
        returning i.*, true as open`.execute(db)
      const [row] = rows
      if (!row) return throwFailure(operates ? 'operator_invitation_limit' : 'invitation_limit')
      return { ...(await toInvitation(instanceKey, row)), guest: null }
    })
  })

  registerRoute(app, context, revokeInvitationOperation, async ({ invitationId }, { me, store }) => {
    await store.transact(async ({ db }) => {
      const { rows } = await sql`
        update invitations set ended_at = case when used_at is null then coalesce(ended_at, clock_timestamp()) end
        where public_id = ${invitationId} and inviter_id = ${me.id} returning id`.execute(db)
      if (rows.length === 0) throwFailure('document_not_found')
    })
  })
}

/**
 * The alphabet has Crockford's unambiguous digits and lower-case letters. Thirteen characters contain 65
 * random bits.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A code has the form `xxxx-xxxx-xxxxx`. */
function generateInvitationCode(): string {
  const emails = Array.from(randomBytes(13), (byte) => alphabet[byte % alphabet.length]).join('')
  return `${emails.slice(0, 4)}-${emails.slice(4, 8)}-${emails.slice(8)}`
}

type InvitationRow = {
  public_id: string
  sealed_code: Buffer
  created_at: Date
  expires_at: Date
  used_at: Date | null
  ended_at: Date | null
  open: boolean
  reusable: boolean
  uses: number
  guest_id: number | null
  guest_public_id: string | null
}

/** Ended invitations are listed for a year. */
async function selectInvitations(db: Kysely<DatabaseTables>, me: number): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select i.*, ${whereInvitationOpen} as open, guest.id as guest_id, guest.public_id as guest_public_id
    from invitations i left join users guest on guest.account_id = i.account_id
    where i.inviter_id = ${me} and i.created_at > clock_timestamp() - interval '1 year'
    order by i.id desc limit 100`.execute(db)
  return rows
}

async function readableMembers(db: Kysely<DatabaseTables>, me: number, members: number[]): Promise<number[]> {
  if (members.length === 0) return []
  const rows = await selectReadableRows(db, memberKeyParameter(me), 'users')
    .select('id')
    .where('id', 'in', members)
    .execute()
  return rows.map(({ id }) => id)
}

async function toInvitation(
  instanceKey: InstanceKey,
  row: InvitationRow,
): Promise<Omit<Invitation, 'guest'>> {
  const state = row.used_at ? 'used' : row.open ? 'open' : 'ended'
  const code =
    state === 'open'
      ? await instanceKey.open(row.sealed_code, { purpose: 'invitation', owner: row.public_id })
      : null
  return {
    $id: row.public_id,
    state,
    reusable: row.reusable,
    uses: row.uses,
    createdAt: row.created_at.toISOString(),
    code: code?.toString() ?? null,
    at: (row.used_at ?? row.ended_at ?? row.expires_at).toISOString(),
  }
}

/** @returns the count rounded down to 0, 10, 25, 50, 100, 250 and so on */
function roundDown(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(count, 1)))
  if (power < 10) return 0
  return [5, 2.5, 1].map((step) => step * power).find((step) => step <= count) ?? 0
}
