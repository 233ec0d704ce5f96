/**
 * Without access, a member gets neither bytes nor ETags. A 304 takes one statement, which checks session and access
 * rule.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { updateProfileOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { offlineCacheHeader, offlineCachePublic } from '#contract/posts/offline-cache-header.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createHttpCache } from '#tests/support/http-cache.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let iria: MemberClient
let ana: MemberClient
let gala: MemberClient
const pictures = new Map<MemberClient, string[]>()
let cover: string

beforeAll(async () => {
  w = await createTestWorld()
  ;[iria, ana, gala] = [await w.join('Iria'), await w.join('Ana'), await w.join('Gala')]
  for (const owner of [ana, gala]) {
    const [photo, imageId] = [await owner.upload(await createJpeg()), await owner.upload(await createJpeg())]
    await owner.call(updateProfileOperation, { personId: owner.id, imageId: photo })
    await owner.call(createPostOperation, { caption: 'Una tarde', location: 'Aquí', tags: [], imageId })
    pictures.set(owner, [photo, imageId])
  }
  cover = await ana.upload(await createJpeg())
  await ana.call(createGroupOperation, { name: 'Tejer', imageId: cover })
})
afterAll(() => w.end())

const waysTo = (id: string): string[] => [
  ...['view', 'download', 'preview', 'preview?width=64'].map((way) => `${appwriteFilesPath}/${id}/${way}`),
  `/v1/files/${id}/content`,
  `/v1/files/${id}/content?width=64`,
]
const waysToPicturesOf = (owner: MemberClient) => (pictures.get(owner) ?? []).flatMap(waysTo)

describe('cached pictures', () => {
  test.each([
    ['a block', 'ana'],
    ['a closed account', 'gala'],
  ] as const)(
    'BLK-08 F02 a cached picture is no longer shown after %s, and no ETag brings the picture back',
    async (_, name) => {
      const owner = { ana, gala }[name]
      const [browser, proxy] = [createHttpCache({ shared: false }), createHttpCache({ shared: true })]
      for (const path of waysToPicturesOf(owner))
        for (const cache of [browser, proxy, browser])
          expect([path, (await cache.get(iria, path)).status]).toEqual([path, 200])
      // The browser stores all pictures and revalidates them. The shared cache stores none.
      expect([...browser.kept.keys()].sort()).toEqual(waysToPicturesOf(owner).sort())
      expect([...proxy.kept.keys()]).toEqual([])

      if (name === 'ana') await ana.call(blockMemberOperation, { personId: iria.id })
      else expect((await gala.request('PATCH', '/v1/account/status', {})).status).toBe(200)
      for (const path of waysToPicturesOf(owner))
        for (const cache of [browser, proxy]) {
          const { status, raw } = await cache.get(iria, path)
          expect([path, status, raw.includes('JFIF')]).toEqual([path, 404, false])
        }
      expect([...browser.kept.keys()]).toEqual([])
    },
  )

  test('PRIV-06 F02 cached pictures of a post are refused after its creator makes her account private', async () => {
    const petra = await w.join('Petra')
    const imageId = await petra.upload(await createJpeg())
    await petra.call(createPostOperation, { caption: 'Una tarde', location: 'Aquí', tags: [], imageId })
    const browser = createHttpCache({ shared: false })
    for (const path of waysTo(imageId)) expect((await browser.get(iria, path)).status).toBe(200)
    await petra.call(updatePrivacySettingsOperation, { isPrivate: true })
    for (const path of waysTo(imageId))
      expect([path, (await browser.get(iria, path)).status]).toEqual([path, 404])
    expect([...browser.kept.keys()]).toEqual([])
  })

  test('BLK-28 F02 a picture is shown again after the block has ended', async () => {
    await ana.call(blockMemberOperation, { personId: iria.id })
    await ana.call(unblockMemberOperation, { personId: iria.id })
    const browser = createHttpCache({ shared: false })
    for (const path of waysToPicturesOf(ana)) expect((await browser.get(iria, path)).status).toBe(200)
  })
})

test('F02 a 304 costs one statement, which checks the session and the rule, in both APIs and with both credentials', async () => {
  const jwt = (await iria.request<{ jwt: string }>('POST', '/v1/account/jwts', {})).body.jwt
  for (const path of [...waysToPicturesOf(ana), ...waysTo(cover)]) {
    const { etag = '' } = (await iria.request('GET', path)).headers
    for (const credential of [[], [['x-appwrite-jwt', jwt]]]) {
      const headers = { 'if-none-match': etag, ...Object.fromEntries(credential) }
      const { result, statements } = await captureSqlStatements(() =>
        iria.request('GET', path, undefined, headers),
      )
      expect([path, result.status, statements.length]).toEqual([path, 304, 1])
      expect(statements[0]).toMatch(/from sessions s[\s\S]*block_pairs/)
    }
  }
  const [path = ''] = waysToPicturesOf(ana)
  const { etag = '' } = (await iria.request('GET', path)).headers
  const known = { 'if-none-match': etag }
  expect((await w.visitor.request('GET', path, undefined, known)).status).toBe(401)
  expect((await iria.request('DELETE', '/v1/sessions/current')).status).toBe(204)
  expect((await iria.request('GET', path, undefined, known)).status).toBe(401)
})

test('F02 only the picture of a group may be shown for an hour without revalidation', async () => {
  for (const path of waysTo(cover))
    expect([path, (await ana.request('GET', path)).headers['cache-control']]).toEqual([
      path,
      'private, max-age=3600',
    ])
  for (const path of waysToPicturesOf(ana))
    expect([path, (await ana.request('GET', path)).headers['cache-control']]).toEqual([
      path,
      'private, no-cache',
    ])
})

test("PWA-05 a device may store a small picture of a public post, but no original and no group's or followers-only picture", async () => {
  const bea = await w.join('Bea')
  const { $id: groupId } = await bea.call(createGroupOperation, { name: 'Coser' })
  const publish = async (given: object = {}) => {
    const imageId = await bea.upload(await createJpeg())
    const content = { caption: 'Una tarde', location: 'Aquí', tags: [], imageId, ...given }
    await bea.call(createPostOperation, content)
    return imageId
  }
  const mayBeKept = async (imageId: string, query = '?width=640') => {
    const { status, headers } = await bea.request('GET', `/v1/files/${imageId}/content${query}`)
    expect(status).toBe(200)
    return headers[offlineCacheHeader] === offlineCachePublic
  }
  const [open, ofGroup] = [await publish(), await publish({ groupId })]
  expect(await mayBeKept(open)).toBe(true)
  expect(await mayBeKept(open, '?width=320')).toBe(true)
  expect(await mayBeKept(open, '?width=1280')).toBe(false)
  expect(await mayBeKept(open, '')).toBe(false)
  expect(await mayBeKept(ofGroup)).toBe(false)
  expect((await ana.request('GET', `/v1/files/${ofGroup}/content?width=640`)).status).toBe(404)
  expect(await mayBeKept(await bea.upload(await createJpeg()))).toBe(false)
  await bea.call(updatePrivacySettingsOperation, { isPrivate: true })
  expect(await mayBeKept(open)).toBe(false)
})
