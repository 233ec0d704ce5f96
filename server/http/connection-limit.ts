/** Connections of a trusted proxy do not count, because a proxy serves many addresses. */
import type { Server, Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config.ts'
import { isLoopbackIp } from '../net/loopback-ip.ts'
import { toRateLimitAddress } from '../net/rate-limit-address.ts'

/** This is enough for an office. Each member uses a socket and up to six connections. */
const maxPerAddress = 100

export function limitConnectionsPerAddress(server: Server, config: Config, max = maxPerAddress): void {
  const isProxy = proxyAddr.compile(config.trustedProxies)
  // Requests of this machine are exempt during development and tests.
  const isExempt = (ip: string) =>
    !config.limits || (!config.production && isLoopbackIp(ip)) || isProxy(ip, 0)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: ip } = socket
    if (ip === undefined || isExempt(ip)) return
    const address = toRateLimitAddress(ip)
    const own = open.get(address) ?? 0
    if (own >= max) return void socket.destroy()
    open.set(address, own + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
