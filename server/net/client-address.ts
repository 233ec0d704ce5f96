import type { IncomingMessage } from 'node:http'

/** Recognises addresses of this machine. */
export const isLoopbackIp = (ip: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(ip)

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/**
 * Recognises requests that come straight from this machine. One with a forwarding header came through a proxy here and
 * may be anybody's.
 */
export const isLocalRequest = (request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackIp(request.socket.remoteAddress ?? '') &&
  forwardingHeaders.every((header) => request.headers[header] === undefined)

/**
 * Returns what an address is rate-limited by: an IPv4 address itself, an IPv6 address's /64, because one household or one
 * attacker has all of it.
 */
export function toRateLimitAddress(ip: string): string {
  return prefixOf(ip, 64) ?? ipv4Of(ip)
}

/**
 * Returns an IPv6 address's /48, which one customer may be given whole (RFC 6177), so that 65,536 networks of /64 are not as
 * many callers; null for IPv4.
 */
export const getIpv6CustomerPrefix = (ip: string): string | null => prefixOf(ip, 48)

const ipv4Of = (ip: string): string => /^::ffff:([\d.]+)$/i.exec(ip)?.[1] ?? ip

function prefixOf(ip: string, bits: 48 | 64): string | null {
  if (!ipv4Of(ip).includes(':')) return null
  const [before = [], after = []] = ip.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, bits / 16).join(':')
}
