/** Sends e-mail through the configured server; without one, into the development outbox or, in production, not at all. */
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import type { ServerLogger } from '../log.ts'
import type { DevMessageOutbox } from './dev-outbox.ts'
import type { MailTemplate } from './message-templates.ts'
import { createRetryingSender } from './retry-delivery.ts'

export type MailSender = {
  /** Whether any e-mail can be sent here. */
  isAvailable(): boolean
  /** Call before writing anything. @throws Failure 503 when no e-mail can be sent */
  assertAvailable(): void
  /** Sends after the response; failures are retried, then logged. */
  send(to: string, email: MailTemplate): void
  /** Resolves when every e-mail was sent or given up. */
  drain(): Promise<void>
}

export async function createMailSender(
  config: Config,
  log: ServerLogger,
  outbox: DevMessageOutbox | null,
): Promise<MailSender> {
  if (config.smtpUrl) return smtpMail(config.smtpUrl, config.mailFrom, log)
  return {
    isAvailable: () => outbox !== null,
    assertAvailable() {
      if (!outbox) throwFailure('general_smtp_disabled')
    },
    send(to, { subject, text, kind, headers }) {
      outbox?.put({ to, subject, text, kind, ...(headers ? { headers } : {}) })
    },
    drain: async () => {},
  }
}

async function smtpMail(url: string, from: string, log: ServerLogger): Promise<MailSender> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    // Templates need neither; no content may make the server read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const sender = createRetryingSender('a mail', log, (mail: { to: string; email: MailTemplate }) =>
    transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      subject: mail.email.subject,
      text: mail.email.text,
      html: mail.email.html,
      // Suppresses out-of-office replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.email.headers },
    }),
  )
  return {
    isAvailable: () => true,
    assertAvailable() {},
    send: (to, email) => sender.send({ to, email }),
    async drain() {
      await sender.drain()
      transport.close()
    },
  }
}
