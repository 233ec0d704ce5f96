import proxyAddr from '@fastify/proxy-addr'
import { Client } from 'pg'
import type { Config } from '../config.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded-postgres.ts'
import { answerTimeoutMs, type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'

export async function checkPublicUrl({
  publicUrl,
  production,
  trustedProxies,
}: Config): Promise<DoctorFinding[]> {
  if (!publicUrl) return []
  const found: DoctorFinding[] = []
  if (production && trustedProxies.length === 0) {
    found.push(
      warning('TRUSTED_PROXIES is empty: behind a proxy, all members share its address in the rate limits.'),
    )
  }
  const status = await fetch(`${publicUrl}/health/live`, {
    signal: AbortSignal.timeout(answerTimeoutMs),
  }).then(
    (answer) => answer.status,
    (error: Error) => describeCertificateProblem(error.cause),
  )
  if (typeof status === 'string')
    found.push(failure(`Browsers refuse the certificate at ${publicUrl}: ${status}. Renew it at the proxy.`))
  else if (status === 200) found.push(ok(`Juntas answers at ${publicUrl}.`))
  else if (status === null)
    found.push(warning(`Nothing answers at ${publicUrl}. While Juntas is running, it must answer there.`))
  else
    found.push(failure(`Something other than Juntas answers at ${publicUrl} (${status}): check the proxy.`))
  return found
}

export function describeCertificateProblem(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('code' in cause)) return null
  const isAboutCertificate = /CERT|VERIFY|ISSUER|SIGNATURE/.test(String(cause.code))
  return isAboutCertificate ? cause.message.replace(/[.;].*$/, '') : null
}

const comparedSessions = 50

/**
 * Docker's userland proxy may hide only some clients, such as those with IPv6. A few sessions from the proxy's own
 * machine are normal.
 * @returns the sessions' addresses that belong to proxies; empty if they are fewer than a fifth
 */
export function selectProxyAddresses(
  addresses: readonly string[],
  trustedProxies: readonly string[],
): string[] {
  const isTrusted = proxyAddr.compile([...trustedProxies])
  const hidden = addresses.filter((address) => isTrusted(address, 0))
  return hidden.length * 5 >= addresses.length ? hidden : []
}

/**
 * Warns about Docker's userland proxy, which gives all clients the gateway's address. Sessions then have an
 * address in the trusted proxies' range.
 */
export async function checkClientAddresses(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url || config.trustedProxies.length === 0) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ address: string }>(
      `select host(ip::inet) as address from sessions where ip is not null order by id desc limit ${comparedSessions}`,
    )
    const hidden = selectProxyAddresses(
      rows.map(({ address }) => address),
      config.trustedProxies,
    )
    if (hidden.length === 0) return []
    return [
      warning(
        `${hidden.length} of the last ${rows.length} sessions have addresses of proxies, e.g. ${hidden[0]}: their members share one rate limit. See docs/self-hosting.md on containers.`,
      ),
    ]
  } catch {
    // A separate check reports an unreachable service.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

export async function checkRedis({ redisUrl }: Config): Promise<DoctorFinding[]> {
  if (!redisUrl) return []
  const { createClient } = await import('redis')
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: answerTimeoutMs, reconnectStrategy: false },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return [ok('Redis answers.')]
  } catch (error) {
    return [
      warning(
        `Redis at REDIS_URL does not answer (${(error as Error).message}); until it does, PostgreSQL replaces it.`,
      ),
    ]
  } finally {
    client.destroy()
  }
}
