import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('CHPH-07 the server never fetches a link in a message, neither on sending nor on reading', async () => {
  let connections = 0
  const outside = createServer((_, response) => response.end()).on('connection', () => {
    connections += 1
  })
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const { port } = outside.address() as AddressInfo
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  const { $id: conversationId } = await ana.call(openConversationOperation, { personId: bea.id })
  const content = `mira http://127.0.0.1:${port}/foto.png`
  await ana.call(sendMessageOperation, { conversationId, content })
  const { documents } = await bea.call(listMessagesOperation, { conversationId })
  expect(documents.map((message) => message.content)).toEqual([content])
  // The server would have connected before this request.
  await fetch(`http://127.0.0.1:${port}/`)
  expect(connections).toBe(1)
  outside.close()
})
