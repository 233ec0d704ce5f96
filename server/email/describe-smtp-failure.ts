type SmtpError = {
  code?: unknown
  originalCode?: unknown
  reason?: unknown
  command?: unknown
  response?: unknown
}

/**
 * Returns one sentence for the operator that ends with the mail server's own answer, if it gave one. Hides
 * addresses, and the user and password of `smtpUrl`.
 * @param to the recipient, whose name some servers repeat without the domain
 */
export function describeSmtpFailure(error: unknown, smtpUrl: string, to?: string): string {
  const sentence = chooseSentence(error as SmtpError)
  const answer = readServerAnswer(error, smtpUrl)
  return answer === null ? `${sentence}.` : `${sentence}: ${hideAddresses(answer, to)}`
}

export function readServerAnswer(error: unknown, smtpUrl: string): string | null {
  const { response } = error as SmtpError
  if (typeof response !== 'string' || response.trim() === '') return null
  return maskSmtpSecrets(response.replaceAll(/\s+/g, ' ').trim(), smtpUrl)
}

const anyAddress = /[^\s<>@"'(),;:[\]]+@[^\s<>@"'(),;:[\]]+/g
const anyWord = /[\p{L}\p{N}_+-]+(?:\.[\p{L}\p{N}_+-]+)*/gu

function hideAddresses(answer: string, to = ''): string {
  const name = to.split('@')[0]?.toLowerCase()
  return answer
    .replaceAll(anyAddress, '[address]')
    .replaceAll(anyWord, (word) => (word.toLowerCase() === name ? '[name]' : word))
}

function chooseSentence({ code, originalCode, reason, command, response }: SmtpError): string {
  const cause = String(originalCode ?? code)
  if (cause === 'ECONNREFUSED') return 'The mail server refused the connection'
  if (cause === 'ETIMEDOUT' || cause === 'ESOCKETTIMEDOUT') return 'The mail server did not answer in time'
  if (cause === 'EDNS' || /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(cause))
    return 'DNS does not know the mail server’s name'
  if (cause === 'EHOSTUNREACH' || cause === 'ENETUNREACH') return 'The network does not reach the mail server'
  if (code === 'EAUTH')
    return response ? 'The mail server refused the login' : 'SMTP_URL lacks the user or the password'
  if (/CERT|VERIFY|ISSUER|SIGNATURE/.test(cause))
    return `The mail server’s certificate is not valid (${cause})`
  if (cause === 'ETLS' || /^(ERR_SSL|ERR_TLS|EPROTO$)/.test(cause))
    return `The encrypted connection to the mail server failed${typeof reason === 'string' ? ` (${reason})` : ''}`
  if (code === 'EENVELOPE')
    return command === 'MAIL FROM'
      ? 'The mail server refused the sender in MAIL_FROM'
      : 'The mail server refused the recipient'
  if (code === 'EMESSAGE') return 'The mail server refused the email'
  if (code === 'EPROTOCOL') return 'The mail server gave an unexpected answer'
  if (code === 'ECONNECTION' || cause === 'ECONNRESET' || cause === 'EPIPE')
    return 'The mail server closed the connection'
  return code === undefined ? 'Sending the email failed' : `Sending the email failed (${cause})`
}

/** The server's answer may repeat the URL's user and password, even in SMTP's encodings. */
export function maskSmtpSecrets(answer: string, smtpUrl: string): string {
  const { username, password } = new URL(smtpUrl)
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [user, secret, username, password, base64(user), base64(secret), base64(`\0${user}\0${secret}`)]
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((text, word) => text.replaceAll(word, '[hidden]'), answer)
}
