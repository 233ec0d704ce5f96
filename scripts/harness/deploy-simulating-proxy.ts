/** After a deploy, every script and style has a new name, and the old names disappear. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { tunnelUpgrade } from './tunnel-upgrade.ts'

export type DeploySimulatingProxy = AsyncDisposable & {
  url: string
  deploy(): void
  /** Cuts the connection. With `false`, answers again. */
  cut(isCut: boolean): void
  /** Leaves requests unanswered until the returned function is called. */
  hold(): () => void
}

const nextMark = '_next'
const builtName = /(-[\w-]{7,8})\.(js|css)\b/g
const isBuilt = (path: string) => /^\/assets\/.*\.(js|css)$/.test(path)

export async function startDeploySimulatingProxy(origin: string): Promise<DeploySimulatingProxy> {
  const { hostname, port } = new URL(origin)
  const state = { deployed: false, cut: false, held: Promise.resolve() }

  const server = createServer(async (asked, answer) => {
    if (state.cut) return void asked.socket.destroy()
    // A file requested before the deploy keeps the old names.
    const { deployed } = state
    await state.held
    const path = asked.url ?? '/'
    if (deployed && isBuilt(path) && !path.includes(nextMark)) {
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
        // The proxy changes the file, so it needs the whole, uncompressed file instead of the browser's cached copy.
        headers: { ...headersSent, 'accept-encoding': 'identity' },
      })
      asked.pipe(passed)
      const [given] = (await once(passed, 'response')) as [IncomingMessage]
      const headers = { ...given.headers }
      const isText = /html|javascript|css/.test(headers['content-type'] ?? '')
      if (!deployed || !isText) {
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
  server.on('upgrade', async (asked: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    await state.held
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
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.held = promise
      return resolve
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const toNext = (text: string): string =>
  text
    .replace(builtName, `$1${nextMark}.$2`)
    .replace(/`([0-9a-f]{12})`/g, (_, version) => `\`${[...version].reverse().join('')}\``)
