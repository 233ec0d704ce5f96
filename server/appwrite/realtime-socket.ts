/**
 * One socket: who is behind it, what it asked for, what it is told. Its messages are taken one after the other; nothing is
 * told before `connected`, and nothing but the greeting to somebody who is not signed in.
 */
import type { WebSocket } from 'ws'
import { closeCodes, socketMessagesPerMinute } from '#contract/live.ts'
import { asFailure, type Failure } from '../errors.ts'
import type { Change } from '../live-changes.ts'
import type { Ending, Listener } from '../live-listeners.ts'
import type { Caller } from '../session.ts'
import { toInstant } from '../views.ts'
import {
  type ClientMessage,
  errorCodes,
  errorFrame,
  eventFrame,
  frame,
  readMessage,
} from './realtime-frames.ts'
import { type Admission, type Credentials, createIdentity } from './realtime-identity.ts'
import type { Names } from './realtime-names.ts'
import { createSubscriptions, subscribeByUrl } from './realtime-subscriptions.ts'

/** Bytes that a client has not read; one that does not read is let go (security reference M10). */
const mostUnread = 1_000_000
const authenticateWithin = 30_000
const mostTries = 5
const minute = 60_000
/** Beyond this it is no client that misjudged, and it is sent away. */
const floodFactor = 10

export type Handshake = Credentials & {
  knownProject: boolean
  query: URLSearchParams
  /** Null where connects are not counted. */
  countedAddress: string | null
}

export type Surroundings = Admission & {
  namesOf(change: Change, account: string): Names
  /** Counts a connect of an account or an address. @returns whether it may have another */
  mayConnect(who: string): Promise<boolean>
}

export type Socket = {
  close(code: number): void
  terminate(): void
  /** Sends a ping. @returns how many went unanswered before */
  ping(): number
}

const endings: Record<Ending, { code: number; message?: string }> = {
  'session over': { code: closeCodes.sessionOver },
  blocked: { code: closeCodes.goAway, message: 'The current user has been blocked.' },
  'fell behind': { code: closeCodes.refresh },
  'database lost': { code: closeCodes.tryLater },
}

export function serveSocket(ws: WebSocket, handshake: Handshake, around: Surroundings): Socket {
  const { parts } = around
  const { live, log, config } = parts
  let tries = 0
  let unanswered = 0
  /** Events wait for the greeting. */
  let waiting: string[] | null = []
  const subscriptions = createSubscriptions(() => identity.caller?.account.publicId ?? null)

  const send = (text: string) => {
    if (ws.readyState !== ws.OPEN) return
    if (ws.bufferedAmount > mostUnread) ws.terminate()
    else ws.send(text)
  }
  const refuse = (message: string, code: number = errorCodes.invalid) => send(errorFrame(code, message))
  /** Old clients go by the last error frame, new ones by the close code. */
  const sendAway = (message: string) => {
    refuse(message, errorCodes.policy)
    ws.close(closeCodes.goAway, message)
  }

  const listener = ({ account, session, member }: Caller): Listener => ({
    account: account.id,
    accountId: account.publicId,
    session: session.id,
    member: member?.id ?? null,
    wants: (change) => subscriptions.wants(around.namesOf(change, account.publicId).channels),
    tell(change, document) {
      const names = around.namesOf(change, account.publicId)
      const hearing = subscriptions.hearing(names.channels, document)
      if (!hearing) return
      const own = {
        position: live.position(),
        ...(hearing.ids.length > 0 ? { subscriptions: hearing.ids } : {}),
      }
      const text = eventFrame(sharedPart(change, names, document), own)
      if (waiting) waiting.push(text)
      else send(text)
    },
    end(why) {
      const { code, message } = endings[why]
      if (message) sendAway(message)
      else ws.close(code, why)
    },
  })

  const identity = createIdentity(around, async (found) => {
    const stop = await live.listen(listener(found))
    if (ws.readyState !== ws.OPEN) stop()
    return stop
  })

  const sendBack = (message: string) => {
    refuse(message, errorCodes.tooMuch)
    ws.close(closeCodes.tryLater)
  }

  /** @returns whether there was room for her socket */
  const signIn = async (found: Caller): Promise<boolean> => {
    const admitted = await identity.signIn(found)
    if (admitted) clearTimeout(deadline)
    else sendBack('Too many connections')
    return admitted
  }

  const mayConnect = (address: string | null, found: Caller | null) =>
    address === null || around.mayConnect(found ? `account:${found.account.id}` : `address:${address}`)

  // Given, not seen: what only the greeting needs is not to live as long as the socket.
  const greet = async (handshake: Handshake) => {
    const { found, sessionIsOver } = await identity.recognise(handshake)
    if (!(await mayConnect(handshake.countedAddress, found))) return sendBack('Too many requests')
    if (!handshake.knownProject) return sendAway('Missing or unknown project ID')
    if (sessionIsOver) refuse('Session is not valid.')
    const slots = subscribeByUrl(subscriptions, handshake.query)
    if (subscriptions.tooMany) return sendAway('Too many channels')
    if (found && !(await signIn(found))) return
    const user = found && (await identity.user())
    send(
      frame('connected', {
        channels: subscriptions.channels(),
        user,
        subscriptions: slots,
        position: live.position(),
      }),
    )
    for (const text of waiting ?? []) send(text)
    waiting = null
  }

  const authenticate = async (session: string) => {
    const found = await identity.prove(session)
    if (found === null) {
      tries += 1
      return tries < mostTries ? refuse('Session is not valid.') : sendAway('Session is not valid.')
    }
    if (identity.caller === null && !(await signIn(found))) return
    send(frame('response', { to: 'authentication', success: true, user: await identity.user() }))
  }

  const answer = async (message: ClientMessage) => {
    switch (message.type) {
      case 'ping':
        return send(frame('pong', { position: live.position() }))
      case 'authentication':
        return authenticate(message.data.session)
      case 'subscribe': {
        const made = message.data.map((asked) => subscriptions.add(asked))
        if (subscriptions.tooMany) return sendAway('Too many channels')
        return send(frame('response', { to: 'subscribe', success: true, subscriptions: made }))
      }
      case 'unsubscribe': {
        const removed = message.data.map(({ subscriptionId }) => ({
          subscriptionId,
          removed: subscriptions.remove(subscriptionId),
        }))
        return send(frame('response', { to: 'unsubscribe', success: true, subscriptions: removed }))
      }
      case 'presence':
        return
    }
  }

  const stumble = (error: unknown, refuseHere: (message: string) => void = refuse) => {
    const failure: Failure | null = asFailure(error)
    if (failure?.type === 'user_blocked') return sendAway(failure.message)
    if (failure && failure.status < 500) return refuseHere(failure.message)
    if (!failure) log.error({ err: error }, 'a socket failed')
    ws.close(closeCodes.tryLater)
  }

  const deadline = setTimeout(() => sendAway('Authentication is required'), authenticateWithin)
  deadline.unref()
  // What is wrong with the URL is wrong every time.
  let turn = greet(handshake).catch((error) => stumble(error, sendAway))
  const inTurn = (work: () => Promise<void> | void) => {
    turn = turn.then(() => (ws.readyState === ws.OPEN ? work() : undefined)).catch(stumble)
  }

  const count = messageCounter()
  /** @returns whether it is to be taken */
  const counted = (): boolean => {
    const sent = config.limits ? count() : 0
    if (sent > socketMessagesPerMinute * floodFactor) sendAway('Too many messages.')
    else if (sent > socketMessagesPerMinute) refuse('Too many messages.', errorCodes.tooMuch)
    return sent <= socketMessagesPerMinute
  }

  ws.on('message', (bytes, isBinary) => {
    if (!counted()) return
    const message = isBinary ? 'Message format is not valid.' : readMessage(String(bytes))
    inTurn(() => (typeof message === 'string' ? refuse(message) : answer(message)))
  })
  ws.on('ping', counted)
  ws.on('pong', () => {
    unanswered = 0
  })
  // What is wrong with a frame ends the socket by itself, with the code that says so.
  ws.on('error', () => {})
  ws.on('close', () => {
    clearTimeout(deadline)
    identity.leave()
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

/** How many came in the running minute, this one included. */
function messageCounter(): () => number {
  let began = 0
  let sent = 0
  return () => {
    const now = Date.now()
    if (now - began > minute) {
      began = now
      sent = 0
    }
    sent += 1
    return sent
  }
}

const sharedParts = new WeakMap<object, string>()

/** A document is read for one change, so it alone tells which event this is. */
function sharedPart(change: Change, { events, channels }: Names, document: object): string {
  const before = sharedParts.get(document)
  if (before) return before
  const text = JSON.stringify({ events, channels, timestamp: toInstant(change.at), payload: document })
  sharedParts.set(document, text)
  return text
}
