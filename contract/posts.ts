/** Posts: pictures with a caption, public or of a group (spec §2, §3 Post, §7 Posts). */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { operation } from './operation.ts'
import { creator } from './people.ts'

/** Reading W-01: measured at upload, so that a card has its box and its placeholder before the picture. */
export const image = z.object({
  id: fields.id,
  url: z.string(),
  /** Pixels, orientation applied. */
  width: z.number(),
  height: z.number(),
  /** Base64 of a ThumbHash. */
  thumbhash: z.string(),
})

export const post = z.object({
  $id: fields.id,
  $createdAt: fields.instant,
  $updatedAt: fields.instant,
  creator: z.nullable(creator),
  caption: z.string(),
  location: z.string(),
  tags: z.array(z.string()),
  groupId: z.nullable(fields.id),
  group: z.nullable(z.object({ $id: fields.id, name: z.string() })),
  imageUrl: z.string(),
  imageId: fields.id,
  image,
  likeCount: z.number(),
  liked: z.boolean(),
  saved: z.boolean(),
  /** What the one who asks may do with it; decided by the server's policy, never derived by the client. */
  can: z.object({ edit: z.boolean(), delete: z.boolean() }),
})

export type Image = z.infer<typeof image>
export type Post = z.infer<typeof post>

export const postList = z.object({ documents: z.array(post) })

export const createPost = operation({
  name: 'createPost',
  method: 'POST',
  path: '/posts',
  status: 201,
  input: z.object({
    caption: fields.caption,
    location: fields.location,
    tags: fields.tags,
    /** A finished upload of the caller that no record uses yet. */
    imageId: fields.id,
    groupId: z.optional(z.nullable(z.string())),
    /** Chosen by the client, so that what is sent again is not stored again; it becomes the post's `$id`. */
    postId: z.optional(fields.id),
    userId: fields.actor,
  }),
  output: post,
  errors: [
    'post_invalid_user',
    'storage_file_not_found',
    'document_already_exists',
    'user_unauthorized',
    'group_membership_required',
  ],
  limit: 'post',
})

export const getPost = operation({
  name: 'getPost',
  method: 'GET',
  path: '/posts/:postId',
  input: z.object({ postId: fields.id }),
  output: post,
  errors: ['document_not_found', 'group_membership_required'],
  limit: 'read',
})

/** Followed members' and one's own public posts with the posts of one's groups, newest first (spec §7, C-04). */
export const homeFeed = operation({
  name: 'homeFeed',
  method: 'GET',
  path: '/feed',
  input: z.object({}),
  output: postList,
  limit: 'read',
})

const postContent = {
  caption: fields.caption,
  location: fields.location,
  tags: fields.tags,
  imageId: fields.id,
  /** Null or empty is public. */
  groupId: z.nullable(z.string()),
}

/** What is left out stays as it is. A new picture is attached and the old one released in the same transaction. */
export const updatePost = operation({
  name: 'updatePost',
  method: 'PATCH',
  path: '/posts/:postId',
  input: z.object({ ...z.partial(z.object(postContent)).shape, postId: fields.id, userId: fields.actor }),
  output: post,
  errors: ['document_not_found', 'storage_file_not_found', 'user_unauthorized', 'group_membership_required'],
  limit: 'write',
})

export const deletePost = operation({
  name: 'deletePost',
  method: 'DELETE',
  path: '/posts/:postId',
  status: 204,
  input: z.object({ postId: fields.id }),
  output: z.void(),
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'write',
})

const likeState = z.object({ liked: z.boolean(), likeCount: z.number() })

/** Twice is once: the state she asked for is the state there is. */
export const likePost = operation({
  name: 'likePost',
  method: 'PUT',
  path: '/posts/:postId/like',
  input: z.object({ postId: fields.id, userId: fields.actor }),
  output: likeState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

export const unlikePost = operation({
  name: 'unlikePost',
  method: 'DELETE',
  path: '/posts/:postId/like',
  input: z.object({ postId: fields.id, userId: fields.actor }),
  output: likeState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

const saveState = z.object({ saved: z.boolean() })

export const savePost = operation({
  name: 'savePost',
  method: 'PUT',
  path: '/posts/:postId/save',
  input: z.object({ postId: fields.id, userId: fields.actor }),
  output: saveState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

export const unsavePost = operation({
  name: 'unsavePost',
  method: 'DELETE',
  path: '/posts/:postId/save',
  input: z.object({ postId: fields.id, userId: fields.actor }),
  output: saveState,
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'like',
})

/** A page of posts; `next` goes into the following request as it is, null when this was the last. */
export const postPage = z.object({ documents: z.array(post), next: z.nullable(z.string()) })
export type PostPage = z.infer<typeof postPage>

const page = { cursor: z.optional(z.string().check(z.maxLength(100))), limit: z.optional(fields.pageSize) }

/**
 * Everything she may read by last edit, nine at a time. The cursor holds the last post's `$id` and the `$updatedAt` the
 * reader saw beside it, so an edit or a delete of that post does not move the page (reading R-12).
 */
export const explorePosts = operation({
  name: 'explorePosts',
  method: 'GET',
  path: '/explore',
  input: z.object(page),
  output: postPage,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** By caption, accent- and case-insensitive, at most twenty, newest first (spec §7, conflict C-51). */
export const searchPosts = operation({
  name: 'searchPosts',
  method: 'GET',
  path: '/search/posts',
  input: z.object({ term: z.string().check(z.trim(), z.maxLength(200)) }),
  output: postList,
  limit: 'search',
})

export const postsByPerson = operation({
  name: 'postsByPerson',
  method: 'GET',
  path: '/people/:personId/posts',
  input: z.object({ ...page, personId: fields.id, except: z.optional(fields.id) }),
  output: postPage,
  errors: ['user_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/** One's own saved posts, newest saved first; those she cannot read any more are left out. */
export const savedPosts = operation({
  name: 'savedPosts',
  method: 'GET',
  path: '/saved',
  input: z.object(page),
  output: postPage,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/** One's own liked posts, newest liked first. */
export const likedPosts = operation({
  name: 'likedPosts',
  method: 'GET',
  path: '/liked',
  input: z.object(page),
  output: postPage,
  errors: ['general_cursor_not_found'],
  limit: 'read',
})
