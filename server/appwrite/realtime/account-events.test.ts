import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createPostOperation, deletePostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { purgeUnusedFiles } from '#server/files/file-cleanup.ts'
import type { FileContext } from '#server/files/stored-files.ts'
import { createServerLogger } from '#server/log.ts'
import { fetchCodeSentTo, fetchSentLinkSecret } from '../../../tests/support/sent-messages.ts'
import {
  type AppwriteEventData,
  collectSocketEvents,
  openTestSocket,
  type TestSocket,
} from '../../../tests/support/test-socket.ts'
import {
  createTestWorld,
  type MemberClient,
  type TestWorld,
  testPassword,
} from '../../../tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let eva: MemberClient
let picture: Buffer
const sockets: TestSocket[] = []

beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  eva = await w.join('Eva')
  picture = await createJpeg()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => w.end())

const open = async (as: MemberClient, channels: string[], path?: string) => {
  const socket = await openTestSocket(w.app, { as, channels, ...(path ? { path } : {}) })
  sockets.push(socket)
  return socket
}
const eventsUntil = async (socket: TestSocket, event: string) => {
  await socket.until(({ data }) => (data as Partial<AppwriteEventData> | undefined)?.events?.[0] === event)
  return socket.events().find(({ events }) => events[0] === event) as AppwriteEventData
}
const firstOf = (received: readonly AppwriteEventData[]) => received.map(({ events }) => events[0])

describe('account emails', () => {
  const channelsOf = (person: MemberClient) => ['account', `account.${person.accountId}`]

  test('a verification email causes events when requested and when used, for its owner only and without its secret', async () => {
    const hers = await open(ana, ['account'])
    const outside = await open(eva, channelsOf(ana))
    const product = await open(ana, [], '/v1/live')
    const url = 'http://localhost:3000/'
    const asked = await ana.request<{ $id: string }>('POST', '/v1/account/verification', { url })
    expect(asked.status).toBe(201)
    const token = `users.${ana.accountId}.verification.${asked.body.$id}`
    const created = await eventsUntil(hers, `${token}.create`)
    expect(created.payload).toEqual(asked.body)
    expect(created.payload).toMatchObject({ secret: '', userId: ana.accountId })
    expect(created.channels).toEqual(channelsOf(ana))
    const { userId, secret } = await fetchSentLinkSecret(w, ana.email)
    expect(JSON.stringify(created)).not.toContain(secret)
    await ana.request('PUT', '/v1/account/verification', { userId, secret })
    expect((await eventsUntil(hers, `${token}.update`)).payload.$id).toBe(asked.body.$id)
    expect(await collectSocketEvents(outside, eva)).toEqual([])
    expect(product.frames.map(({ type }) => type)).toEqual(['connected'])
  })

  test('a verification code for a phone causes the same events', async () => {
    const hers = await open(ana, ['account'])
    const outside = await open(eva, channelsOf(ana))
    await ana.request('PATCH', '/v1/account/phone', { phone: '+34611000077', password: testPassword })
    const asked = await ana.request<{ $id: string }>('POST', '/v1/account/verification/phone', {})
    expect(asked.status).toBe(201)
    const token = `users.${ana.accountId}.verification.${asked.body.$id}`
    await eventsUntil(hers, `${token}.create`)
    const linkParameters = { userId: ana.accountId, secret: await fetchCodeSentTo(w, '+34611000077') }
    expect((await ana.request('PUT', '/v1/account/verification/phone', linkParameters)).status).toBe(200)
    await eventsUntil(hers, `${token}.update`)
    expect(await collectSocketEvents(outside, eva)).toEqual([])
  })

  test('a recovery request causes an event for the account, with its own id, and no event for the caller', async () => {
    const hers = await open(ana, ['account'])
    const requester = await open(eva, channelsOf(eva))
    const recover = { email: ana.email, url: 'http://localhost:3000/' }
    const asked = await eva.request<{ $id: string }>('POST', '/v1/account/recovery', recover)
    const nobodys = { ...recover, email: 'nadie@juntas.test' }
    expect((await eva.request('POST', '/v1/account/recovery', nobodys)).status).toBe(201)
    const received = await eventsUntil(hers, `users.${ana.accountId}.recovery.${asked.body.$id}.create`)
    expect(received.payload).toMatchObject({ $id: asked.body.$id, userId: ana.accountId, secret: '' })
    expect(await collectSocketEvents(requester, eva)).toEqual([])
  })
})

describe('files', () => {
  const filesOf = (bucket = 'media') => `buckets.${bucket}.files`

  test('a photo causes events for its uploader on every file channel, from upload to deletion', async () => {
    const before = await open(ana, ['files'])
    const known = await ana.upload(picture)
    await eventsUntil(before, `${filesOf()}.${known}.create`)
    const hers = {
      all: await open(ana, ['files']),
      bucket: await open(ana, [filesOf()]),
      one: await open(ana, [`${filesOf()}.${known}`]),
      updates: await open(ana, ['files.update']),
    }
    const outside = await open(eva, ['files', filesOf(), `${filesOf()}.${known}`, 'files.create'])
    const product = await open(ana, [], '/v1/live')
    const id = await ana.upload(picture, 'plaza.jpg')
    const path = `/v1/storage/buckets/media/files/${id}`
    const { body: model } = await ana.request('GET', path)
    expect((await eventsUntil(hers.all, `${filesOf()}.${id}.create`)).payload).toEqual(model)
    await ana.request('PUT', path, { name: 'la plaza.jpg' })
    await ana.request('PUT', `/v1/storage/buckets/media/files/${known}`, { name: 'otra.jpg' })
    await ana.request('DELETE', path)
    const life = ['create', 'update', 'delete'].map((kind) => `${filesOf()}.${id}.${kind}`)
    const ofKnown = `${filesOf()}.${known}.update`
    // The events arrive the next time the server reads the change log.
    for (const socket of [hers.all, hers.bucket]) await eventsUntil(socket, `${filesOf()}.${id}.delete`)
    for (const socket of [hers.one, hers.updates]) await eventsUntil(socket, ofKnown)
    const received = (socket: TestSocket) => collectSocketEvents(socket, ana)
    const inOrder = [life[0], life[1], ofKnown, life[2]]
    expect(firstOf(await received(hers.all))).toEqual(inOrder)
    expect(firstOf(await received(hers.bucket))).toEqual(inOrder)
    expect(firstOf(await received(hers.one))).toEqual([ofKnown])
    expect(firstOf(await received(hers.updates))).toEqual([life[1], ofKnown])
    const [, , , last] = hers.all.events()
    expect(last?.payload).toMatchObject({ $id: id, name: 'la plaza.jpg', mimeType: 'image/jpeg' })
    expect(await collectSocketEvents(outside, eva)).toEqual([])
    expect(product.frames.map(({ type }) => type)).toEqual(['connected'])
  })

  test("a public post's photo causes events for its author only, including its deletion", async () => {
    const hers = await open(ana, ['files'])
    const outside = await open(eva, ['files', filesOf()])
    const imageId = await ana.upload(picture)
    const { $id } = await ana.call(createPostOperation, {
      caption: 'Una foto',
      location: 'Aquí',
      tags: [],
      imageId,
    })
    await ana.call(deletePostOperation, { postId: $id })
    // Clients delete the file after its post. It is already deleted, so no second event follows.
    expect((await ana.request('DELETE', `/v1/storage/buckets/media/files/${imageId}`)).status).toBe(204)
    await eventsUntil(hers, `${filesOf()}.${imageId}.delete`)
    const received = (await collectSocketEvents(hers, ana)).filter(({ payload }) => payload.$id === imageId)
    expect(received.map(({ events }) => events[0]?.split('.').at(-1))).toEqual(['create', 'delete'])
    expect(await collectSocketEvents(outside, eva)).toEqual([])
  })

  test('a refused photo causes no event, and an unused photo causes an event when it is deleted', async () => {
    const hers = await open(ana, ['files'])
    await expect(ana.upload(Buffer.from('this is no picture'))).rejects.toThrow('400')
    const unused = await ana.upload(picture)
    await w.database.pool.query(
      `alter table files disable trigger user;
       update files set updated_at = updated_at - interval '25 hours' where public_id = '${unused}';
       alter table files enable trigger user`,
    )
    const blobs = { remove: async () => {} } as unknown as FileContext['blobs']
    const images = {} as FileContext['images']
    await purgeUnusedFiles({ database: w.database, blobs, images, log: createServerLogger('silent') })
    await eventsUntil(hers, `${filesOf()}.${unused}.delete`)
    const received = (await collectSocketEvents(hers, ana)).filter(({ payload }) => payload.$id === unused)
    expect(received.map(({ events }) => events[0]?.split('.').at(-1))).toEqual(['create', 'delete'])
    expect(hers.events()).toHaveLength(2)
  })
})
