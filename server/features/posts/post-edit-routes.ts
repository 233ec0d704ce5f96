import type { FastifyInstance } from 'fastify'
import { listPostEditsOperation } from '#contract/posts/post-edits.ts'
import type { AppContext } from '../../app-context.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, selectReadableRows, whereMemberHasAbility } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'

export function registerPostEditRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listPostEditsOperation,
    async ({ postId }, { me, database: { kysely: db } }) => {
      const meParam = memberKeyParameter(me.id)
      const post = await selectReadableRows(db, meParam, 'posts')
        .select(['id', whereMemberHasAbility(meParam, 'seeEdits', 'posts', 'posts').as('permitted')])
        .where('public_id', '=', postId)
        .executeTakeFirst()
      if (!post) return throwFailure('document_not_found')
      if (!post.permitted) return throwFailure('user_unauthorized')
      const edits = await selectReadableRows(db, meParam, 'post_edits')
        .select(['caption', 'location', 'tags', 'until'])
        .where('post_id', '=', post.id)
        .orderBy('id', 'desc')
        .execute()
      return { documents: edits.map((edit) => ({ ...edit, until: formatIsoTimestamp(edit.until) })) }
    },
  )
}
