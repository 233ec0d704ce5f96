import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  blockMemberOperation,
  listBlocksOperation,
  previewBlockOperation,
  setBlockNewerAccountsOperation,
  unblockMemberOperation,
} from '#contract/people/blocks.ts'
import type { AppContext } from '../../app-context.ts'
import { holdAccountsOf } from '../../auth/lock-account-row.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import {
  memberKeyParameter,
  selectJoinedGroupKeys,
  whereAccessRuleAllows,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { type ListedRow, toRowKeyPage } from '../../store/pagination.ts'
import { hydrateBlocks } from './hydrate-blocks.ts'

export function registerBlockRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, previewBlockOperation, async ({ personId }, { me, database }) => {
    if (personId === me.publicId) throwFailure('block_self_not_allowed')
    const db = database.kysely
    const meParam = memberKeyParameter(me.id)
    const { rows: people } = await sql<{ conversation: string | null; follows: boolean; followed: boolean }>`
      select c.public_id as conversation,
        exists (select from follows f where f.follower_id = ${meParam} and f.following_id = u.id) as follows,
        exists (select from follows f where f.follower_id = u.id and f.following_id = ${meParam}) as followed
      from users u left join conversations c
        on c.low_id = least(u.id, ${meParam}) and c.high_id = greatest(u.id, ${meParam}) and c.last_message_id is not null
      where u.public_id = ${personId} and ${whereMemberMayRead(meParam, 'users', 'u')}`.execute(db)
    const person = people[0] ?? throwFailure('user_not_found')
    const { rows: groups } = await sql<{ $id: string; name: string; mine: boolean; theirs: boolean }>`
      select g.public_id as "$id", g.name, ${whereMemberHasAbility(meParam, 'decide', 'groups', 'g')} as mine,
        ${whereMemberHasAbility(sql.ref('m.user_id'), 'decide', 'groups', 'g')} as theirs
      from users u join group_members m on m.user_id = u.id join groups g on g.id = m.group_id
      where u.public_id = ${personId} and ${whereMemberMayRead(meParam, 'group_members', 'm')}
        and m.group_id in ${selectJoinedGroupKeys(meParam)}
      order by g.name, g.id`.execute(db)
    return {
      groups: groups.map(({ $id, name, mine, theirs }) => ({
        $id,
        name,
        admin: mine ? ('me' as const) : theirs ? ('other' as const) : null,
      })),
      conversationId: person.conversation,
      following: person.follows,
      followsMe: person.followed,
    }
  })

  registerRoute(app, context, blockMemberOperation, async ({ personId, removeFrom = [] }, ctx) => {
    const { me, store, live } = ctx
    if (personId === me.publicId) throwFailure('block_self_not_allowed')
    const person = await blockableKey(ctx.database.kysely, me, personId)
    if (removeFrom.length > 0) await assertAdmin(ctx, removeFrom)
    // The member is removed from groups before the block, in separate transactions, because a block must not
    // lock a group.
    for (const groupId of removeFrom) await removeFromGroup(ctx, groupId, person)
    const blockId = await store.transact(async ({ db }) => {
      // Otherwise, a group of the closing account could pass to the blocked member.
      const open = await holdAccountsOf(db, [me.id, person])
      if (!open.has(me.id)) throwFailure('general_unauthorized_scope')
      await blockableKey(db, me, personId)
      // A block that a concurrent request inserted is visible only to the next statement.
      return (
        (await insertBlock(db, me, person)) ??
        (await insertBlock(db, me, person)) ??
        throwFailure('general_service_unavailable', { retryAfter: 1 })
      )
    })
    // The database has recorded the changes for both members.
    live.notify([])
    return { blocked: true as const, blockId }
  })

  registerRoute(app, context, unblockMemberOperation, async ({ personId }, { me, store }) => {
    await store.transact(({ db }) =>
      sql`
        delete from blocks b using users u
        where u.id = b.blocked_id and u.public_id = ${personId}
          and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'delete', 'blocks', 'b')}`.execute(db),
    )
    return { blocked: false as const }
  })

  registerRoute(
    app,
    context,
    listBlocksOperation,
    async ({ cursor, limit = listPageSize }, { me, database }) => {
      const db = database.kysely
      const after = cursor === undefined ? null : await positionOf(db, me, cursor)
      const { rows } = await sql<ListedRow>`
      select b.id, b.public_id from blocks b
      where ${whereMemberMayRead(memberKeyParameter(me.id), 'blocks', 'b')} ${after ? sql`and (b.created_at, b.id) < (${after.created_at}, ${after.id})` : sql``}
      order by b.created_at desc, b.id desc limit ${limit}`.execute(db)
      const { keys, next } = toRowKeyPage(rows, limit)
      return { documents: await hydrateBlocks(db, me.id, keys), next }
    },
  )

  registerRoute(
    app,
    context,
    setBlockNewerAccountsOperation,
    async ({ blockId, newerAccounts }, { me, store, database, live }) => {
      const key = await store.transact(async ({ db }) => {
        const { rows } = await sql<{ id: number }>`
        update blocks b set newer_accounts = ${newerAccounts}
        where b.public_id = ${blockId} and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'blocks', 'b')}
        returning b.id`.execute(db)
        return rows[0]?.id ?? throwFailure('document_not_found')
      })
      live.notify([])
      const [block] = await hydrateBlocks(database.kysely, me.id, [key])
      return block ?? throwFailure('document_not_found')
    },
  )
}

async function blockableKey(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  personId: string,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.public_id = ${personId} and ${whereMemberHasAbility(memberKeyParameter(me.id), 'beBlocked', 'users', 'u')}`.execute(
    db,
  )
  return rows[0]?.id ?? throwFailure('user_not_found')
}

async function insertBlock(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  person: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ public_id: string }>`
    with made as (
      insert into blocks (public_id, blocker_id, blocked_id) values (${generateId()}, ${me.id}, ${person})
      on conflict on constraint blocks_pair do nothing returning public_id
    )
    select public_id from made union all
    select b.public_id from blocks b where b.blocked_id = ${person} and ${whereMemberMayRead(memberKeyParameter(me.id), 'blocks', 'b')}`.execute(
    db,
  )
  return rows[0]?.public_id
}

/** @throws Failure group_not_found, user_unauthorized, each with the name of the field */
async function assertAdmin({ me, database }: RequestContext, groupIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ public_id: string; decides: boolean }>`
    select g.public_id, ${whereMemberHasAbility(memberKeyParameter(me.id), 'decide', 'groups', 'g')} as decides from groups g
    where g.public_id = any(${groupIds}::text[]) and ${whereMemberMayRead(memberKeyParameter(me.id), 'groups', 'g')}`.execute(
    database.kysely,
  )
  const decides = new Map(rows.map((row) => [row.public_id, row.decides]))
  for (const groupId of groupIds) {
    if (!decides.has(groupId)) throwFailure('group_not_found', { field: 'removeFrom' })
    if (!decides.get(groupId)) throwFailure('user_unauthorized', { field: 'removeFrom' })
  }
}

async function removeFromGroup(
  { me, store }: RequestContext,
  groupId: string,
  person: number,
): Promise<void> {
  await store.transact(async (tx) => {
    await tx.lock('groups', groupId)
    const { rows } = await sql<{ public_id: string }>`
      select m.public_id from users u join group_members m on m.user_id = u.id join groups g on g.id = m.group_id
      where u.id = ${person} and g.public_id = ${groupId}
        and ${whereMemberMayRead(memberKeyParameter(me.id), 'group_members', 'm')}`.execute(tx.db)
    if (rows[0]) await tx.remove(me.id, 'groupMembers', rows[0].public_id)
  })
}

async function positionOf(db: Kysely<DatabaseTables>, me: AuthenticatedMember, cursor: string) {
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select b.id, b.created_at from blocks b
    where b.public_id = ${cursor} and ${whereMemberMayRead(memberKeyParameter(me.id), 'blocks', 'b')}`.execute(
    db,
  )
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}
