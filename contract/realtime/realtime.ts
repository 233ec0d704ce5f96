/**
 * Live updates. One websocket, `GET /v1/live`, sends what changes; what was missed while it was down is requested with
 * `catchUpOperation`.
 *
 * A client 1. opens `/v1/live`; the session travels as the cookie; 2. gets `connected` with its position, and from then on
 * a `change` for everything its member may read; 3. sends `{ type: 'ping' }` every 20 s and gets `pong`; 4. after every
 * `connected` calls `catchUp({ since })` with the position it had before, and from then on keeps the newest `position` it
 * is given, by whichever way. Changes may come twice, from the socket and from catching up: applying one twice does no
 * harm. `resync` means: forget what was loaded and load again.
 *
 * A message comes whole. Of everything else a change names the row and those it belongs to, and the client loads what it
 * shows: what a member may see of it differs from member to member, and only the server knows.
 *
 * A socket that names no collections also hears that somebody is writing to its member, and says so of its member, with
 * `{ type: 'typing', data: { conversationId } }`: at most once in `typingIntervalMs`, and shown for `typingShownMs`. It reaches
 * the other only where both show it; it is stored nowhere, and never caught up.
 *
 * The server closes with one of `socketCloseCodes`. A client comes back after all of them but `goAway`.
 */
import * as z from 'zod/mini'
import { messageSchema } from '../chat/messages.ts'
import type { CollectionName } from '../collection-names.ts'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'

/** More messages than this in a minute are refused one by one. */
export const maxSocketMessagesPerMinute = 32
/** Milliseconds within which a member is told once that somebody is writing; what comes sooner is dropped. */
export const typingIntervalMs = 5000
/** Milliseconds after the last sign that somebody is shown as writing. */
export const typingShownMs = 7000
/** Channels and subscriptions of a socket of the dialect. */
export const maxSocketChannels = 50

/** Where a client stands in the stream of changes; opaque, and another text in each answer. An unknown one answers `resync`. */
const position = z.string().check(maxTextLength(64))

/** Absent rows are null: one that is gone, or out of the member's sight. */
const reference = z.nullable(fields.publicIdSchema)

/** The ids that a change names, by collection. */
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

/** What a change names beside its row. */
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
   * A request to follow the member, or made by the member, on a socket that names no collections. It is never caught up: after a
   * reconnect the client counts anew.
   */
  z.object({
    collection: z.literal('followRequests'),
    kind: z.enum(['create', 'delete']),
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  /** A name of the member in a photo, as `followRequests`. */
  z.object({
    collection: z.literal('namings'),
    kind: kinds,
    document: z.object({ $id: fields.publicIdSchema }),
  }),
  /**
   * The member's notifications are others now: some came, were taken back, seen or read. At most about one a second, and never
   * caught up: after a reconnect the client counts anew.
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

/** `delete` is also what a member loses sight of. */
export type CollectionChange = z.infer<typeof changed>

/** Comma-separated names of collections; all but comments when left out. */
const collections = z.optional(z.string().check(maxTextLength(200)))

/**
 * What changed since a position and the asking member may read, each row once, oldest change first, as it stands now.
 * Without `since` and `ago` it only says where the stream stands.
 */
export const catchUpOperation = defineOperation({
  name: 'catchUp',
  method: 'GET',
  path: '/live/changes',
  input: z.object({
    since: z.optional(position),
    /** Instead of `since`, where there was no position yet: everything of so many seconds, and a little more. */
    ago: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(600))),
    collections,
  }),
  output: z.object({
    changes: z.array(changed),
    position,
    /** Too much happened, or too long ago: what was loaded before is to be loaded again. */
    resync: z.boolean(),
  }),
  limit: 'catch-up',
})

/** Under `/v1`. Takes the same `collections` as `catchUpOperation` in its query. */
export const liveSocketPath = '/live'

/** Says that a member is writing in a conversation. */
export type TypingSignal = { conversationId: string; personId: string }

/** What the server sends over the socket. */
export type SocketServerFrame =
  | { type: 'connected'; data: { accountId: string; collections: CollectionName[]; position: string } }
  | { type: 'change'; data: CollectionChange & { position: string } }
  | { type: 'pong'; data: { position: string } }
  /** The other of a conversation is writing. */
  | { type: 'typing'; data: TypingSignal }
  /** With `closeCodes.goAway` the last frame before the close; with others the message was refused. */
  | { type: 'error'; data: { code: number; message: string } }

/** What a client sends. */
export const socketClientFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('typing'), data: z.object({ conversationId: fields.publicIdSchema }) }),
])

export type SocketClientFrame = z.infer<typeof socketClientFrameSchema>
