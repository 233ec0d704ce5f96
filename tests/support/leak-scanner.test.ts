import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanResponsesForLeaks } from './leak-scanner.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from './world.ts'

let w: TestWorld
let ana: MemberClient
const talkative = fastify()
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  talkative.get('/address', async () => ({ email: ana.email }))
  talkative.get('/account', async () => ({ accountId: ana.accountId }))
  talkative.get('/permission', async () => ({ $permissions: [`read("user:${ana.accountId}")`] }))
  talkative.get('/phone', async () => ({ phone: '+34600111222' }))
  talkative.get('/stack', async (_, reply) => reply.status(400).send({ message: new Error('oh').stack }))
  scanResponsesForLeaks(talkative, w.database)
})
afterAll(async () => {
  await talkative.close()
  await w.end()
})

const get = (url: string, cookie = '') => talkative.inject({ method: 'GET', url, headers: { cookie } })

test("A17 an answer with another member's email fails its test, and an answer with the caller's own does not", async () => {
  const eva = await w.join('Eva')
  await expect(get('/address', eva.cookie)).rejects.toThrow(ana.email)
  await expect(get('/address')).rejects.toThrow(ana.email)
  expect((await get('/address', ana.cookie)).json()).toEqual({ email: ana.email })
})

test("A17 an answer with another member's account id or phone number fails its test", async () => {
  await ana.request('PATCH', '/v1/account/phone', { phone: '+34600111222', password: testPassword })
  const eva = await w.join('Eva')
  for (const [path, secret] of [
    ['/account', ana.accountId],
    ['/permission', ana.accountId],
    ['/phone', '+34600111222'],
  ] as const) {
    await expect(get(path, eva.cookie)).rejects.toThrow(secret)
    expect((await get(path, ana.cookie)).body).toContain(secret)
  }
})

test('X06 an error answer with a stack trace fails its test', async () => {
  await expect(get('/stack')).rejects.toThrow('the word')
})
