import { expect, test } from 'vitest'
import { formatDeviceAndCountry } from './device-description.ts'

test('SESS-02 SESS-06 a device is named with its country where that is known, and without a word of it where it is not', () => {
  const phone = { browser: 'Firefox', system: 'Android' }
  expect(formatDeviceAndCountry({ ...phone, country: 'MX' })).toBe('Firefox on Android, Mexico')
  expect(formatDeviceAndCountry({ ...phone, country: null })).toBe('Firefox on Android')
})
