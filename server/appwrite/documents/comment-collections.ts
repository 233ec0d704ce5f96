import { type RawBuilder, sql } from 'kysely'
import { commentContentSchema } from '#contract/comments/comments.ts'
import { formatIsoTimestampOrNull } from '#server/database/iso-timestamp.ts'
import { throwFailure } from '#server/errors.ts'
import { memberKeyParameter, whereCommentShownAsDocument, whereMemberMayRead } from '#server/policy/index.ts'
import { createQueryableReference } from '../queries/queryable-attributes.ts'
import {
  type DocumentDefinition,
  defineActorIdField,
  defineReferenceField,
  documentRowColumn,
  type FindRowKeyByPublicId,
  publicIdSubquery,
  serverDerivedWriteRule,
} from './field-definitions.ts'

/** The member must be able to read the comment. */
const findThreadKey: FindRowKeyByPublicId = async (db, me, id) => {
  const { rows } = await sql<{ id: number }>`
    select coalesce(c.parent_id, c.id) as id from comments c
    where c.public_id = ${id} and ${whereMemberMayRead(memberKeyParameter(me), 'comments', 'c')}
      and ${whereCommentShownAsDocument(memberKeyParameter(me), 'c')}`.execute(db)
  return rows[0]?.id ?? throwFailure('document_not_found')
}

/** A tombstone shows only its place in the thread. */
const unlessRemoved = (value: RawBuilder<unknown>) => sql`case when t.removed_at is null then ${value} end`

/** A tombstone shows its post's creation time, because clients expect a time. */
const shownTime = sql`coalesce(${unlessRemoved(documentRowColumn('created_at'))},
  (select said_under.created_at from posts said_under where said_under.id = t.post_id))`

export const commentDocumentDefinition: DocumentDefinition = {
  createdAt: shownTime,
  hasUpdatedAt: false,
  indexedOrders: [],
  narrowedBy: ['postId', 'parentId'],
  findFilter: (me) => whereCommentShownAsDocument(me, 't'),
  limit: 'comment',
  fields: {
    postId: defineReferenceField('post_id', 'posts', { fixed: true }),
    authorId: {
      ...defineActorIdField('author_id'),
      read: () => unlessRemoved(publicIdSubquery('users', documentRowColumn('author_id'))),
      query: createQueryableReference(unlessRemoved(documentRowColumn('author_id')), 'users'),
      // Without this restriction, the API would list all of a member's comments, which the web app never
      // shows together.
      othersOnlyWithin: ['postId', 'parentId'],
    },
    parentId: {
      read: () => publicIdSubquery('comments', documentRowColumn('parent_id')),
      query: createQueryableReference(documentRowColumn('parent_id'), 'comments'),
      write: { as: 'reference', column: 'parent_id', find: findThreadKey, nullable: true, fixed: true },
    },
    content: {
      read: () => documentRowColumn('content'),
      write: { as: 'value', column: 'content', shape: commentContentSchema },
    },
    likesCount: { read: () => documentRowColumn('like_count'), write: serverDerivedWriteRule },
    editedAt: {
      read: () => documentRowColumn('edited_at'),
      show: formatIsoTimestampOrNull,
      write: serverDerivedWriteRule,
    },
    removed: { read: () => sql`t.removed_at is not null`, write: serverDerivedWriteRule },
  },
}
