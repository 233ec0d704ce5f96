import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { broadcastCollectionNames, type CollectionName, collectionNames } from '#contract/collection-names.ts'
import type { OperationOutput } from '#contract/operation.ts'
import {
  catchUpOperation,
  liveSocketPath,
  type SocketClientFrame,
  type SocketServerFrame,
  socketClientFrameSchema,
} from '#contract/realtime/realtime.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import type { AppContext } from '../../app-context.ts'
import {
  createKeyedConcurrencyLimiter,
  type KeyedConcurrencyLimiter,
} from '../../concurrency/keyed-concurrency-limiter.ts'
import { throwFailure } from '../../errors.ts'
import { createMissedChangesLoader } from '../../realtime/catch-up.ts'
import {
  formatSocketFrame,
  type RealtimeConnection,
  type RealtimeProtocolSession,
} from '../../realtime/connection.ts'
import type { RealtimeDocument } from '../../realtime/fan-out.ts'
import type { ChangeDelivery } from '../../realtime/outbox-delivery.ts'
import { createTypingRelay, type TypingRelay } from '../../realtime/typing-relay.ts'
import { registerRoute } from '../../route.ts'
import { isDocumentChange, isForProductSocketOnly, type LoggedChange } from '../../store/change-log-reader.ts'
import {
  createProductPayloadProvider,
  loadDeletedDocumentIds,
  readChangeReferences,
} from './change-payloads.ts'

/** This limit allows for several devices of a member. */
const maxWaiting = 10

export function registerRealtimeRoutes(app: FastifyInstance, context: AppContext): void {
  const { database, live, sockets } = context
  const db = database.kysely
  const missedBy = createMissedChangesLoader(database, context.positions, {
    readable: (collection, keys, me) => readChangeReferences(db, collection, keys, me),
    deleted: (collection, changes) => loadDeletedDocumentIds(db, collection, changes),
  })
  const inTurn = createKeyedConcurrencyLimiter<number>({
    concurrency: 1,
    waiting: maxWaiting,
    full: () => throwFailure('general_rate_limit_exceeded', { retryAfter: 1 }),
  })
  registerRoute(app, context, catchUpOperation, async ({ since, ago, collections }, { me, reply }) => {
    const names = readCollections(collections)
    return inAnswer(inTurn, me.id, reply.raw, async () => {
      const missed = await missedBy(me.id, since ?? (ago === undefined ? null : { ago }), names)
      // The output's schema checks the view of each collection.
      return missed as OperationOutput<typeof catchUpOperation>
    })
  })

  const typing = createTypingRelay(context)
  sockets.serve({
    path: `/v1${liveSocketPath}`,
    documents: createProductPayloadProvider(db),
    open: (connection) => converse(connection, live, typing),
  })
  app.addHook('onClose', () => live.close())
}

/** Waits until the same member's previous response has been read or abandoned. */
function inAnswer<T>(
  inTurn: KeyedConcurrencyLimiter<number>,
  member: number,
  response: ServerResponse,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    inTurn(member, async () => {
      if (response.destroyed) throwFailure('general_request_timeout')
      resolve(await work())
      await finished(response).catch(() => {})
    }).catch(reject)
  })
}

function converse(
  connection: RealtimeConnection,
  live: ChangeDelivery,
  typing: TypingRelay,
): RealtimeProtocolSession {
  let collections: readonly CollectionName[] = []
  /** A client that names collections receives no events outside of collections. */
  const receivesAll = () => collections === broadcastCollectionNames

  return {
    async greet(caller, query) {
      collections = readCollections(query.get('collections') ?? undefined)
      if (caller === null) return connection.close(socketCloseCodes.sessionOver)
      if (!(await connection.signIn(caller))) return
      const greeting = { accountId: caller.account.publicId, collections, position: live.position() }
      connection.send(formatSocketFrame('connected' satisfies SocketServerFrame['type'], greeting))
    },
    receive(text) {
      const frame = parseFrame(text)
      if (!frame) return connection.refuse('The message is not known.')
      if (frame.type === 'typing') {
        const member = connection.caller?.member
        return member ? typing(member, frame.data.conversationId) : undefined
      }
      connection.send(
        formatSocketFrame('pong' satisfies SocketServerFrame['type'], { position: live.position() }),
      )
    },
    wants: (change) =>
      isDocumentChange(change)
        ? collections.includes(change.collection)
        : isForProductSocketOnly(change.collection) && receivesAll(),
    encodeTyping: (sign) =>
      receivesAll() ? formatSocketFrame('typing' satisfies SocketServerFrame['type'], sign) : null,
    encode: (change, document) =>
      `${sharedPart(change, document)},"position":${JSON.stringify(live.position())}}}`,
  }
}

const sharedParts = new WeakMap<RealtimeDocument, string>()

/** All recipients share this part, so it is serialised once. */
function sharedPart({ collection, kind }: LoggedChange, document: RealtimeDocument): string {
  const before = sharedParts.get(document)
  if (before) return before
  const text = `{"type":"change","data":${JSON.stringify({ collection, kind, document }).slice(0, -1)}`
  sharedParts.set(document, text)
  return text
}

const maxFrameLength = 200

function parseFrame(text: string | null): SocketClientFrame | null {
  if (text === null || text.length > maxFrameLength) return null
  try {
    return socketClientFrameSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function readCollections(text: string | undefined): readonly CollectionName[] {
  if (text === undefined) return broadcastCollectionNames
  return text.split(',').map((name) => {
    const known = collectionNames.find((collection) => collection === name.trim())
    return (
      known ??
      throwFailure('general_argument_invalid', {
        message: 'There is no such collection.',
        field: 'collections',
      })
    )
  })
}
