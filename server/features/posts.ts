/** Serves posts: creating, reading, updating and deleting them. */
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  updatePostOperation,
} from '#contract/posts.ts'
import type { AppContext } from '../app-context.ts'
import { assertActor } from '../auth/session.ts'
import { mapFieldsToColumns } from '../database/column-names.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { memberKeyParameter, selectReadableRows, whereMemberHasAbility } from '../policy.ts'
import { registerRoute } from '../route.ts'
import type { ColumnValues } from '../store/write-context.ts'
import { hydratePosts } from '../views/posts.ts'

export function registerPostRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, createPostOperation, async ({ postId, userId, groupId, ...content }, ctx) => {
    const { me, store, config, database } = ctx
    if (userId === '') throwFailure('post_invalid_user')
    assertActor(me, userId)
    const db = database.kysely
    const group_id = groupId ? await writableGroupKey(db, me.id, groupId) : null
    const post = await store.insert(me.id, 'posts', {
      ...mapFieldsToColumns(content),
      creator_id: me.id,
      group_id,
      ...(postId !== undefined && { public_id: postId }),
    })
    const [shown] = await hydratePosts(db, config, me.id, [post.id])
    return shown ?? throwFailure('document_not_found')
  })

  registerRoute(
    app,
    context,
    updatePostOperation,
    async ({ postId, userId, groupId, ...content }, { me, store, config }) => {
      assertActor(me, userId)
      return store.transact(async (tx) => {
        const values: ColumnValues = mapFieldsToColumns(content)
        if (groupId !== undefined)
          values.group_id = groupId ? await writableGroupKey(tx.db, me.id, groupId) : null
        const post = await tx.update(me.id, 'posts', postId, values)
        const [shown] = await hydratePosts(tx.db, config, me.id, [post.id])
        return shown ?? throwFailure('document_not_found')
      })
    },
  )

  registerRoute(app, context, deletePostOperation, async ({ postId }, { me, store }) => {
    await store.transact((tx) => tx.remove(me.id, 'posts', postId))
  })

  registerRoute(app, context, getPostOperation, async ({ postId }, { me, database, config }) => {
    const db = database.kysely
    const found = await selectReadableRows(db, memberKeyParameter(me.id), 'posts')
      .select('id')
      .where('public_id', '=', postId)
      .executeTakeFirst()
    const [shown] = found ? await hydratePosts(db, config, me.id, [found.id]) : []
    return (
      shown ??
      throwFailure(
        (await canReadPostByJoiningGroup(db, me.id, postId))
          ? 'group_membership_required'
          : 'document_not_found',
      )
    )
  })
}

/** @throws Failure group_membership_required, alike for a group the caller is not in and for none */
async function writableGroupKey(db: Kysely<DatabaseTables>, me: number, groupId: string): Promise<number> {
  const group = await selectReadableRows(db, memberKeyParameter(me), 'groups')
    .select('id')
    .where('public_id', '=', groupId)
    .where(whereMemberHasAbility(memberKeyParameter(me), 'post', 'groups', 'groups'))
    .executeTakeFirst()
  return group?.id ?? throwFailure('group_membership_required', { field: 'groupId' })
}

/** Tells whether joining a group would make the post readable: the refusal then says so. */
export async function canReadPostByJoiningGroup(
  db: Kysely<DatabaseTables>,
  me: number,
  postId: string,
): Promise<boolean> {
  const hidden = await db
    .selectFrom('posts')
    .select('id')
    .where('public_id', '=', postId)
    .where(whereMemberHasAbility(memberKeyParameter(me), 'joinToRead', 'posts', 'posts'))
    .executeTakeFirst()
  return hidden !== undefined
}
