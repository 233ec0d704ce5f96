/** Changes are sent to signed-in accounts only, after the greeting. */
import type { IncomingHttpHeaders } from 'node:http'
import type { WebSocket } from 'ws'
import { maxSocketMessagesPerMinute, type TypingSignal } from '#contract/realtime/realtime.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import { hashSecretSha256 } from '../auth/hash-secret.ts'
import { resolveJwt } from '../auth/jwt.ts'
import { findCallerBySessionToken, type RequestCaller, type SessionToken } from '../auth/session.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { toFailure } from '../errors.ts'
import type { ServerLogger } from '../log.ts'
import type { LoggedChange } from '../store/change-log-reader.ts'
import type {
  ChangePayloadProvider,
  ChangeSubscriber,
  RealtimeDocument,
  SocketCloseReason,
} from './fan-out.ts'
import type { HeartbeatSocket } from './heartbeat.ts'
import type { ChangeDelivery } from './outbox-delivery.ts'

/** Bytes that may wait for a slow client before its socket closes. */
const maxUnreadBytes = 1_000_000
const signInTimeoutMs = 30_000
const maxWrongSessions = 5
const minuteMs = 60_000
/**
 * A client that exceeds the message limit by this factor is disconnected. Below it, each excess message is
 * refused.
 */
const floodFactor = 10

/** Only 1008 prevents clients from reconnecting. */
const errorCodes = {
  invalid: 1003,
  policy: socketCloseCodes.goAway,
  tooMuch: socketCloseCodes.tryLater,
} as const

export const formatSocketFrame = (type: string, data?: unknown): string => JSON.stringify({ type, data })

export type RealtimeProtocol = {
  path: string
  documents: ChangePayloadProvider
  /** Clients may send a JWT instead of a session. */
  jwtOf?(headers: IncomingHttpHeaders, query: URLSearchParams): string | null
  /** Do not keep the handshake, which would live as long as the socket. */
  open(connection: RealtimeConnection): RealtimeProtocolSession
}

export type RealtimeProtocolSession = {
  /**
   * Signs the caller in.
   * @param caller null for a visitor
   * @param jwtInvalid the JWT is unknown or expired
   * @throws Failure 4xx, which closes the socket, because a wrong URL stays wrong
   */
  greet(caller: RequestCaller | null, query: URLSearchParams, jwtInvalid: boolean): Promise<void>
  /**
   * The next message waits until this settles.
   * @param text null for a binary message
   * @throws Failure 4xx, sent as an error frame
   */
  receive(text: string | null): Promise<void> | void
  wants(change: LoggedChange): boolean
  /** Returns the frame of a change; null if a filter excludes it. */
  encode(change: LoggedChange, document: RealtimeDocument): string | null
  /** Null if the socket has no subscription. */
  encodeTyping?(sign: TypingSignal): string | null
  closed?(): void
}

export type RealtimeConnection = {
  readonly caller: RequestCaller | null
  send(text: string): void
  refuse(message: string, code?: number): void
  /** Closes with 1008, so that the client does not reconnect. */
  sendAway(message: string): void
  close(code: number): void
  /** False if the account has too many sockets. */
  signIn(caller: RequestCaller): Promise<boolean>
  /**
   * Accepts the client's session, unless the socket belongs to another account.
   * @returns false for a refused session or if no slot is free
   * @throws Failure `user_blocked`
   */
  authenticate(session: SessionToken): Promise<boolean>
}

export type WebSocketHandshake = {
  query: URLSearchParams
  token: SessionToken | null
  jwt: string | null
  /** The address that the connection counts against; null for an exempt request. */
  countedAddress: string | null
}

export type ConnectionContext = {
  config: Config
  database: Database
  log: ServerLogger
  live: ChangeDelivery
  /** Counts the connection by account or address. */
  mayConnect(key: string): Promise<boolean>
  /** Returns a function that releases the slot; null at the limit. */
  admit(account: number): (() => void) | null
}

const endings: Record<SocketCloseReason, { code: number; message?: string }> = {
  session_ended: { code: socketCloseCodes.sessionOver },
  blocked: { code: socketCloseCodes.goAway, message: 'The current user has been blocked.' },
  fell_behind: { code: socketCloseCodes.refresh },
  database_lost: { code: socketCloseCodes.tryLater },
}

export function serveRealtimeConnection(
  ws: WebSocket,
  protocol: RealtimeProtocol,
  handshake: WebSocketHandshake,
  around: ConnectionContext,
): HeartbeatSocket {
  const { live, log, config } = around
  const db = around.database.kysely
  let caller: RequestCaller | null = null
  let jwtHash: string | null = null
  let release: (() => void) | null = null
  let unsubscribe: (() => void) | null = null
  let wrongSessions = 0
  let unanswered = 0
  /** Changes that wait until the greeting is sent; null afterwards. */
  let waiting: string[] | null = []

  const send = (text: string) => {
    if (ws.readyState !== ws.OPEN) return
    if (ws.bufferedAmount > maxUnreadBytes) ws.terminate()
    else ws.send(text)
  }
  const refuse = (message: string, code: number = errorCodes.invalid) =>
    send(formatSocketFrame('error', { code, message }))
  /** Old clients read the frame, and new ones the close code. */
  const sendAway = (message: string) => {
    refuse(message, errorCodes.policy)
    ws.close(socketCloseCodes.goAway, message)
  }
  const sendBack = (message: string) => {
    refuse(message, errorCodes.tooMuch)
    ws.close(socketCloseCodes.tryLater)
  }

  const subscriberOf = ({ account, session, member }: RequestCaller): ChangeSubscriber => ({
    account: account.id,
    accountId: account.publicId,
    session: session.id,
    jwt: jwtHash,
    member: member?.id ?? null,
    documents: protocol.documents,
    wants: conversation.wants,
    send(change, document) {
      const text = conversation.encode(change, document)
      if (text === null) return
      if (waiting) waiting.push(text)
      else send(text)
    },
    ...(conversation.encodeTyping && {
      sendTyping(sign) {
        const text = conversation.encodeTyping?.(sign) ?? null
        if (text !== null && !waiting) send(text)
      },
    }),
    close(why) {
      const { code, message } = endings[why]
      if (message) sendAway(message)
      else ws.close(code, why)
    },
  })

  const leave = () => {
    unsubscribe?.()
    release?.()
    unsubscribe = null
    release = null
  }

  const signIn = async (found: RequestCaller): Promise<boolean> => {
    release = around.admit(found.account.id)
    if (release === null) {
      sendBack('Too many connections')
      return false
    }
    caller = found
    try {
      unsubscribe = await live.subscribe(subscriberOf(found))
    } finally {
      // The socket may have closed in the meantime, and its close event comes only once.
      if (ws.readyState !== ws.OPEN) leave()
    }
    clearTimeout(deadline)
    return true
  }

  const conversation = protocol.open({
    get caller() {
      return caller
    },
    send,
    refuse,
    sendAway,
    close: (code) => ws.close(code),
    signIn,
    async authenticate(session) {
      const found = await findCallerBySessionToken(db, session)
      if (found && (caller === null || caller.account.id === found.account.id))
        return caller !== null || signIn(found)
      wrongSessions += 1
      if (wrongSessions < maxWrongSessions) refuse('Session is not valid.')
      else sendAway('Session is not valid.')
      return false
    },
  })

  const identify = async ({ jwt, token }: WebSocketHandshake) => {
    try {
      if (jwt !== null) {
        const found = await resolveJwt(db, jwt)
        jwtHash = hashSecretSha256(jwt).toString('hex')
        return { found, jwtInvalid: false }
      }
    } catch (error) {
      // Clients keep expired JWTs.
      if (toFailure(error)?.type !== 'user_jwt_invalid') throw error
    }
    return {
      found: token === null ? null : await findCallerBySessionToken(db, token),
      jwtInvalid: jwt !== null,
    }
  }

  const mayConnect = (address: string | null, found: RequestCaller | null) =>
    address === null || around.mayConnect(found ? `account:${found.account.id}` : `address:${address}`)

  // The handshake is a parameter, because in a closure its data would live as long as the socket.
  const greet = async (given: WebSocketHandshake) => {
    const { found, jwtInvalid } = await identify(given)
    if (!(await mayConnect(given.countedAddress, found))) return sendBack('Too many requests')
    await conversation.greet(found, given.query, jwtInvalid)
    for (const text of waiting ?? []) send(text)
    waiting = null
  }

  const answerError = (error: unknown, answer: (message: string) => void = refuse) => {
    const failure = toFailure(error)
    if (failure?.type === 'user_blocked') return sendAway(failure.message)
    if (failure && failure.status < 500) return answer(failure.message)
    if (!failure) log.error({ err: error }, 'a socket failed')
    ws.close(socketCloseCodes.tryLater)
  }

  const deadline = setTimeout(() => sendAway('Authentication is required'), signInTimeoutMs)
  deadline.unref()
  let turn = greet(handshake).catch((error) => answerError(error, sendAway))
  const inTurn = (work: () => Promise<void> | void) => {
    turn = turn.then(() => (ws.readyState === ws.OPEN ? work() : undefined)).catch(answerError)
  }

  const count = messageCounter()
  const counted = (): boolean => {
    const sent = config.limits ? count() : 0
    if (sent > maxSocketMessagesPerMinute * floodFactor) sendAway('Too many messages.')
    else if (sent > maxSocketMessagesPerMinute) refuse('Too many messages.', errorCodes.tooMuch)
    return sent <= maxSocketMessagesPerMinute
  }

  ws.on('message', (bytes, isBinary) => {
    if (!counted()) return
    const text = isBinary ? null : String(bytes)
    inTurn(() => conversation.receive(text))
  })
  ws.on('ping', counted)
  ws.on('pong', () => {
    unanswered = 0
  })
  // After an invalid frame, the socket closes with its own code.
  ws.on('error', () => {})
  ws.on('close', () => {
    clearTimeout(deadline)
    leave()
    conversation.closed?.()
  })

  return {
    close: (code) => ws.close(code),
    terminate: () => ws.terminate(),
    ping() {
      if (ws.readyState === ws.OPEN) ws.ping()
      unanswered += 1
      return unanswered - 1
    },
  }
}

function messageCounter(): () => number {
  let began = 0
  let sent = 0
  return () => {
    const now = Date.now()
    if (now - began > minuteMs) {
      began = now
      sent = 0
    }
    sent += 1
    return sent
  }
}
