/**
 * Live updates (spec §4 Live updates; architecture §14.1). One websocket, `GET /v1/realtime`, tells what changes; what was
 * missed while it was down is asked for with `catchUp`. The socket speaks the dialect, so that official SDKs use it too;
 * what is ours in it is the position.
 *
 * A client of ours
 * 1. opens `/v1/realtime?project=juntas`; the session travels as the cookie, or in an `authentication` message;
 * 2. gets `{ type: 'connected', data: { user, channels, subscriptions, position } }` and sends
 *    `{ type: 'subscribe', data: [{ subscriptionId, channels, queries: [] }] }` with ids of its own choice and channels
 *    like `databases.main.collections.messages.documents`;
 * 3. gets `{ type: 'event', data: Event }` for every change it may read, as the document stands now;
 * 4. sends `{ type: 'ping' }` every 20 s and gets `{ type: 'pong', data: { position } }`;
 * 5. after every `connected` calls `catchUp({ since })` with the position it had before, and from then on keeps the newest
 *    `position` it is given, by whichever way. Changes may come twice, from the socket and from catching up: applying one
 *    twice does no harm, because each brings the document as it stands. `resync` means: forget what was loaded and load
 *    again.
 *
 * The server closes with one of `closeCodes`. A client comes back after all of them but `goAway`.
 */
import * as z from 'zod/mini'
import * as fields from './fields.ts'
import { operation } from './operation.ts'

export const closeCodes = {
  /** Do not come back: no such project, a blocked account, nobody signed in, or a misuse of the socket (row R12). */
  goAway: 1008,
  /** The server restarts. */
  restarting: 1012,
  /** Too many connections, or a database out of reach. */
  tryLater: 1013,
  /** The socket is half an hour old, or the server lost track of what it told. */
  refresh: 4000,
  /** The session ended: signed out, expired, or the password changed. */
  sessionOver: 4001,
} as const

/** The server's side of the dialect's limits; more messages than this in a minute are refused one by one. */
export const socketMessagesPerMinute = 32
export const socketChannels = 50

export const liveCollections = [
  'users',
  'posts',
  'saves',
  'follows',
  'groups',
  'groupMembers',
  'groupRequests',
  'conversations',
  'messages',
] as const

/** Where a client stands in the stream of changes; opaque. */
const position = z.string().check(z.maxLength(64))

const changed = z.object({
  collection: z.enum(liveCollections),
  kind: z.enum(['create', 'update', 'delete']),
  /** As `GET` of the document answers now; of a deleted one what it was. */
  document: z.looseObject({ $id: fields.id }),
})

export type Changed = z.infer<typeof changed>

/**
 * What changed since a position and the asking member may read, each document once, oldest change first. Without `since`
 * it only says where the stream stands.
 */
export const catchUp = operation({
  name: 'catchUp',
  method: 'GET',
  path: '/live/changes',
  input: z.object({
    since: z.optional(position),
    /** Comma-separated names of collections; all when left out. */
    collections: z.optional(z.string().check(z.maxLength(200))),
  }),
  output: z.object({
    changes: z.array(changed),
    position,
    /** Too much happened, or too long ago: what was loaded before is to be loaded again. */
    resync: z.boolean(),
  }),
  limit: 'read',
})

/** `data` of an event frame. */
export type LiveEvent = {
  /** Every spelling with wildcards; the first is the exact one: `databases.main.collections.messages.documents.ID.create`. */
  events: string[]
  channels: string[]
  /** ISO-8601 in UTC. */
  timestamp: string
  payload: Record<string, unknown>
  /** The receiver's subscriptions that asked for it; absent for channels named in the URL. */
  subscriptions?: string[]
  position: string
}
