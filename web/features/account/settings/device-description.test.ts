import { expect, test } from 'vitest'
import { formatDeviceAndCountry } from './device-description.ts'

test('SESS-02 SESS-06 a device is named with its country if known, otherwise without a word about it', () => {
  const phone = { browser: 'Firefox', system: 'Android' }
  expect(formatDeviceAndCountry({ ...phone, country: 'MX' })).toBe('Firefox on Android, Mexico')
  expect(formatDeviceAndCountry({ ...phone, country: null })).toBe('Firefox on Android')
})
