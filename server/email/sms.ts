/** Without a gateway, text messages go to the development outbox, or nowhere in production. */
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import { type CommunityIdentityCache, defaultCommunityIdentityCache } from '../http/community-identity.ts'
import type { ServerLogger } from '../log.ts'
import type { DevMessageOutbox } from './dev-outbox.ts'
import { fillCommunityName } from './fill-community-name.ts'
import { createRetryingSender } from './retry-sms-delivery.ts'

export type SmsSender = {
  isAvailable(): boolean
  /** Call this before you write anything. @throws Failure 503 */
  assertAvailable(): void
  /** Sends after the response, with retries. @param to E.164, such as `+34600111222` */
  send(to: string, message: { text: string; kind: string }): void
  drain(): Promise<void>
}

export function createSmsSender(
  config: Config,
  log: ServerLogger,
  outbox: DevMessageOutbox | null,
  identity: CommunityIdentityCache = defaultCommunityIdentityCache,
): SmsSender {
  if (config.smsUrl) return gatewaySms(config.smsUrl, log, identity)
  return {
    isAvailable: () => outbox !== null,
    assertAvailable() {
      if (!outbox) throwFailure('general_phone_disabled')
    },
    send(to, { text, kind }) {
      outbox?.put({ to, subject: '', text: fillCommunityName(text, identity.current().name), kind })
    },
    drain: async () => {},
  }
}

/** Credentials in the URL become Basic authentication. */
function gatewaySms(url: string, log: ServerLogger, identity: CommunityIdentityCache): SmsSender {
  const gateway = new URL(url)
  const { username, password } = gateway
  gateway.username = ''
  gateway.password = ''
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username) {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  const sender = createRetryingSender(
    'a text message',
    log,
    async (message: { to: string; text: string }) => {
      const response = await fetch(gateway, {
        method: 'POST',
        headers,
        body: JSON.stringify(message),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      })
      await response.body?.cancel()
      if (!response.ok) throw Object.assign(new Error('the gateway refused'), { code: response.status })
    },
  )
  return {
    isAvailable: () => true,
    assertAvailable() {},
    send: (to, { text }) => sender.send({ to, text: fillCommunityName(text, identity.current().name) }),
    drain: () => sender.drain(),
  }
}
