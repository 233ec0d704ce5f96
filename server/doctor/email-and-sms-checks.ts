import type { Config } from '../config.ts'
import { maskSmtpSecrets } from '../email/mail.ts'
import { answerTimeoutMs, type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'

export async function checkMailAndSms({ smtpUrl, smsUrl, production }: Config): Promise<DoctorFinding[]> {
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
      (error: Error) => error.message,
    )
    transport.close()
    found.push(
      refusal
        ? failure(`The mail server at SMTP_URL refused our connection: ${maskSmtpSecrets(refusal, smtpUrl)}`)
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
