/**
 * Decides which addresses a fetch for a member may reach: public ones, never the operator's networks (SSRF).
 */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** Internet access; tests pass their own. */
export type OutboundNetwork = {
  /** Resolves all addresses of a host. */
  lookup(host: string): Promise<LookupAddress[]>
  allows(address: string): boolean
  ports: readonly number[]
  /** Trusted certificates (PEM) instead of the system's. */
  certificateAuthority?: string
}

export const publicInternetNetwork: OutboundNetwork = {
  lookup: (host) => lookup(host, { all: true }),
  allows: isPublicIp,
  ports: [80, 443],
}

/** All allocated IPv6, excluding NAT64 and other encodings of IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is public unicast. IPv4-mapped ones count as IPv4; invalid ones are not public. */
export function isPublicIp(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const to = ipaddr.process(address)
  return to.range() === 'unicast' && (to instanceof ipaddr.IPv4 || to.match(globalUnicast))
}

/** @throws Error unless all addresses are allowed: the next lookup could choose a forbidden one */
export async function resolvePublicHost(host: string, network: OutboundNetwork): Promise<LookupAddress[]> {
  const found = await network.lookup(host)
  if (found.length === 0) throw new Error('The host has no address')
  if (!found.every(({ address }) => network.allows(address))) throw new Error('The host is not a public one')
  return found
}
