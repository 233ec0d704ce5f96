/**
 * Live updates over one websocket, `GET /v1/live`; `catchUpOperation` returns changes missed while
 * disconnected.
 * A client:
 * 1. opens `/v1/live` with its session cookie;
 * 2. receives `connected` with a position, then a `change` for everything its member can read;
 * 3. sends `{ type: 'ping' }` every 20 s and receives `pong`;
 * 4. after each `connected` calls `catchUp({ since })` with its previous position, then keeps the newest
 *   `position` it receives.
 * Changes may arrive twice and are idempotent. `resync` means: discard loaded data and load again.
 * A message arrives whole. Any other change only names ids, and the client loads the rest, because visibility
 * differs per member.
 * A socket without named collections also receives typing indicators. The client sends `{ type: 'typing',
 * data: { conversationId } }` at most once per `typingIntervalMs` and shows one for `typingShownMs`. Both
 * participants must allow it; it is never stored or caught up.
 * The server closes with one of `socketCloseCodes`. A client reconnects after all but `goAway`.
 */
import * as z from 'zod/mini'
import { messageSchema } from '../chat/messages.ts'
import type { CollectionName } from '../collection-names.ts'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

/** Further messages within a minute are refused individually. */
export const maxSocketMessagesPerMinute = 32
/** Milliseconds between typing indicators to one recipient; sooner ones are dropped. */
export const typingIntervalMs = 5000
/** Milliseconds after the last indicator. */
export const typingShownMs = 7000
/** Channels and subscriptions per socket of the Appwrite API. */
export const maxSocketChannels = 50

/** An opaque position in the change stream, different in each answer. An unknown one gives `resync`. */
const position = z.string().check(maxTextLength(64))

/** Null for a row that is deleted or not visible. */
const reference = z.nullable(fields.publicIdSchema)

/** Ids that a change carries, by collection. */
const references = {
  users: z.object({ $id: fields.publicIdSchema }),
  posts: z.object({ $id: fields.publicIdSchema, creatorId: reference, groupId: reference }),
  comments: z.object({
    $id: fields.publicIdSchema,
    postId: reference,
    authorId: reference,
    parentId: reference,
  }),
  saves: z.object({ $id: fields.publicIdSchema, userId: reference, postId: reference }),
  follows: z.object({ $id: fields.publicIdSchema, followerId: reference, followingId: reference }),
  groups: z.object({ $id: fields.publicIdSchema, adminId: reference }),
  groupMembers: z.object({ $id: fields.publicIdSchema, groupId: reference, userId: reference }),
  groupRequests: z.object({ $id: fields.publicIdSchema, groupId: reference, userId: reference }),
  conversations: z.object({ $id: fields.publicIdSchema }),
  messages: z.object({ $id: fields.publicIdSchema, conversationId: reference, senderId: reference }),
} as const satisfies Record<CollectionName, z.ZodMiniType>

/** Ids beside the row's own. */
export type RelatedIdField<Name extends CollectionName> = Exclude<
  keyof z.infer<(typeof references)[Name]>,
  '$id'
>

const kinds = z.enum(['create', 'update', 'delete'])
const diffDocument = <Name extends Exclude<CollectionName, 'messages'>>(collection: Name) =>
  z.object({ collection: z.literal(collection), kind: kinds, document: references[collection] })

const changed = z.discriminatedUnion('collection', [
  diffDocument('users'),
  diffDocument('posts'),
  diffDocument('comments'),
  diffDocument('saves'),
  diffDocument('follows'),
  diffDocument('groups'),
  diffDocument('groupMembers'),
  diffDocument('groupRequests'),
  diffDocument('conversations'),
  /**
   * A follow request to or by the member, on sockets without named collections. Never caught up: clients
   * count again after reconnecting.
   */
  z.object({
    collection: z.literal('followRequests'),
    kind: z.enum(['create', 'delete']),
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  /** A photo tag of the member; as `followRequests`. */
  z.object({
    collection: z.literal('namings'),
    kind: kinds,
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  /**
   * The member's notifications changed: new, withdrawn, seen or read. At most about one per second, never
   * caught up: clients count again after reconnecting.
   */
  z.object({
    collection: z.literal('notifications'),
    kind: z.literal('update'),
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  z.discriminatedUnion('kind', [
    z.object({
      collection: z.literal('messages'),
      kind: z.enum(['create', 'update']),
      document: messageSchema,
    }),
    z.object({
      collection: z.literal('messages'),
      kind: z.literal('delete'),
      document: references.messages,
    }),
  ]),
])

/** `delete` also covers rows that the member can no longer see. */
export type CollectionChange = z.infer<typeof changed>

/** Comma-separated collection names; by default all but comments. */
const collections = z.optional(z.string().check(maxTextLength(200)))

/**
 * Lists what changed since a position and the caller can read, each row once, oldest change first, in its
 * current state. Without `since` and `ago` it returns only the current position.
 */
export const catchUpOperation = defineOperation({
  name: 'catchUp',
  method: 'GET',
  path: '/live/changes',
  input: z.object({
    since: z.optional(position),
    /** Seconds to look back instead of `since`, for clients without a position; slightly more is returned. */
    ago: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(600))),
    collections,
  }),
  output: z.object({
    changes: z.array(changed),
    position,
    /** Too many changes or too long ago: load everything again. */
    resync: z.boolean(),
  }),
  limit: 'catch-up',
})

/** Under `/v1`. Takes `collections` like `catchUpOperation`, in its query. */
export const liveSocketPath = '/live'

/** A member is typing in a conversation. */
export type TypingSignal = { conversationId: string; personId: string }

export type SocketServerFrame =
  | { type: 'connected'; data: { accountId: string; collections: CollectionName[]; position: string } }
  | { type: 'change'; data: CollectionChange & { position: string } }
  | { type: 'pong'; data: { position: string } }
  /** The other participant is typing. */
  | { type: 'typing'; data: TypingSignal }
  /** Before a close with `closeCodes.goAway`, the last frame; otherwise the message was refused. */
  | { type: 'error'; data: { code: number; message: string } }

export const socketClientFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('typing'), data: z.object({ conversationId: fields.publicIdSchema }) }),
])

export type SocketClientFrame = z.infer<typeof socketClientFrameSchema>
