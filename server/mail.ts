/** Mail: through the configured server, into the outbox of a development machine, or not at all (reading D-10). */
import type { Config } from './config.ts'
import { createDelivery } from './delivery.ts'
import { fail } from './errors.ts'
import type { Letter } from './letters.ts'
import type { Log } from './log.ts'
import type { Outbox } from './outbox.ts'

export type Mail = {
  /** @throws Failure 503 where mail cannot be sent at all; asked before anything is written */
  mustWork(): void
  /** Sends after the answer was given; what fails is logged. */
  send(to: string, letter: Letter): void
  settled(): Promise<void>
}

export async function createMail(config: Config, log: Log, outbox: Outbox | null): Promise<Mail> {
  if (config.smtpUrl) return smtpMail(config.smtpUrl, config.mailFrom, log)
  return {
    mustWork() {
      if (!outbox) fail('general_smtp_disabled')
    },
    send(to, { subject, text, kind }) {
      outbox?.put({ to, subject, text, kind })
    },
    settled: async () => {},
  }
}

async function smtpMail(url: string, from: string, log: Log): Promise<Mail> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    // The letters are ours, whole: nothing in them may make the server read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const delivery = createDelivery('a mail', log, (mail: { to: string; letter: Letter }) =>
    transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      subject: mail.letter.subject,
      text: mail.letter.text,
      html: mail.letter.html,
      // No out-of-office answers to a machine (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    }),
  )
  return {
    mustWork() {},
    send: (to, letter) => delivery.send({ to, letter }),
    async settled() {
      await delivery.settled()
      transport.close()
    },
  }
}
