/** Posts: publishing a picture and reading one (spec §2 Create Post, Post details; §5; §6). */
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { createPost, deletePost, getPost, updatePost } from '#contract/posts.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { actsAsHerself, serve } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { asMe, visible } from '../policy.ts'
import type { Values } from '../store.ts'
import { hydratePosts } from '../views.ts'

export function postOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, createPost, async ({ postId, userId, imageId, groupId, ...content }, asking) => {
    const { me, store, config, database } = asking
    if (userId === '') fail('post_invalid_user')
    actsAsHerself(me, userId)
    const db = database.kysely
    const group_id = groupId ? await groupSheIsIn(db, me.id, groupId) : null
    const post = await store.insert(me.id, 'posts', {
      creator_id: me.id,
      ...content,
      group_id,
      image_id: imageId,
      ...(postId !== undefined && { public_id: postId }),
    })
    const [shown] = await hydratePosts(db, config, me.id, [post.id])
    return shown ?? fail('document_not_found')
  })

  serve(
    app,
    parts,
    updatePost,
    async ({ postId, userId, groupId, imageId, ...content }, { me, store, config }) => {
      actsAsHerself(me, userId)
      return store.transact(async (writing) => {
        const values: Values = { ...content }
        if (groupId !== undefined)
          values.group_id = groupId ? await groupSheIsIn(writing.db, me.id, groupId) : null
        if (imageId !== undefined) values.image_id = imageId
        const post = await writing.update(me.id, 'posts', postId, values)
        const [shown] = await hydratePosts(writing.db, config, me.id, [post.id])
        return shown ?? fail('document_not_found')
      })
    },
  )

  serve(app, parts, deletePost, async ({ postId }, { me, store }) => {
    await store.transact((writing) => writing.remove(me.id, 'posts', postId))
  })

  serve(app, parts, getPost, async ({ postId }, { me, database, config }) => {
    const db = database.kysely
    const found = await visible(db, asMe(me.id), 'posts')
      .select('id')
      .where('public_id', '=', postId)
      .executeTakeFirst()
    const [shown] = found ? await hydratePosts(db, config, me.id, [found.id]) : []
    return (
      shown ?? fail((await isInSomeGroup(db, postId)) ? 'group_membership_required' : 'document_not_found')
    )
  })
}

/** A group she is no member of and a group that is not there refuse alike (reading D-07). */
async function groupSheIsIn(db: Kysely<Tables>, me: number, groupId: string): Promise<number> {
  const membership = await db
    .selectFrom('groups')
    .innerJoin('group_members', 'group_members.group_id', 'groups.id')
    .select('groups.id')
    .where('groups.public_id', '=', groupId)
    .where('group_members.user_id', '=', me)
    .executeTakeFirst()
  return membership?.id ?? fail('group_membership_required', { field: 'groupId' })
}

/** The spec words the refusal of a group's post, so its existence is told (reading D-07). */
async function isInSomeGroup(db: Kysely<Tables>, postId: string): Promise<boolean> {
  const hidden = await db
    .selectFrom('posts')
    .select('group_id')
    .where('public_id', '=', postId)
    .executeTakeFirst()
  return hidden !== undefined && hidden.group_id !== null
}
