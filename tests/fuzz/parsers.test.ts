/** These parsers read untrusted input first and have no other tests of malformed input. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  appwriteFilesPath,
  encodeMultipartUpload,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { confirmApplicationOperation } from '#contract/community/applications.ts'
import { uploadMaxBytes } from '#contract/limits.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { issueOneTimeLink } from '#server/auth/one-time-tokens.ts'
import { checkAndHashNewPassword } from '#server/auth/password-hash.ts'
import { Failure } from '#server/errors.ts'
import { insertApplication } from '#server/features/community/applications.ts'
import { parseUploadChunkRange } from '#server/files/multipart-upload.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '../support/world.ts'

let w: TestWorld
let ana: MemberClient
let picture: Buffer
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  picture = await createJpeg()
})
afterAll(() => w.end())

const number = fc.oneof(
  fc.nat(40),
  fc.constantFrom(5242879, 5242880, 2 ** 31, 2 ** 53, uploadMaxBytes),
  fc.bigInt({ min: 0n, max: 2n ** 70n }),
)
const printable = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
})

test('F10 a Content-Range header is a valid chunk or is refused', () => {
  const header = fc.oneof(
    fc.tuple(number, number, number).map(([first, last, whole]) => `bytes ${first}-${last}/${whole}`),
    printable,
    printable.map((text) => `bytes ${text}`),
  )
  fc.assert(
    fc.property(header, (text) => {
      try {
        const { total, number, size } = parseUploadChunkRange(text)
        expect(size).toBeGreaterThan(0)
        expect(number * 5242880 + size).toBeLessThanOrEqual(total)
        expect(total).toBeLessThanOrEqual(uploadMaxBytes)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
      }
    }),
    { numRuns: 5000 },
  )
})

test('F01 a range request returns exactly its bytes, 416 or the whole file', async () => {
  const imageId = await ana.upload(picture)
  const path = `${appwriteFilesPath}/${imageId}/view`
  const whole = (await ana.request('GET', path)).raw
  const header = fc.oneof(
    fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
    number.map((first) => `bytes=${first}-`),
    printable.map((text) => `bytes=${text}`),
    printable,
  )
  await fc.assert(
    fc.asyncProperty(header, async (range) => {
      const answer = await ana.request('GET', path, undefined, { range })
      if (answer.status === 416) return
      const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(answer.headers['content-range'] ?? '') ?? []
      const expected = answer.status === 206 ? whole.subarray(Number(first), Number(last) + 1) : whole
      expect([200, 206]).toContain(answer.status)
      expect(answer.raw.equals(expected)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('A25 no damaged or invented session signs anybody in', async () => {
  const token = ana.cookie.split('=').slice(1).join('=')
  const damaged = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(...'Aa0+/=%;, {"'))
    .map(([at, char]) => token.slice(0, at) + char + token.slice(at + 1))
  const made = fc
    .record({ id: fc.oneof(fc.constant(ana.accountId), fc.jsonValue()), secret: fc.jsonValue() })
    .map((given) => Buffer.from(JSON.stringify(given)).toString('base64'))
  const text = fc.oneof(damaged, made, printable, fc.constantFrom('', '[]', 'null', '""', '%00', 'e30='))
  const headers = fc.oneof(
    text.map((value) => ({ cookie: `a_session_juntas=${value}` })),
    text.map((value) => ({ 'x-appwrite-session': value })),
    text.map((value) => ({ 'x-appwrite-jwt': value || 'x' })),
    fc
      .oneof(
        text,
        text.map((value) => JSON.stringify({ a_session_juntas: value })),
      )
      .map((value) => ({ 'x-fallback-cookies': value, origin: 'http://localhost:5173' })),
  )
  await fc.assert(
    fc.asyncProperty(headers, async (given) => {
      // A changed base64 character can decode to the same bytes.
      if (Object.values(given).some((value) => sameSecret(value, token))) return
      expect(
        (await w.visitor.request('GET', '/v1/me', undefined, given as Record<string, string>)).status,
      ).toBe(401)
    }),
    { numRuns: 1000 },
  )
})

test('APR-20 no damaged or invented link confirms or removes an application', async () => {
  const { kysely, pool } = w.database
  const rosa = { name: 'Rosa', username: 'rosa', email: 'rosa@juntas.test', answer: 'Hola', voucher: null }
  const given = {
    ...rosa,
    passwordHash: await checkAndHashNewPassword(testPassword, rosa),
    rulesSeen: 0,
    language: null,
  }
  const { publicId } = await insertApplication(kysely, given, { toConfirm: true })
  const about = { accountId: null, sentTo: rosa.email, shownUserId: publicId }
  const { secret } = await issueOneTimeLink(kysely, 'application', about)
  const damaged = (text: string) =>
    fc
      .tuple(fc.nat(text.length - 1), fc.constantFrom(...'Aa0+/=%;, {"\0\u{1f600}'), fc.boolean())
      .map(([at, char, cuts]) => text.slice(0, at) + (cuts ? '' : char) + text.slice(at + 1))
  const text = fc.oneof(
    printable,
    fc.jsonValue(),
    fc.constantFrom('', 'null', '%00', '%', '_', publicId, secret),
  )
  const proof = fc.oneof(
    fc.record({ userId: fc.constant(publicId), secret: fc.oneof(damaged(secret), text) }),
    fc.record({ userId: fc.oneof(damaged(publicId), text), secret: fc.constant(secret) }),
    fc.record({ userId: text, secret: text }),
  )
  await fc.assert(
    fc.asyncProperty(proof, async (made) => {
      if (made.userId === publicId && made.secret === secret) return
      const body = { ...made, password: testPassword }
      for (const [method, path] of [
        ['PUT', '/v1/applications/confirmation'],
        ['POST', '/v1/applications/removal'],
      ] as const)
        expect((await w.visitor.request(method, path, body)).status).toBeOneOf([400, 401])
    }),
    { numRuns: 400 },
  )
  expect((await pool.query('select state from applications')).rows).toEqual([{ state: 'unconfirmed' }])
  const link = { userId: publicId, secret, password: testPassword }
  await w.visitor.call(confirmApplicationOperation, link)
  expect((await pool.query('select state from applications')).rows).toEqual([{ state: 'waiting' }])
})

const sameSecret = (text: string, token: string) => {
  const secretIn = (encoded: string) => Buffer.from(encoded, 'base64').toString('latin1')
  // Also finds the secret after the cookie's name.
  const candidates = text.match(/[\w+/-]{24,}={0,2}/g) ?? []
  return candidates.some((candidate) => secretIn(candidate).replace(/\s/g, '') === secretIn(token))
}

test('D03 D06 a form with changed, removed or repeated bytes is stored as a file or refused', async () => {
  const { body, headers } = await encodeMultipartUpload({ ...sliceUploadChunk(picture, 0) })
  const change = fc.tuple(fc.nat(body.length - 1), fc.nat(60), fc.uint8Array({ maxLength: 8 }), fc.boolean())
  // The form's headers are at both ends of the body.
  const atEnds = fc
    .tuple(fc.nat(600), fc.nat(20), fc.uint8Array({ maxLength: 8 }), fc.boolean())
    .map(([at, ...rest]) => [at < 400 ? at : body.length - (at - 400) - 1, ...rest] as const)
  await fc.assert(
    fc.asyncProperty(fc.oneof(change, atEnds), async ([at, cut, put, doubled]) => {
      const end = doubled ? body.subarray(Math.max(0, at - cut)) : body.subarray(at + cut)
      const bytes = Buffer.concat([body.subarray(0, at), put, end])
      const answer = await ana.request<{ $id: string }>('POST', appwriteFilesPath, bytes, headers)
      expect(answer.status).toBeOneOf([201, 400, 403, 413, 415])
      if (answer.status === 201) await ana.request('DELETE', `${appwriteFilesPath}/${answer.body.$id}`)
    }),
    { numRuns: 150 },
  )
})
