/**
 * Photo tags tell who is in a photo. The author of a post tags a member; until that member says yes, nobody else is told. Whoever was tagged,
 * whatever the answer, can hide the photo from everybody else but its author.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { postPhotoSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { photoTagPositionFields, photoTagSchema } from './photo-tag-schema.ts'

/** Of all that may be tagged: beyond, a longer term finds them. */
export const maxTaggablePeople = 8
export const maxTagsInPhoto = 10
export const maxTagsInPost = 20

/** Lists whom the author can tag: those who see the post and let it be. */
export const listTaggablePeopleOperation = defineOperation({
  name: 'listTaggablePeople',
  method: 'GET',
  path: '/posts/:postId/nameable',
  input: z.object({
    postId: fields.publicIdSchema,
    imageId: fields.publicIdSchema,
    term: z.optional(z.string().check(z.trim(), maxTextLength(100))),
  }),
  output: z.object({ documents: z.array(personSummarySchema) }),
  errors: ['document_not_found', 'user_unauthorized', 'database_timeout'],
  limit: 'search',
})

/** Tags a member in a photo of the caller's own, and asks that member. Whatever stands against it, the refusal is one. Idempotent. */
export const tagPersonOperation = defineOperation({
  name: 'tagPerson',
  method: 'POST',
  path: '/posts/:postId/people',
  status: 201,
  input: z.object({
    postId: fields.publicIdSchema,
    imageId: fields.publicIdSchema,
    personId: fields.publicIdSchema,
    ...photoTagPositionFields,
  }),
  output: photoTagSchema,
  errors: [
    'document_not_found',
    'user_unauthorized',
    'person_not_named',
    'named_people_full',
    'storage_file_not_found',
  ],
  limit: 'name',
})

/** Removes a tag: by the author it is gone, by who was tagged it is declined, for good. */
export const removePhotoTagOperation = defineOperation({
  name: 'removePhotoTag',
  method: 'DELETE',
  path: '/people-named/:photoTagId',
  status: 204,
  input: z.object({ photoTagId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['document_not_found'],
  limit: 'write',
})

/** Says yes to being tagged. */
export const acceptPhotoTagOperation = defineOperation({
  name: 'acceptPhotoTag',
  method: 'PUT',
  path: '/people-named/:photoTagId/shown',
  status: 204,
  input: z.object({ photoTagId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['document_not_found'],
  limit: 'write',
})

const photoOfMeSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['waiting', 'shown', 'hidden']),
  /** Tells, of a hidden photo too, whether the caller's name waits for an answer, is shown or was declined. */
  name: z.enum(['waiting', 'shown', 'declined']),
  /** Tells when the caller was asked, or last decided. */
  at: fields.isoTimestampSchema,
  ...photoTagPositionFields,
  postId: fields.publicIdSchema,
  imageId: fields.publicIdSchema,
  /** Null where the caller does not see the post any more: it can be hidden all the same. */
  post: z.nullable(
    z.object({
      creator: personSummarySchema,
      group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
      /** Tells who would read the caller's name there. */
      audience: z.object({
        kind: z.enum(['everyone', 'followers', 'group']),
        /** Not of everyone. */
        count: z.nullable(z.number()),
      }),
      /** Null while the photo is hidden. */
      photo: z.nullable(postPhotoSchema),
    }),
  ),
})

export type PhotoOfMe = z.infer<typeof photoOfMeSchema>

/** Lists the photos that the caller is tagged in or that the caller has hidden, newest first; nobody has such a list of somebody else. */
export const listPhotosOfMeOperation = defineOperation({
  name: 'listPhotosOfMe',
  method: 'GET',
  path: '/me/photos',
  input: z.object({
    state: z.optional(z.enum(['waiting', 'shown', 'hidden'])),
    cursor: z.optional(fields.publicIdSchema),
    limit: z.optional(fields.pageSizeSchema),
  }),
  output: z.object({
    documents: z.array(photoOfMeSchema),
    next: z.nullable(z.string()),
    /** How many wait for the caller's answer, up to a hundred. */
    waiting: z.number(),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

const withheldState = z.object({ withheld: z.boolean() })
const photoOfPost = z.object({ postId: fields.publicIdSchema, imageId: fields.publicIdSchema })

/** Hides a photo in which the caller was tagged, at once. Idempotent. */
export const withholdPhotoOperation = defineOperation({
  name: 'withholdPhoto',
  method: 'PUT',
  path: '/posts/:postId/photos/:imageId/withheld',
  input: photoOfPost,
  output: withheldState,
  errors: ['document_not_found'],
  limit: 'write',
})

/** Shows a photo again that the caller has hidden: `withheld` stays true while somebody else in it wants it hidden. Idempotent. */
export const stopWithholdingPhotoOperation = defineOperation({
  name: 'stopWithholdingPhoto',
  method: 'DELETE',
  path: '/posts/:postId/photos/:imageId/withheld',
  input: photoOfPost,
  output: withheldState,
  errors: ['document_not_found'],
  limit: 'write',
})
