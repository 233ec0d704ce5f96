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
 * Newest first, ignoring case and accents. A count would reveal group posts. An unknown tag and one without
 * visible posts look the same.
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
 * Lists at most eight posts by other authors, by shared tags, then newest. With fewer than four, lists none.
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
 * Lists posts newest first, ignoring case, accents and repeated blanks. Posts of other members appear after a
 * day, so that nobody can be found by their current location. Members can opt out. An unknown place and one
 * without visible posts look the same.
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
 * Suggests at most 24 places, from posts that place pages show. The client narrows them itself, because each
 * further letter would tell the server more about where someone is.
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
