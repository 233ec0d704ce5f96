/**
 * Decides which addresses a fetch on a member's behalf may reach: the public internet's, never the operator's own machines
 * and networks (SSRF).
 */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** Access to the internet; tests pass a small one of their own. */
export type OutboundNetwork = {
  /** Resolves all addresses of a host. */
  lookup(host: string): Promise<LookupAddress[]>
  allows(address: string): boolean
  ports: readonly number[]
  /** Whose certificates are trusted in place of the system's, in PEM. */
  certificateAuthority?: string
}

export const publicInternetNetwork: OutboundNetwork = {
  lookup: (host) => lookup(host, { all: true }),
  allows: isPublicIp,
  ports: [80, 443],
}

/** Everything of IPv6 that is allocated so far; NAT64 and the other ways to write an IPv4 address as IPv6 lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is a public unicast one; IPv4-mapped ones count as IPv4, and what is no address as not public. */
export function isPublicIp(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const to = ipaddr.process(address)
  return to.range() === 'unicast' && (to instanceof ipaddr.IPv4 || to.match(globalUnicast))
}

/**
 * Resolves a host.
 * @throws Error unless all its addresses are allowed: with one that is not, the next lookup could lead there
 */
export async function resolvePublicHost(host: string, network: OutboundNetwork): Promise<LookupAddress[]> {
  const found = await network.lookup(host)
  if (found.length === 0) throw new Error('The host has no address')
  if (!found.every(({ address }) => network.allows(address))) throw new Error('The host is not a public one')
  return found
}
