/** Threads are one level deep. Readers of the post can read its comments. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { commentLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

const tooLongMessage = `Maximum ${commentLengthLimits.max} characters.`

/** Trimmed before counting. Needs visible characters. */
export const commentContentSchema = z.string().check(
  fields.coarseMaxLengthCheck(commentLengthLimits.max, tooLongMessage),
  z.trim(),
  minTextLength(commentLengthLimits.min, 'Write a comment first.'),
  maxTextLength(commentLengthLimits.max, tooLongMessage),
  z.refine((typed) => typed === '' || fields.isVisibleText(typed), 'Write a comment first.'),
  fields.combiningMarksCheck,
)

export const commentSchema = z.object({
  $id: fields.publicIdSchema,
  /**
   * Null in a tombstone, as is all its content. A tombstone is a removed comment that keeps its thread
   * together.
   */
  $createdAt: z.nullable(fields.isoTimestampSchema),
  postId: fields.publicIdSchema,
  /** Null for a thread's first comment. */
  parentId: z.nullable(fields.publicIdSchema),
  /** Null in a tombstone, or if the caller cannot see the author. */
  author: z.nullable(personSummarySchema),
  content: z.string(),
  /** Mentioned members. Other names stay plain text. */
  mentions: z.optional(z.array(fields.mentionSchema)),
  likeCount: z.number(),
  liked: z.boolean(),
  edited: z.boolean(),
  removed: z.boolean(),
  can: z.object({ edit: z.boolean(), delete: z.boolean() }),
})

export type Comment = z.infer<typeof commentSchema>

export const commentThreadSchema = z.extend(commentSchema, {
  replies: z.array(commentSchema),
  replyCount: z.number(),
})

export type CommentThread = z.infer<typeof commentThreadSchema>

export const commentThreadPageSize = 20
export const inlineReplyCount = 3
export const maxCountedThreads = 1000

const pageSize = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)))

/** Lists the newest threads, or those before a given one, oldest first. */
export const listCommentsOperation = defineOperation({
  name: 'listComments',
  method: 'GET',
  path: '/posts/:postId/comments',
  input: z.object({
    postId: fields.publicIdSchema,
    before: z.optional(fields.publicIdSchema),
    limit: pageSize,
  }),
  output: z.object({
    documents: z.array(commentThreadSchema),
    /** Pass this as `before` to get earlier threads. Null on the last page. */
    next: z.nullable(fields.publicIdSchema),
    earlier: z.number(),
    total: z.number(),
    open: z.boolean(),
    commentsFrom: allowedCommentersSchema,
  }),
  errors: ['document_not_found', 'group_membership_required', 'general_cursor_not_found'],
  limit: 'read',
})

export const listRepliesOperation = defineOperation({
  name: 'listReplies',
  method: 'GET',
  path: '/comments/:commentId/replies',
  input: z.object({
    commentId: fields.publicIdSchema,
    after: z.optional(fields.publicIdSchema),
    limit: pageSize,
  }),
  output: z.object({ documents: z.array(commentSchema), next: z.nullable(fields.publicIdSchema) }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * Idempotent by `commentId`. A repeated call with another text is refused, because the client would lose that
 * text.
 */
export const createCommentOperation = defineOperation({
  name: 'createComment',
  method: 'POST',
  path: '/posts/:postId/comments',
  status: 201,
  input: z.object({
    postId: fields.publicIdSchema,
    content: commentContentSchema,
    /** A reply to a reply joins the same thread. */
    parentId: z.optional(fields.publicIdSchema),
    /** Becomes the comment's `$id`. */
    commentId: z.optional(fields.publicIdSchema),
  }),
  output: commentSchema,
  errors: [
    'document_not_found',
    'group_membership_required',
    'comments_closed',
    'comment_thread_not_found',
    'document_already_exists',
  ],
  limit: 'comment',
})

/** Authors can change a comment within fifteen minutes after posting. */
export const updateCommentOperation = defineOperation({
  name: 'updateComment',
  method: 'PATCH',
  path: '/comments/:commentId',
  input: z.object({ commentId: fields.publicIdSchema, content: commentContentSchema }),
  output: commentSchema,
  errors: ['document_not_found', 'user_unauthorized', 'comment_too_old'],
  limit: 'write',
})

/**
 * The author of the post can delete any comment, with its replies. Otherwise a comment with replies becomes a
 * tombstone until the last reply is deleted.
 */
export const deleteCommentOperation = defineOperation({
  name: 'deleteComment',
  method: 'DELETE',
  path: '/comments/:commentId',
  status: 204,
  input: z.object({ commentId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'write',
})

const likeState = z.object({ liked: z.boolean(), likeCount: z.number() })

export const likeCommentOperation = defineOperation({
  name: 'likeComment',
  method: 'PUT',
  path: '/comments/:commentId/like',
  input: z.object({ commentId: fields.publicIdSchema }),
  output: likeState,
  errors: ['document_not_found'],
  limit: 'like',
})

export const unlikeCommentOperation = defineOperation({
  name: 'unlikeComment',
  method: 'DELETE',
  path: '/comments/:commentId/like',
  input: z.object({ commentId: fields.publicIdSchema }),
  output: likeState,
  errors: ['document_not_found'],
  limit: 'like',
})
