/**
 * A proxy in front of a server that can put the next version of the web in place of the one before, as a deploy does: every script
 * and style has another name, and those of the version before are gone.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { tunnelUpgrade } from './tunnel-upgrade.ts'

/** Disposed of, it is closed. */
export type DeploySimulatingProxy = AsyncDisposable & {
  url: string
  /** From now on there is the next version alone. */
  deploy(): void
  /** From now on no request gets an answer, or they do again. */
  cut(isCut: boolean): void
}

const nextMark = '_next'
const builtName = /(-[\w-]{7,8})\.(js|css)\b/g
const isBuilt = (path: string) => /^\/assets\/.*\.(js|css)$/.test(path)

/** @param origin of the server, e.g. `http://localhost:40213` */
export async function startDeploySimulatingProxy(origin: string): Promise<DeploySimulatingProxy> {
  const { hostname, port } = new URL(origin)
  const state = { deployed: false, cut: false }

  const server = createServer(async (asked, answer) => {
    if (state.cut) return void asked.socket.destroy()
    const path = asked.url ?? '/'
    if (state.deployed && isBuilt(path) && !path.includes(nextMark)) {
      answer.writeHead(404)
      return void answer.end()
    }
    try {
      const { 'if-none-match': _, 'if-modified-since': __, ...headersSent } = asked.headers
      const passed = request({
        hostname,
        port,
        method: asked.method,
        path: path.replace(nextMark, ''),
        // Whole and as text: what the browser has is the version before's.
        headers: { ...headersSent, 'accept-encoding': 'identity' },
      })
      asked.pipe(passed)
      const [given] = (await once(passed, 'response')) as [IncomingMessage]
      const headers = { ...given.headers }
      const isText = /html|javascript|css/.test(headers['content-type'] ?? '')
      if (!state.deployed || !isText) {
        answer.writeHead(given.statusCode ?? 502, headers)
        return void given.pipe(answer)
      }
      delete headers['content-length']
      delete headers.etag
      if (headers.link) headers.link = toNext(String(headers.link))
      answer.writeHead(given.statusCode ?? 502, headers)
      answer.end(toNext((await buffer(given)).toString()))
    } catch {
      answer.destroy()
    }
  })
  server.on('upgrade', (asked: IncomingMessage, client: Socket, head: Buffer) => {
    if (state.cut) return void client.destroy()
    const node = connect(Number(port), hostname)
    node.once('connect', () => tunnelUpgrade(asked, client, head, node))
    node.once('error', () => client.destroy())
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    deploy() {
      state.deployed = true
    },
    cut(isCut) {
      state.cut = isCut
      if (isCut) server.closeAllConnections()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Names the files of the next version, and gives its worker a version of its own. */
const toNext = (text: string): string =>
  text
    .replace(builtName, `$1${nextMark}.$2`)
    .replace(/`([0-9a-f]{12})`/g, (_, version) => `\`${[...version].reverse().join('')}\``)
