import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { listConversationsOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import {
  listMessagesOperation,
  type Message,
  sendMessageOperation,
  unsendMessageOperation,
} from '#contract/chat/messages.ts'
import { deleteFileOperation } from '#contract/files/files.ts'
import {
  getCaseOperation,
  getEvidencePictureOperation,
  listCasesOperation,
} from '#contract/moderation/cases.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { generateId } from '#server/ids.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { removeAllConversations } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, reportSubject } from '#tests/support/report-and-moderate.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
let conversationId: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  // Bea follows ana, so ana is not a stranger to bea.
  await bea.call(followOperation, { personId: ana.id })
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})
beforeEach(async () => {
  await removeAllConversations(w.database)
  conversationId = (await ana.call(openConversationOperation, { personId: bea.id })).$id
})

const images = (count: number, owner = ana) =>
  Promise.all(createArrayByIndex(count, () => insertUploadedImageRow(w.database, owner)))
const asPhotos = (ids: readonly string[]) => ids.map((imageId) => ({ imageId }))
const send = (ids: readonly string[], more: object = {}): Promise<Message> =>
  ana.call(sendMessageOperation, { conversationId, content: '', photos: asPhotos(ids), ...more })
const idsOf = ({ photos }: Message) => photos.map(({ id }) => id)
const shownTo = async (who: MemberClient) =>
  (await who.call(listMessagesOperation, { conversationId })).documents
const lastMessageOf = async (who: MemberClient) =>
  (await who.call(listConversationsOperation, {})).documents[0]?.lastMessage
const stateOf = async (id: string): Promise<string | undefined> =>
  (await w.database.pool.query('select state from files where public_id = $1', [id])).rows[0]?.state
const waysTo = (id: string) => [
  `/v1/files/${id}/content`,
  `/v1/files/${id}/content?width=64`,
  `${appwriteFilesPath}/${id}/view`,
  `${appwriteFilesPath}/${id}/preview?width=64`,
  `${appwriteFilesPath}/${id}/download`,
]
const statusesOf = async (who: MemberClient, id: string, headers?: Record<string, string>) =>
  Promise.all(waysTo(id).map(async (path) => (await who.request('GET', path, undefined, headers)).status))

test('CHPH-01 ana sends four photos with descriptions, with and without text, and both see them in her order', async () => {
  const ids = await images(4)
  const wanted = ids.map((imageId, at) => ({ imageId, alt: `Foto ${at + 1}` }))
  const sent = await ana.call(sendMessageOperation, { conversationId, content: ' Mira ', photos: wanted })
  expect(sent).toMatchObject({ content: 'Mira', type: 'text' })
  expect(sent.photos.map(({ id, alt }) => ({ imageId: id, alt }))).toEqual(wanted)
  expect(sent.photos[0]).toMatchObject({ width: expect.any(Number), thumbhash: expect.any(String) })
  expect(await shownTo(bea)).toEqual([sent])
  expect(await lastMessageOf(bea)).toBe('Mira')

  const alone = await send(await images(1))
  expect(alone.content).toBe('')
  expect(await lastMessageOf(bea)).toBe('Photo')
  await send(await images(3))
  expect(await lastMessageOf(bea)).toBe('3 photos')
  const answered = await bea.call(sendMessageOperation, {
    conversationId,
    content: '¿Dónde es?',
    replyTo: alone.$id,
  })
  expect(answered.replyTo).toMatchObject({ content: '', photos: { count: 1, imageId: idsOf(alone)[0] } })
})

test('CHPH-01 a fifth photo, a duplicate photo and an empty message are refused with an error message', async () => {
  const five = await images(5)
  expect(
    await ana.refusal(sendMessageOperation, { conversationId, content: '', photos: asPhotos(five) }),
  ).toMatchObject({
    code: 400,
    field: 'photos',
    message: expect.stringContaining('Too many files'),
  })
  const [one = ''] = five
  expect(
    await ana.refusal(sendMessageOperation, { conversationId, content: '', photos: asPhotos([one, one]) }),
  ).toMatchObject({ code: 400, field: 'photos', message: expect.stringContaining('once') })
  for (const empty of [{ content: '' }, { content: '  ', photos: [] }])
    expect(await ana.refusal(sendMessageOperation, { conversationId, ...empty })).toMatchObject({
      code: 400,
      field: 'content',
    })
  expect(await stateOf(one)).toBe('ready')
})

test('CHPH-01 every outbox reader sees a message with photos, which costs one statement more than a text', async () => {
  const position = await waitForChangePosition(w.database, bea)
  const sent = await send(await images(2))
  const { changes } = await bea.call(catchUpOperation, { since: position })
  expect(changes).toContainEqual(
    expect.objectContaining({
      collection: 'messages',
      document: expect.objectContaining({ photos: sent.photos }),
    }),
  )
  await settleNotifications(w.database)
  const words = await captureSqlStatements(() =>
    ana.call(sendMessageOperation, { conversationId, content: 'hola' }),
  )
  const ids = await images(4)
  const photos = await captureSqlStatements(() => send(ids))
  expect(photos.statements.length).toBe(words.statements.length + 1)
})

test("CHPH-02 CP1 only the participants get a photo's bytes: carla gets 404, and a known ETag reveals nothing", async () => {
  const id = await ana.upload(await createJpeg('#2266aa'))
  await send([id])
  expect(new Set(await statusesOf(ana, id))).toEqual(new Set([200]))
  expect(new Set(await statusesOf(bea, id))).toEqual(new Set([200]))
  expect(new Set(await statusesOf(carla, id))).toEqual(new Set([404]))
  for (const path of waysTo(id)) {
    const { headers } = await bea.request('GET', path)
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: expect.any(String) })
    const known = { 'if-none-match': String(headers.etag) }
    expect((await bea.request('GET', path, undefined, known)).status).toBe(304)
    expect((await carla.request('GET', path, undefined, known)).status).toBe(404)
  }
  expect((await bea.request('DELETE', `/v1/files/${id}`)).status).toBe(404)
  expect(await ana.refusal(deleteFileOperation, { fileId: id })).toMatchObject({
    type: 'storage_file_in_use',
  })
})

test('CHPH-02 photos stay with both participants after a block or a closed account, like texts', async () => {
  const id = await ana.upload(await createJpeg('#22aa66'))
  await send([id])
  await bea.call(blockMemberOperation, { personId: ana.id })
  for (const who of [ana, bea]) {
    expect((await shownTo(who))[0]?.photos).toHaveLength(1)
    expect(new Set(await statusesOf(who, id))).toEqual(new Set([200]))
  }
  const [another = ''] = await images(1)
  expect(
    await ana.refusal(sendMessageOperation, { conversationId, content: '', photos: asPhotos([another]) }),
  ).toMatchObject({ code: 403 })
  expect(await stateOf(another)).toBe('ready')
  await bea.call(unblockMemberOperation, { personId: ana.id })
  await bea.call(followOperation, { personId: ana.id })
})

test('CHPH-03 resending a message stores it once and cannot change its photos', async () => {
  const ids = await images(2)
  const messageId = generateId()
  const first = await send(ids, { messageId })
  expect(await send(ids, { messageId })).toEqual(first)
  const more = await images(1)
  for (const photos of [more, ids.toReversed(), ids.slice(1), []])
    expect(
      (
        await ana.ask(sendMessageOperation, {
          conversationId,
          messageId,
          content: 'x',
          photos: asPhotos(photos),
        })
      ).status,
    ).toBe(409)
  expect(await stateOf(more[0] ?? '')).toBe('ready')
  expect((await shownTo(bea)).map(idsOf)).toEqual([ids])
})

test('CHPH-03 sending the same message concurrently stores it once', { timeout: raceTimeoutMs }, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      const [ids, messageId] = [await images(2), generateId()]
      const sending = () =>
        ana.request('POST', `/v1/conversations/${conversationId}/messages`, {
          messageId,
          content: '',
          photos: asPhotos(ids),
        })
      return [sending, sending, sending]
    },
    (answers) => expect(countResponsesByStatus(answers)).toEqual({ 201: 3 }),
  )
})

test('CHPH-05 nobody can attach a chat photo to a post or another message', async () => {
  const [id = ''] = await images(1)
  await send([id])
  const post = { caption: 'Una tarde juntas', location: 'Casa', tags: [], photos: asPhotos([id]) }
  const again = { conversationId, content: '', photos: asPhotos([id]) }
  for (const who of [ana, bea, carla]) {
    expect(await who.refusal(createPostOperation, post)).toMatchObject({ type: 'storage_file_not_found' })
  }
  for (const who of [ana, bea])
    expect(await who.refusal(sendMessageOperation, again)).toMatchObject({
      code: 404,
      type: 'storage_file_not_found',
      field: 'photos',
    })
  expect(
    await bea.refusal(sendMessageOperation, { ...again, photos: asPhotos(['inventada']) }),
  ).toMatchObject({
    type: 'storage_file_not_found',
  })
})

test('CHPH-05 an upload that is sent and posted concurrently belongs to only one of the two', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      const [imageId = ''] = await images(1)
      return [
        () =>
          ana.request('POST', `/v1/conversations/${conversationId}/messages`, {
            content: '',
            photos: [{ imageId }],
          }),
        () =>
          ana.request('POST', '/v1/posts', {
            caption: 'Una tarde juntas',
            location: 'Casa',
            tags: [],
            groupId: null,
            photos: [{ imageId }],
          }),
      ]
    },
    (answers) => expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 404: 1 }),
  )
})

test('CHPH-02 unsending a message removes its photos and their bytes for both participants', async () => {
  const id = await ana.upload(await createJpeg('#aa2266'))
  const sent = await send([id], { content: 'Ay' })
  const position = await waitForChangePosition(w.database, bea)
  expect(await ana.call(unsendMessageOperation, { messageId: sent.$id })).toMatchObject({
    content: '',
    photos: [],
  })
  for (const who of [ana, bea, carla]) expect(new Set(await statusesOf(who, id))).toEqual(new Set([404]))
  expect(await stateOf(id)).toBe('deleting')
  expect(JSON.stringify(await shownTo(bea))).not.toContain(id)
  expect(JSON.stringify(await bea.call(catchUpOperation, { since: position }))).not.toContain(id)
})

test('CHPH-02 a message that is unsent while it is resent leaves no photo', {
  timeout: raceTimeoutMs,
}, async () => {
  await runRaceRounds(
    w.database,
    async () => {
      const [ids, messageId] = [await images(2), generateId()]
      await send(ids, { messageId })
      const sending = () =>
        ana.request('POST', `/v1/conversations/${conversationId}/messages`, {
          messageId,
          content: '',
          photos: asPhotos(ids),
        })
      const unsending = () => ana.request('DELETE', `/v1/messages/${messageId}`)
      return [sending, unsending, unsending]
    },
    (answers) => expect(countResponsesByStatus(answers)).toEqual({ 200: 2, 201: 1 }),
  )
})

test('CHPH-02 the sender of a request cannot send photos before the recipient answers', async () => {
  await bea.call(unfollowOperation, { personId: ana.id })
  await bea.call(updatePrivacySettingsOperation, { messagesFrom: 'ask' })
  const ids = await images(1)
  const photos = { conversationId, content: 'Soy Ana', photos: asPhotos(ids) }
  const refused = { code: 403, type: 'message_photos_waiting' }
  expect(await ana.refusal(sendMessageOperation, photos)).toMatchObject(refused)
  expect(await shownTo(bea)).toEqual([])
  await ana.call(sendMessageOperation, { conversationId, content: 'Soy Ana' })
  expect(await ana.refusal(sendMessageOperation, photos)).toMatchObject(refused)
  await bea.call(sendMessageOperation, { conversationId, content: '¡Ana!' })
  expect((await ana.call(sendMessageOperation, photos)).photos).toHaveLength(1)
  await bea.call(updatePrivacySettingsOperation, { messagesFrom: 'everyone' })
  await bea.call(followOperation, { personId: ana.id })
})

test('CHPH-02 a report keeps the reported photos even after the message is unsent', async () => {
  const ids = [await ana.upload(await createJpeg('#114477')), await ana.upload(await createJpeg('#774411'))]
  const sent = await ana.call(sendMessageOperation, {
    conversationId,
    content: 'fea',
    photos: ids.map((imageId) => ({ imageId, alt: 'Yo' })),
  })
  const { reportId } = await reportSubject(w.database, bea, { kind: 'message', id: sent.$id })
  await ana.call(unsendMessageOperation, { messageId: sent.$id })
  const { rows } = await w.database.pool.query(
    `select e.snapshot, f.state from evidence e join reports r on r.id = e.report_id left join files f on f.id = e.file_id
     where r.public_id = $1 order by e.position`,
    [reportId],
  )
  expect(rows).toEqual([
    { snapshot: expect.objectContaining({ content: 'fea' }), state: null },
    {
      snapshot: expect.objectContaining({ photo: 1, alt: 'Yo', picture: expect.anything() }),
      state: 'deleting',
    },
    {
      snapshot: expect.objectContaining({ photo: 2, alt: 'Yo', picture: expect.anything() }),
      state: 'deleting',
    },
  ])
  expect(new Set(await statusesOf(ana, ids[0] ?? ''))).toEqual(new Set([404]))
})

test('CHPH-02 REP-07 a report of a message with photos keeps twenty more messages with their photos, and each photo opens', async () => {
  const mo = await w.join('Mo')
  await appointModeratorOnDuty(w.database, mo)
  const sent: string[] = []
  for (let n = 0; n < 21; n += 1) sent.push((await send(await images(4))).$id)
  const [reported = '', ...further] = sent
  const report = await bea.ask(createReportOperation, {
    ...{ subject: { kind: 'message', id: reported }, reason: 'harassment', messages: further },
  })
  expect(report.status).toBe(201)
  const { documents } = await mo.call(listCasesOperation, { limit: 100 })
  const cases = await Promise.all(documents.map(({ $id }) => mo.call(getCaseOperation, { caseId: $id })))
  const found = cases.find(({ reports }) => reports[0]?.evidence.length === 105)
  const evidence = found?.reports[0]?.evidence ?? []
  expect(evidence.filter(({ hasPicture }) => hasPicture)).toHaveLength(84)
  const place = evidence.at(-1)?.place as string
  expect(place).toBe('1-104')
  // These uploads have no bytes. The error for missing bytes shows that the route found the upload.
  const opened = await mo.ask(getEvidencePictureOperation, { caseId: found?.$id as string, place })
  expect([opened.status, (opened.body as { type?: string }).type]).toEqual([404, 'storage_file_not_found'])
})

test('OLD-03 an old client sees the text Photo for a message with only photos, and Message unsent for an unsent one', async () => {
  const documents = createAppwriteDocumentsClient(bea, 'messages')
  const ids = await images(2)
  const alone = await send(ids)
  const worded = await send(await images(1), { content: 'Mira' })
  expect((await documents.get(alone.$id)).body).toMatchObject({
    content: 'Photo',
    type: 'text',
    imageIds: ids,
    imageUrls: ids.map((id) => expect.stringContaining(id)),
  })
  expect((await documents.get(worded.$id)).body).toMatchObject({ content: 'Mira', type: 'text' })
  const conversations = createAppwriteDocumentsClient(bea, 'conversations')
  expect((await conversations.get(conversationId)).body).toMatchObject({ lastMessage: 'Mira' })
  await ana.call(unsendMessageOperation, { messageId: worded.$id })
  expect((await documents.get(worded.$id)).body).toMatchObject({
    content: 'Message unsent',
    type: 'text',
    imageIds: [],
  })
  expect((await conversations.get(conversationId)).body).toMatchObject({ lastMessage: 'Photo' })
  const echoed = { readBy: [ana.id, bea.id], imageIds: ids, content: 'Photo', type: 'text' }
  expect((await documents.patch(alone.$id, echoed)).status).toBe(200)
})
