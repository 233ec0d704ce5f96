/** Comments: words under a post, in threads of one level. Whoever reads the post reads them. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { commentLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

const tooLongMessage = `Maximum ${commentLengthLimits.max} characters.`

/** Trimmed before it is counted; what nobody can see is no comment. */
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
  /** Null of one that is removed, as is all else that it said: it holds its thread together. */
  $createdAt: z.nullable(fields.isoTimestampSchema),
  postId: fields.publicIdSchema,
  /** The comment that begins the thread; null of that one. */
  parentId: z.nullable(fields.publicIdSchema),
  /** Null of one that is removed, or by somebody the caller does not see. */
  author: z.nullable(personSummarySchema),
  content: z.string(),
  /** Whom it mentions; other names in it are text. */
  mentions: z.optional(z.array(fields.mentionSchema)),
  likeCount: z.number(),
  liked: z.boolean(),
  edited: z.boolean(),
  removed: z.boolean(),
  /** What the caller may do with it; decided by the server's policy, never derived by the client. */
  can: z.object({ edit: z.boolean(), delete: z.boolean() }),
})

export type Comment = z.infer<typeof commentSchema>

/** A comment with the first of its answers, and how many answers the caller reads. */
export const commentThreadSchema = z.extend(commentSchema, {
  replies: z.array(commentSchema),
  replyCount: z.number(),
})

export type CommentThread = z.infer<typeof commentThreadSchema>

/** Threads of a page, and answers that come with each. */
export const commentThreadPageSize = 20
export const inlineReplyCount = 3
/** Earlier threads are counted up to here. */
export const maxCountedThreads = 1000

const pageSize = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)))

/** Lists the newest threads of a post, oldest first, or those before one of them. */
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
    /** As `before` of the page of earlier threads; null where there is none. */
    next: z.nullable(fields.publicIdSchema),
    /** Threads before these, up to `maxCountedThreads`. */
    earlier: z.number(),
    /** All comments of the post that the caller reads. */
    total: z.number(),
    /** Whether the caller may comment, of those whom the author of the post lets. */
    open: z.boolean(),
    commentsFrom: allowedCommentersSchema,
  }),
  errors: ['document_not_found', 'group_membership_required', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists the answers of a thread, oldest first. */
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
 * Stores a comment once, however often it is sent with the same `commentId`. The same id with another text is refused:
 * answering with the old text would lose the new one.
 */
export const createCommentOperation = defineOperation({
  name: 'createComment',
  method: 'POST',
  path: '/posts/:postId/comments',
  status: 201,
  input: z.object({
    postId: fields.publicIdSchema,
    content: commentContentSchema,
    /** The comment that is answered; an answer to an answer stands in the same thread. */
    parentId: z.optional(fields.publicIdSchema),
    /** Chosen by the client; it becomes the comment's `$id`. */
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

/** For a quarter of an hour after it was written. */
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
 * Deletes a comment of the caller, or any under a post of the caller's with its answers. A comment of the caller that others
 * have answered stays without words, author and time until its last answer goes.
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

/** Idempotent: sets the state, and answers it. */
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
