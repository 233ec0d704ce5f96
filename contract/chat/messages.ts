/** Messages of one-to-one conversations: listing, sending and unsending them. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { maxMessagePhotos, messageLengthLimits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { photoInputSchema } from '../posts/posts.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'

/** Every reaction there is. */
export const reactionEmojis = ['❤️', '😂', '😮', '😢', '👏', '🙏'] as const

/** A reaction and whose it is, who reacted first before the other. */
const reactionSchema = z.object({
  emoji: z.enum(reactionEmojis),
  by: z.array(fields.publicIdSchema),
})

/** A photo of a message, with what its sender says that it shows. */
const messagePhotoSchema = z.object({
  id: fields.publicIdSchema,
  /** Pixels, orientation applied. */
  width: z.number(),
  height: z.number(),
  /** Base64 of a ThumbHash. */
  thumbhash: z.string(),
  alt: z.string(),
})

export const messageSchema = z.object({
  $id: fields.publicIdSchema,
  $createdAt: fields.isoTimestampSchema,
  conversationId: fields.publicIdSchema,
  senderId: fields.publicIdSchema,
  /** Empty once the message is unsent, or where it is photos or a post alone. */
  content: z.string(),
  /** At most four, in the order in which the sender put them. */
  photos: z.array(messagePhotoSchema),
  type: z.literal('text'),
  /** The sender first, then the recipient once the message was read. Of an unsent one nobody is told. */
  readBy: z.array(fields.publicIdSchema),
  /** The post that it shares, to a reader who can read the post at the moment. */
  shared: z.nullable(
    z.union([
      z.object({ postId: fields.publicIdSchema }),
      /** Gone, or not the reader's to see: the difference would tell. */
      z.object({ unavailable: z.literal(true) }),
    ]),
  ),
  /** What it answers, as that stands now: the beginning of its words, or none once it is unsent. */
  replyTo: z.nullable(
    z.object({
      $id: fields.publicIdSchema,
      senderId: fields.publicIdSchema,
      content: z.string(),
      unsent: z.boolean(),
      /** How many photos it has and the first of them, where there are any. */
      photos: z.optional(z.object({ count: z.number(), imageId: fields.publicIdSchema })),
    }),
  ),
  /** At most one of each member, who first reacted first. */
  reactions: z.array(reactionSchema),
  /** When its sender took the message back, for both. */
  unsentAt: z.nullable(fields.isoTimestampSchema),
})

export type Message = z.infer<typeof messageSchema>
export type MessagePhoto = z.infer<typeof messagePhotoSchema>
export type Reaction = z.infer<typeof reactionSchema>
export type ReactionEmoji = (typeof reactionEmojis)[number]

const tooLongMessage = `Maximum ${messageLengthLimits.max} characters.`

/** Words beside photos: trimmed before they are counted, or none. */
export const messageWordsSchema = z.string().check(
  fields.coarseMaxLengthCheck(messageLengthLimits.max, tooLongMessage),
  z.trim(),
  maxTextLength(messageLengthLimits.max, tooLongMessage),
  z.refine((typed) => typed === '' || fields.isVisibleText(typed), 'Write a message first.'),
  fields.combiningMarksCheck,
)

/** A message of words alone; what nobody can see is no message. */
export const messageContentSchema = messageWordsSchema.check(
  minTextLength(messageLengthLimits.min, 'Write a message first.'),
)

/**
 * Newest first: the newest, those before a message (scrolling up), or those right after one (catching up: ask again with
 * the first of the answer until `more` is false).
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
    /** There are further ones in the direction asked for. */
    more: z.boolean(),
  }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'read',
})

/**
 * Stores a message once, however often it is sent with the same `messageId`. The same id with another text is refused:
 * answering with the old text would lose the new one.
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
      /** Empty only beside photos or a post. */
      content: messageWordsSchema,
      type: z.optional(z.literal('text')),
      /** Finished uploads of the caller that nothing shows yet, in their order; none from an unanswered stranger or before a message request is answered. */
      photos: z.optional(
        z.array(photoInputSchema).check(
          z.maxLength(maxMessagePhotos, { error: 'Too many files', abort: true }),
          z.refine(
            (photos) => new Set(photos.map(({ imageId }) => imageId)).size === photos.length,
            'A photo can be in a message once.',
          ),
        ),
      ),
      /** A post that the caller can read. */
      sharedPostId: z.optional(fields.publicIdSchema),
      /** The message that it answers, of the same conversation. */
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
 * Takes a message back for both, within 24 hours: what it said goes at once, and stays only in the evidence of a report made
 * before. Unsending again answers alike.
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
