import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CannotStart } from './cannot-start.ts'

const SWEEP_MS = 100

export type Listening = {
  /** Another than the one asked for when that was 0. */
  port: number
  /** Lets nobody new in, and settles when the requests under way have their answers. */
  close(): Promise<void>
}

/**
 * Listens on `host`. `localhost` means both loopback families, whatever the machine's host file says of it (S-01).
 * @throws CannotStart when the port or the address is not to be had.
 */
export async function listen(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<Listening> {
  try {
    await app.listen({ port, host: host === 'localhost' ? '127.0.0.1' : host })
    const bound = (app.server.address() as AddressInfo).port
    const beside = host === 'localhost' ? await listenBeside(app, bound) : null
    return {
      port: bound,
      async close() {
        const besideClosed = beside && once(beside, 'close')
        beside?.close()
        // A connection whose last answer promised to be kept alive would hold the stop up until its client lets go.
        const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
        await app.close()
        await besideClosed
        clearInterval(sweep)
      },
    }
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, port, host)
  }
}

/**
 * Hands connections to `[::1]` to the one HTTP server, also those that become websockets.
 * @returns null on a machine without IPv6.
 */
async function listenBeside(app: FastifyInstance, port: number): Promise<Server | null> {
  const beside = createServer((socket) => app.server.emit('connection', socket))
  try {
    beside.listen({ port, host: '::1', ipv6Only: true })
    await once(beside, 'listening')
    return beside
  } catch (error) {
    const noIPv6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (noIPv6) return null
    throw error
  }
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new CannotStart(
        `Port ${port} is taken: stop what uses it, or choose another, e.g. PORT=${port + 1}.`,
      )
    case 'EACCES':
      return new CannotStart(`Port ${port} may not be opened by this account: choose another with PORT.`)
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return new CannotStart(`HOST=${host} is no address of this machine.`)
    default:
      return error
  }
}
