import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  getConversationOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { openTestSocket, type TestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
const sockets: TestSocket[] = []
beforeAll(async () => {
  w = await createTestWorld()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
afterAll(() => w.end())

const show = (who: MemberClient, showsReceipts: boolean) =>
  who.call(updatePrivacySettingsOperation, { showsReceipts })
const send = async (who: MemberClient, conversationId: string, content = 'hola') =>
  (await who.call(sendMessageOperation, { conversationId, content })).$id
const read = (who: MemberClient, conversationId: string) =>
  who.call(markConversationReadOperation, { conversationId })

async function prepareConversation() {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  const { $id: conversation } = await ana.call(openConversationOperation, { personId: bea.id })
  await bea.call(followOperation, { personId: ana.id })
  return { ana, bea, conversation }
}

async function readersOf(who: MemberClient, conversationId: string, messageId: string) {
  const { documents } = await who.call(listMessagesOperation, { conversationId })
  const product = documents.find(({ $id }) => $id === messageId)?.readBy
  const { body } = await createAppwriteDocumentsClient(who, 'messages').get(messageId)
  expect(body.readBy).toEqual(product)
  return product
}

test('TYPE-03 with receipts on for both, nothing changes; with receipts off on either side, neither sees what was read', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const first = await send(ana, conversation)
  await read(bea, conversation)
  expect(await readersOf(ana, conversation, first)).toEqual([ana.id, bea.id])
  await show(ana, false)
  // While receipts are off, earlier receipts are hidden for both participants.
  expect(await readersOf(ana, conversation, first)).toEqual([ana.id])
  expect(await readersOf(bea, conversation, first)).toEqual([ana.id, bea.id])
  const second = await send(bea, conversation)
  await read(ana, conversation)
  expect(await readersOf(bea, conversation, second)).toEqual([bea.id])
  expect(await readersOf(ana, conversation, second)).toEqual([bea.id, ana.id])
  await show(ana, true)
  expect(await readersOf(ana, conversation, first)).toEqual([ana.id, bea.id])
})

test('after a block, neither member sees what the other reads', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const hers = await send(bea, conversation)
  const own = await send(ana, conversation)
  await ana.call(blockMemberOperation, { personId: bea.id })
  await read(bea, conversation)
  expect(await readersOf(ana, conversation, own)).toEqual([ana.id])
  expect(await bea.call(countUnreadConversationsOperation, {})).toEqual({ count: 0 })
  await read(ana, conversation)
  expect(await readersOf(bea, conversation, hers)).toEqual([bea.id, ana.id])
})

test("TYPE-04 with receipts off, nothing about a read reaches the other participant, and the reader's unread dot clears", async () => {
  const { ana, bea, conversation } = await prepareConversation()
  await show(bea, false)
  const message = await send(ana, conversation)
  expect(await bea.call(countUnreadConversationsOperation, {})).toEqual({ count: 1 })
  const position = await waitForChangePosition(w.database, ana)
  const before = await ana.call(getConversationOperation, { conversationId: conversation })
  const open = async (as: MemberClient, path: string) => {
    const socket = await openTestSocket(w.app, {
      as,
      path,
      ...(path === '/v1/live' ? {} : { channels: ['documents'] }),
    })
    sockets.push(socket)
    return socket
  }
  const [hers, appwrite, own] = [
    await open(ana, '/v1/live'),
    await open(ana, '/v1/realtime'),
    await open(bea, '/v1/live'),
  ]
  await read(bea, conversation)
  await own.until(({ type, data }) => type === 'change' && data?.collection === 'messages')
  expect(own.frames.find(({ data }) => data?.collection === 'messages')?.data?.document).toMatchObject({
    $id: message,
    readBy: [ana.id, bea.id],
  })
  const second = await send(ana, conversation, '¿estás?')
  const patched = await createAppwriteDocumentsClient(bea, 'messages').patch(second, {
    readBy: [ana.id, bea.id],
  })
  expect(patched).toMatchObject({ status: 200, body: { readBy: [ana.id, bea.id] } })
  const third = await send(ana, conversation, 'la última')
  await hers.until(({ data }) => (data?.document as { $id?: string })?.$id === third)
  const aboutReading = hers.frames.filter(
    ({ type, data }) => type === 'change' && data?.kind === 'update' && data.collection === 'messages',
  )
  expect(aboutReading).toEqual([])
  expect(
    appwrite
      .events()
      .filter(({ events }) => events[0]?.endsWith('update') && events[0].includes('.messages.')),
  ).toEqual([])
  await waitForChangePosition(w.database, ana)
  const { changes } = await ana.call(catchUpOperation, { since: position })
  for (const { collection, document } of changes)
    if (collection === 'messages') expect(document).toMatchObject({ readBy: [ana.id] })
  expect(await readersOf(ana, conversation, message)).toEqual([ana.id])
  expect((await ana.call(getConversationOperation, { conversationId: conversation })).$createdAt).toBe(
    before.$createdAt,
  )
  await read(bea, conversation)
  expect(await bea.call(countUnreadConversationsOperation, {})).toEqual({ count: 0 })
})

test('TYPE-04 a read leaves no record for the other participant while receipts are off', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  await send(ana, conversation)
  await show(ana, false)
  const position = await waitForChangePosition(w.database, ana)
  await read(bea, conversation)
  await waitForChangePosition(w.database, ana)
  expect((await ana.call(catchUpOperation, { since: position })).changes).toEqual([])
})

test('TYPE-05 turning receipts on again reveals no earlier reads until the member reads a newer message', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  const readMessage = await send(ana, conversation)
  await read(bea, conversation)
  await show(bea, false)
  const between = await send(ana, conversation)
  await read(bea, conversation)
  await show(bea, true)
  await read(bea, conversation)
  expect(await readersOf(ana, conversation, readMessage)).toEqual([ana.id, bea.id])
  expect(await readersOf(ana, conversation, between)).toEqual([ana.id])
  const newer = await send(ana, conversation)
  expect(await readersOf(ana, conversation, between)).toEqual([ana.id])
  await read(bea, conversation)
  expect(await readersOf(ana, conversation, between)).toEqual([ana.id, bea.id])
  expect(await readersOf(ana, conversation, newer)).toEqual([ana.id, bea.id])
})

test('TYPE-05 with receipts off, replying to a message reveals no more than reading it', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  await show(bea, false)
  const asked = await send(ana, conversation)
  await send(bea, conversation, 'sí')
  expect(await readersOf(ana, conversation, asked)).toEqual([ana.id])
  await show(bea, true)
  expect(await readersOf(ana, conversation, asked)).toEqual([ana.id])
})

test('TYPE-04 filtering messages by reader reveals no more than the receipts', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  await show(bea, false)
  const message = await send(ana, conversation)
  await read(bea, conversation)
  const search = (who: MemberClient) =>
    createAppwriteDocumentsClient(who, 'messages').all(
      JSON.stringify({ method: 'equal', attribute: 'conversationId', values: [conversation] }),
      JSON.stringify({ method: 'contains', attribute: 'readBy', values: [bea.id] }),
    )
  expect(await search(ana)).toEqual([])
  expect((await search(bea)).map(({ $id }) => $id)).toEqual([message])
})

test('TYPE-05 switching receipts during a read leaves a consistent state', async () => {
  const { ana, bea, conversation } = await prepareConversation()
  for (let n = 0; n < 20; n += 1) {
    const message = await send(ana, conversation, `${n}`)
    await Promise.all([read(bea, conversation), show(bea, n % 2 === 0)])
    await show(bea, false)
    expect(await readersOf(ana, conversation, message)).toEqual([ana.id])
    await show(bea, true)
  }
})
