/** Posts by what they have in common: a tag, or a place. */
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
 * Lists the posts with a tag that the caller may read, newest first, case and accents aside. Tells no number of posts: it would tell of
 * groups. An unknown tag and one that is only where the caller does not read are the same empty list.
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
    /** The tag as most posts of the page write it; null for an empty page. */
    tag: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Lists posts that share tags with a post, by members other than its author and the caller: first those that share the most, then the
 * newest; eight at most, and none where there are fewer than four.
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
 * Lists the posts of a place that the caller may read, newest first; the same place is the same text, case, accents and doubled blanks
 * aside. The caller's own are there at once, others' a day after they were made or came to the place, so that nobody is found by where
 * they are now; those of who keeps them off place pages never. An unknown place and one that is out of sight are the same empty list.
 */
export const listPlacePostsOperation = defineOperation({
  name: 'listPlacePosts',
  method: 'GET',
  path: '/places/posts',
  input: z.object({ ...page, place: z.string().check(maxTextLength(locationLengthLimits.max)) }),
  output: z.extend(postPageSchema, {
    /** The place as most posts of the page write it; null for an empty page. */
    place: z.nullable(z.string()),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

/**
 * Suggests places that begin with a few letters, 24 at most, each of a post that the caller finds on the page of the place. Whoever types
 * a place compares the rest: more letters than these are not asked for, since they may say where somebody is.
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
