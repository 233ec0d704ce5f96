/** Posts sharing a tag or a place. */
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
 * Lists readable posts with a tag, newest first, ignoring case and accents. It gives no count, which would
 * reveal group posts. An unknown tag and an unreadable one both give an empty list.
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
    /** As most posts of the page spell it; null for an empty page. */
    tag: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Lists up to eight posts with shared tags by other authors: the most shared tags first, then the newest.
 * Fewer than four are not shown.
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
 * Lists a place's readable posts, newest first. Places are equal ignoring case, accents and repeated blanks.
 * Other members' posts appear after a day, so that nobody can be found by their current location; members can
 * opt out. An unknown place and one without visible posts give the same empty list.
 */
export const listPlacePostsOperation = defineOperation({
  name: 'listPlacePosts',
  method: 'GET',
  path: '/places/posts',
  input: z.object({ ...page, place: z.string().check(maxTextLength(locationLengthLimits.max)) }),
  output: z.extend(postPageSchema, {
    /** As most posts of the page spell it; null for an empty page. */
    place: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Suggests up to 24 places by prefix, only from posts on their place pages. The client filters further and
 * sends no more letters, because they could reveal where someone is.
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
