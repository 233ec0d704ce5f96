import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const get = (url: string) => w.app.inject({ method: 'GET', url })

test('D07 an address of dots is a page like any other, at once', async () => {
  const dotted = await get(`/a${'.'.repeat(400_000)}/`)
  expect([dotted.statusCode, dotted.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
}, 5000)

test('only the last part of an address can name a file', async () => {
  expect((await get('/v1.2/notes')).statusCode).toBe(200)
  expect((await get('/notes/missing.js')).statusCode).toBe(404)
  expect((await get('/.env')).statusCode).toBe(404)
})
