import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  type PhotoInput,
  takePostOutOfGroupOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import { mapFieldsToColumns } from '../../database/column-names.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectReadableRows,
  whereMemberHasAbility,
  whereMemberMayWrite,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import type { ColumnValues, StoreTransaction } from '../../store/store-transaction.ts'
import { hydratePosts } from './hydrate-posts.ts'
import { hideGroupPostsOfLeavingMember } from './posts-of-leaving-members.ts'

export function registerPostRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    createPostOperation,
    async ({ postId, userId, groupId, photos, ...content }, ctx) => {
      const { me, store, config, database } = ctx
      if (userId === '') throwFailure('post_invalid_user')
      assertActorIsCaller(me, userId)
      const db = database.kysely
      const group_id = groupId ? (await findGroupToPostIn(db, me.id, groupId)).id : null
      const post = await store
        .insert(me.id, 'posts', {
          ...mapFieldsToColumns(content),
          ...photoValues(photos),
          creator_id: me.id,
          group_id,
          ...(postId !== undefined && { public_id: postId }),
        })
        .catch(async (error: { type?: string }) => {
          // The photos already belong to the post, because the client did not receive the earlier response.
          if (error.type === 'storage_file_not_found' && postId && (await isOwnPost(db, me.id, postId)))
            return throwFailure('document_already_exists')
          throw error
        })
      const extent = post.caption.includes('@') ? 'whole' : 'created'
      const [shown] = await hydratePosts(db, config, me.id, [post.id], extent)
      return shown ?? throwFailure('document_not_found')
    },
  )

  registerRoute(
    app,
    context,
    updatePostOperation,
    async ({ postId, userId, groupId, photos, ifUpdatedAt, ...content }, { me, store, config }) => {
      assertActorIsCaller(me, userId)
      return store.transact(async (tx) => {
        if (ifUpdatedAt !== undefined) await assertUnchanged(tx, me.id, postId, ifUpdatedAt)
        const values: ColumnValues = { ...mapFieldsToColumns(content), ...photoValues(photos) }
        if (groupId !== undefined)
          values.group_id = groupId ? (await findGroupToPostIn(tx.db, me.id, groupId)).id : null
        const post = await tx.update(me.id, 'posts', postId, values)
        const [shown] = await hydratePosts(tx.db, config, me.id, [post.id], 'whole')
        return shown ?? throwFailure('document_not_found')
      })
    },
  )

  registerRoute(app, context, deletePostOperation, async ({ postId }, { me, store }) => {
    await store.transact((tx) => tx.remove(me.id, 'posts', postId))
  })

  registerRoute(app, context, takePostOutOfGroupOperation, async ({ postId }, { me, store, config }) =>
    store.transact(async (tx) => {
      const found = await selectReadableRows(tx.db, memberKeyParameter(me.id), 'posts')
        .select('id')
        .where('public_id', '=', postId)
        .executeTakeFirst()
      if (!found) return throwFailure('document_not_found')
      await hideGroupPostsOfLeavingMember(tx, me.id, sql`t.id = ${found.id}`)
      const [shown] = await hydratePosts(tx.db, config, me.id, [found.id], 'whole')
      if (!shown) return throwFailure('document_not_found')
      return shown.hidden ? shown : throwFailure('user_unauthorized')
    }),
  )

  registerRoute(app, context, getPostOperation, async ({ postId }, { me, database, config }) => {
    const db = database.kysely
    const found = await selectReadableRows(db, memberKeyParameter(me.id), 'posts')
      .select('id')
      .where('public_id', '=', postId)
      .executeTakeFirst()
    const [shown] = found ? await hydratePosts(db, config, me.id, [found.id], 'whole') : []
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

async function isOwnPost(db: Kysely<DatabaseTables>, me: number, postId: string): Promise<boolean> {
  const found = await selectReadableRows(db, memberKeyParameter(me), 'posts')
    .select('id')
    .where('public_id', '=', postId)
    .where('creator_id', '=', me)
    .executeTakeFirst()
  return found !== undefined
}

const photoValues = (photos: readonly PhotoInput[] | undefined): ColumnValues =>
  photos
    ? {
        image_id: undefined,
        image_ids: photos.map(({ imageId }) => imageId),
        image_alts: photos.map(({ alt }) => alt),
      }
    : {}

/**
 * @throws Failure document_update_conflict if the caller may edit the post and it changed after `ifUpdatedAt`
 */
async function assertUnchanged(tx: StoreTransaction, me: number, postId: string, ifUpdatedAt: string) {
  await tx.lock('posts', postId)
  const post = await selectReadableRows(tx.db, memberKeyParameter(me), 'posts')
    .select('updated_at')
    .where('public_id', '=', postId)
    .where(whereMemberMayWrite(memberKeyParameter(me), 'update', 'posts', 'posts'))
    .executeTakeFirst()
  if (post && post.updated_at > new Date(ifUpdatedAt)) throwFailure('document_update_conflict')
}

/**
 * @throws Failure group_membership_required, whether the group does not exist or the caller is not a member
 */
export async function findGroupToPostIn(
  db: Kysely<DatabaseTables>,
  me: number,
  groupId: string,
): Promise<{ id: number; public_id: string; name: string }> {
  const group = await selectReadableRows(db, memberKeyParameter(me), 'groups')
    .select(['id', 'public_id', 'name'])
    .where('public_id', '=', groupId)
    .where(whereMemberHasAbility(memberKeyParameter(me), 'post', 'groups', 'groups'))
    .executeTakeFirst()
  return group ?? throwFailure('group_membership_required', { field: 'groupId' })
}

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
