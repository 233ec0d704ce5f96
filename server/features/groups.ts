/** Groups: founding one, finding one, changing and deleting it (spec §2 Groups list, Create Group; §7 Groups). */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  createGroup,
  deleteGroup,
  type Group,
  getGroup,
  listGroups,
  myGroups,
  searchGroups,
  updateGroup,
} from '#contract/groups.ts'
import { listPageSize, searchResultSize } from '#contract/limits.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { type Asking, actsAsHerself, serve } from '../operations.ts'
import { newestFirst, type Page } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, may, mayRead, visible } from '../policy.ts'
import { contains, plannedForItsTerm } from '../search.ts'
import type { Values } from '../store.ts'
import { hydrateGroups } from '../views-groups.ts'

export function groupOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, createGroup, async ({ groupId, name, description, imageId, adminId }, asking) => {
    const { me, store } = asking
    actsAsHerself(me, adminId)
    const key = await store.transact(async (writing) => {
      const values: Values = { name, description, admin_id: me.id }
      if (imageId) values.image_id = imageId
      if (groupId) values.public_id = groupId
      return (await writing.insert(me.id, 'groups', values)).id
    })
    return showGroup(asking, key)
  })

  serve(app, parts, listGroups, async ({ cursor, limit = listPageSize }, asking) => {
    const { me, database } = asking
    return showPage(asking, await newestFirst(database.kysely, me, 'groups', sql`true`, { cursor, limit }))
  })

  serve(app, parts, searchGroups, async ({ term }, { me, database, config }) => {
    if (term === '') return { documents: [] }
    const { rows } = await sql<{ id: number }>`${plannedForItsTerm}
      select g.id from groups g
      where ${contains(sql`g.name || ' ' || g.description`, term)}
        and (${contains(sql.ref('g.name'), term)} or ${contains(sql.ref('g.description'), term)})
        and ${mayRead(asMe(me.id), 'groups', 'g')}
      order by g.created_at desc, g.id desc limit ${searchResultSize}`.execute(database.kysely)
    const keys = rows.map((row) => row.id)
    return { documents: await hydrateGroups(database.kysely, config, me.id, keys) }
  })

  serve(app, parts, myGroups, async ({ userId, cursor, limit = listPageSize }, asking) => {
    const { me, database } = asking
    actsAsHerself(me, userId)
    const hers = sql`t.user_id = ${me.id}`
    const paging = { cursor, limit, key: 'group_id' }
    return showPage(asking, await newestFirst(database.kysely, me, 'groupMembers', hers, paging))
  })

  serve(app, parts, getGroup, async ({ groupId }, asking) => {
    return showGroup(asking, await groupKey(asking.database.kysely, asking.me.id, groupId))
  })

  serve(app, parts, updateGroup, async ({ groupId, adminId, name, description, imageId }, asking) => {
    const { me, store } = asking
    actsAsHerself(me, adminId)
    const values: Values = { name, description, image_id: imageId }
    for (const [column, value] of Object.entries(values)) if (value === undefined) delete values[column]
    const key = await store.transact(async (writing) => {
      await groupKey(writing.db, me.id, groupId)
      return (await writing.update(me.id, 'groups', groupId, values)).id
    })
    return showGroup(asking, key)
  })

  serve(app, parts, deleteGroup, async ({ groupId, name, currentUserId }, { me, store }) => {
    actsAsHerself(me, currentUserId)
    await store.transact(async (writing) => {
      await writing.lock('groups', groupId)
      const group = await visible(writing.db, asMe(me.id), 'groups')
        .select(['name', may(asMe(me.id), 'delete', 'groups', 'groups').as('permitted')])
        .where('public_id', '=', groupId)
        .executeTakeFirst()
      if (!group) return fail('group_not_found')
      if (group.permitted && group.name !== name) fail('group_name_mismatch', { field: 'name' })
      return writing.remove(me.id, 'groups', groupId)
    })
  })
}

const showPage = async ({ me, database, config }: Asking, { keys, next }: Page) => ({
  documents: await hydrateGroups(database.kysely, config, me.id, keys),
  next,
})

/** @throws Failure group_not_found */
export async function groupKey(db: Kysely<Tables>, me: number, groupId: string): Promise<number> {
  const group = await visible(db, asMe(me), 'groups')
    .select('id')
    .where('public_id', '=', groupId)
    .executeTakeFirst()
  return group?.id ?? fail('group_not_found')
}

/** A group as the one who asks sees it now. @throws Failure group_not_found when it has gone meanwhile */
export async function showGroup({ me, database, config }: Asking, key: number): Promise<Group> {
  const [group] = await hydrateGroups(database.kysely, config, me.id, [key])
  return group ?? fail('group_not_found')
}
