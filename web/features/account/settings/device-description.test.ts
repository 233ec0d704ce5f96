import { expect, test } from 'vitest'
import { formatDeviceAndCountry } from './device-description.ts'

test('SESS-02 SESS-06 a device shows its country only if the country is known', () => {
  const phone = { browser: 'Firefox', system: 'Android' }
  expect(formatDeviceAndCountry({ ...phone, country: 'MX' })).toBe('Firefox on Android, Mexico')
  expect(formatDeviceAndCountry({ ...phone, country: null })).toBe('Firefox on Android')
})
