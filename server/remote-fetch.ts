/**
 * Fetches from the internet what a member names. What is connected to is the address that was checked, on every hop; time
 * and bytes are bounded; nothing of hers or ours is sent along (security reference §5.6, X01–X03).
 */
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { Failure } from './errors.ts'
import { addressesOf, internet, type Reach } from './remote-address.ts'

export type Fetched = {
  /** Where it was in the end. */
  url: URL
  /** The declared type, without parameters. */
  type: string
  body: Buffer
}

export type Get = (url: URL, wanted: { bytes: number; cut?: boolean }) => Promise<Fetched>

export type Remote = {
  /**
   * Begins a fetch of one or more requests, which share the time there is. Each takes at most so many `bytes`: more is a
   * failure, or with `cut` left aside.
   * @throws Failure avatar_remote_url_failed, whatever went wrong: who asks learns nothing of networks
   */
  begin(): Get
}

/** Milliseconds. */
const usualLimits = { connect: 3000, total: 5000 }
const redirects = 3
const userAgent = 'Juntas-Pictures/1'

/** @param own hosts that are ourselves: a fetch of us by us could go round for ever */
export function createRemote(
  own: readonly string[],
  reach: Reach = internet,
  limits: typeof usualLimits = usualLimits,
): Remote {
  const ourselves = new Set(own.map(plainHost))

  const check = (url: URL) => {
    const host = plainHost(url.hostname)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    if (!/^https?:$/.test(url.protocol)) throw new Error('Not a web address')
    if (url.username || url.password) throw new Error('An address with credentials')
    if (!reach.ports.includes(port)) throw new Error('Not a port of the web')
    if (ourselves.has(host)) throw new Error('Our own address')
    if (isIP(host) && !reach.allows(host)) throw new Error('Not a public address')
  }

  const lookup: LookupFunction = (host, { all }, answer) => {
    addressesOf(host, reach).then(
      (found) => (all ? answer(null, found) : answer(null, found[0]?.address ?? '', found[0]?.family)),
      (error) => answer(error, ''),
    )
  }

  const ask = async (url: URL, signal: AbortSignal) => {
    const secure = url.protocol === 'https:'
    // Loaded with the first fetch: a module that imports `node:http` makes Node load its WebSocket too, which takes a
    // third of a start (decision 0850).
    const protocol = secure ? await import('node:https') : await import('node:http')
    return new Promise<IncomingMessage>((resolve, reject) => {
      const request = protocol.request(url, {
        // An agent of our own: the global one may be told by the environment to go through a proxy.
        agent: new protocol.Agent({ keepAlive: false }),
        lookup,
        signal,
        headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
      })
      const timer = setTimeout(() => request.destroy(new Error('No connection in time')), limits.connect)
      const connected = () => clearTimeout(timer)
      request.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', connected))
      request.once('close', connected)
      request.on('error', reject).once('response', resolve).end()
    })
  }

  const follow = async (first: URL, signal: AbortSignal): Promise<{ url: URL; answer: IncomingMessage }> => {
    let url = first
    for (let hop = 0; hop <= redirects; hop += 1) {
      check(url)
      const answer = await ask(url, signal)
      const { statusCode = 0, headers } = answer
      if (statusCode === 200) return { url, answer }
      answer.destroy()
      if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) {
        throw new Error(`It answered ${statusCode}`)
      }
      url = new URL(headers.location, url)
    }
    throw new Error('Too many redirects')
  }

  return {
    begin() {
      const signal = AbortSignal.timeout(limits.total)
      return async (first, wanted) => {
        try {
          const { url, answer } = await follow(first, signal)
          const type = (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
          return { url, type, body: await bodyOf(answer, wanted) }
        } catch (cause) {
          throw new Failure('avatar_remote_url_failed', { cause })
        }
      }
    },
  }
}

/** As it is compared: `[::1]` and `localhost.` are `::1` and `localhost`. */
const plainHost = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, '')

async function bodyOf(
  answer: IncomingMessage,
  { bytes, cut = false }: { bytes: number; cut?: boolean },
): Promise<Buffer> {
  try {
    if (!['', 'identity'].includes(answer.headers['content-encoding'] ?? ''))
      throw new Error('It is compressed')
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > bytes && !cut) throw new Error('It is too large')
      if (size >= bytes) break
    }
    return Buffer.concat(chunks).subarray(0, bytes)
  } finally {
    answer.destroy()
  }
}
