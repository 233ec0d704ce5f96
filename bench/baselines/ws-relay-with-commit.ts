/** Commits a row before it forwards a message. */
import { Client } from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'

const client = new Client({ connectionString: process.env.DATABASE_URL })
client.on('error', () => process.exit(1))
await client.connect()
await client.query('create table if not exists relayed (content text not null)')

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const sockets = new Set<WebSocket>()
server.on('connection', (socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  socket.on('message', async (bytes) => {
    const content = String(bytes)
    await client.query({ name: 'relay', text: 'insert into relayed values ($1)', values: [content] })
    for (const other of sockets) if (other !== socket) other.send(content)
  })
})
server.on('listening', () => {
  const address = server.address()
  console.log(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('SIGTERM', () => process.exit(0))
