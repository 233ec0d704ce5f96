import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxPostPhotos } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { peoplePageSchema, personSummarySchema } from '../people/people.ts'
import { photoTagSchema } from '../photo-tags/photo-tag-schema.ts'
import { maxTextLength } from '../text-length.ts'
import { shareReceiptSchema } from './share-receipt.ts'

/** The size lets cards reserve space. */
export const postImageSchema = z.object({
  id: fields.publicIdSchema,
  url: z.string(),
  /** The size in pixels, after applying the orientation. */
  width: z.number(),
  height: z.number(),
  /** Base64 ThumbHash. */
  thumbhash: z.string(),
})

export const postPhotoSchema = z.extend(postImageSchema, {
  alt: z.string(),
  /** True if a person in the photo hid it. Only that person and the author see it. */
  withheld: z.optional(z.literal(true)),
})

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
  /** Also null for an author who left a group that was hidden afterwards. */
  group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
  imageUrl: z.string(),
  imageId: fields.publicIdSchema,
  image: postImageSchema,
  photos: z.array(postPhotoSchema),
  likeCount: z.number(),
  liked: z.boolean(),
  saved: z.boolean(),
  /** Mentioned members. Other names stay plain text. */
  mentions: z.optional(z.array(fields.mentionSchema)),
  /** Counts comments visible to the caller. */
  commentCount: z.number(),
  commentsFrom: allowedCommentersSchema,
  /** The time of the last visible change. Changes in the first five minutes do not count. */
  editedAt: z.nullable(fields.isoTimestampSchema),
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    /** True if the author left the group and can take the post out of it. */
    takeAlong: z.optional(z.literal(true)),
    name: z.optional(z.literal(true)),
  }),
  /** Present on the post's page. The author also sees waiting tags, and tagged callers their own. */
  people: z.optional(z.array(photoTagSchema)),
  /** Why the post is hidden. Only the author sees this. */
  hidden: z.optional(
    z.object({
      by: z.enum(['author', 'group', 'moderator']),
      reason: z.nullable(z.string()),
      caseId: z.nullable(fields.publicIdSchema),
      can: z.object({ appeal: z.boolean() }),
    }),
  ),
  /**
   * True if the caller blocked the author and sees the post only as the group's admin. Clients cover the
   * post.
   */
  blocked: z.optional(z.literal(true)),
  /** Only the author receives this. Null for posts that are older than receipts. */
  receipt: z.optional(z.nullable(shareReceiptSchema)),
})

export type PostImage = z.infer<typeof postImageSchema>
export type PostPhoto = z.infer<typeof postPhotoSchema>
export type Post = z.infer<typeof postSchema>

export const postListSchema = z.object({ documents: z.array(postSchema) })

export const postPageSchema = z.object({ documents: z.array(postSchema), next: z.nullable(z.string()) })
export type PostPage = z.infer<typeof postPageSchema>

const postContent = {
  caption: fields.captionSchema,
  location: fields.locationSchema,
  tags: fields.tagsSchema,
}

/** An unused upload of the caller. */
const imageId = z.optional(fields.publicIdSchema)

export const photoInputSchema = z.object({
  imageId: fields.publicIdSchema,
  alt: z.optional(fields.altTextSchema),
})
export type PhotoInput = z.infer<typeof photoInputSchema>

/** The photos, cover first. A photo without `alt` keeps its description. */
const photos = z.optional(
  z
    .array(photoInputSchema)
    .check(
      z.minLength(1, 'At least one photo.'),
      z.maxLength(maxPostPhotos, { error: 'Too many files', abort: true }),
    ),
)

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
      /** The default is the author's setting. */
      commentsFrom: z.optional(allowedCommentersSchema),
      /** This id becomes the post's `$id`, so that the client can repeat the call. */
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

/**
 * Lists posts newest first, twenty per page: public posts of the caller and followed members, and posts of
 * the caller's groups.
 */
export const getHomeFeedOperation = defineOperation({
  name: 'getHomeFeed',
  method: 'GET',
  path: '/feed',
  input: z.object({ cursor: z.optional(fields.publicIdSchema) }),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** Updates a post. `imageId` alone replaces the cover. */
export const updatePostOperation = defineOperation({
  name: 'updatePost',
  method: 'PATCH',
  path: '/posts/:postId',
  input: z.object({
    ...z.partial(z.object({ ...postContent, groupId })).shape,
    imageId,
    photos,
    commentsFrom: z.optional(allowedCommentersSchema),
    /**
     * The `$updatedAt` of the version that the caller edited. If the post changed afterwards, the call fails.
     */
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

/** The author must have left the group. Hides the post from others. Idempotent. */
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

/** Newest first. For a group's post, only its members. */
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
 * Nine per page, by last edit. The cursor holds the `$updatedAt` that the client saw, so edits and deletions
 * do not shift pages. With `from`, newest first. The order `loved` ranks by recent likes and comments, for
 * all readers, every five minutes; its cursor works for half an hour. With fewer than nine readable posts, it
 * is empty.
 */
export const explorePostsOperation = defineOperation({
  name: 'explorePosts',
  method: 'GET',
  path: '/explore',
  input: z
    .object({
      ...page,
      /** `following`: public posts of followed members. `groups`: posts of the caller's groups. */
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
 * Searches captions and tags, ignoring case and accents. Returns at most twenty posts, newest first. `#`
 * matches whole tags, and captions that contain the term.
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

/** Lists posts that the caller can still read, last saved first. */
export const listSavedPostsOperation = defineOperation({
  name: 'listSavedPosts',
  method: 'GET',
  path: '/saved',
  input: z.object(page),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** Lists the last liked first. */
export const listLikedPostsOperation = defineOperation({
  name: 'listLikedPosts',
  method: 'GET',
  path: '/liked',
  input: z.object(page),
  output: postPageSchema,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
