import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Connects a client that upgrades its request to the node. When one of the two sockets closes, so does the other. */
export function tunnelUpgrade(asked: IncomingMessage, client: Socket, head: Buffer, node: Socket): void {
  client.on('error', () => client.destroy())
  client.on('close', () => node.destroy())
  node.on('error', () => client.destroy())
  const lines = asked.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${asked.rawHeaders[index + 1]}`] : [],
  )
  node.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  node.write(head)
  node.pipe(client)
  client.pipe(node)
}
