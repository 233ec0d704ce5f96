import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestWorld } from '#tests/support/world.ts'
import { readConfig } from '../config.ts'
import { createCallerConcurrencyLimit } from './caller-concurrency.ts'

/** A request through a proxy is not exempt from limits, even on this machine. */
const elsewhere = { 'x-forwarded-for': '203.0.113.1' }

function createCalls(connections = 10) {
  const limit = createCallerConcurrencyLimit(readConfig({}), connections)
  let begun = 0
  const ends: (() => void)[] = []
  const call = (
    account: number,
    { left = false, classes = ['read'] as const, local = false, pending = false } = {},
  ) =>
    limit(
      {
        caller: { account: { id: account }, session: { pending } },
        headers: local ? {} : elsewhere,
        socket: { remoteAddress: '127.0.0.1' },
      } as unknown as FastifyRequest,
      { raw: { destroyed: left } } as FastifyReply,
      classes as never,
      () => {
        begun += 1
        return new Promise<void>((resolve) => ends.push(resolve))
      },
    )
  const endAll = async (calls: readonly Promise<unknown>[]) => {
    const all = Promise.allSettled(calls)
    for (let round = 0; round < calls.length; round += 1) {
      for (const end of ends.splice(0)) end()
      await new Promise(setImmediate)
    }
    return all
  }
  return { call, endAll, begun: () => begun }
}

const settled = () => new Promise(setImmediate)

test('D08 four requests of an account run at a time, and a request of another account starts immediately', async () => {
  const { call, endAll, begun } = createCalls()
  const own = Array.from({ length: 20 }, () => call(1))
  await settled()
  expect(begun()).toBe(4)
  const others = call(2)
  await settled()
  expect(begun()).toBe(5)
  await endAll([...own, others])
  expect(begun()).toBe(21)
})

test('D08 with four connections, as with little memory, two requests of an account run at a time', async () => {
  const { call, endAll, begun } = createCalls(4)
  const own = Array.from({ length: 5 }, () => call(1))
  await settled()
  expect(begun()).toBe(2)
  await endAll(own)
})

test('D08 S24 requests that wait for two-factor authentication do not delay other requests of the account', async () => {
  const { call, endAll, begun } = createCalls()
  const waiting = Array.from({ length: 20 }, () => call(1, { pending: true }))
  const own = call(1)
  await settled()
  expect(begun()).toBe(21)
  await endAll([...waiting, own])
})

test('D08 if more than a hundred requests of an account are waiting, the next request is refused', async () => {
  const { call, endAll } = createCalls()
  const own = Array.from({ length: 104 }, () => call(1))
  await expect(call(1)).rejects.toMatchObject({ type: 'general_rate_limit_exceeded', retryAfter: 1 })
  await endAll(own)
})

test('D08 a waiting request whose client has disconnected is skipped', async () => {
  const { call, begun } = createCalls()
  await expect(call(1, { left: true })).rejects.toMatchObject({ type: 'general_request_timeout' })
  expect(begun()).toBe(0)
})

test('D08 eight picture requests run beside the other four requests of an account', async () => {
  const { call, endAll, begun } = createCalls()
  const own = Array.from({ length: 20 }, () => [call(1), call(1, { classes: ['image'] as never })])
  await settled()
  expect(begun()).toBe(12)
  await endAll(own.flat())
})

test('uploads and catch-up requests have separate limits, and development has no limits', async () => {
  const { call, endAll, begun } = createCalls()
  const own = Array.from({ length: 5 }, () => [
    ...['upload', 'catch-up'].map((name) => call(1, { classes: [name] as never })),
    call(1, { local: true }),
  ])
  await settled()
  expect(begun()).toBe(15)
  await endAll(own.flat())
})

test("D08 ana's page opens while thirty of mallory's requests wait for the database", async () => {
  const w = await createTestWorld()
  const [ana, mallory] = [await w.join('Ana'), await w.join('Mallory')]
  let answered = 0
  await w.database.kysely.transaction().execute(async (db) => {
    await sql`lock table mutes in access exclusive mode`.execute(db)
    const waiting = Array.from({ length: 30 }, () =>
      mallory.request('GET', '/v1/me/mutes', undefined, elsewhere).then(() => {
        answered += 1
      }),
    )
    expect((await ana.request('GET', '/v1/me', undefined, elsewhere)).status).toBe(200)
    expect(answered).toBe(0)
    void Promise.allSettled(waiting)
  })
  await expect.poll(() => answered).toBe(30)
  await w.end()
})
