/** Maps IP addresses to rate-limit keys. */

/** An IPv4 address itself, or an IPv6 /64, which one household or attacker owns. */
export function toRateLimitAddress(ip: string): string {
  return prefixOf(ip, 64) ?? ipv4Of(ip)
}

/**
 * An IPv6 /48, which one customer may own (RFC 6177), so that its 65,536 /64 networks count together; null
 * for IPv4.
 */
export const getIpv6CustomerPrefix = (ip: string): string | null => prefixOf(ip, 48)

/** The key for emails and text messages: an IPv6 /48, because they cost money. */
export const getRateLimitSite = (ip: string): string => getIpv6CustomerPrefix(ip) ?? toRateLimitAddress(ip)

const ipv4Of = (ip: string): string => /^::ffff:([\d.]+)$/i.exec(ip)?.[1] ?? ip

function prefixOf(ip: string, bits: 48 | 64): string | null {
  if (!ipv4Of(ip).includes(':')) return null
  const [before = [], after = []] = ip.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, bits / 16).join(':')
}
