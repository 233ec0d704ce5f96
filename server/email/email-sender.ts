/** Without a mail server, emails go to the development outbox, or nowhere in production. */
import type { Kysely } from 'kysely'
import type { InstanceKey } from '../auth/instance-key.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { type CommunityIdentityCache, defaultCommunityIdentityCache } from '../http/community-identity.ts'
import type { ServerLogger } from '../log.ts'
import { describeSmtpFailure, maskSmtpSecrets, readServerAnswer } from './describe-smtp-failure.ts'
import type { DevMessageOutbox } from './dev-outbox.ts'
import { createEmailQueue, type QueuedEmail } from './email-queue.ts'
import { fillCommunityNameInEmail } from './fill-community-name.ts'
import type { EmailTemplate } from './message-templates.ts'

export type EmailSender = {
  isAvailable(): boolean
  /** Call this before you write anything. @throws Failure 503 */
  assertAvailable(): void
  /** Queues the email after the response. */
  send(to: string, email: EmailTemplate): void
  /**
   * The email is sent only after the commit.
   * @returns the email's key; null for the development outbox
   */
  sendWithin(db: Kysely<DatabaseTables>, to: string, email: EmailTemplate): Promise<number | null>
  /** Sends the email without the queue. @throws Failure 503 */
  sendNow(to: string, email: EmailTemplate): Promise<{ accepted: boolean; answer: string }>
  attempt(): Promise<void>
  /** Resolves after each due email was attempted. */
  drain(): Promise<void>
}

export async function createEmailSender(
  config: Config,
  log: ServerLogger,
  outbox: DevMessageOutbox | null,
  waiting: { database: Pick<Database, 'kysely'>; instanceKey: InstanceKey } | null = null,
  identity: CommunityIdentityCache = defaultCommunityIdentityCache,
): Promise<EmailSender> {
  if (config.smtpUrl) {
    if (!waiting) throw new Error('An email server needs the database, in which emails wait.')
    return smtpTransport(config.smtpUrl, config.mailFrom, log, identity, waiting)
  }
  const put: EmailSender['send'] = (to, email) => {
    const { subject, text, kind, headers } = fillCommunityNameInEmail(email, identity.current().name)
    outbox?.put({ to, subject, text, kind, ...(headers ? { headers } : {}) })
  }
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
    async sendNow(to, email) {
      if (!outbox) throwFailure('general_smtp_disabled')
      put(to, email)
      return { accepted: true, answer: '250 kept in the development outbox' }
    },
    attempt: async () => {},
    drain: async () => {},
  }
}

async function smtpTransport(
  url: string,
  from: string,
  log: ServerLogger,
  identity: CommunityIdentityCache,
  { database, instanceKey }: { database: Pick<Database, 'kysely'>; instanceKey: InstanceKey },
): Promise<EmailSender> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const deliver = (queued: QueuedEmail) =>
    transport.sendMail({
      from,
      to: { name: '', address: queued.to },
      subject: queued.email.subject,
      text: queued.email.text,
      html: queued.email.html,
      // Prevents out-of-office replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', ...queued.email.headers },
    })
  const filled = async (email: EmailTemplate) => fillCommunityNameInEmail(email, (await identity.read()).name)
  const describeFailure = (error: unknown, to: string) => describeSmtpFailure(error, url, to)
  const queue = createEmailQueue({ database, instanceKey, log, deliver, describeFailure })
  const queueing = new Set<Promise<void>>()
  return {
    isAvailable: () => true,
    assertAvailable() {},
    send(to, email) {
      // The response time must not reveal whether an account exists.
      const queued = new Promise((later) => setImmediate(later))
        .then(async () => queue.add(database.kysely, { to, email: await filled(email) }))
        .then(() => void queue.run())
        .catch((error: unknown) => log.error({ err: error, kind: email.kind }, 'an email was not queued'))
      queueing.add(queued)
      queued.finally(() => queueing.delete(queued))
    },
    sendWithin: async (db, to, email) => queue.add(db, { to, email: await filled(email) }),
    sendNow: async (to, email) =>
      deliver({ to, email: await filled(email) }).then(
        ({ response }) => ({ accepted: true, answer: maskSmtpSecrets(response, url) }),
        (error: unknown) => ({
          accepted: false,
          answer: readServerAnswer(error, url) ?? describeSmtpFailure(error, url),
        }),
      ),
    attempt: () => queue.run(),
    async drain() {
      await Promise.all(queueing)
      await queue.run()
      await queue.close()
      transport.close()
    },
  }
}
