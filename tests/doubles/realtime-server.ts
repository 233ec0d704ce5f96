import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type FakeRealtimeServer = {
  origin: string
  url: string
  sockets: FakeRealtimeSocket[]
  asked: string[]
  answer: (path: string) => { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }>
  close(): Promise<void>
}

export type FakeRealtimeSocket = {
  ws: WebSocket
  received: unknown[]
  say(type: string, data?: object): void
  greet(position: string, account?: string): void
  event(id: string, position: string): void
}

export async function startFakeRealtimeServer(account: string): Promise<FakeRealtimeServer> {
  const http = createServer(async (request, response) => {
    server.asked.push(request.url ?? '')
    const { status = 200, body } = await server.answer(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const server: FakeRealtimeServer = {
    origin: `http://${host}`,
    url: `ws://${host}/v1/live`,
    sockets: [],
    asked: [],
    answer: () => ({ body: { changes: [], position: 'caught-up', resync: false } }),
    async close() {
      for (const { ws } of server.sockets) ws.terminate()
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  new WebSocketServer({ server: http }).on('connection', (ws) => {
    const say = (type: string, data?: object) => ws.send(JSON.stringify({ type, data }))
    const said: FakeRealtimeSocket = {
      ws,
      received: [],
      say,
      greet: (position, accountId = account) => say('connected', { accountId, collections: [], position }),
      event: (id, position) =>
        say('change', { collection: 'messages', kind: 'create', document: { $id: id }, position }),
    }
    ws.on('message', (bytes) => said.received.push(JSON.parse(String(bytes))))
    server.sockets.push(said)
  })
  return server
}
