/**
 * Which addresses a fetch for a member may reach: those of the public internet, never our own machines or networks
 * (security reference §5.6, reading D-13).
 */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** How the internet is reached; tests put a small one of their own here. */
export type Reach = {
  /** All addresses of a host. */
  lookup(host: string): Promise<LookupAddress[]>
  allows(address: string): boolean
  ports: readonly number[]
}

export const internet: Reach = {
  lookup: (host) => lookup(host, { all: true }),
  allows: isPublic,
  ports: [80, 443],
}

/** What may ever be given out of IPv6; the old ways to write an IPv4 address as one lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Also of an IPv4 address inside an IPv6 one; false for what is no address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const to = ipaddr.process(address)
  return to.range() === 'unicast' && (to instanceof ipaddr.IPv4 || to.match(globalUnicast))
}

/** @throws Error unless every address of the host may be reached: one that may not is where the next answer would lead */
export async function addressesOf(host: string, reach: Reach): Promise<LookupAddress[]> {
  const found = await reach.lookup(host)
  if (found.length === 0) throw new Error('The host has no address')
  if (!found.every(({ address }) => reach.allows(address))) throw new Error('The host is not a public one')
  return found
}
