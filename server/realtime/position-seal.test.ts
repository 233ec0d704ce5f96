import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { markConversationReadOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { catchUpOperation, liveSocketPath } from '#contract/realtime/realtime.ts'
import { openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { createChangeLogPositionSeal, loadPositionSeal } from './position-seal.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
})
afterAll(() => w.end())

/** Pings the server, and returns the position in the pong. */
async function ping(socket: TestSocket, before: number): Promise<unknown> {
  socket.send({ type: 'ping' })
  const pongs = () => socket.frames.filter(({ type }) => type === 'pong')
  await socket.until(() => pongs().length > before)
  return pongs()[before]?.data?.position
}

test('RT-13 a sealed position opens only with its key, and a changed position never opens', () => {
  const [seal, other] = [
    createChangeLogPositionSeal(randomBytes(32)),
    createChangeLogPositionSeal(randomBytes(32)),
  ]
  const position = { xid: 2n ** 63n, at: 1_800_000_000_000 }
  const sealed = seal.seal(position)
  expect(seal.open(sealed)).toEqual(position)
  expect(seal.seal(position)).not.toBe(sealed)
  expect(other.open(sealed)).toBeNull()
  for (let index = 0; index < sealed.length - 1; index += 1) {
    const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`
    expect(seal.open(changed)).toBeNull()
  }
})

test('RT-13 positions in both APIs do not reveal to ana whether bea read her message', async () => {
  const { $id: conversationId } = await ana.call(openConversationOperation, { personId: bea.id })
  await ana.call(sendMessageOperation, { conversationId, content: 'Hola' })
  const sockets = [
    await openTestSocket(w.app, { as: ana }),
    await openTestSocket(w.app, { as: ana, path: `/v1${liveSocketPath}` }),
  ]
  const seen: unknown[] = []
  for (let round = 0; round < 3; round += 1) {
    seen.push(
      (await ana.call(catchUpOperation, {})).position,
      (await ana.call(catchUpOperation, {})).position,
    )
    for (const socket of sockets) seen.push(await ping(socket, round))
    if (round === 1) await bea.call(markConversationReadOperation, { conversationId })
  }
  for (const socket of sockets) socket.close()
  expect(new Set(seen).size).toBe(12)
  for (const position of seen) expect(position).toEqual(expect.stringMatching(/^[\w-]{59}$/))
})

test("RT-13 a visitor's socket gets no position", async () => {
  const socket = await openTestSocket(w.app, {})
  expect(await ping(socket, 0)).toBeUndefined()
  expect(JSON.stringify(socket.frames)).not.toContain('position')
  socket.close()
})

test('RT-13 every node of an instance can open the positions of the other nodes', async () => {
  const [one, two] = [await loadPositionSeal(w.database.kysely), await loadPositionSeal(w.database.kysely)]
  const position = { xid: 7n, at: 9 }
  expect(two.open(one.seal(position))).toEqual(position)
})
