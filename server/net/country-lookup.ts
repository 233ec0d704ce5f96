/** A remote service would learn who the members are. The result is a guess, and nothing depends on it. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import type { ServerLogger } from '../log.ts'
import { isPublicIp } from './public-address.ts'

export type CountryLookup = {
  /** ISO 3166-1, such as 'MX'; null if unknown or not public. */
  find(address: string | null): Promise<string | null>
}

/** The file, which has almost ten megabytes, stays in memory this long after its last use. */
const keptMs = 60_000

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
      log.warn({ err: error }, 'the country file cannot be read')
      return null
    })
    return opened
  }

  return {
    async find(address) {
      if (geoFile === 'off' || address === null) return null
      const bare = address.split('/')[0] ?? ''
      // The file also lists private networks.
      if (!isPublicIp(bare)) return null
      const record = (await open())?.get(ipaddr.process(bare).toString())
      const code = record?.country_code ?? record?.country?.iso_code
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null
    },
  }
}

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
