/**
 * Text messages: through the operator's HTTP gateway, into the outbox of a development machine, or not at all
 * (reading D-10).
 */
import type { Config } from './config.ts'
import { createDelivery } from './delivery.ts'
import { fail } from './errors.ts'
import type { Log } from './log.ts'
import type { Outbox } from './outbox.ts'

export type Sms = {
  /** @throws Failure 503 where messages cannot be sent at all; asked before anything is written */
  mustWork(): void
  /** @param to in E.164 form: `+34600111222` */
  send(to: string, message: { text: string; kind: string }): void
  settled(): Promise<void>
}

export function createSms(config: Config, log: Log, outbox: Outbox | null): Sms {
  if (config.smsUrl) return gatewaySms(config.smsUrl, log)
  return {
    mustWork() {
      if (!outbox) fail('general_phone_disabled')
    },
    send(to, { text, kind }) {
      outbox?.put({ to, subject: '', text, kind })
    },
    settled: async () => {},
  }
}

/** The gateway receives `POST {to, text}`; a name and a password in its URL travel as Basic authorization. */
function gatewaySms(url: string, log: Log): Sms {
  const gateway = new URL(url)
  const { username, password } = gateway
  gateway.username = ''
  gateway.password = ''
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username) {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  const delivery = createDelivery('a text message', log, async (message: { to: string; text: string }) => {
    const answer = await fetch(gateway, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw Object.assign(new Error('the gateway refused'), { code: answer.status })
  })
  return {
    mustWork() {},
    send: (to, { text }) => delivery.send({ to, text }),
    settled: () => delivery.settled(),
  }
}
