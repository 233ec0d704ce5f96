import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxMessagePhotos, messageLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { photoInputSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

export const reactionEmojis = ['❤️', '😂', '😮', '😢', '👏', '🙏'] as const

/** The earliest reactions come first. */
const reactionSchema = z.object({
  emoji: z.enum(reactionEmojis),
  by: z.array(fields.publicIdSchema),
})

const messagePhotoSchema = z.object({
  id: fields.publicIdSchema,
  /** Pixels, after applying the orientation. */
  width: z.number(),
  height: z.number(),
  thumbhash: z.string(),
  alt: z.string(),
})

export const messageSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  conversationId: fields.publicIdSchema,
  senderId: fields.publicIdSchema,
  /** Empty if the message was unsent or has only photos or a post. */
  content: z.string(),
  /** The photos in the sender's order. */
  photos: z.array(messagePhotoSchema),
  type: z.literal('text'),
  /** The sender, and the recipient after they have read the message. Empty for an unsent message. */
  readBy: z.array(fields.publicIdSchema),
  shared: z.nullable(
    z.union([
      z.object({ postId: fields.publicIdSchema }),
      /** The post is deleted or not visible. For privacy, both look the same. */
      z.object({ unavailable: z.literal(true) }),
    ]),
  ),
  /** The original as it is now: the start of its text, or no text if it was unsent. */
  replyTo: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      senderId: fields.publicIdSchema,
      content: z.string(),
      unsent: z.boolean(),
      photos: z.optional(z.object({ count: z.number(), imageId: fields.publicIdSchema })),
    }),
  ),
  /** Each member has one reaction, earliest first. */
  reactions: z.array(reactionSchema),
  unsentAt: z.nullable(fields.isoTimestampSchema),
})

export type Message = z.infer<typeof messageSchema>
export type MessagePhoto = z.infer<typeof messagePhotoSchema>
export type Reaction = z.infer<typeof reactionSchema>
export type ReactionEmoji = (typeof reactionEmojis)[number]

const tooLongMessage = `Maximum ${messageLengthLimits.max} characters.`

/** Trimmed before counting. May be empty beside photos. */
export const messageWordsSchema = z.string().check(
  fields.coarseMaxLengthCheck(messageLengthLimits.max, tooLongMessage),
  z.trim(),
  maxTextLength(messageLengthLimits.max, tooLongMessage),
  z.refine((typed) => typed === '' || fields.isVisibleText(typed), 'Write a message first.'),
  fields.combiningMarksCheck,
)

export const messageContentSchema = messageWordsSchema.check(
  minTextLength(messageLengthLimits.min, 'Write a message first.'),
)

/**
 * Lists the newest messages, those before a message, or those right after one, newest first. To catch up,
 * repeat with the first message of the response until `more` is false.
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
    more: z.boolean(),
  }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * Idempotent by `messageId`. A repeated call with another text is refused, because the client would lose that
 * text.
 */
export const sendMessageOperation = defineOperation({
  name: 'sendMessage',
  method: 'POST',
  path: '/conversations/:conversationId/messages',
  status: 201,
  input: z
    .object({
      conversationId: fields.publicIdSchema,
      /** Becomes the message's `$id`. */
      messageId: z.optional(fields.publicIdSchema),
      content: messageWordsSchema,
      type: z.optional(z.literal('text')),
      /** Unused uploads. Refused from a stranger without an answer, and while a message request waits. */
      photos: z.optional(
        z.array(photoInputSchema).check(
          z.maxLength(maxMessagePhotos, { error: 'Too many files', abort: true }),
          z.refine(
            (photos) => new Set(photos.map(({ imageId }) => imageId)).size === photos.length,
            'A photo can be in a message once.',
          ),
        ),
      ),
      sharedPostId: z.optional(fields.publicIdSchema),
      /** The message that this one answers, in the same conversation. */
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
 * Unsends the message for both participants, within 24 hours. The text remains only in the evidence of an
 * earlier report.
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
