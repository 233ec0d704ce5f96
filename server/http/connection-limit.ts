/**
 * Bounds the connections that one address holds, so that it cannot take all that the server has. What a trusted proxy
 * forwards is many addresses' and not counted.
 */
import type { Server, Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config.ts'
import { isLoopbackIp } from '../net/loopback-ip.ts'
import { toRateLimitAddress } from '../net/rate-limit-address.ts'

/** A household or an office behind one address, each member with a socket and the six connections of a browser. */
const maxPerAddress = 100

export function limitConnectionsPerAddress(server: Server, config: Config, max = maxPerAddress): void {
  const isProxy = proxyAddr.compile(config.trustedProxies)
  // As for the rate limits: development and tests on this machine are not counted.
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
