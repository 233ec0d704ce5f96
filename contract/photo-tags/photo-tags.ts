/**
 * Others see a tag only after the tagged member accepts it. That member can hide the photo from everyone
 * except its author.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { personSummarySchema } from '../people/people.ts'
import { postPhotoSchema } from '../posts/posts.ts'
import { maxTextLength } from '../text-length.ts'
import { photoTagPositionFields, photoTagSchema } from './photo-tag-schema.ts'

export const maxTaggablePeople = 8
export const maxTagsInPhoto = 10
export const maxTagsInPost = 20

/** Lists people who can see the post and allow tagging. */
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

/** Tags a person and asks them to accept. Every refusal has the same error. Idempotent. */
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

/** The author deletes the tag. The tagged member declines it permanently. */
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
  /** The caller's answer, even if the photo is hidden. */
  name: z.enum(['waiting', 'shown', 'declined']),
  /** The time of the request or the last answer. */
  at: fields.isoTimestampSchema,
  ...photoTagPositionFields,
  postId: fields.publicIdSchema,
  imageId: fields.publicIdSchema,
  /** Null if the caller can no longer see the post. The caller can still hide the photo. */
  post: z.nullable(
    z.object({
      creator: personSummarySchema,
      group: z.nullable(z.object({ $id: fields.publicIdSchema, name: z.string() })),
      audience: z.object({
        kind: z.enum(['everyone', 'followers', 'group']),
        count: z.nullable(z.number()),
      }),
      /** Null while the photo is hidden. */
      photo: z.nullable(postPhotoSchema),
    }),
  ),
})

export type PhotoOfMe = z.infer<typeof photoOfMeSchema>

/**
 * Lists photos newest first, including those that the caller hid. Nobody can list another member's photos.
 */
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
    /** The number of tags that wait for the caller, at most a hundred. */
    waiting: z.number(),
  }),
  errors: ['general_cursor_not_found'],
  limit: 'read',
})

const withheldState = z.object({ withheld: z.boolean() })
const photoOfPost = z.object({ postId: fields.publicIdSchema, imageId: fields.publicIdSchema })

export const withholdPhotoOperation = defineOperation({
  name: 'withholdPhoto',
  method: 'PUT',
  path: '/posts/:postId/photos/:imageId/withheld',
  input: photoOfPost,
  output: withheldState,
  errors: ['document_not_found'],
  limit: 'write',
})

/** `withheld` stays true while another tagged member hides the photo. */
export const stopWithholdingPhotoOperation = defineOperation({
  name: 'stopWithholdingPhoto',
  method: 'DELETE',
  path: '/posts/:postId/photos/:imageId/withheld',
  input: photoOfPost,
  output: withheldState,
  errors: ['document_not_found'],
  limit: 'write',
})
