import { expect, test } from 'vitest'
import { describeCertificateProblem } from './network-checks.ts'

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
])('OPS-13 the doctor describes %s at the public address as %j', (code, message, told) => {
  expect(describeCertificateProblem(Object.assign(new Error(message), { code }))).toBe(told)
})
