/** People: who is here, one of them, and who follows whom (spec §2 Home, All Users, Profile; §4 Follow). */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listPageSize, searchResultSize } from '#contract/limits.ts'
import {
  follow,
  getPerson,
  isFollowing,
  listFollowers,
  listFollowing,
  listPeople,
  searchPeople,
  unfollow,
  updatePerson,
} from '#contract/people.ts'
import { fail } from '../errors.ts'
import { type Asking, actsAsHerself, serve } from '../operations.ts'
import { newestFirst } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, mayRead, visible } from '../policy.ts'
import { contains, plannedForItsTerm } from '../search.ts'
import type { Values } from '../store.ts'
import { hydratePeople } from '../views.ts'

export function peopleOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, listPeople, async ({ limit = listPageSize, cursor, who }, { me, database, config }) => {
    const db = database.kysely
    const which = who === 'others' ? sql`t.id <> ${me.id}` : sql`true`
    const { keys, next } = await newestFirst(db, me, 'users', which, { cursor, limit })
    return { documents: await hydratePeople(db, config, me.id, keys, { counts: false }), next }
  })

  serve(app, parts, getPerson, async ({ personId }, asking) => {
    const key = await personKey(asking, personId)
    const [profile] = await hydratePeople(asking.database.kysely, asking.config, asking.me.id, [key], {
      counts: true,
    })
    return profile ?? fail('user_not_found')
  })

  serve(app, parts, updatePerson, async ({ personId, userId, name, bio, imageId }, asking) => {
    const { me, store, database, config } = asking
    actsAsHerself(me, userId)
    const values: Values = { name, bio, image_id: imageId }
    for (const [column, value] of Object.entries(values)) if (value === undefined) delete values[column]
    await personKey(asking, personId)
    await store.transact((writing) => writing.update(me.id, 'users', personId, values))
    const [profile] = await hydratePeople(database.kysely, config, me.id, [me.id], { counts: true })
    return profile ?? fail('user_not_found')
  })

  serve(app, parts, searchPeople, async ({ term, who }, { me, database, config }) => {
    if (term === '') return { documents: [] }
    const { rows } = await sql<{ id: number }>`${plannedForItsTerm}
      select u.id from users u
      where ${contains(sql`u.name || ' ' || u.username`, term)}
        and (${contains(sql.ref('u.name'), term)} or ${contains(sql.ref('u.username'), term)})
        and ${mayRead(asMe(me.id), 'users', 'u')} ${who === 'others' ? sql`and u.id <> ${me.id}` : sql``}
      order by u.created_at desc, u.id desc limit ${searchResultSize}`.execute(database.kysely)
    return { documents: await hydratePeople(database.kysely, config, me.id, keysOf(rows), { counts: false }) }
  })

  serve(app, parts, follow, async ({ personId, followerId }, asking) => {
    actsAsHerself(asking.me, followerId)
    const following_id = await personKey(asking, personId)
    await asking.store.insert(asking.me.id, 'follows', { follower_id: asking.me.id, following_id })
    return { following: true }
  })

  serve(app, parts, unfollow, async ({ personId, followerId }, asking) => {
    actsAsHerself(asking.me, followerId)
    const following_id = await personKey(asking, personId)
    await asking.store.transact(async (writing) => {
      const edge = await visible(writing.db, asMe(asking.me.id), 'follows')
        .select('public_id')
        .where('follower_id', '=', asking.me.id)
        .where('following_id', '=', following_id)
        .forUpdate()
        .executeTakeFirst()
      if (edge) await writing.remove(asking.me.id, 'follows', edge.public_id)
    })
    return { following: false }
  })

  serve(app, parts, isFollowing, async ({ personId }, asking) => {
    const target = await personKey(asking, personId)
    const edge = await visible(asking.database.kysely, asMe(asking.me.id), 'follows')
      .select('id')
      .where('follower_id', '=', asking.me.id)
      .where('following_id', '=', target)
      .executeTakeFirst()
    return { following: edge !== undefined }
  })

  for (const [operation, hers, theirs] of [
    [listFollowers, 'following_id', 'follower_id'],
    [listFollowing, 'follower_id', 'following_id'],
  ] as const) {
    serve(app, parts, operation, async ({ personId, cursor, limit = listPageSize }, asking) => {
      const { me, database, config } = asking
      const db = database.kysely
      const which = sql`t.${sql.ref(hers)} = ${await personKey(asking, personId)}`
      const { keys, next } = await newestFirst(db, me, 'follows', which, { cursor, limit, key: theirs })
      return { documents: await hydratePeople(db, config, me.id, keys, { counts: false }), next }
    })
  }
}

const keysOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id)

async function personKey({ database, me }: Asking, personId: string): Promise<number> {
  const found = await visible(database.kysely, asMe(me.id), 'users')
    .select('id')
    .where('public_id', '=', personId)
    .executeTakeFirst()
  return found?.id ?? fail('user_not_found')
}
