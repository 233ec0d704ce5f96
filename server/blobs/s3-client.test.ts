import { expect, test, vi } from 'vitest'
import { signS3RequestHeaders } from './s3-client.ts'

/** The values come from the S3 documentation ("Signature Calculations for the Authorization Header"). */
const example = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const at = new Date('2013-05-24T00:00:00Z')
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const host = 'https://examplebucket.s3.amazonaws.com'

test.each([
  [
    'a listing',
    { method: 'GET', url: `${host}/?max-keys=2&prefix=J`, hash: nothing },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
  [
    'a question about the bucket',
    { method: 'GET', url: `${host}/?lifecycle`, hash: nothing },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'an object sent',
    {
      method: 'PUT',
      url: `${host}/test%24file.text`,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      hash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
])('F16 the signature of %s matches the documentation', async (_, request, signature) => {
  const { authorization } = await signS3RequestHeaders(example, request, at)
  expect(authorization?.split('Signature=')[1]).toBe(signature)
})

test('the second request of a day takes one HMAC', async () => {
  const settings = { ...example, secretAccessKey: 'another' }
  const request = { method: 'GET', url: host, hash: nothing }
  await signS3RequestHeaders(settings, request, at)
  using sign = vi.spyOn(crypto.subtle, 'sign')
  await signS3RequestHeaders(settings, request, at)
  expect(sign).toHaveBeenCalledTimes(1)
})
