import { expect, test } from 'vitest'
import { describeCertificateProblem, selectProxyAddresses } from './network-checks.ts'

test.each([
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'certificate has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate; if the root CA…', 'self-signed certificate'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'unable to verify the first certificate',
    'unable to verify the first certificate',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname does not match', 'Hostname does not match'],
  ['ECONNREFUSED', 'connect ECONNREFUSED', null],
])('OPS-13 the doctor describes %s at the public address as %j', (code, message, sentence) => {
  expect(describeCertificateProblem(Object.assign(new Error(message), { code }))).toBe(sentence)
})

test.each([
  ['all', ['172.31.77.1', '172.31.77.1'], 2],
  ['some', ['172.31.77.1', '203.0.113.1', '203.0.113.2'], 1],
  ['very few', ['172.31.77.1', ...Array.from({ length: 9 }, (_, n) => `203.0.113.${n}`)], 0],
  ['none', ['203.0.113.1'], 0],
])('OPS-15 the doctor finds proxies’ addresses if %s of the sessions have them', (_, addresses, found) => {
  expect(selectProxyAddresses(addresses, ['172.31.77.0/24'])).toHaveLength(found)
})
