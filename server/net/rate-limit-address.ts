/** One household or attacker owns a /64 of IPv6. */
export function toRateLimitAddress(ip: string): string {
  return prefixOf(ip, 64) ?? ipv4Of(ip)
}

/** Null for IPv4. One customer may own a /48 (RFC 6177), which contains 65,536 /64 networks. */
export const getIpv6CustomerPrefix = (ip: string): string | null => prefixOf(ip, 48)

/** Used for emails and text messages, which cost money. */
export const getRateLimitSite = (ip: string): string => getIpv6CustomerPrefix(ip) ?? toRateLimitAddress(ip)

const ipv4Of = (ip: string): string => /^::ffff:([\d.]+)$/i.exec(ip)?.[1] ?? ip

function prefixOf(ip: string, bits: 48 | 64): string | null {
  if (!ipv4Of(ip).includes(':')) return null
  const [before = [], after = []] = ip.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, bits / 16).join(':')
}
