import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartupError } from '../startup-error.ts'

const closeIdleEveryMs = 100

export type ListeningServer = {
  port: number
  /** The promise resolves when all running requests are answered. */
  close(): Promise<void>
}

/**
 * `localhost` means both loopback families, because browsers try both.
 * @throws StartupError if the port or address is unavailable
 */
export async function listen(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<ListeningServer> {
  try {
    await app.listen({ port, host: host === 'localhost' ? '127.0.0.1' : host })
    const bound = (app.server.address() as AddressInfo).port
    const ipv6Server = host === 'localhost' ? await listenOnIpv6Loopback(app, bound) : null
    return {
      port: bound,
      async close() {
        const ipv6Closed = ipv6Server && once(ipv6Server, 'close')
        ipv6Server?.close()
        // A keep-alive connection that becomes idle during `close` would delay it.
        const closeIdle = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs)
        await app.close()
        await ipv6Closed
        clearInterval(closeIdle)
      },
    }
  } catch (error) {
    throw toStartupError(error as NodeJS.ErrnoException, port, host)
  }
}

/** Accepts WebSockets on IPv6 too. Null without IPv6. */
async function listenOnIpv6Loopback(app: FastifyInstance, port: number): Promise<Server | null> {
  const ipv6Server = createServer((socket) => app.server.emit('connection', socket))
  try {
    ipv6Server.listen({ port, host: '::1', ipv6Only: true })
    await once(ipv6Server, 'listening')
    return ipv6Server
  } catch (error) {
    const hasNoIpv6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (hasNoIpv6) return null
    throw error
  }
}

function toStartupError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} is taken: stop what uses it, or choose another, e.g. PORT=${port + 1}.`,
      )
    case 'EACCES':
      return new StartupError(`Port ${port} may not be opened by this account: choose another with PORT.`)
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return new StartupError(`HOST=${host} is no address of this machine.`)
    default:
      return error
  }
}
