import { expect, test } from 'vitest'
import { describeSmtpFailure } from './describe-smtp-failure.ts'

const url = 'smtp://bea:geheim@mail.juntas.example:587'

/** The errors of Nodemailer for each situation. */
test.each([
  [
    'nothing listens',
    { code: 'ESOCKET', originalCode: 'ECONNREFUSED' },
    'The mail server refused the connection.',
  ],
  ['it is silent', { code: 'ETIMEDOUT', command: 'CONN' }, 'The mail server did not answer in time.'],
  [
    'its name is unknown',
    { code: 'EDNS', originalCode: 'ENOTFOUND' },
    'DNS does not know the mail server’s name.',
  ],
  [
    'DNS is away',
    { code: 'ESOCKET', originalCode: 'EAI_AGAIN' },
    'DNS does not know the mail server’s name.',
  ],
  [
    'it speaks no TLS on its port',
    { code: 'ESOCKET', originalCode: 'ERR_SSL_WRONG_VERSION_NUMBER', reason: 'wrong version number' },
    'The encrypted connection to the mail server failed (wrong version number).',
  ],
  [
    'it refuses STARTTLS',
    { code: 'ETLS', command: 'STARTTLS', response: '454 TLS not available' },
    'The encrypted connection to the mail server failed: 454 TLS not available',
  ],
  [
    'its certificate is its own',
    { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    'The mail server’s certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).',
  ],
  [
    'it refuses the login',
    { code: 'EAUTH', response: '535 5.7.8 bea: authentication failed', responseCode: 535 },
    'The mail server refused the login: 535 5.7.8 [hidden]: authentication failed',
  ],
  ['SMTP_URL has no password', { code: 'EAUTH', command: 'API' }, 'SMTP_URL lacks the user or the password.'],
  [
    'it refuses the recipient',
    {
      code: 'EENVELOPE',
      command: 'RCPT TO',
      response: '550-5.1.1 <Ana@Juntas.test>: no such user\n550 5.1.1 See https://mail.example/ana',
    },
    'The mail server refused the recipient: 550-5.1.1 <[address]>: no such user 550 5.1.1 See https://mail.example/[name]',
  ],
  [
    'it refuses the sender',
    { code: 'EENVELOPE', command: 'MAIL FROM', response: '553 5.7.1 Sender address rejected' },
    'The mail server refused the sender in MAIL_FROM: 553 5.7.1 Sender address rejected',
  ],
  [
    'it refuses the text',
    { code: 'EMESSAGE', response: '554 5.7.1 Spam' },
    'The mail server refused the email: 554 5.7.1 Spam',
  ],
  [
    'it is busy',
    { code: 'EPROTOCOL', response: '421 4.7.0 Too many connections' },
    'The mail server gave an unexpected answer: 421 4.7.0 Too many connections',
  ],
  ['it hangs up', { code: 'ECONNECTION', command: 'CONN' }, 'The mail server closed the connection.'],
  ['something else fails', { code: 'EOTHER' }, 'Sending the email failed (EOTHER).'],
])('OPS-08 operators read in a sentence why an email failed: %s', (_, error, sentence) => {
  expect(
    describeSmtpFailure(Object.assign(new Error('for ana@juntas.test'), error), url, 'ana@juntas.test'),
  ).toBe(sentence)
})
