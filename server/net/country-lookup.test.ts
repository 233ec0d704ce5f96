import diagnostics from 'node:diagnostics_channel'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createCountryLookup } from './country-lookup.ts'

const warnings: unknown[] = []
const log = { warn: (...said: unknown[]) => void warnings.push(said) }
const countries = createCountryLookup({ geoFile: null }, log)

describe('SESS-02 the country of an address', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['189.203.1.1', 'MX'],
    ['88.12.3.4', 'ES'],
    ['2806:10a0::1', 'MX'],
    // Dual-stack sockets use the first form, and the log keeps the second form after a week.
    ['::ffff:189.203.1.1', 'MX'],
    ['189.203.1.0/24', 'MX'],
  ])('the address %s is in %s', async (address, country) => {
    expect(await countries.find(address)).toBe(country)
  })

  test.each([
    null,
    '',
    'nowhere',
    '10.0.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '::1',
    '169.254.1.1',
    '100.64.0.1',
    'fd00::1',
    'fe80::1',
    '2001:db8::1',
    '203.0.113.7',
    '::ffff:10.0.0.1',
  ])('the country of the address %s is unknown', async (address) => {
    expect(await countries.find(address)).toBeNull()
  })

  test('the country of an address is found offline', async () => {
    const sockets: unknown[] = []
    const note = (socket: unknown) => void sockets.push(socket)
    diagnostics.subscribe('net.client.socket', note)
    try {
      const fresh = createCountryLookup({ geoFile: null }, log)
      expect(await fresh.find('8.8.8.8')).toBe('US')
      expect(await fresh.find('10.0.0.1')).toBeNull()
      expect(sockets).toEqual([])
    } finally {
      diagnostics.unsubscribe('net.client.socket', note)
    }
  })

  test("the lookup uses the operator's file, and finds no country if the file is missing or the lookup is off", async () => {
    const own = fileURLToPath(
      import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb'),
    )
    expect(await createCountryLookup({ geoFile: own }, log).find('189.203.1.1')).toBe('MX')
    expect(await createCountryLookup({ geoFile: 'off' }, log).find('189.203.1.1')).toBeNull()
    expect(warnings).toEqual([])
    const missing = createCountryLookup({ geoFile: '/nowhere/countries.mmdb' }, log)
    expect(await missing.find('189.203.1.1')).toBeNull()
    expect(await missing.find('8.8.8.8')).toBeNull()
    expect(warnings).toHaveLength(1)
  })
})
