import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/app-context.ts'
import type { RequestCaller } from '#server/auth/session.ts'
import { formatIsoTimestamp } from '#server/database/iso-timestamp.ts'
import {
  formatSocketFrame,
  type RealtimeConnection,
  type RealtimeProtocolSession,
} from '#server/realtime/connection.ts'
import type { RealtimeDocument } from '#server/realtime/fan-out.ts'
import { isForProductSocketOnly, type LoggedChange } from '#server/store/change-log-reader.ts'
import { toAppwriteAccount } from '../build-response-models.ts'
import { createDocumentPayloadProvider } from '../documents/change-payloads.ts'
import { appwriteProjectId } from '../project-guard.ts'
import { createEventAndChannelNamer, type EventAndChannelNames } from './event-and-channel-names.ts'
import { formatRealtimeEventFrame, parseRealtimeClientMessage } from './frames.ts'
import { createRealtimeSubscriptions, subscribeFromRealtimeUrl } from './subscriptions.ts'

type Translation = {
  context: AppContext
  projects: ReadonlySet<string>
  namesOf(change: LoggedChange, account: string): EventAndChannelNames
  filterCosts: FilterCosts
}

/** The limits of filter comparisons per change, on this node. */
const maxFilterCost = { socket: 200, account: 500 }

export function registerAppwriteRealtimeProtocol(_app: FastifyInstance, context: AppContext): void {
  const { config, database, sockets } = context
  const translation: Translation = {
    context,
    projects: new Set([appwriteProjectId, ...config.aliases.project]),
    namesOf: createEventAndChannelNamer(config),
    filterCosts: createFilterCosts(),
  }
  sockets.serve({
    path: '/v1/realtime',
    documents: createDocumentPayloadProvider(database, config),
    jwtOf: (headers, query) => query.get('jwt') ?? (headers['x-appwrite-jwt'] as string | undefined) ?? null,
    open: (connection) => converse(connection, translation),
  })
}

function converse(
  connection: RealtimeConnection,
  { context: { database, live }, projects, namesOf, filterCosts }: Translation,
): RealtimeProtocolSession {
  const subscriptions = createRealtimeSubscriptions(() => connection.caller?.account.publicId ?? null)
  /** Only signed-in sockets receive a position. */
  const position = () => (connection.caller === null ? {} : { position: live.position() })
  const namesFor = (change: LoggedChange) => namesOf(change, connection.caller?.account.publicId ?? '')

  const user = async ({ account }: RequestCaller) => {
    const found = database.kysely.selectFrom('accounts').selectAll().where('id', '=', account.id)
    const row = await found.executeTakeFirst()
    return row ? toAppwriteAccount(row) : null
  }

  let counted = 0
  let isClosed = false
  const count = (filterCost: number): number => {
    const { caller } = connection
    if (caller === null) return filterCost
    const cost = isClosed ? 0 : filterCost
    const total = filterCosts.add(caller.account.id, cost - counted)
    counted = cost
    return total
  }
  /** Disconnects a client that exceeds the limits. */
  const withinShare = (): boolean => {
    const { filterCost, tooMany } = subscriptions
    const tooExpensive = filterCost > maxFilterCost.socket || count(filterCost) > maxFilterCost.account
    if (tooMany) connection.sendAway('Too many channels')
    else if (tooExpensive) connection.sendAway('Too many filters')
    return !tooMany && !tooExpensive
  }

  return {
    async greet(caller, query, jwtInvalid) {
      if (!projects.has(query.get('project') ?? appwriteProjectId))
        return connection.sendAway('Missing or unknown project ID')
      if (jwtInvalid) connection.refuse('Session is not valid.')
      const slots = subscribeFromRealtimeUrl(subscriptions, query)
      if (!withinShare()) return
      if (caller && !((await connection.signIn(caller)) && withinShare())) return
      const greeting = {
        channels: subscriptions.channels(),
        user: caller && (await user(caller)),
        subscriptions: slots,
        ...position(),
      }
      connection.send(formatSocketFrame('connected', greeting))
    },

    async receive(text) {
      const message = text === null ? 'Message format is not valid.' : parseRealtimeClientMessage(text)
      if (typeof message === 'string') return connection.refuse(message)
      const respond = (data: Record<string, unknown>) =>
        connection.send(formatSocketFrame('response', { to: message.type, success: true, ...data }))
      switch (message.type) {
        case 'ping':
          return connection.send(formatSocketFrame('pong', position()))
        case 'authentication':
          if ((await connection.authenticate(message.data.session)) && withinShare())
            respond({ user: connection.caller && (await user(connection.caller)) })
          return
        case 'subscribe': {
          const made = message.data.map((asked) => subscriptions.add(asked))
          return withinShare() ? respond({ subscriptions: made }) : undefined
        }
        case 'unsubscribe': {
          const removed = message.data.map(({ subscriptionId }) => ({
            subscriptionId,
            removed: subscriptions.remove(subscriptionId),
          }))
          count(subscriptions.filterCost)
          return respond({ subscriptions: removed })
        }
        case 'presence':
          return
      }
    },

    wants: (change) =>
      !isForProductSocketOnly(change.collection) && subscriptions.wants(namesFor(change).channels),

    encode(change, document) {
      const names = namesFor(change)
      const matching = subscriptions.matching(names.channels, document)
      if (!matching) return null
      const own = {
        ...position(),
        ...(matching.ids.length > 0 ? { subscriptions: matching.ids } : {}),
      }
      return formatRealtimeEventFrame(sharedPart(change, names, document), own)
    },

    closed() {
      isClosed = true
      count(0)
    },
  }
}

type FilterCosts = {
  add(account: number, cost: number): number
}

function createFilterCosts(): FilterCosts {
  const byAccount = new Map<number, number>()
  return {
    add(account, cost) {
      const total = (byAccount.get(account) ?? 0) + cost
      if (total === 0) byAccount.delete(account)
      else byAccount.set(account, total)
      return total
    },
  }
}

const sharedParts = new WeakMap<RealtimeDocument, string>()

/** The document object exists for one change only, so it serves as the cache key. */
function sharedPart(
  change: LoggedChange,
  { events, channels }: EventAndChannelNames,
  document: RealtimeDocument,
): string {
  const before = sharedParts.get(document)
  if (before) return before
  const text = JSON.stringify({
    events,
    channels,
    timestamp: formatIsoTimestamp(change.at),
    payload: document,
  })
  sharedParts.set(document, text)
  return text
}
