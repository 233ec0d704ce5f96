import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUserAgent } from './user-agent.ts'

test.each([
  [
    'Chrome on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.77 Safari/537.36',
    {
      osCode: 'WIN',
      osName: 'Windows',
      osVersion: '10',
      clientType: 'browser',
      clientCode: 'CH',
      clientName: 'Chrome',
      clientVersion: '70.0',
      clientEngine: 'Blink',
      deviceName: 'desktop',
      deviceBrand: '',
      deviceModel: '',
    },
  ],
  [
    'Safari on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    {
      osCode: 'IOS',
      osVersion: '17.0',
      clientCode: 'MF',
      clientName: 'Mobile Safari',
      clientEngine: 'WebKit',
      deviceName: 'smartphone',
      deviceBrand: 'Apple',
      deviceModel: 'iPhone',
    },
  ],
  [
    'Safari on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    { osCode: 'MAC', osName: 'Mac', clientCode: 'SF', deviceName: 'desktop', deviceBrand: '' },
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
    { osCode: 'LIN', osName: 'GNU/Linux', clientCode: 'FF', clientVersion: '125.0', clientEngine: 'Gecko' },
  ],
  [
    'Samsung’s browser on a phone',
    'Mozilla/5.0 (Linux; Android 13; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36',
    { osCode: 'AND', osVersion: '13', clientCode: 'SB', deviceName: 'smartphone', deviceBrand: 'Samsung' },
  ],
  [
    'a library',
    'curl/8.5.0',
    { clientType: 'library', clientName: 'curl', clientVersion: '8.5.0', osCode: '' },
  ],
  ['nothing at all', '', { clientType: '', clientName: '', osName: '', deviceName: '' }],
])('SDK-05 the user agent of %s is recognized', (_who, userAgent, expected) => {
  expect(parseUserAgent(userAgent)).toMatchObject(expected)
})

test('any user agent string is parsed without an error', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 512, unit: 'binary' }), (userAgent) => {
      const client = parseUserAgent(userAgent)
      expect(Object.values(client).every((value) => typeof value === 'string')).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
