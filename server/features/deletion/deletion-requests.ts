import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { getDeletionPlanOperation, requestDeletionOperation } from '#contract/deletion/deletion.ts'
import type { OperationInput, OperationOutput } from '#contract/operation.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { cancelPendingDeletion } from '../../auth/account-reopening.ts'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { deletePushSubscriptionOfSession, lockCallersAccount, revokeSessions } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderDatedLinkEmail, renderDeletionSms } from '../../email/message-templates.ts'
import { throwFailure } from '../../errors.ts'
import { consumeNoticeLimit } from '../../http/account-notice-limits.ts'
import { generateId } from '../../ids.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import { memberKeyParameter, selectAdministeredGroupKeys, selectSuccessors } from '../../policy/index.ts'
import type { RequestContext } from '../../route.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { closeAccountAndAppointSuccessors } from '../account/close-account.ts'
import {
  assertRecentReauthentication,
  assertRecentStrongestReauthentication,
  reauthenticateWithCode,
  reauthenticateWithPassword,
} from '../account/reauthentication.ts'
import {
  lockAccountUnlessTwoFactorTurnedOn,
  selectCallerTwoFactorStatus,
} from '../account/second-factor-sign-in.ts'
import { selectCallerAccount } from '../account/update-caller-account.ts'

type Plan = OperationOutput<typeof getDeletionPlanOperation>

const shownSuccessors = 20

export async function listRequiredDeletionProofs(
  ctx: RequestContext,
): Promise<Pick<Plan, 'asksForPassword' | 'asksForCode'>> {
  const account = await selectCallerAccount(ctx.database.kysely, ctx.caller)
  const { hasAuthenticator } = await selectCallerTwoFactorStatus(ctx)
  return { asksForPassword: account.password_hash !== null, asksForCode: hasAuthenticator }
}

export async function previewDeletion(ctx: RequestContext): Promise<Plan> {
  const { me, database, config } = ctx
  const own = memberKeyParameter(me.id)
  const { rows } = await sql<Plan['counts']>`
    select (select count(*)::int from posts where creator_id = ${own}) as posts,
      (select coalesce(sum(photo_count), 0)::int from posts where creator_id = ${own}) as photos,
      (select count(*)::int from post_likes where user_id = ${own}) as likes,
      (select count(*)::int from saves where user_id = ${own}) as saves,
      (select count(*)::int from comments where author_id = ${own} and removed_at is null) as comments,
      (select count(*)::int from messages where sender_id = ${own} and unsent_at is null) as messages`.execute(
    database.kysely,
  )
  const groups = await sql<Plan['groups'][number]>`
    select g.public_id as "$id", g.name, coalesce((
      select jsonb_agg(jsonb_build_object('$id', successor.public_id, 'name', successor.name) order by successor.created_at, successor.id) from (
        select u.public_id, u.name, able.created_at, able.id
        from (${selectSuccessors(sql.ref('g.id'), own)} limit ${shownSuccessors}) able join users u on u.id = able.user_id
      ) successor), '[]') as heirs
    from groups g where g.id in ${selectAdministeredGroupKeys(own)} order by g.name, g.id`.execute(
    database.kysely,
  )
  return {
    eraseAfter: new Date(Date.now() + config.deletionGraceDays * 86_400_000).toISOString(),
    counts: rows[0] as Plan['counts'],
    groups: groups.rows,
    ...(await listRequiredDeletionProofs(ctx)),
  }
}

/**
 * @returns the two-factor status, for `requestDeletion`
 * @throws Failure 400 `username_mismatch`, 401 `user_invalid_credentials`, `user_invalid_token`,
 * `user_challenge_required`
 */
export async function verifyDeletionProofs(
  ctx: RequestContext,
  {
    username,
    password,
    code,
  }: { username: string; password?: string | undefined; code?: string | undefined },
): Promise<{ on: boolean }> {
  const typed = username.replace(/^@/, '').toLowerCase()
  if (typed !== ctx.caller.member?.username.toLowerCase())
    throwFailure('username_mismatch', { field: 'username' })
  await (password === undefined
    ? assertRecentReauthentication(ctx)
    : reauthenticateWithPassword(ctx, password))
  if (code !== undefined && (await selectCallerTwoFactorStatus(ctx)).hasAuthenticator)
    await reauthenticateWithCode(ctx, code)
  return assertRecentStrongestReauthentication(ctx)
}

/** @throws Failure 404 `group_member_not_found` if a chosen successor does not exist */
export async function requestDeletion(
  ctx: RequestContext,
  { heirs = {}, takeBackMessages = false }: OperationInput<typeof requestDeletionOperation>,
  seen: { on: boolean },
): Promise<{ eraseAfter: string; receiptId: string }> {
  const { request, me, caller, config, store } = ctx
  const secret = randomBytes(32).toString('hex')
  const { asked, reached } = await store.transact(async (tx) => {
    const close = async () => {
      // The account is locked first, so that a session that is just starting also ends.
      await lockAccountUnlessTwoFactorTurnedOn(tx.db, ctx, seen)
      const reached = await closeAccount(tx.db, caller.account.id)
      await deletePushSubscriptionOfSession(tx.db, caller.session.id)
      await revokeSessions(tx.db, caller.account.id)
      return reached
    }
    const reached = await closeAccountAndAppointSuccessors(tx, me.id, close, {
      chooseSuccessors: () => findChosenSuccessors(tx, me.id, heirs),
    })
    await recordAccountEvent(tx.db, request, caller.account.id, 'deletion.create')
    const asked = await tx.db
      .insertInto('deletions')
      .values({
        public_id: generateId(),
        account_id: caller.account.id,
        takes_back_messages: takeBackMessages,
        erase_after: sql<Date>`clock_timestamp() + ${`${config.deletionGraceDays} days`}::interval`,
        cancel_hash: hashSecretSha256(secret),
      })
      .returning(['public_id', 'erase_after'])
      .executeTakeFirstOrThrow()
    return { asked, reached }
  })
  const link = `${getPublicUrlForRequest(request, ctx)}/sign-in/keep?userId=${asked.public_id}&secret=${secret}`
  await notifyOfDeletion(ctx, reached, link, asked.erase_after)
  return { eraseAfter: formatIsoTimestamp(asked.erase_after), receiptId: asked.public_id }
}

type ReachableBy = { email: string | null; email_verified: boolean; phone: string | null }

/** A daily limit applies, because the member can request and cancel a deletion as often as they like. */
async function notifyOfDeletion(
  ctx: RequestContext,
  { email, email_verified, phone }: ReachableBy,
  link: string,
  day: Date,
): Promise<void> {
  const { request, limits, emails, sms } = ctx
  if (email !== null) {
    if (await consumeNoticeLimit(ctx, 'deletion-email', { email, email_verified }, request))
      emails.send(email, renderDatedLinkEmail('deletion-asked', link, day))
  } else if (phone !== null && (await limits.spend(request, 'deletion-email', phone))) {
    sms.send(phone, renderDeletionSms(link, day))
  }
}

async function closeAccount(db: Kysely<DatabaseTables>, account: number): Promise<ReachableBy> {
  const closed = await db
    .updateTable('accounts')
    .set({ status: 'blocked' })
    .where('id', '=', account)
    .where('status', '=', 'active')
    .returning([
      'email',
      'email_verified',
      sql<string | null>`case when phone_verified then phone end`.as('phone'),
    ])
    .executeTakeFirst()
  return closed ?? throwFailure('account_closing')
}

async function findChosenSuccessors(
  { db }: StoreTransaction,
  member: number,
  chosen: Record<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const successors = new Map<string, number>()
  const own = memberKeyParameter(member)
  for (const [group, successor] of Object.entries(chosen)) {
    const { rows } = await sql<{ successor: number }>`
      select u.id as successor from groups g cross join lateral (${selectSuccessors(sql.ref('g.id'), own)}) able join users u on u.id = able.user_id
      where g.public_id = ${group} and g.id in ${selectAdministeredGroupKeys(own)} and u.public_id = ${successor}`.execute(
      db,
    )
    if (!rows[0]) return throwFailure('group_member_not_found', { field: 'heirs' })
    successors.set(group, rows[0].successor)
  }
  return successors
}

export async function findCallersDeletion({ caller, database }: RequestContext) {
  const found = await database.kysely
    .selectFrom('deletions')
    .select(['public_id', 'asked_at', 'erase_after'])
    .where('account_id', '=', caller.account.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return found ?? throwFailure('deletion_not_found')
}

/**
 * @param of the account, or the secret from the email
 * @throws Failure 409 `deletion_under_way`; without a pending deletion, 404 `deletion_not_found` for an
 * account and 401 `user_invalid_token` for a secret
 */
export async function cancelDeletion(
  { request, store }: Pick<RequestContext, 'request' | 'store'>,
  of: { account: number } | { secret: string },
): Promise<void> {
  const which =
    'account' in of
      ? sql<boolean>`account_id = ${of.account}`
      : sql<boolean>`cancel_hash = ${hashSecretSha256(of.secret)}`
  await store.transact(async ({ db }) => {
    if (!(await cancelPendingDeletion(db, request, which))) return refuseToKeep(db, which, 'account' in of)
  })
}

async function refuseToKeep(
  db: Kysely<DatabaseTables>,
  which: ReturnType<typeof sql<boolean>>,
  byAccount: boolean,
): Promise<never> {
  const begun = await db.selectFrom('deletions').select('id').where(which).executeTakeFirst()
  if (begun) return throwFailure('deletion_under_way')
  return throwFailure(byAccount ? 'deletion_not_found' : 'user_invalid_token')
}

export async function beginErasureNow({ caller, store }: RequestContext): Promise<{ receiptId: string }> {
  return store.transact(async ({ db }) => {
    const begun = await db
      .updateTable('deletions')
      .set({ state: 'erasing', erase_after: sql<Date>`clock_timestamp()` })
      .where('account_id', '=', caller.account.id)
      .where('state', '=', 'waiting')
      .returning('public_id')
      .executeTakeFirst()
    if (!begun) return throwFailure('deletion_not_found')
    // The deletion is locked before the account, as when it is cancelled.
    await lockCallersAccount(db, caller)
    await deletePushSubscriptionOfSession(db, caller.session.id)
    await revokeSessions(db, caller.account.id)
    return { receiptId: begun.public_id }
  })
}
