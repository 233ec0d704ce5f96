import { expect, test } from 'vitest'
import { getIpv6CustomerPrefix, toRateLimitAddress } from './rate-limit-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::5:6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
])('S01 the address %s counts as %s: an IPv6 household has a /64', (ip, key) => {
  expect(toRateLimitAddress(ip)).toBe(key)
})

test.each([
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8::6', '2001:db8:0'],
])('S01 the customer network of the address %s is %s', (ip, network) => {
  expect(getIpv6CustomerPrefix(ip)).toBe(network)
})
