/** Posts: pictures with a caption, public or of a group. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxPostPhotos } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { peoplePageSchema, personSummarySchema } from '../people/people.ts'
import { photoTagSchema } from '../photo-tags/photo-tag-schema.ts'
import { maxTextLength } from '../text-length.ts'
import { shareReceiptSchema } from './share-receipt.ts'

/** Measured at upload, so that a card has its box and its placeholder before the picture. */
export const postImageSchema = z.object({
  id: fields.publicIdSchema,
  url: z.string(),
  /** Pixels, orientation applied. */
  width: z.number(),
  height: z.number(),
  /** Base64 of a ThumbHash. */
  thumbhash: z.string(),
})

/** One of a post's photos, with what its author says that it shows; in lists the beginning of that. */
export const postPhotoSchema = z.extend(postImageSchema, {
  alt: z.string(),
  /** Tells that somebody in it asked to hide it: only who asked and the post's author see it. */
  withheld: z.optional(z.literal(true)),
})

/** Who may comment on a post, of those who see it: all, whom its author follows and the author, or nobody. */
export const allowedCommentersSchema = z.enum(['everyone', 'followed', 'nobody'])
export type AllowedCommenters = z.infer<typeof allowedCommentersSchema>

export const postSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  $updatedAt: fields.isoTimestampSchema,
  creator: z.nullable(personSummarySchema),
  caption: z.string(),
  location: z.string(),
  tags: z.array(z.string()),
  groupId: z.nullable(fields.publicIdSchema),
  /** Null also to its author who left a group that was hidden since. */
  group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  /** The cover: the first of its photos. */
  imageUrl: z.string(),
  imageId: fields.publicIdSchema,
  image: postImageSchema,
  /** All of them, in the order in which the author put them. */
  photos: z.array(postPhotoSchema),
  likeCount: z.number(),
  liked: z.boolean(),
  saved: z.boolean(),
  /** Whom the caption mentions; other names in it are text. */
  mentions: z.optional(z.array(fields.mentionSchema)),
  /** As many as the caller can read. */
  commentCount: z.number(),
  commentsFrom: allowedCommentersSchema,
  /** When what it says or shows last changed, unless it had just been posted. */
  editedAt: z.nullable(fields.isoTimestampSchema),
  /** What the one who asks may do with it; decided by the server's policy, never derived by the client. */
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    /** Its author is no longer in the group where the others see it. */
    takeAlong: z.optional(z.literal(true)),
    /** Says who is in its photos. */
    name: z.optional(z.literal(true)),
  }),
  /** Who is tagged in its photos, on its own page: those shown, to its author those who were asked too, and the caller's own name. */
  people: z.optional(z.array(photoTagSchema)),
  /** Nobody but its creator sees it: who hid it, and why. */
  hidden: z.optional(
    z.object({
      by: z.enum(['author', 'group', 'moderator']),
      reason: z.nullable(z.string()),
      caseId: z.nullable(fields.publicIdSchema),
      can: z.object({ appeal: z.boolean() }),
    }),
  ),
  /** The caller blocked its creator and reads it as the group's admin alone: cover it. */
  blocked: z.optional(z.literal(true)),
  /** For its creator alone; null for a post from before there were receipts. */
  receipt: z.optional(z.nullable(shareReceiptSchema)),
})

export type PostImage = z.infer<typeof postImageSchema>
export type PostPhoto = z.infer<typeof postPhotoSchema>
export type Post = z.infer<typeof postSchema>

export const postListSchema = z.object({ documents: z.array(postSchema) })

/** A page of posts; `next` goes into the following request as it is, null when this was the last. */
export const postPageSchema = z.object({ documents: z.array(postSchema), next: z.nullable(z.string()) })
export type PostPage = z.infer<typeof postPageSchema>

/** What its author writes: each field is named as its column is. */
const postContent = {
  caption: fields.captionSchema,
  location: fields.locationSchema,
  tags: fields.tagsSchema,
}

/** A finished upload of the caller that no record uses yet. */
const imageId = z.optional(fields.publicIdSchema)

export const photoInputSchema = z.object({
  imageId: fields.publicIdSchema,
  alt: z.optional(fields.altTextSchema),
})
export type PhotoInput = z.infer<typeof photoInputSchema>

/** All photos, the cover first, in place of `imageId`; without `alt` a photo keeps the description it has. */
const photos = z.optional(
  z
    .array(photoInputSchema)
    .check(
      z.minLength(1, 'At least one photo.'),
      z.maxLength(maxPostPhotos, { error: 'Too many files', abort: true }),
    ),
)

/** Null or empty is public. */
const groupId = z.nullable(z.string())

export const createPostOperation = defineOperation({
  name: 'createPost',
  method: 'POST',
  path: '/posts',
  status: 201,
  input: z
    .object({
      ...postContent,
      imageId,
      photos,
      groupId: z.optional(groupId),
      /** Without it, what the author chose for all new posts. */
      commentsFrom: z.optional(allowedCommentersSchema),
      /** Chosen by the client, so that what is sent again is not stored again; it becomes the post's `$id`. */
      postId: z.optional(fields.publicIdSchema),
      userId: fields.actorIdSchema,
    })
    .check(z.refine((given) => given.imageId ?? given.photos, { path: ['imageId'], error: 'Required' })),
  output: postSchema,
  errors: [
    'post_invalid_user',
    'storage_file_not_found',
    'post_photo_twice',
    'document_already_exists',
    'user_unauthorized',
    'group_membership_required',
  ],
  limit: 'post',
})

export const getPostOperation = defineOperation({
  name: 'getPost',
  method: 'GET',
  path: '/posts/:postId',
  input: z.object({ postId: fields.publicIdSchema }),
  output: postSchema,
  errors: ['document_not_found', 'group_membership_required'],
  limit: 'read',
})

/** Followed members' and one's own public posts with the posts of one's groups, newest first, twenty at a time. */
export const getHomeFeedOperation = defineOperation({
  name: 'getHomeFeed',
  method: 'GET',
  path: '/feed',
  input: z.object({ cursor: z.optional(fields.publicIdSchema) }),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * What is left out stays as it is. New photos are attached and those left out of the list released in the same transaction;
 * `imageId` alone replaces the cover.
 */
export const updatePostOperation = defineOperation({
  name: 'updatePost',
  method: 'PATCH',
  path: '/posts/:postId',
  input: z.object({
    ...z.partial(z.object({ ...postContent, groupId })).shape,
    imageId,
    photos,
    commentsFrom: z.optional(allowedCommentersSchema),
    /** The `$updatedAt` that the change was made to: refused if the post was changed since. */
    ifUpdatedAt: z.optional(fields.echoedTimestampSchema),
    postId: fields.publicIdSchema,
    userId: fields.actorIdSchema,
  }),
  output: postSchema,
  errors: [
    'document_not_found',
    'document_update_conflict',
    'storage_file_not_found',
    'post_photo_twice',
    'user_unauthorized',
    'group_membership_required',
  ],
  limit: 'edit',
})

export const deletePostOperation = defineOperation({
  name: 'deletePost',
  method: 'DELETE',
  path: '/posts/:postId',
  status: 204,
  input: z.object({ postId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'write',
})

/** Takes a post of the caller out of a group that the caller is no longer in: nobody else sees it from then on. Idempotent. */
export const takePostOutOfGroupOperation = defineOperation({
  name: 'takePostOutOfGroup',
  method: 'POST',
  path: '/posts/:postId/take-along',
  input: z.object({ postId: fields.publicIdSchema }),
  output: postSchema,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'write',
})

const likeState = z.object({ liked: z.boolean(), likeCount: z.number() })

/** Idempotent: sets the state, and answers it. */
export const likePostOperation = defineOperation({
  name: 'likePost',
  method: 'PUT',
  path: '/posts/:postId/like',
  input: z.object({ postId: fields.publicIdSchema, userId: fields.actorIdSchema }),
  output: likeState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

export const unlikePostOperation = defineOperation({
  name: 'unlikePost',
  method: 'DELETE',
  path: '/posts/:postId/like',
  input: z.object({ postId: fields.publicIdSchema, userId: fields.actorIdSchema }),
  output: likeState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

/** Lists who likes a post, newest like first; of a group's post to its members alone (decision 0113). */
export const listLikersOperation = defineOperation({
  name: 'listLikers',
  method: 'GET',
  path: '/posts/:postId/likers',
  input: z.object({
    postId: fields.publicIdSchema,
    cursor: z.optional(z.string().check(maxTextLength(100))),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: peoplePageSchema,
  errors: ['document_not_found', 'group_membership_required', 'general_cursor_not_found'],
  limit: 'read',
})

const saveState = z.object({ saved: z.boolean() })

export const savePostOperation = defineOperation({
  name: 'savePost',
  method: 'PUT',
  path: '/posts/:postId/save',
  input: z.object({ postId: fields.publicIdSchema, userId: fields.actorIdSchema }),
  output: saveState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

export const unsavePostOperation = defineOperation({
  name: 'unsavePost',
  method: 'DELETE',
  path: '/posts/:postId/save',
  input: z.object({ postId: fields.publicIdSchema, userId: fields.actorIdSchema }),
  output: saveState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

const page = {
  cursor: z.optional(z.string().check(maxTextLength(100))),
  limit: z.optional(fields.pageSizeSchema),
}

/**
 * Lists everything the caller may read by last edit, nine at a time. The cursor holds the last post's `$id` and the `$updatedAt` the
 * reader saw beside it, so an edit or a delete of that post does not move the page. From some authors alone the posts come
 * newest first, and the cursor holds their `$createdAt`.
 *
 * Ordered by `loved` come the posts of the last week's likes and comments, by a score that is the same for all readers and is counted anew
 * every five minutes. The cursor names the count and works for half an hour. Where the caller may read fewer than nine of them there are none.
 */
export const explorePostsOperation = defineOperation({
  name: 'explorePosts',
  method: 'GET',
  path: '/explore',
  input: z
    .object({
      ...page,
      /** `following`: public posts of whom the caller follows; `groups`: posts of the caller's groups. */
      from: z.optional(z.enum(['everyone', 'following', 'groups'])),
      order: z.optional(z.enum(['recent', 'loved'])),
    })
    .check(
      z.refine(({ from = 'everyone', order }) => order !== 'loved' || from === 'everyone', {
        path: ['from'],
        error: 'By `loved` there are only the posts of everyone.',
      }),
    ),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * By caption and tags, accent- and case-insensitive, at most twenty, newest first. A term that begins with `#` finds the posts
 * with that tag as a whole, and captions in which it stands.
 */
export const searchPostsOperation = defineOperation({
  name: 'searchPosts',
  method: 'GET',
  path: '/search/posts',
  input: z.object({ term: z.string().check(z.trim(), maxTextLength(200)) }),
  output: postListSchema,
  limit: 'search',
  errors: ['database_timeout'],
})

export const listPersonPostsOperation = defineOperation({
  name: 'listPersonPosts',
  method: 'GET',
  path: '/people/:personId/posts',
  input: z.object({ ...page, personId: fields.publicIdSchema, except: z.optional(fields.publicIdSchema) }),
  output: postPageSchema,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/** Lists the caller's saved posts, newest saved first; those no longer readable are left out. */
export const listSavedPostsOperation = defineOperation({
  name: 'listSavedPosts',
  method: 'GET',
  path: '/saved',
  input: z.object(page),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** One's own liked posts, newest liked first. */
export const listLikedPostsOperation = defineOperation({
  name: 'listLikedPosts',
  method: 'GET',
  path: '/liked',
  input: z.object(page),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
