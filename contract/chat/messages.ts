/** One-to-one messages: listing, sending and unsending. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxMessagePhotos, messageLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { photoInputSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

export const reactionEmojis = ['❤️', '😂', '😮', '😢', '👏', '🙏'] as const

/** Reactions, the earliest first. */
const reactionSchema = z.object({
  emoji: z.enum(reactionEmojis),
  by: z.array(fields.publicIdSchema),
})

/** A photo in a message, with its description. */
const messagePhotoSchema = z.object({
  id: fields.publicIdSchema,
  /** Pixels, after applying orientation. */
  width: z.number(),
  height: z.number(),
  /** Base64 ThumbHash. */
  thumbhash: z.string(),
  alt: z.string(),
})

export const messageSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  conversationId: fields.publicIdSchema,
  senderId: fields.publicIdSchema,
  /** Empty if unsent, or if the message has only photos or a post. */
  content: z.string(),
  /** At most four, in the sender's order. */
  photos: z.array(messagePhotoSchema),
  type: z.literal('text'),
  /** The sender, then the recipient once they read it. Empty for an unsent message. */
  readBy: z.array(fields.publicIdSchema),
  /** The shared post, if the reader can read it now. */
  shared: z.nullable(
    z.union([
      z.object({ postId: fields.publicIdSchema }),
      /** Deleted or not readable; the two are indistinguishable for privacy. */
      z.object({ unavailable: z.literal(true) }),
    ]),
  ),
  /** The message it answers, as it stands now: the start of its text, or none if unsent. */
  replyTo: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      senderId: fields.publicIdSchema,
      content: z.string(),
      unsent: z.boolean(),
      /** The number of photos and the first one, if any. */
      photos: z.optional(z.object({ count: z.number(), imageId: fields.publicIdSchema })),
    }),
  ),
  /** One per member, the earliest first. */
  reactions: z.array(reactionSchema),
  /** When the sender unsent it, for both. */
  unsentAt: z.nullable(fields.isoTimestampSchema),
})

export type Message = z.infer<typeof messageSchema>
export type MessagePhoto = z.infer<typeof messagePhotoSchema>
export type Reaction = z.infer<typeof reactionSchema>
export type ReactionEmoji = (typeof reactionEmojis)[number]

const tooLongMessage = `Maximum ${messageLengthLimits.max} characters.`

/** Text beside photos, trimmed before counting; may be empty. */
export const messageWordsSchema = z.string().check(
  fields.coarseMaxLengthCheck(messageLengthLimits.max, tooLongMessage),
  z.trim(),
  maxTextLength(messageLengthLimits.max, tooLongMessage),
  z.refine((typed) => typed === '' || fields.isVisibleText(typed), 'Write a message first.'),
  fields.combiningMarksCheck,
)

/** A message without photos: needs visible text. */
export const messageContentSchema = messageWordsSchema.check(
  minTextLength(messageLengthLimits.min, 'Write a message first.'),
)

/**
 * Lists messages, newest first: the newest, those before a message, or those right after one. To catch up,
 * ask again with the first of the answer until `more` is false.
 */
export const listMessagesOperation = defineOperation({
  name: 'listMessages',
  method: 'GET',
  path: '/conversations/:conversationId/messages',
  input: z
    .object({
      conversationId: fields.publicIdSchema,
      before: z.optional(fields.publicIdSchema),
      after: z.optional(fields.publicIdSchema),
      limit: z.optional(fields.pageSizeSchema),
    })
    .check(z.refine(({ before, after }) => !(before && after), 'Either before or after')),
  output: z.object({
    documents: z.array(messageSchema),
    /** More messages exist in the requested direction. */
    more: z.boolean(),
  }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * Stores a message once per `messageId`. The same id with another text is refused, because answering with the
 * old text would lose the new one.
 */
export const sendMessageOperation = defineOperation({
  name: 'sendMessage',
  method: 'POST',
  path: '/conversations/:conversationId/messages',
  status: 201,
  input: z
    .object({
      conversationId: fields.publicIdSchema,
      /** Chosen by the client; it becomes the message's `$id`. */
      messageId: z.optional(fields.publicIdSchema),
      /** May be empty beside photos or a post. */
      content: messageWordsSchema,
      type: z.optional(z.literal('text')),
      /**
       * The caller's unused uploads, in order. Not allowed from an unanswered stranger or before a message
       * request is answered.
       */
      photos: z.optional(
        z.array(photoInputSchema).check(
          z.maxLength(maxMessagePhotos, { error: 'Too many files', abort: true }),
          z.refine(
            (photos) => new Set(photos.map(({ imageId }) => imageId)).size === photos.length,
            'A photo can be in a message once.',
          ),
        ),
      ),
      /** A post the caller can read. */
      sharedPostId: z.optional(fields.publicIdSchema),
      /** The message being answered, in the same conversation. */
      replyTo: z.optional(fields.publicIdSchema),
      senderId: fields.actorIdSchema,
    })
    .check(
      z.refine(
        ({ content, photos = [], sharedPostId }) =>
          content !== '' || photos.length > 0 || sharedPostId !== undefined,
        {
          error: 'Write a message first.',
          path: ['content'],
        },
      ),
    ),
  output: messageSchema,
  errors: [
    'document_not_found',
    'document_already_exists',
    'storage_file_not_found',
    'message_photos_waiting',
    'message_not_found',
    'user_unauthorized',
    'conversation_not_allowed',
    'conversation_waiting',
  ],
  limit: 'message',
})

/**
 * Unsends a message for both within 24 hours. Its text disappears at once, except from the evidence of an
 * earlier report. Idempotent.
 */
export const unsendMessageOperation = defineOperation({
  name: 'unsendMessage',
  method: 'DELETE',
  path: '/messages/:messageId',
  input: z.object({ messageId: fields.publicIdSchema }),
  output: messageSchema,
  errors: ['document_not_found', 'user_unauthorized', 'message_too_old'],
  limit: 'message',
})
