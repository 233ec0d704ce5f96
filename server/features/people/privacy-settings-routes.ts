import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  getPrivacySettingsOperation,
  type PrivacySettings,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import type { AppContext } from '../../app-context.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectClosedAccountFollowCount,
  whereAccessRuleAllows,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import {
  assertRecentCodeIfTwoFactorOn,
  assertRecentReauthentication,
  hasRecentReauthentication,
  reauthenticateWithPassword,
} from '../account/reauthentication.ts'
import { lockAccountUnlessTwoFactorTurnedOn } from '../account/second-factor-sign-in.ts'
import { endVouchRequests } from '../community/applications.ts'
import { approveWaitingFollowers } from './approve-waiting-followers.ts'
import { countPendingFollowRequests } from './follow-request-routes.ts'

export function registerPrivacySettingsRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getPrivacySettingsOperation, (_input, ctx) => readSettings(ctx))

  registerRoute(app, context, updatePrivacySettingsOperation, async (wanted, ctx) => {
    const { me, store } = ctx
    const {
      isPrivate,
      earlierPosts,
      password,
      isListed,
      listsFor,
      messagesFrom,
      commentsFrom,
      picturedBy,
      showsTyping,
      showsReceipts,
      onPlacePages,
      takesVouchRequests,
      quickExit,
    } = wanted
    const opens = isPrivate === false && (await readAccount(ctx.database.kysely, me.id)).is_private
    if (opens && earlierPosts === undefined)
      throwFailure('privacy_earlier_posts_required', { field: 'earlierPosts' })
    // Anyone at an unattended laptop could otherwise publish the member's earlier posts.
    if (opens)
      await (password === undefined
        ? assertRecentReauthentication(ctx)
        : reauthenticateWithPassword(ctx, password))
    const seen = opens ? await assertRecentCodeIfTwoFactorOn(ctx) : null
    const opened = await store.transact(async (tx) => {
      if (seen) await lockAccountUnlessTwoFactorTurnedOn(tx.db, ctx, seen)
      const account = await readAccount(tx.db, me.id, { lock: true })
      await tx.updateAll('users', sql`t.id = ${me.id}`, {
        is_listed: isListed ?? account.is_listed,
        lists_for: listsFor ?? account.listsFor,
        messages_from: messagesFrom ?? account.messagesFrom,
        comments_from: commentsFrom ?? account.commentsFrom,
        pictured_by: picturedBy ?? account.picturedBy,
        shows_typing: showsTyping ?? account.showsTyping,
        shows_receipts: showsReceipts ?? account.showsReceipts,
        on_place_pages: onPlacePages ?? account.onPlacePages,
        takes_vouch_requests: takesVouchRequests ?? account.takesVouchRequests,
        quick_exit: quickExit ?? account.quickExit,
      })
      if (takesVouchRequests === false) await endVouchRequests(tx.db, me.id)
      if (isPrivate === undefined || isPrivate === account.is_private) return false
      if (isPrivate) {
        await makePrivate(tx, me.id)
        return false
      }
      // The account became private meanwhile, so the member has not confirmed making it public.
      if (!opens || earlierPosts === undefined) return throwFailure('user_challenge_required')
      await makePublic(tx, me.id, earlierPosts)
      return true
    })
    if (opened) await approveWaitingFollowers(ctx, { asked: me.id })
    return readSettings(ctx)
  })
}

type PrivacyRow = Pick<
  PrivacySettings,
  | 'followerCount'
  | 'followersOnlyPostCount'
  | 'listsFor'
  | 'messagesFrom'
  | 'commentsFrom'
  | 'picturedBy'
  | 'showsTyping'
  | 'showsReceipts'
  | 'onPlacePages'
  | 'takesVouchRequests'
  | 'quickExit'
> & {
  is_private: boolean
  is_listed: boolean
}

/** @param lock keeps the account locked until the commit */
async function readAccount(
  db: Kysely<DatabaseTables>,
  me: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<PrivacyRow> {
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<PrivacyRow>`
    select u.is_private, u.is_listed, u.lists_for as "listsFor", u.messages_from as "messagesFrom",
      u.comments_from as "commentsFrom", u.pictured_by as "picturedBy", u.shows_typing as "showsTyping",
      u.shows_receipts as "showsReceipts", u.on_place_pages as "onPlacePages",
      u.takes_vouch_requests as "takesVouchRequests", u.quick_exit as "quickExit",
      u.followers_post_count as "followersOnlyPostCount",
      u.follower_count - ${selectClosedAccountFollowCount(meParam, 'follower_id')} as "followerCount"
    from users u where u.id = ${meParam} and ${whereAccessRuleAllows(meParam, 'update', 'users', 'u')}
    ${lock ? sql`for no key update of u` : sql``}`.execute(db)
  return rows[0] ?? throwFailure('user_not_found')
}

async function readSettings(ctx: RequestContext): Promise<PrivacySettings> {
  const { me, database } = ctx
  const db = database.kysely
  const { is_private, is_listed, ...account } = await readAccount(db, me.id)
  return {
    ...account,
    isPrivate: is_private,
    isListed: is_listed,
    followRequestCount: await countPendingFollowRequests(db, me),
    takesPassword: !(await hasRecentReauthentication(ctx)),
  }
}

/** Everyone except followers learns that the newest public posts disappeared. */
async function makePrivate(tx: StoreTransaction, me: number): Promise<void> {
  await tx.recordAccessLoss(
    'posts',
    sql`t.creator_id = ${me} and t.group_id is null and not t.followers_only and t.hidden_by is null and t.withheld_by is null`,
    sql`null::bigint[]`,
  )
  await tx.updateAll('posts', sql`t.creator_id = ${me} and t.group_id is null and not t.followers_only`, {
    followers_only: true,
  })
  await tx.updateAll('users', sql`t.id = ${me}`, {
    is_private: true,
    followers_post_count: sql`t.post_count`,
  })
  await tx.recordChange('users', me)
}

async function makePublic(
  tx: StoreTransaction,
  me: number,
  earlierPosts: 'everyone' | 'followers',
): Promise<void> {
  const opensPosts = earlierPosts === 'everyone'
  if (opensPosts)
    await tx.updateAll('posts', sql`t.creator_id = ${me} and t.group_id is null and t.followers_only`, {
      followers_only: false,
    })
  await tx.updateAll('users', sql`t.id = ${me}`, {
    is_private: false,
    ...(opensPosts && { followers_post_count: 0 }),
  })
  await tx.recordChange('users', me)
}
