/**
 * Finds out in which country network addresses are, in a file on this machine: a service that is asked would learn who the members are.
 * The file is a guess by who an address is assigned to, and decides nothing.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import type { ServerLogger } from '../log.ts'
import { isPublicIp } from './public-address.ts'

export type CountryLookup = {
  /** Returns the country of an address as ISO 3166-1 names it ('MX'); null where none is known, and of addresses that are no public ones. */
  find(address: string | null): Promise<string | null>
}

/** How long the file stays in memory after it was last needed: it is most of ten megabytes, for some sign-ins an hour. */
const keptMs = 60_000

/** A record of the file that comes with Juntas, or of those that operators buy. */
type CountryRecord = { country_code?: unknown; country?: { iso_code?: unknown } }

type Reader = { get(address: string): CountryRecord | null }

export function createCountryLookup(
  { geoFile }: Pick<Config, 'geoFile'>,
  log: Pick<ServerLogger, 'warn'>,
): CountryLookup {
  let opened: Promise<Reader | null> | null = null
  let closing: NodeJS.Timeout | undefined

  const open = () => {
    clearTimeout(closing)
    closing = setTimeout(() => {
      opened = null
    }, keptMs).unref()
    opened ??= openCountryFile(geoFile).catch((error: unknown) => {
      log.warn({ err: error }, 'the file of countries cannot be read')
      return null
    })
    return opened
  }

  return {
    async find(address) {
      if (geoFile === 'off' || address === null) return null
      const bare = address.split('/')[0] ?? ''
      // Of addresses inside of networks the file says anything.
      if (!isPublicIp(bare)) return null
      const record = (await open())?.get(ipaddr.process(bare).toString())
      const code = record?.country_code ?? record?.country?.iso_code
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null
    },
  }
}

/** @param path of the operator's own file; null for the one that comes with Juntas */
async function openCountryFile(path: string | null): Promise<Reader> {
  const [{ Reader }, bytes] = await Promise.all([
    import('mmdb-lib'),
    readFile(
      path ??
        fileURLToPath(
          import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
        ),
    ),
  ])
  return new Reader(bytes) as Reader
}
