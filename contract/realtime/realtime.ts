/**
 * Over the websocket `GET /v1/live`, a client does the following:
 * 1. It opens `/v1/live` with its session cookie.
 * 2. It receives `connected` with a position, then a `change` for everything that its member can read.
 * 3. It sends `{ type: 'ping' }` every 20 s and receives `pong`.
 * 4. After each `connected`, it calls `catchUp({ since })` with its previous position, then keeps the newest
 *   one.
 *
 * A change may arrive twice. After `resync`, a client loads everything again. A message arrives whole; other
 * changes contain only ids, because members see different content.
 *
 * A socket that named no collections also receives typing indicators. The client sends `{ type: 'typing',
 * data: { conversationId } }` at most once per `typingIntervalMs`, and shows an indicator for
 * `typingShownMs`.
 *
 * A client reconnects after every close code except `goAway`.
 */
import * as z from 'zod/mini'
import { messageSchema } from '../chat/messages.ts'
import type { CollectionName } from '../collection-names.ts'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

export const maxSocketMessagesPerMinute = 32
/** The interval between indicators to one recipient. Earlier ones are dropped. */
export const typingIntervalMs = 5000
export const typingShownMs = 7000
/** The limit per socket of the Appwrite API. */
export const maxSocketChannels = 50

/** Opaque. An unknown position returns `resync`. */
const position = z.string().check(maxTextLength(64))

const reference = z.nullable(fields.publicIdSchema)

/** The rows that a change names besides its own. The column of `creatorId` is `creator_id`. */
export const relatedRows = {
  users: {},
  posts: { creatorId: 'users', groupId: 'groups' },
  comments: { postId: 'posts', authorId: 'users', parentId: 'comments' },
  saves: { userId: 'users', postId: 'posts' },
  follows: { followerId: 'users', followingId: 'users' },
  groups: { adminId: 'users' },
  groupMembers: { groupId: 'groups', userId: 'users' },
  groupRequests: { groupId: 'groups', userId: 'users' },
  conversations: {},
  messages: { conversationId: 'conversations', senderId: 'users' },
} as const satisfies Record<CollectionName, Record<string, CollectionName>>

type RelatedRows = typeof relatedRows

const changedRow = <Name extends CollectionName>(collection: Name) => {
  const ids = Object.keys(relatedRows[collection]).map((name) => [name, reference])
  return z.object({
    $id: fields.publicIdSchema,
    ...(Object.fromEntries(ids) as { [Field in keyof RelatedRows[Name]]: typeof reference }),
  })
}

const kinds = z.enum(['create', 'update', 'delete'])
const diffDocument = <Name extends Exclude<CollectionName, 'messages'>>(collection: Name) =>
  z.object({ collection: z.literal(collection), kind: kinds, document: changedRow(collection) })

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
   * A follow request to or by the member. Only sockets that named no collections receive it, and `catchUp`
   * does not return it. Clients must therefore reload the requests after reconnecting.
   */
  z.object({
    collection: z.literal('followRequests'),
    kind: z.enum(['create', 'delete']),
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  /** A photo tag of the member, sent in the same way as `followRequests`. */
  z.object({
    collection: z.literal('namings'),
    kind: kinds,
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  /**
   * Notifications were added, withdrawn, seen or read. This change is sent about once per second. `catchUp`
   * does not return it, so clients must reload the counts after reconnecting.
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
      document: changedRow('messages'),
    }),
  ]),
])

/** `delete` is also sent for rows that the member can no longer see. */
export type CollectionChange = z.infer<typeof changed>

/** Collection names separated by commas. The default is all except comments. */
const collections = z.optional(z.string().check(maxTextLength(200)))

/**
 * Returns each readable changed row once, in its current state, oldest change first. Without `since` and
 * `ago`, returns only the current position.
 */
export const catchUpOperation = defineOperation({
  name: 'catchUp',
  method: 'GET',
  path: '/live/changes',
  input: z.object({
    since: z.optional(position),
    /** Seconds, for clients without a position. The response may contain slightly older changes. */
    ago: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(600))),
    collections,
  }),
  output: z.object({
    changes: z.array(changed),
    position,
    /** Too many changes or too old a position: the client must load everything again. */
    resync: z.boolean(),
  }),
  limit: 'catch-up',
})

/** The path follows `/v1`. The query takes `collections` like `catchUpOperation`. */
export const liveSocketPath = '/live'

export type TypingSignal = { conversationId: string; personId: string }

export type SocketServerFrame =
  | { type: 'connected'; data: { accountId: string; collections: CollectionName[]; position: string } }
  | { type: 'change'; data: CollectionChange & { position: string } }
  | { type: 'pong'; data: { position: string } }
  | { type: 'typing'; data: TypingSignal }
  /** A refused message, or the last frame before `socketCloseCodes.goAway`. */
  | { type: 'error'; data: { code: number; message: string } }

export const socketClientFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('typing'), data: z.object({ conversationId: fields.publicIdSchema }) }),
])

export type SocketClientFrame = z.infer<typeof socketClientFrameSchema>
