import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  createGroupOperation,
  deleteGroupOperation,
  type Group,
  getGroupOperation,
  listGroupsOperation,
  listMyGroupsOperation,
  searchGroupsOperation,
  updateGroupOperation,
} from '#contract/groups/groups.ts'
import { listPageSize, maxSearchResultCount } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import { mapFieldsToColumns } from '../../database/column-names.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { sqlUnpreparedStatementComment, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectReadableRows,
  whereAccessRuleAllows,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { type RowKeyPage, selectNewestFirstPage } from '../../store/pagination.ts'
import type { ColumnValues } from '../../store/store-transaction.ts'
import { hydrateGroups } from './hydrate-groups.ts'

export function registerGroupRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    createGroupOperation,
    async ({ groupId, adminId, isPrivate: _, ...content }, ctx) => {
      const { me, store } = ctx
      assertActorIsCaller(me, adminId)
      const key = await store.transact(async (tx) => {
        const values: ColumnValues = { ...mapFieldsToColumns(content), admin_id: me.id }
        if (groupId) values.public_id = groupId
        return (await tx.insert(me.id, 'groups', values)).id
      })
      return readGroupForCaller(ctx, key)
    },
  )

  registerRoute(app, context, listGroupsOperation, async ({ cursor, limit = listPageSize }, ctx) => {
    const { me, database } = ctx
    return showPage(
      ctx,
      await selectNewestFirstPage(database.kysely, me, 'groups', sql`true`, { cursor, limit }),
    )
  })

  registerRoute(app, context, searchGroupsOperation, async ({ term }, { me, lists, config }) => {
    if (term === '') return { documents: [] }
    const found = sql<{ id: number }>`${sqlUnpreparedStatementComment}
      select g.id from groups g
      where ${whereTextContains(sql`g.name_folded || ' ' || g.description_folded`, term)}
        and (${whereTextContains(sql.ref('g.name_folded'), term)} or ${whereTextContains(sql.ref('g.description_folded'), term)})
        and ${whereMemberMayRead(memberKeyParameter(me.id), 'groups', 'g')}
      order by g.created_at desc, g.id desc limit ${maxSearchResultCount}`
    return lists(me.id, async (db) => {
      const { rows } = await found.execute(db)
      const keys = rows.map((row) => row.id)
      return { documents: await hydrateGroups(db, config, me.id, keys) }
    })
  })

  registerRoute(
    app,
    context,
    listMyGroupsOperation,
    async ({ userId, cursor, limit = listPageSize }, ctx) => {
      const { me, database } = ctx
      assertActorIsCaller(me, userId)
      const ownMemberships = sql`t.user_id = ${me.id}`
      const paging = { cursor, limit, key: 'group_id' }
      return showPage(
        ctx,
        await selectNewestFirstPage(database.kysely, me, 'groupMembers', ownMemberships, paging),
      )
    },
  )

  registerRoute(app, context, getGroupOperation, async ({ groupId }, ctx) => {
    return readGroupForCaller(ctx, await findGroupKey(ctx.database.kysely, ctx.me.id, groupId))
  })

  registerRoute(app, context, updateGroupOperation, async ({ groupId, adminId, ...content }, ctx) => {
    const { me, store } = ctx
    assertActorIsCaller(me, adminId)
    const key = await store.transact(async (tx) => {
      await findGroupKey(tx.db, me.id, groupId)
      return (await tx.update(me.id, 'groups', groupId, mapFieldsToColumns(content))).id
    })
    return readGroupForCaller(ctx, key)
  })

  registerRoute(
    app,
    context,
    deleteGroupOperation,
    async ({ groupId, name, currentUserId }, { me, store }) => {
      assertActorIsCaller(me, currentUserId)
      await store.transact(async (tx) => {
        await tx.lock('groups', groupId)
        const group = await selectReadableRows(tx.db, memberKeyParameter(me.id), 'groups')
          .select([
            'name',
            whereAccessRuleAllows(memberKeyParameter(me.id), 'delete', 'groups', 'groups').as('permitted'),
          ])
          .where('public_id', '=', groupId)
          .executeTakeFirst()
        if (!group) return throwFailure('group_not_found')
        if (group.permitted && group.name !== name) throwFailure('group_name_mismatch', { field: 'name' })
        return tx.remove(me.id, 'groups', groupId)
      })
    },
  )
}

const showPage = async ({ me, database, config }: RequestContext, { keys, next }: RowKeyPage) => ({
  documents: await hydrateGroups(database.kysely, config, me.id, keys),
  next,
})

export async function findGroupKey(db: Kysely<DatabaseTables>, me: number, groupId: string): Promise<number> {
  const group = await selectReadableRows(db, memberKeyParameter(me), 'groups')
    .select('id')
    .where('public_id', '=', groupId)
    .executeTakeFirst()
  return group?.id ?? throwFailure('group_not_found')
}

/**
 * @param db the transaction of a write, to read its own state
 * @throws Failure group_not_found if the group was deleted meanwhile
 */
export async function readGroupForCaller(
  { me, database, config }: RequestContext,
  key: number,
  db: Kysely<DatabaseTables> = database.kysely,
): Promise<Group> {
  const [group] = await hydrateGroups(db, config, me.id, [key])
  return group ?? throwFailure('group_not_found')
}
