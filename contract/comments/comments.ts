/** Comments on a post, in threads that are one level deep. Everyone who can read the post can read its comments. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { commentLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { allowedCommentersSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

const tooLongMessage = `Maximum ${commentLengthLimits.max} characters.`

/** The text of a comment. It is trimmed before counting and needs visible characters. */
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
  /** Null in a tombstone, like all other content. A tombstone is a removed comment that keeps its thread together. */
  $createdAt: z.nullable(fields.isoTimestampSchema),
  postId: fields.publicIdSchema,
  /** The first comment of the thread. Null for the first comment itself. */
  parentId: z.nullable(fields.publicIdSchema),
  /** Null if the comment was removed or the caller cannot see the author. */
  author: z.nullable(personSummarySchema),
  content: z.string(),
  /** The members whom the text mentions. Other names stay plain text. */
  mentions: z.optional(z.array(fields.mentionSchema)),
  likeCount: z.number(),
  liked: z.boolean(),
  edited: z.boolean(),
  removed: z.boolean(),
  /** The server's policy decides these. Clients never derive them. */
  can: z.object({ edit: z.boolean(), delete: z.boolean() }),
})

export type Comment = z.infer<typeof commentSchema>

/** A comment with its first replies, and the number of replies that the caller can read. */
export const commentThreadSchema = z.extend(commentSchema, {
  replies: z.array(commentSchema),
  replyCount: z.number(),
})

export type CommentThread = z.infer<typeof commentThreadSchema>

/** The number of threads per page, and of replies loaded with each thread. */
export const commentThreadPageSize = 20
export const inlineReplyCount = 3
/** Counts of earlier threads stop at this number. */
export const maxCountedThreads = 1000

const pageSize = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)))

/** Lists a post's newest threads, or the threads before a given one, oldest first. */
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
    /** `before` for the next page, which has earlier threads. Null on the last page. */
    next: z.nullable(fields.publicIdSchema),
    /** The number of earlier threads, up to `maxCountedThreads`. */
    earlier: z.number(),
    /** The number of comments that the caller can read. */
    total: z.number(),
    /** Whether the post's author allows the caller to comment. */
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
 * Stores a comment once per `commentId`. The same id with another text is refused. Otherwise, the client would receive
 * the old text and lose the new one.
 */
export const createCommentOperation = defineOperation({
  name: 'createComment',
  method: 'POST',
  path: '/posts/:postId/comments',
  status: 201,
  input: z.object({
    postId: fields.publicIdSchema,
    content: commentContentSchema,
    /** The comment being replied to. A reply to a reply joins the same thread. */
    parentId: z.optional(fields.publicIdSchema),
    /** An id chosen by the client, which becomes the comment's `$id`. */
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

/** Changes the text of the caller's comment, within fifteen minutes after posting. */
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
 * Deletes the caller's comment, or any comment on the caller's post together with its replies. A comment with replies
 * from others becomes a tombstone until its last reply is deleted.
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

/** Likes a comment and returns the new state. Idempotent. */
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
