/** Services on this machine need neither encryption nor authentication. */
import { isLoopbackName } from './loopback-name.ts'

/** node-postgres checks certificates in all three modes. */
const verifyingSslModes = new Set(['require', 'verify-ca', 'verify-full'])

const tlsProtocols = new Set(['https:', 'rediss:', 'smtps:'])

export function describeMissingTls(address: string): string | null {
  const url = new URL(address)
  if (url.protocol.startsWith('postgres')) return missingPostgresTls(url)
  if (isLoopbackName(url.hostname)) return null
  if (smtpProtocols.has(url.protocol))
    return weakensEmail(url) ? 'refuses to turn the encryption of email off' : null
  return tlsProtocols.has(url.protocol) ? null : `needs ${secureForm[url.protocol]}`
}

const smtpProtocols = new Set(['smtp:', 'smtps:'])

function weakensEmail({ searchParams }: URL): boolean {
  const isOn = (name: string) => ['true', '1'].includes(searchParams.get(name) ?? 'true')
  const kept = ['secure', 'requireTLS', 'tls.rejectUnauthorized'].every(isOn)
  return !kept || searchParams.has('ignoreTLS') || searchParams.has('opportunisticTLS')
}

const secureForm: Record<string, string> = { 'http:': 'https://', 'redis:': 'rediss://' }

function missingPostgresTls({ hostname, searchParams }: URL): string | null {
  // The `host` parameter overrides the URL's host, as in node-postgres.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || isLoopbackName(host)) return null
  const mode = searchParams.get('sslmode')
  const verified =
    mode !== null && verifyingSslModes.has(mode) && searchParams.get('uselibpqcompat') !== 'true'
  return verified ? null : 'needs sslmode=verify-full'
}

/** Makes the client require TLS before it sends anything. */
export function smtpUrlRequiringStartTls(address: string): string {
  const url = new URL(address)
  if (url.protocol !== 'smtp:' || isLoopbackName(url.hostname)) return address
  url.searchParams.set('requireTLS', 'true')
  return url.href
}
