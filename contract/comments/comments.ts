/** Comments on a post, in threads one level deep. Everyone who can read the post can read them. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { commentLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

const tooLongMessage = `Maximum ${commentLengthLimits.max} characters.`

/** Trimmed before counting; needs visible text. */
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
  /** Null like all other content once removed; the tombstone keeps its thread together. */
  $createdAt: z.nullable(fields.isoTimestampSchema),
  postId: fields.publicIdSchema,
  /** The first comment of the thread; null for that comment. */
  parentId: z.nullable(fields.publicIdSchema),
  /** Null if removed, or if the author is not visible to the caller. */
  author: z.nullable(personSummarySchema),
  content: z.string(),
  /** Members the text mentions; other names stay text. */
  mentions: z.optional(z.array(fields.mentionSchema)),
  likeCount: z.number(),
  liked: z.boolean(),
  edited: z.boolean(),
  removed: z.boolean(),
  /** Decided by the server's policy; clients never derive it. */
  can: z.object({ edit: z.boolean(), delete: z.boolean() }),
})

export type Comment = z.infer<typeof commentSchema>

/** A comment with its first replies and the number the caller can read. */
export const commentThreadSchema = z.extend(commentSchema, {
  replies: z.array(commentSchema),
  replyCount: z.number(),
})

export type CommentThread = z.infer<typeof commentThreadSchema>

/** Threads per page, and replies loaded with each. */
export const commentThreadPageSize = 20
export const inlineReplyCount = 3
/** The count of earlier threads stops here. */
export const maxCountedThreads = 1000

const pageSize = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)))

/** Lists a post's newest threads, or those before one, oldest first. */
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
    /** `before` for the page of earlier threads; null at the end. */
    next: z.nullable(fields.publicIdSchema),
    /** Earlier threads, up to `maxCountedThreads`. */
    earlier: z.number(),
    /** Comments the caller can read. */
    total: z.number(),
    /** Whether the author of the post lets the caller comment. */
    open: z.boolean(),
    commentsFrom: allowedCommentersSchema,
  }),
  errors: ['document_not_found', 'group_membership_required', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists a thread's replies, oldest first. */
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
 * Stores a comment once per `commentId`. The same id with another text is refused, because answering with the
 * old text would lose the new one.
 */
export const createCommentOperation = defineOperation({
  name: 'createComment',
  method: 'POST',
  path: '/posts/:postId/comments',
  status: 201,
  input: z.object({
    postId: fields.publicIdSchema,
    content: commentContentSchema,
    /** The comment being answered; a reply to a reply joins the same thread. */
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

/** Allowed for fifteen minutes after posting. */
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
 * Deletes the caller's comment, or any comment on their post together with its replies. A comment with
 * replies from others becomes a tombstone until its last reply is deleted.
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

/** Idempotent: sets the state and returns it. */
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
