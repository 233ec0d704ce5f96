import type { Config } from '../config.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded-postgres.ts'
import { connectToDatabase } from '../database/open-database.ts'
import { describeSmtpFailure } from '../email/describe-smtp-failure.ts'
import { readEmailQueueState } from '../email/email-queue.ts'
import { createServerLogger } from '../log.ts'
import { answerTimeoutMs, type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'

export async function checkEmailAndSms({ smtpUrl, smsUrl, production }: Config): Promise<DoctorFinding[]> {
  const found: DoctorFinding[] = []
  if (smtpUrl) {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: answerTimeoutMs,
      greetingTimeout: answerTimeoutMs,
    })
    const refusal = await transport.verify().then(
      () => null,
      (error: unknown) => describeSmtpFailure(error, smtpUrl),
    )
    transport.close()
    found.push(
      refusal
        ? failure(`Juntas cannot send emails through SMTP_URL. ${refusal}`)
        : ok('The mail server accepts our connection.'),
    )
  } else if (production) found.push(warning('SMTP_URL is not set: members cannot recover their passwords.'))
  if (smsUrl) {
    const answers = await fetch(smsUrl, {
      method: 'HEAD',
      signal: AbortSignal.timeout(answerTimeoutMs),
    }).then(
      () => true,
      () => false,
    )
    found.push(
      answers ? ok('The gateway at SMS_URL answers.') : failure('The gateway at SMS_URL does not answer.'),
    )
  }
  return found
}

const oldestWaitingSeconds = 15 * 60

export async function checkEmailQueue(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const database = connectToDatabase({ url, log: createServerLogger('silent') })
  try {
    const { waiting, failed, oldestSeconds } = await readEmailQueueState(database.kysely)
    const found: DoctorFinding[] = []
    if (failed > 0)
      found.push(
        warning(
          failed === 1
            ? '1 email failed in the last 14 days: npm run emails lists it.'
            : `${failed} emails failed in the last 14 days: npm run emails lists them.`,
        ),
      )
    if (oldestSeconds > oldestWaitingSeconds) {
      const minutes = Math.floor(oldestSeconds / 60)
      found.push(
        warning(
          waiting === 1
            ? `1 email has waited for the mail server for ${minutes} minutes: npm run emails lists it.`
            : `${waiting} emails wait for the mail server, the oldest for ${minutes} minutes: npm run emails lists them.`,
        ),
      )
    }
    return found
  } catch {
    return []
  } finally {
    await database.close()
  }
}
