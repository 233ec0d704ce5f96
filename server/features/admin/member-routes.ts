/** Operators see no content and no full email address. */
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import {
  type AdminMember,
  type AdminMemberSummary,
  type adminMemberFilters,
  createRecoveryLinkOperation,
  endSuspensionOperation,
  getAdminMemberOperation,
  listAdminMembersOperation,
  setModeratorOperation,
  signMemberOutOperation,
  suspendMemberOperation,
} from '#contract/admin/members.ts'
import { listPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { isIdentityUsable } from '../../auth/identity-issuers.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { toPersonTerm, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import { hasOpenAccount, memberKeyParameter, whereMemberHasAbility } from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { toRowKeyPage } from '../../store/pagination.ts'
import { issueRecoveryLinkFor } from '../account/operator-commands.ts'
import { suspendForOperator } from '../moderation/decide-case.ts'
import { emailOperatorsOfProposals } from '../moderation/email-operators-of-proposals.ts'
import { appointModerator, dismissModerator } from '../moderation/moderators.ts'
import { maskEmailAddress } from './mask-email-address.ts'
import { endSuspension, signOutEverywhere, wasDecidedByTwo } from './member-acts.ts'
import { recordOperatorAct } from './operator-acts.ts'

type Filter = (typeof adminMemberFilters)[number]

export function registerAdminMemberRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listAdminMembersOperation,
    async ({ term = '', filter = 'all', cursor, limit = listPageSize }, ctx) => {
      const rows = await selectMembers(
        ctx,
        sql`${matchesTerm(term)} and ${filterConditions[filter]} and ${await isAfterCursor(ctx, cursor)}`,
        limit,
      )
      return { documents: rows.map(toSummary), next: toRowKeyPage(rows, limit).next }
    },
  )

  registerRoute(app, context, getAdminMemberOperation, async ({ memberId }, ctx) => {
    return readMember(ctx, memberId)
  })

  registerRoute(app, context, setModeratorOperation, async ({ memberId, moderates }, ctx) => {
    const member = await findMember(ctx, memberId)
    if (moderates && member.state !== 'open') throwFailure('admin_account_closed')
    if (moderates !== member.moderates) {
      const by = { member: ctx.me.id }
      await ctx.store.transact(async ({ db }) => {
        await (moderates ? appointModerator(db, member.id, by) : dismissModerator(db, member.id, by))
      })
      ctx.live.notify([])
    }
    return readMember(ctx, memberId)
  })

  registerRoute(app, context, suspendMemberOperation, async ({ memberId, text, days }, ctx) => {
    const { me, store, live } = ctx
    const member = await findMember(ctx, memberId)
    if (member.id === me.id) throwFailure('admin_own_account')
    if (!member.may_suspend) throwFailure('admin_case_interest')
    let isProposal = false
    await store.transact(async (tx) => {
      const given = { by: me.id, text, days }
      isProposal = await suspendForOperator(tx, { id: member.id, publicId: memberId }, given)
      await recordOperatorAct(tx.db, isProposal ? 'suspension.propose' : 'member.suspend', {
        by: { member: me.id },
        about: member.id,
        detail: { text, days },
      })
    })
    if (isProposal) await emailOperatorsOfProposals(ctx)
    live.notify([])
    return readMember(ctx, memberId)
  })

  registerRoute(app, context, endSuspensionOperation, async ({ memberId }, ctx) => {
    const member = await findMember(ctx, memberId)
    const lifted = await ctx.store.transact((tx) => endSuspension(tx, member, { member: ctx.me.id }))
    if (!lifted) throwFailure('admin_account_not_suspended')
    ctx.live.notify([])
    return readMember(ctx, memberId)
  })

  registerRoute(app, context, createRecoveryLinkOperation, async ({ memberId }, ctx) => {
    const { me, request, database, emails } = ctx
    const { id, account_id, email, state, may_be_recovered } = await findMember(ctx, memberId)
    if (!may_be_recovered) throwFailure('admin_command_required')
    if (state !== 'open') throwFailure('admin_account_closed')
    if (email === null) return throwFailure('admin_account_without_email')
    const link = await issueRecoveryLinkFor(
      { db: database.kysely, emails, publicUrl: getPublicUrlForRequest(request, ctx) },
      { id: account_id, member: id, email },
      { member: me.id },
    )
    return { link }
  })

  registerRoute(app, context, signMemberOutOperation, async ({ memberId }, ctx) => {
    const member = await findMember(ctx, memberId)
    await ctx.store.transact(({ db }) => signOutEverywhere(db, member, { member: ctx.me.id }))
    ctx.live.notify([])
  })
}

type MemberRow = {
  id: number
  public_id: string
  account_id: number
  name: string
  username: string
  email: string | null
  joined_on: string
  active_on: string | null
  state: AdminMember['state']
  moderates: boolean
  operates: boolean
  may_suspend: boolean
  suspends_alone: boolean
  may_be_recovered: boolean
}

const isSuspended = sql`exists (select from suspensions su where su.account_id = a.id and su.lifted_at is null
  and coalesce(su.ends_at, 'infinity') > clock_timestamp())`
const isClosing = sql`exists (select from deletions d where d.account_id = a.id and d.state <> 'done')`
const moderates = sql`exists (select from moderators mo where mo.member_id = u.id)`
const operates = sql`a.labels @> array['operator']`

const filterConditions: Record<Filter, RawBuilder<unknown>> = {
  all: sql`true`,
  suspended: isSuspended,
  moderators: moderates,
  operators: operates,
  closing: isClosing,
}

/** An email address must match as a whole. */
function matchesTerm(typed: string): RawBuilder<unknown> {
  const term = toPersonTerm(typed)
  if (term === '') return sql`true`
  return sql`(${whereTextContains(sql.ref('u.name_folded'), term)} or ${whereTextContains(sql.ref('u.username_folded'), term)}
    or a.email = lower(${typed.trim()}))`
}

async function selectMembers(
  { me, database }: Pick<RequestContext, 'me' | 'database'>,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<MemberRow[]> {
  const asMe = memberKeyParameter(me.id)
  const { rows } = await sql<MemberRow>`
    select u.id, u.public_id, u.account_id, u.name, u.username, a.email,
      to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD') as joined_on,
      case when a.first_session_at is not null then
        to_char(a.accessed_at at time zone 'UTC', 'YYYY-MM-DD') end as active_on,
      case when ${isSuspended} then 'suspended' when ${isClosing} then 'closing'
        when ${hasOpenAccount(sql.ref('u.id'))} then 'open' else 'closed' end as state,
      ${moderates} as moderates, ${operates} as operates,
      ${whereMemberHasAbility(asMe, 'suspend', 'users', 'u')} as may_suspend,
      ${whereMemberHasAbility(asMe, 'beSuspendedByOne', 'users', 'u')} as suspends_alone,
      ${whereMemberHasAbility(asMe, 'beRecovered', 'users', 'u')} as may_be_recovered
    from users u join accounts a on a.id = u.account_id
    where a.erased_at is null and ${which}
    order by u.created_at desc, u.id desc limit ${limit}`.execute(database.kysely)
  return rows
}

async function isAfterCursor(
  { database }: Pick<RequestContext, 'database'>,
  cursor: string | undefined,
): Promise<RawBuilder<unknown>> {
  if (cursor === undefined) return sql`true`
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select u.id, u.created_at from users u where u.public_id = ${cursor}`.execute(database.kysely)
  const [row] = rows
  if (!row) return throwFailure('general_cursor_not_found', { field: 'cursor' })
  return sql`(u.created_at, u.id) < (${row.created_at}, ${row.id})`
}

const toSummary = (row: MemberRow): AdminMemberSummary => ({
  $id: row.public_id,
  name: row.name,
  username: row.username,
  email: row.email && maskEmailAddress(row.email),
  joinedOn: row.joined_on,
  activeOn: row.active_on,
  state: row.state,
  moderates: row.moderates,
  operates: row.operates,
})

async function findMember(ctx: RequestContext, memberId: string): Promise<MemberRow> {
  const [row] = await selectMembers(ctx, sql`u.public_id = ${memberId}`, 1)
  return row ?? throwFailure('user_not_found')
}

async function readMember(ctx: RequestContext, memberId: string): Promise<AdminMember> {
  const row = await findMember(ctx, memberId)
  const db = ctx.database.kysely
  const { rows } = await sql<{
    email_verified: boolean
    password: boolean
    passkeys: number
    two_steps: boolean
    phone: boolean
    providers: string[]
    sessions: number
    proposed: boolean
    by_two: boolean
    suspension: { reason: string; since: string; until: string | null } | null
  }>`
    select a.email_verified, a.password_hash is not null as password, a.mfa as two_steps, a.phone_verified as phone,
      (select count(*)::int from passkeys p where p.account_id = a.id) as passkeys,
      array(select i.provider from identities i where i.account_id = a.id and ${isIdentityUsable(ctx.config)} order by i.provider) as providers,
      (select count(*)::int from sessions s where s.account_id = a.id and s.expires_at > clock_timestamp()) as sessions,
      exists (select from suspension_proposals sp join moderation_cases c on c.id = sp.case_id
        where c.about_id = ${row.id}
          and ${whereMemberHasAbility(memberKeyParameter(ctx.me.id), 'seeProposal', 'moderation_cases', 'c')}) as proposed,
      exists (select from suspensions su where su.account_id = a.id and su.lifted_at is null and ${wasDecidedByTwo('su')}) as by_two,
      (select jsonb_build_object('reason', su.reason, 'since', su.created_at, 'until', su.ends_at) from suspensions su
        where su.account_id = a.id and su.lifted_at is null) as suspension
    from accounts a where a.id = ${row.account_id}`.execute(db)
  const [account] = rows
  if (!account) return throwFailure('user_not_found')
  const { rows: storage } = await sql<{
    purpose: AdminMember['storage'][number]['purpose']
    files: number
    bytes: number
  }>`
    select coalesce(f.purpose, 'none') as purpose, count(*)::int as files,
      coalesce(sum(coalesce(f.size, f.announced_size)), 0)::float8 as bytes
    from files f where f.owner_id = ${row.id} and f.state <> 'deleting' group by 1 order by 3 desc, 1`.execute(
    db,
  )
  const { suspension } = account
  const isOpen = row.state === 'open'
  return {
    ...toSummary(row),
    emailVerified: account.email_verified,
    suspension:
      row.state === 'suspended' && suspension
        ? {
            reason: suspension.reason,
            since: formatIsoTimestamp(new Date(suspension.since)),
            until: suspension.until && formatIsoTimestamp(new Date(suspension.until)),
          }
        : null,
    proposed: account.proposed,
    storage,
    signInMethods: {
      password: account.password,
      passkeys: account.passkeys,
      twoSteps: account.two_steps,
      phone: account.phone,
      providers: account.providers,
    },
    sessions: account.sessions,
    can: {
      moderate: isOpen || row.moderates,
      suspend: row.may_suspend && row.state !== 'suspended' && !account.proposed,
      suspendAlone: row.suspends_alone,
      reopen: row.state === 'suspended' && !account.by_two,
      recover: isOpen && row.email !== null && row.may_be_recovered,
      signOut: account.sessions > 0,
    },
  }
}
