import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pickComparableResponse } from '#api-client/member-client.ts'
import { followOperation } from '#contract/people/people.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { generateId } from '#server/ids.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  type AppwriteTestDocument,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentAlreadyExistsRefusalText,
  documentIdsOf,
  documentNotFoundRefusalText,
  formatRefusalText,
  invalidStructureRefusalText,
  unauthorizedRefusalText,
} from '../../../tests/support/appwrite-documents-client.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let eva: MemberClient
let conversation: AppwriteTestDocument
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea')
  eva = await w.join('Eva')
  conversation = await conversations(ana).made({ participants: [ana.id, bea.id], type: 'direct' })
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const conversations = (person: MemberClient) => createAppwriteDocumentsClient(person, 'conversations')
const messages = (person: MemberClient) => createAppwriteDocumentsClient(person, 'messages')
const say = (person: MemberClient, content: string, more: object = {}) =>
  messages(person).made({
    conversationId: conversation.$id,
    senderId: person.id,
    content,
    type: 'text',
    ...more,
  })

describe('a conversation', () => {
  test('DATA-01 a new conversation has two participants and no message, and both participants open the same one', async () => {
    const pia = await w.join('Pia')
    const fresh = await conversations(pia).made({
      participants: [pia.id, eva.id],
      type: 'direct',
      lastMessage: '',
      lastMessageTime: '2026-11-21T00:00:00.000+00:00',
      lastMessageSender: '',
    })
    expect(new Set(fresh.participants as string[])).toEqual(new Set([pia.id, eva.id]))
    expect(fresh).toMatchObject({
      type: 'direct',
      lastMessage: null,
      lastMessageTime: null,
      lastMessageSender: null,
    })
    expect((await conversations(eva).made({ participants: [eva.id, pia.id] })).$id).toBe(fresh.$id)
  })

  test('C04 ten simultaneous openings from both sides create one conversation', async () => {
    const nina = await w.join('Nina')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        conversations(n % 2 ? nina : eva).create({
          participants: n % 2 ? [nina.id, eva.id] : [eva.id, nina.id],
        }),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.$id)).size).toBe(1)
  })

  test('A06 a conversation needs exactly two different people, and the caller must be one of them', async () => {
    const before = (await conversations(ana).list()).body.total
    for (const participants of [
      [],
      [ana.id],
      [ana.id, bea.id, eva.id],
      'ana',
      [ana.id, { $id: bea.id }],
      [{ $id: ana.id }, { $id: bea.id }],
      undefined,
    ]) {
      expect(formatRefusalText(await conversations(ana).create({ participants, type: 'direct' }))).toBe(
        invalidStructureRefusalText,
      )
    }
    const self = await conversations(ana).create({ participants: [ana.id, ana.id] })
    expect(formatRefusalText(self)).toBe('400 conversation_self_not_allowed')
    for (const participants of [
      [ana.id, bea.id],
      [ana.id, ana.id],
    ]) {
      expect(formatRefusalText(await conversations(eva).create({ participants }))).toBe(
        unauthorizedRefusalText,
      )
    }
    expect(formatRefusalText(await conversations(ana).create({ participants: [ana.id, 'nobody'] }))).toBe(
      documentNotFoundRefusalText,
    )
    expect(
      formatRefusalText(await conversations(ana).create({ participants: [ana.id, bea.id], type: 'group' })),
    ).toBe(invalidStructureRefusalText)
    expect((await conversations(ana).list()).body.total).toBe(before)
  })

  test('A06 CV4 CV5 nobody can add a participant to a conversation, change its type or delete it', async () => {
    const participants = [ana.id, bea.id, eva.id]
    expect(formatRefusalText(await conversations(ana).patch(conversation.$id, { participants }))).toBe(
      invalidStructureRefusalText,
    )
    expect(formatRefusalText(await conversations(ana).patch(conversation.$id, { type: 'group' }))).toBe(
      invalidStructureRefusalText,
    )
    expect(formatRefusalText(await conversations(eva).patch(conversation.$id, { participants }))).toBe(
      documentNotFoundRefusalText,
    )
    const kept = await conversations(bea).patch(conversation.$id, { participants: [bea.id, ana.id] })
    expect([kept.status, new Set(kept.body.participants as string[])]).toEqual([
      200,
      new Set([ana.id, bea.id]),
    ])
    expect(formatRefusalText(await conversations(ana).remove(conversation.$id))).toBe(unauthorizedRefusalText)
    expect(formatRefusalText(await conversations(eva).remove(conversation.$id))).toBe(
      documentNotFoundRefusalText,
    )
  })

  test('A04 the preview of a conversation is the message text, whatever a client sends', async () => {
    const said = await say(bea, 'hola ana')
    const forged = {
      lastMessage: 'te odio',
      lastMessageSender: ana.id,
      lastMessageTime: '2030-01-01T00:00:00.000+00:00',
    }
    const { body: before } = await conversations(ana).get(conversation.$id)
    const changes = await describeRecordedChanges(w.database, [ana, bea], async () => {
      expect(await conversations(ana).patch(conversation.$id, forged)).toMatchObject({
        status: 200,
        body: before,
      })
    })
    expect(changes).toEqual([])
    const { body } = await conversations(ana).get(conversation.$id)
    expect(body).toEqual(before)
    expect(body).toMatchObject({
      lastMessage: 'hola ana',
      lastMessageSender: bea.id,
      lastMessageTime: said.$createdAt,
    })
    expect((await conversations(bea).get(conversation.$id)).body).toMatchObject({
      ...body,
      $permissions: expect.anything(),
    })
  })

  test('A01 A02 PERM-06 a stranger gets the same bytes for a conversation as for an unknown id', async () => {
    const asked = async (id: string) => {
      const { result, statements } = await captureSqlStatements(() => conversations(eva).get(id))
      return { ...pickComparableResponse(result), statements }
    }
    const hidden = await asked(conversation.$id)
    expect(hidden.status).toBe(404)
    expect(hidden).toEqual(await asked(generateId()))
    expect(documentIdsOf(await conversations(eva).all())).not.toContain(conversation.$id)
    expect((await conversations(eva).list(buildAppwriteEqualQuery('participants', ana))).body).toMatchObject({
      total: 0,
    })
    expect(documentIdsOf(await conversations(ana).all(`contains("participants", ["${bea.id}"])`))).toEqual([
      conversation.$id,
    ])
  })
})

describe('messages', () => {
  test('CMSG-08 CMSG-05 CMSG-09 DATA-05 a message is stored trimmed and is read by its sender', async () => {
    const said = await say(ana, '  hola\n bea  ', { readBy: [ana.id, bea.id] })
    expect(said).toMatchObject({
      conversationId: conversation.$id,
      senderId: ana.id,
      content: 'hola\n bea',
      type: 'text',
      readBy: [ana.id],
    })
    expect((await messages(bea).get(said.$id)).body.content).toBe('hola\n bea')
  })

  test('CMSG-10 a client that writes the preview after the message finds the preview that the message set', async () => {
    const said = await say(ana, '¿vienes?')
    const preview = {
      lastMessage: '¿vienes?',
      lastMessageTime: new Date().toISOString(),
      lastMessageSender: ana.id,
    }
    const { body } = await conversations(ana).patch(conversation.$id, preview)
    expect(body).toMatchObject({
      lastMessage: '¿vienes?',
      lastMessageTime: said.$createdAt,
      lastMessageSender: ana.id,
    })
    const newest = await conversations(bea).all('orderDesc("$updatedAt")', 'limit(50)')
    expect(newest[0]?.$id).toBe(conversation.$id)
    expect(documentIdsOf(await conversations(bea).all('orderDesc("lastMessageTime")'))[0]).toBe(
      conversation.$id,
    )
  })

  test("A03 PERM-07 a member cannot send a message as another member, or into other members' conversations", async () => {
    const sent = { conversationId: conversation.$id, content: 'x', type: 'text' }
    const changes = await describeRecordedChanges(w.database, [ana, bea, eva], async () => {
      expect(
        formatRefusalText(await messages(ana).create({ ...sent, senderId: bea.id, readBy: [bea.id] })),
      ).toBe(unauthorizedRefusalText)
      expect(formatRefusalText(await messages(eva).create({ ...sent, senderId: eva.id }))).toBe(
        documentNotFoundRefusalText,
      )
    })
    expect(changes).toEqual([])
    expect(
      await messages(ana).all(
        buildAppwriteEqualQuery('conversationId', conversation.$id),
        buildAppwriteEqualQuery('content', 'x'),
      ),
    ).toEqual([])
  })

  test.each([
    ['content', { content: '   ' }],
    ['content', { content: '\u200b' }],
    ['content', { content: 'x'.repeat(4001) }],
    ['content', { content: undefined }],
    ['type', { type: 'image' }],
    ['conversationId', { conversationId: undefined }],
    ['attachment', { attachment: 'x' }],
  ])('a message with a wrong %s is refused with the name of the field', async (field, wrong) => {
    const sent = { conversationId: conversation.$id, senderId: ana.id, content: 'hola', ...wrong }
    const answer = await messages(ana).create(sent)
    expect(formatRefusalText(answer)).toBe(invalidStructureRefusalText)
    expect(answer.body.field).toBe(field)
  })

  test('a message sent again under its id is stored once; another text or sender under that id is refused', async () => {
    const sent = { conversationId: conversation.$id, senderId: ana.id, content: 'una vez' }
    await messages(ana).made(sent, 'retry-1')
    expect((await messages(ana).made(sent, 'retry-1')).$id).toBe('retry-1')
    expect(formatRefusalText(await messages(ana).create({ ...sent, content: 'otra' }, 'retry-1'))).toBe(
      documentAlreadyExistsRefusalText,
    )
    expect(formatRefusalText(await messages(bea).create({ ...sent, senderId: bea.id }, 'retry-1'))).toBe(
      documentAlreadyExistsRefusalText,
    )
    // The answer does not tell strangers whose message has the id either.
    const nadia = await w.join('Nadia')
    const own = await conversations(nadia).made({ participants: [nadia.id, bea.id] })
    const foreign = { ...sent, conversationId: own.$id, senderId: nadia.id }
    expect(formatRefusalText(await messages(nadia).create(foreign, 'retry-1'))).toBe(
      documentAlreadyExistsRefusalText,
    )
    expect((await messages(bea).list(buildAppwriteEqualQuery('content', 'una vez'))).body.total).toBe(1)
  })

  test('A05 MS4 a reader marks a message as read only for herself, and cannot undo the mark', async () => {
    const said = await say(ana, 'léeme')
    const readers = async (id: string) => (await messages(ana).get(id)).body.readBy
    expect(formatRefusalText(await messages(ana).patch(said.$id, { readBy: [ana.id, bea.id] }))).toBe(
      unauthorizedRefusalText,
    )
    expect(formatRefusalText(await messages(bea).patch(said.$id, { readBy: [eva.id] }))).toBe(
      invalidStructureRefusalText,
    )
    expect(formatRefusalText(await messages(eva).patch(said.$id, { readBy: [eva.id] }))).toBe(
      documentNotFoundRefusalText,
    )
    expect((await messages(bea).patch(said.$id, { readBy: [] })).body.readBy).toEqual([ana.id])
    expect(await readers(said.$id)).toEqual([ana.id])
    const marked = await messages(bea).patch(said.$id, { readBy: [ana.id, bea.id] })
    expect(marked.body.readBy).toEqual([ana.id, bea.id])
    for (const readBy of [[], [ana.id]]) {
      expect((await messages(bea).patch(said.$id, { readBy })).body.readBy).toEqual([ana.id, bea.id])
    }
    // Marking a message as read also marks all earlier messages.
    const earlier = await messages(ana).all(
      buildAppwriteEqualQuery('conversationId', conversation.$id),
      buildAppwriteEqualQuery('senderId', ana),
    )
    expect(earlier.every(({ readBy }) => (readBy as string[]).includes(bea.id))).toBe(true)
    expect(
      documentIdsOf(await messages(ana).all(`contains("readBy", ["${bea.id}"])`, 'orderDesc("$createdAt")')),
    ).toContain(said.$id)
  })

  test('MS5 MS6 messages cannot be changed or deleted', async () => {
    const said = await say(ana, 'para siempre')
    for (const person of [ana, bea]) {
      for (const change of [{ content: 'otra cosa' }, { senderId: eva.id }, { conversationId: 'x' }]) {
        expect(formatRefusalText(await messages(person).patch(said.$id, change))).toBe(
          invalidStructureRefusalText,
        )
      }
      expect(formatRefusalText(await messages(person).remove(said.$id))).toBe(unauthorizedRefusalText)
    }
    expect(formatRefusalText(await messages(eva).patch(said.$id, { content: 'x' }))).toBe(
      documentNotFoundRefusalText,
    )
    expect(formatRefusalText(await messages(eva).remove(said.$id))).toBe(documentNotFoundRefusalText)
  })

  test('A02 a stranger finds only messages of her own conversations, whatever she queries', async () => {
    const pia = await w.join('Pia')
    const own = await conversations(pia).made({ participants: [pia.id, eva.id] })
    const mine = await messages(pia).made({ conversationId: own.$id, content: 'solo nuestra' })
    expect(
      (await messages(eva).list(buildAppwriteEqualQuery('conversationId', conversation.$id))).body,
    ).toEqual({
      total: 0,
      documents: [],
    })
    expect((await messages(eva).list()).body).toMatchObject({ total: 1, documents: [{ $id: mine.$id }] })
    for (const query of [
      'orderDesc("$createdAt")',
      'search("content", ["a"])',
      buildAppwriteEqualQuery('senderId', ana, bea),
    ]) {
      expect((await messages(eva).list(query)).body.total).toBeLessThan(2)
    }
    for (let offset = 0; offset <= 500; offset += 1) {
      const { body } = await messages(eva).list('limit(1)', `offset(${offset})`)
      expect([body.total, documentIdsOf(body.documents)]).toEqual([1, offset === 0 ? [mine.$id] : []])
    }
  })

  test('CMSG-14 messages come newest first: fifty of sixty, and the rest by offset', async () => {
    const pia = await w.join('Pia')
    await bea.call(followOperation, { personId: pia.id })
    const long = await conversations(pia).made({ participants: [pia.id, bea.id] })
    for (let n = 0; n < 60; n += 1) await messages(pia).made({ conversationId: long.$id, content: `nº ${n}` })
    const page = (offset: number) =>
      messages(bea).list(
        buildAppwriteEqualQuery('conversationId', long.$id),
        'orderDesc("$createdAt")',
        'limit(50)',
        `offset(${offset})`,
      )
    const [first, second] = [(await page(0)).body, (await page(50)).body]
    expect(first.total).toBe(60)
    const said = [...first.documents, ...second.documents].map(({ content }) => content)
    expect(said).toEqual(Array.from({ length: 60 }, (_, n) => `nº ${59 - n}`))
    expect(first.documents).toHaveLength(50)
  })
})
