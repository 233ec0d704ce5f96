import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listPageSize, maxSearchResultCount } from '#contract/limits.ts'
import {
  followOperation,
  getPersonOperation,
  isFollowingOperation,
  listFollowersOperation,
  listFollowingOperation,
  listPeopleOperation,
  removeFollowerOperation,
  searchPeopleOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import { mapFieldsToColumns } from '../../database/column-names.ts'
import { sqlUnpreparedStatementComment, toPersonTerm, whereTextContains } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectReadableRows,
  whereMemberHasAbility,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { selectNewestFirstPage } from '../../store/pagination.ts'
import { followOrRequestFollow, withdrawFollowRequest } from './follow-request-routes.ts'
import { hydratePeople } from './hydrate-people.ts'

export function registerPeopleRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listPeopleOperation,
    async ({ limit = listPageSize, cursor, who }, { me, database, config }) => {
      const db = database.kysely
      const found = whereMemberHasAbility(memberKeyParameter(me.id), 'beFound', 'users', 't')
      const which = who === 'others' ? sql`${found} and t.id <> ${me.id}` : found
      const { keys, next } = await selectNewestFirstPage(db, me, 'users', which, { cursor, limit })
      return { documents: await hydratePeople(db, config, me.id, keys, { counts: false }), next }
    },
  )

  registerRoute(app, context, getPersonOperation, async ({ personId }, ctx) => {
    const key = await personKey(ctx, personId)
    const [profile] = await hydratePeople(ctx.database.kysely, ctx.config, ctx.me.id, [key], {
      counts: true,
    })
    return profile ?? throwFailure('user_not_found')
  })

  registerRoute(app, context, updateProfileOperation, async ({ personId, userId, ...content }, ctx) => {
    const { me, store, database, config } = ctx
    assertActorIsCaller(me, userId)
    await personKey(ctx, personId)
    await store.transact((tx) => tx.update(me.id, 'users', personId, mapFieldsToColumns(content)))
    const [profile] = await hydratePeople(database.kysely, config, me.id, [me.id], { counts: true })
    return profile ?? throwFailure('user_not_found')
  })

  registerRoute(app, context, searchPeopleOperation, async ({ term: typed, who }, { me, lists, config }) => {
    const term = toPersonTerm(typed)
    if (term === '') return { documents: [] }
    const found = sql<{ id: number }>`${sqlUnpreparedStatementComment}
      select u.id from users u
      where ${whereTextContains(sql`u.name_folded || ' ' || u.username_folded`, term)}
        and (${whereTextContains(sql.ref('u.name_folded'), term)} or ${whereTextContains(sql.ref('u.username_folded'), term)})
        and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
        and ${whereMemberHasAbility(memberKeyParameter(me.id), 'beFound', 'users', 'u')} ${who === 'others' ? sql`and u.id <> ${me.id}` : sql``}
      order by u.created_at desc, u.id desc limit ${maxSearchResultCount}`
    return lists(me.id, async (db) => {
      const { rows } = await found.execute(db)
      return { documents: await hydratePeople(db, config, me.id, keysOf(rows), { counts: false }) }
    })
  })

  registerRoute(app, context, followOperation, async ({ personId, followerId }, ctx) => {
    assertActorIsCaller(ctx.me, followerId)
    const following_id = await personKey(ctx, personId)
    const { requested } = await ctx.store.transact((tx) => followOrRequestFollow(tx, ctx.me, following_id))
    return { following: !requested, requested }
  })

  registerRoute(app, context, unfollowOperation, async ({ personId, followerId }, ctx) => {
    assertActorIsCaller(ctx.me, followerId)
    const following_id = await personKey(ctx, personId)
    await ctx.store.transact(async (tx) => {
      const edge = await selectReadableRows(tx.db, memberKeyParameter(ctx.me.id), 'follows')
        .select('public_id')
        .where('follower_id', '=', ctx.me.id)
        .where('following_id', '=', following_id)
        .forUpdate()
        .executeTakeFirst()
      if (edge) await tx.remove(ctx.me.id, 'follows', edge.public_id)
      else await withdrawFollowRequest(tx, ctx.me, following_id)
    })
    return { following: false, requested: false }
  })

  registerRoute(app, context, removeFollowerOperation, async ({ personId }, { me, store }) => {
    await store.transact(async (tx) => {
      const meParam = memberKeyParameter(me.id)
      const person = await selectReadableRows(tx.db, meParam, 'users')
        .select('id')
        .where('public_id', '=', personId)
        .executeTakeFirst()
      if (!person) return throwFailure('user_not_found')
      const edge = await selectReadableRows(tx.db, meParam, 'follows')
        .select('public_id')
        .where('follower_id', '=', person.id)
        .where('following_id', '=', me.id)
        .forUpdate()
        .executeTakeFirst()
      if (edge) await tx.remove(me.id, 'follows', edge.public_id)
    })
    return { removed: true as const }
  })

  registerRoute(app, context, isFollowingOperation, async ({ personId }, ctx) => {
    const [person] = await hydratePeople(
      ctx.database.kysely,
      ctx.config,
      ctx.me.id,
      [await personKey(ctx, personId)],
      { counts: false },
    )
    return { following: person?.following === true, requested: person?.requested === true }
  })

  for (const [operation, personColumn, listedColumn] of [
    [listFollowersOperation, 'following_id', 'follower_id'],
    [listFollowingOperation, 'follower_id', 'following_id'],
  ] as const) {
    registerRoute(app, context, operation, async ({ personId, cursor, limit = listPageSize }, ctx) => {
      const { me, database, config } = ctx
      const db = database.kysely
      const person = await personKey(ctx, personId)
      const listsAreOpen = sql`exists (select from users u where u.id = ${person}
        and ${whereMemberHasAbility(memberKeyParameter(me.id), 'seeFollowLists', 'users', 'u')})`
      const which = sql`t.${sql.ref(personColumn)} = ${person} and ${listsAreOpen}`
      const { keys, next } = await selectNewestFirstPage(db, me, 'follows', which, {
        cursor,
        limit,
        key: listedColumn,
      })
      return { documents: await hydratePeople(db, config, me.id, keys, { counts: false }), next }
    })
  }
}

const keysOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id)

async function personKey({ database, me }: RequestContext, personId: string): Promise<number> {
  const found = await selectReadableRows(database.kysely, memberKeyParameter(me.id), 'users')
    .select('id')
    .where('public_id', '=', personId)
    .executeTakeFirst()
  return found?.id ?? throwFailure('user_not_found')
}
