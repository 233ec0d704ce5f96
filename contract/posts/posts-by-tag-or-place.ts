/** Posts that share a tag or a place. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { locationLengthLimits, maxTagLength } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { postListSchema, postPageSchema } from './posts.ts'

const page = {
  cursor: z.optional(z.string().check(maxTextLength(100))),
  limit: z.optional(fields.pageSizeSchema),
}

/**
 * Lists posts with a tag that the caller can read, newest first, ignoring case and accents. It returns no count,
 * because a count would reveal group posts. If the tag is unknown or the caller can read none of its posts, the list is
 * empty.
 */
export const listTagPostsOperation = defineOperation({
  name: 'listTagPosts',
  method: 'GET',
  path: '/tags/:tag/posts',
  input: z.object({
    ...page,
    tag: z.string().check(maxTextLength(maxTagLength, 'A tag has at most 50 characters.')),
  }),
  output: z.extend(postPageSchema, {
    /** The spelling that most posts of the page use. Null for an empty page. */
    tag: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Lists up to eight posts by other authors that share tags with a post. Those that share the most tags come first, then
 * the newest. If there are fewer than four, the list is empty.
 */
export const listSimilarPostsOperation = defineOperation({
  name: 'listSimilarPosts',
  method: 'GET',
  path: '/posts/:postId/similar',
  input: z.object({ postId: fields.publicIdSchema }),
  output: postListSchema,
  errors: ['document_not_found'],
  limit: 'read',
})

/**
 * Lists the posts of a place that the caller can read, newest first. Two places are equal if they differ only in case,
 * accents or repeated blanks. Other members' posts appear after a day, so that nobody can be found by their current
 * location. Members can opt out. If the place is unknown or has no visible posts, the list is empty.
 */
export const listPlacePostsOperation = defineOperation({
  name: 'listPlacePosts',
  method: 'GET',
  path: '/places/posts',
  input: z.object({ ...page, place: z.string().check(maxTextLength(locationLengthLimits.max)) }),
  output: z.extend(postPageSchema, {
    /** The spelling that most posts of the page use. Null for an empty page. */
    place: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Suggests up to 24 places that begin with a text. They come only from posts that place pages show. The client filters
 * the suggestions further and sends no more letters, because these could reveal where someone is.
 */
export const suggestPlacesOperation = defineOperation({
  name: 'suggestPlaces',
  method: 'GET',
  path: '/places',
  input: z.object({ term: z.string().check(maxTextLength(20)) }),
  output: z.object({ places: z.array(z.string()) }),
  errors: ['database_timeout'],
  limit: 'search',
})
