import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { searchMessagesOperation } from '#contract/chat/message-search.ts'
import { sendMessageOperation, unsendMessageOperation } from '#contract/chat/messages.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

const open = async (who: MemberClient, whom: MemberClient) =>
  (await who.call(openConversationOperation, { personId: whom.id })).$id
const send = async (who: MemberClient, conversationId: string, content: string) =>
  (await who.call(sendMessageOperation, { conversationId, content })).$id
const search = async (
  who: MemberClient,
  term: string,
  more: { conversationId?: string; before?: string } = {},
) => {
  const { documents, next } = await who.call(searchMessagesOperation, { term, ...more })
  return { words: documents.map(({ message }) => message.content), next, documents }
}

const writeMany = (conversation: string, sender: MemberClient, count: number, words: string) =>
  w.database.pool.query(
    `insert into messages (public_id, conversation_id, sender_id, content)
     select 'x' || substr(md5($1 || n), 1, 19), c.id, u.id, $4 || ' ' || n
     from generate_series(1, $3::int) n, conversations c, users u where c.public_id = $1 and u.public_id = $2 order by n`,
    [conversation, sender.id, count, words],
  )

test('CHPH-09 a search ignores case and accents, and lists messages newest first with their conversation', async () => {
  const [ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  const [withBea, withCarla] = [await open(ana, bea), await open(ana, carla)]
  await send(ana, withBea, 'Nos vemos en el CAFÉ')
  await send(carla, withCarla, 'sin café no hay vida')
  await send(bea, withBea, 'otra cosa')
  expect((await search(ana, 'cafe')).words).toEqual(['sin café no hay vida', 'Nos vemos en el CAFÉ'])
  const [first] = (await search(bea, 'CÁFE')).documents
  expect(first).toMatchObject({
    message: { content: 'Nos vemos en el CAFÉ', senderId: ana.id },
    conversation: { $id: withBea, other: { $id: ana.id } },
  })
  expect((await search(ana, 'café', { conversationId: withCarla })).words).toEqual(['sin café no hay vida'])
  expect((await search(ana, '%%')).words).toEqual([])
})

test('CHPH-09 carla finds no messages of ana and bea, by word, conversation or cursor', async () => {
  const [ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  const conversation = await open(ana, bea)
  const secret = await send(ana, conversation, 'el secreto de las dos')
  expect((await search(carla, 'secreto')).words).toEqual([])
  const of = (query: string) => carla.request('GET', `/v1/search/messages?term=secreto&${query}`)
  expect(await of(`conversationId=${conversation}`)).toMatchObject({
    status: 404,
    body: { type: 'document_not_found' },
  })
  expect(await of('conversationId=nowhere')).toMatchObject({
    status: 404,
    body: { type: 'document_not_found' },
  })
  expect(await of(`before=${secret}`)).toMatchObject({ body: { type: 'general_cursor_not_found' } })
})

test('CHPH-09 a search finds no unsent messages, messages behind a block or requests, and refuses a single letter', async () => {
  const [ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  const conversation = await open(ana, bea)
  const message = await send(ana, conversation, 'palabras que me arrepiento')
  await ana.call(unsendMessageOperation, { messageId: message })
  for (const who of [ana, bea]) expect((await search(who, 'arrepiento')).words).toEqual([])
  await send(ana, conversation, 'otras palabras')
  await ana.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
  const asked = await open(carla, ana)
  await send(carla, asked, 'palabras de quien pide')
  expect((await search(ana, 'palabras')).words).toEqual(['otras palabras'])
  expect((await search(carla, 'palabras')).words).toEqual(['palabras de quien pide'])
  await ana.call(blockMemberOperation, { personId: bea.id })
  expect((await search(ana, 'palabras')).words).toEqual([])
  expect((await search(bea, 'palabras')).words).toEqual(['otras palabras'])
  expect((await ana.request('GET', '/v1/search/messages?term=a')).status).toBe(400)
  expect((await ana.request('GET', `/v1/search/messages?term=${'a'.repeat(101)}`)).status).toBe(400)
})

test('CHPH-09 a search with many results lists each once across pages', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  const conversation = await open(ana, bea)
  await ana.call(followOperation, { personId: bea.id })
  await writeMany(conversation, bea, 45, 'naranja')
  const words: string[] = []
  let before: string | undefined
  for (let page = 0; page < 3; page += 1) {
    const found = await search(ana, 'naranja', before === undefined ? {} : { before })
    words.push(...found.words)
    before = found.next ?? undefined
  }
  expect(words).toEqual(Array.from({ length: 45 }, (_, n) => `naranja ${45 - n}`))
  expect(before).toBeUndefined()
})

test('CHPH-09 a search that continues further back skips nothing in long and short conversations', async () => {
  const [ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  const [long, short] = [await open(ana, bea), await open(ana, carla)]
  await ana.call(followOperation, { personId: bea.id })
  await send(bea, long, 'aguja del principio')
  await send(carla, short, 'aguja de antes')
  await writeMany(long, bea, 700, 'paja')
  await send(carla, short, 'aguja de ahora')
  const first = await search(ana, 'aguja')
  // The older match in the short conversation waits, because the long conversation may have newer matches.
  expect(first.words).toEqual(['aguja de ahora'])
  const second = await search(ana, 'aguja', { before: first.next ?? '' })
  expect(second.words).toEqual(['aguja de antes', 'aguja del principio'])
  expect(second.next).toBeNull()
  expect((await search(ana, 'aguja', { conversationId: long })).words).toEqual(['aguja del principio'])
})
