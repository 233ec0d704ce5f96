/**
 * Safe against SSRF: each redirect connects to exactly the address that was checked. Sends no cookies,
 * credentials or forwarding headers.
 */
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { Failure } from '../errors.ts'
import { type OutboundNetwork, publicInternetNetwork, resolvePublicHost } from './public-address.ts'

export type RemoteResponse = {
  /** The URL after redirects. */
  url: URL
  type: string
  body: Buffer
}

export type RemoteGet = (url: URL, wanted: { bytes: number; cut?: boolean }) => Promise<RemoteResponse>

export type SafeFetch = {
  /**
   * Requests share one timeout. A body above `bytes` fails, or is truncated with `cut`.
   * @throws Failure avatar_remote_url_failed for any cause, to reveal nothing about networks
   */
  begin(): RemoteGet
  /**
   * Reads only the status, and follows no redirects.
   * @throws Error without a response
   */
  post(url: URL, sent: { headers: Record<string, string>; body: Buffer }): Promise<{ status: number }>
}

const defaultTimeoutsMs = { connect: 3000, total: 5000 }
const maxRedirects = 3
const userAgents = { GET: 'Juntas-Pictures/1', POST: 'Juntas/1' }

/** @param ownHosts fetching from itself could recurse endlessly */
export function createSafeFetch(
  ownHosts: readonly string[],
  network: OutboundNetwork = publicInternetNetwork,
  timeoutsMs: typeof defaultTimeoutsMs = defaultTimeoutsMs,
): SafeFetch {
  const refusedHosts = new Set(ownHosts.map(normalizeHost))

  const assertAllowed = (url: URL) => {
    const host = normalizeHost(url.hostname)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    if (!/^https?:$/.test(url.protocol)) throw new Error('Not a web address')
    if (url.username || url.password) throw new Error('An address with credentials')
    if (!network.ports.includes(port)) throw new Error('Not a port of the web')
    if (refusedHosts.has(host)) throw new Error('Our own address')
    if (isIP(host) && !network.allows(host)) throw new Error('Not a public address')
  }

  const lookup: LookupFunction = (host, { all }, callback) => {
    resolvePublicHost(host, network).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family)),
      (error) => callback(error, ''),
    )
  }

  const request = async (
    url: URL,
    signal: AbortSignal,
    { method, headers, body }: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: Buffer } = {
      method: 'GET',
    },
  ) => {
    const secure = url.protocol === 'https:'
    // Importing `node:http` takes a third of a start (decision 0093).
    const protocol = secure ? await import('node:https') : await import('node:http')
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = protocol.request(url, {
        // The environment may configure a proxy for the global agent.
        agent: new protocol.Agent({ keepAlive: false, ca: network.certificateAuthority }),
        method,
        lookup,
        signal,
        headers: {
          ...headers,
          'user-agent': userAgents[method],
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(body === undefined ? {} : { 'content-length': body.length }),
        },
      })
      const timer = setTimeout(() => sent.destroy(new Error('No connection in time')), timeoutsMs.connect)
      const connected = () => clearTimeout(timer)
      sent.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', connected))
      sent.once('close', connected)
      sent.on('error', reject).once('response', resolve).end(body)
    })
  }

  const followRedirects = async (
    first: URL,
    signal: AbortSignal,
  ): Promise<{ url: URL; response: IncomingMessage }> => {
    let url = first
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      assertAllowed(url)
      const response = await request(url, signal)
      const { statusCode = 0, headers } = response
      if (statusCode === 200) return { url, response }
      response.destroy()
      if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) {
        throw new Error(`It answered ${statusCode}`)
      }
      url = new URL(headers.location, url)
    }
    throw new Error('Too many redirects')
  }

  return {
    async post(url, sent) {
      assertAllowed(url)
      const response = await request(url, abortAfter(timeoutsMs.total), { method: 'POST', ...sent })
      response.destroy()
      return { status: response.statusCode ?? 0 }
    },
    begin() {
      const signal = abortAfter(timeoutsMs.total)
      return async (first, wanted) => {
        try {
          const { url, response } = await followRedirects(first, signal)
          const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
          return { url, type, body: await readBody(response, wanted) }
        } catch (cause) {
          throw new Failure('avatar_remote_url_failed', { cause })
        }
      }
    },
  }
}

/** Unlike `AbortSignal.timeout`, uses the clock that tests control. */
function abortAfter(ms: number): AbortSignal {
  const late = new AbortController()
  setTimeout(() => late.abort(new Error('No response in time')), ms).unref()
  return late.signal
}

const normalizeHost = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, '')

async function readBody(
  response: IncomingMessage,
  { bytes, cut = false }: { bytes: number; cut?: boolean },
): Promise<Buffer> {
  try {
    if (!['', 'identity'].includes(response.headers['content-encoding'] ?? ''))
      throw new Error('It is compressed')
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > bytes && !cut) throw new Error('It is too large')
      if (size >= bytes) break
    }
    return Buffer.concat(chunks).subarray(0, bytes)
  } finally {
    response.destroy()
  }
}
