/** Sites have different names on one loopback port. The server's rules apply to everything else. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OutboundNetwork, publicInternetNetwork as trueInternet } from '#server/net/public-address.ts'

export type FakeInternet = {
  reach: OutboundNetwork
  /** Returns `http://<host>:<port><path>`. */
  at(host: string, path?: string): string
  serve(path: string, answer: (request: IncomingMessage, response: ServerResponse) => void): void
  arrived: string[]
  end(): Promise<void>
}

/** Other loopback addresses stay forbidden. */
const publicAddress = '127.0.0.1'

/** @param names addresses of successive lookups by host; the last repeats; other hosts are sites */
export async function startFakeInternet(names: Record<string, string[][]> = {}): Promise<FakeInternet> {
  const arrived: string[] = []
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    arrived.push(`${request.headers.host?.split(':')[0]} ${request.url}`)
    const answer = answers.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  }).listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const left = new Map(Object.entries(names).map(([host, lists]) => [host, [...lists]]))

  return {
    arrived,
    at: (host, path = '/') => `http://${host}:${port}${path}`,
    serve: (path, answer) => answers.set(path, answer),
    reach: {
      async lookup(host) {
        const lists = left.get(host)
        const addresses = (lists && lists.length > 1 ? lists.shift() : lists?.[0]) ?? [publicAddress]
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      },
      allows: (address) => address === publicAddress || trueInternet.allows(address),
      ports: [port],
    },
    async end() {
      server.closeAllConnections()
      server.close()
    },
  }
}
