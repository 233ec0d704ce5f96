/** Alternates between nodes that report ready at `/health/ready`. Never sends a request twice. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { tunnelUpgrade } from './tunnel-upgrade.ts'

export type LoadBalancer = {
  url: string
  /** Settles when routing to the node starts or stops. */
  waitForRouting(node: string, ready: boolean): Promise<void>
  close(): Promise<void>
}

const lookEvery = 100

export async function startLoadBalancer(nodes: readonly string[]): Promise<LoadBalancer> {
  let ready: string[] = []
  let turn = 0
  let closed = false

  const look = async () => {
    const answers = await Promise.all(nodes.map((node) => isReady(node)))
    ready = nodes.filter((_, index) => answers[index])
  }
  const keepLooking = async () => {
    while (!closed) {
      await look()
      await pause(lookEvery)
    }
  }

  const reach = async (): Promise<Socket> => {
    turn += 1
    const inTurn = ready.map((_, index) => ready[(turn + index) % ready.length] as string)
    for (const node of inTurn) {
      const reached = await open(node).catch(() => null)
      if (reached) return reached
    }
    throw new Error('no node is ready')
  }

  const server = createServer(async (asked, answer) => {
    try {
      const node = await reach()
      const passed = request({
        method: asked.method,
        path: asked.url,
        headers: forwarded(asked),
        createConnection: () => node,
      })
      passed.on('error', () => answer.destroy())
      passed.on('response', (given) => {
        const { connection, ...headers } = given.headers
        answer.writeHead(given.statusCode ?? 502, headers)
        given.pipe(answer)
      })
      asked.pipe(passed)
    } catch {
      answer.writeHead(503).end()
    }
  })
  server.on('upgrade', async (asked: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    const node = await reach().catch(() => null)
    if (!node) return client.destroy()
    tunnelUpgrade(asked, client, head, node)
  })

  const looking = keepLooking()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async waitForRouting(node, wanted) {
      while (ready.includes(node) !== wanted) await pause(lookEvery)
    },
    async close() {
      closed = true
      await looking
      server.closeAllConnections()
      server.close()
    },
  }
}

const isReady = (node: string) =>
  fetch(`${node}/health/ready`, { signal: AbortSignal.timeout(60_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function open(node: string): Promise<Socket> {
  const { hostname, port } = new URL(node)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

function forwarded({ headers, socket }: IncomingMessage) {
  const { connection, ...rest } = headers
  return { ...rest, connection: 'close', 'x-forwarded-for': socket.remoteAddress ?? '' }
}
