/** The server may contact public addresses for a member, but never the operator's networks (SSRF). */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

export type OutboundNetwork = {
  lookup(host: string): Promise<LookupAddress[]>
  allows(address: string): boolean
  ports: readonly number[]
  /** A PEM certificate, instead of the system's. */
  certificateAuthority?: string
}

export const publicInternetNetwork: OutboundNetwork = {
  lookup: (host) => lookup(host, { all: true }),
  allows: isPublicIp,
  ports: [80, 443],
}

/** This range excludes NAT64 and other encodings of IPv4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** An IPv4-mapped address counts as IPv4. An invalid one is not public. */
export function isPublicIp(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const to = ipaddr.process(address)
  return to.range() === 'unicast' && (to instanceof ipaddr.IPv4 || to.match(globalUnicast))
}

/**
 * @throws Error unless all of the host's addresses are allowed, because the next lookup could choose a
 * forbidden one
 */
export async function resolvePublicHost(host: string, network: OutboundNetwork): Promise<LookupAddress[]> {
  const found = await network.lookup(host)
  if (found.length === 0) throw new Error('The host has no address')
  if (!found.every(({ address }) => network.allows(address))) throw new Error('The host is not a public one')
  return found
}
