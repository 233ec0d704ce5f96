/**
 * Sends email through the configured server; without one, to the development outbox or, in production, not at
 * all.
 */
import type { Kysely } from 'kysely'
import type { InstanceKey } from '../auth/instance-key.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import type { ServerLogger } from '../log.ts'
import type { DevMessageOutbox } from './dev-outbox.ts'
import { createEmailQueue, type QueuedEmail } from './email-queue.ts'
import type { MailTemplate } from './message-templates.ts'

export type MailSender = {
  isAvailable(): boolean
  /** Call before writing anything. @throws Failure 503 if email is unavailable */
  assertAvailable(): void
  /** Queues after the response; sends until accepted or expired. */
  send(to: string, email: MailTemplate): void
  /**
   * Queues in a transaction, so that the email is sent only if it commits.
   * @returns the queued email's key; null if the outbox received it at once
   */
  sendWithin(db: Kysely<DatabaseTables>, to: string, email: MailTemplate): Promise<number | null>
  /** Sends due emails now. */
  attempt(): Promise<void>
  /** Resolves when all emails are queued and due ones attempted. */
  drain(): Promise<void>
}

export async function createMailSender(
  config: Config,
  log: ServerLogger,
  outbox: DevMessageOutbox | null,
  waiting: { database: Pick<Database, 'kysely'>; instanceKey: InstanceKey } | null = null,
): Promise<MailSender> {
  if (config.smtpUrl) {
    if (!waiting) throw new Error('An email server needs the database, in which emails wait.')
    return smtpMail(config.smtpUrl, config.mailFrom, log, waiting)
  }
  const put: MailSender['send'] = (to, { subject, text, kind, headers }) =>
    outbox?.put({ to, subject, text, kind, ...(headers ? { headers } : {}) })
  return {
    isAvailable: () => outbox !== null,
    assertAvailable() {
      if (!outbox) throwFailure('general_smtp_disabled')
    },
    send: put,
    async sendWithin(_db, to, email) {
      put(to, email)
      return null
    },
    attempt: async () => {},
    drain: async () => {},
  }
}

async function smtpMail(
  url: string,
  from: string,
  log: ServerLogger,
  { database, instanceKey }: { database: Pick<Database, 'kysely'>; instanceKey: InstanceKey },
): Promise<MailSender> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    // Content must not make the server read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const deliver = (mail: QueuedEmail) =>
    transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      subject: mail.email.subject,
      text: mail.email.text,
      html: mail.email.html,
      // Suppresses out-of-office replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.email.headers },
    })
  const queue = createEmailQueue({ database, instanceKey, log, deliver })
  const queueing = new Set<Promise<void>>()
  return {
    isAvailable: () => true,
    assertAvailable() {},
    send(to, email) {
      // After the response, whose timing must not reveal whether an account exists.
      const queued = new Promise((later) => setImmediate(later))
        .then(() => queue.add(database.kysely, { to, email }))
        .then(() => void queue.run())
        .catch((error: unknown) => log.error({ err: error, kind: email.kind }, 'an email was not queued'))
      queueing.add(queued)
      queued.finally(() => queueing.delete(queued))
    },
    sendWithin: (db, to, email) => queue.add(db, { to, email }),
    attempt: () => queue.run(),
    async drain() {
      await Promise.all(queueing)
      await queue.run()
      await queue.close()
      transport.close()
    },
  }
}
