/** A shared proxy that stores everything that RFC 9111 allows. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import CachePolicy from 'http-cache-semantics'
import { tunnelUpgrade } from './tunnel-upgrade.ts'

export type CachingProxy = AsyncDisposable & {
  url: string
  /** Stored responses, and requests answered without the server. */
  counts(): { kept: number; answered: number }
}

type KeptResponse = { policy: CachePolicy; body: Buffer }

/** A proxy must not forward these hop-by-hop headers. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

export async function startCachingProxy(origin: string): Promise<CachingProxy> {
  const { hostname, port } = new URL(origin)
  /** Responses by URL, newest first. `Vary` may distinguish several. */
  const store = new Map<string, KeptResponse[]>()
  const counts = { kept: 0, answered: 0 }

  const ask = async (asked: IncomingMessage, headers: IncomingHttpHeaders): Promise<IncomingMessage> => {
    const passed = request({
      hostname,
      port,
      method: asked.method,
      path: asked.url,
      headers: endToEnd(headers),
    })
    asked.pipe(passed)
    const [given] = (await once(passed, 'response')) as [IncomingMessage]
    return given
  }

  const server = createServer(async (asked, answer) => {
    try {
      const path = asked.url ?? '/'
      const described = { method: asked.method, url: path, headers: asked.headers }
      // Partial responses are neither stored nor combined.
      const cacheable = asked.method === 'GET' && asked.headers.range === undefined
      const all = cacheable ? (store.get(path) ?? []) : []
      const usable = all.find(({ policy }) => policy.satisfiesWithoutRevalidation(described))
      if (usable) {
        counts.answered += 1
        answer.writeHead(200, endToEnd(usable.policy.responseHeaders() as IncomingHttpHeaders))
        return void answer.end(usable.body)
      }
      const given = await ask(asked, asked.headers)
      answer.writeHead(given.statusCode ?? 502, endToEnd(given.headers))
      if (!cacheable) return void given.pipe(answer)
      const body = await buffer(given)
      answer.end(body)
      const policy = new CachePolicy(described, { status: given.statusCode, headers: given.headers })
      if (given.statusCode !== 200 || !policy.storable()) return
      store.set(path, [{ policy, body }, ...(store.get(path) ?? [])])
      counts.kept += 1
    } catch {
      answer.destroy()
    }
  })
  server.on('upgrade', (asked: IncomingMessage, client: Socket, head: Buffer) => {
    const node = connect(Number(port), hostname)
    node.once('connect', () => tunnelUpgrade(asked, client, head, node))
    node.once('error', () => client.destroy())
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    counts: () => ({ ...counts }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
