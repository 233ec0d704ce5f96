/** Names the network that an IP address is rate-limited by. */

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

/** Returns the network that letters and text messages are counted by: of IPv6 the /48, because they cost money and patience. */
export const getRateLimitSite = (ip: string): string => getIpv6CustomerPrefix(ip) ?? toRateLimitAddress(ip)

const ipv4Of = (ip: string): string => /^::ffff:([\d.]+)$/i.exec(ip)?.[1] ?? ip

function prefixOf(ip: string, bits: 48 | 64): string | null {
  if (!ipv4Of(ip).includes(':')) return null
  const [before = [], after = []] = ip.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, bits / 16).join(':')
}
