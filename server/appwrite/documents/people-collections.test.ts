import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
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
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea')
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const account = (email: string) =>
  w.visitor.request<{ $id: string }>('POST', '/v1/account', {
    userId: 'unique()',
    email,
    password: testPassword,
    name: 'Nueva',
  })

async function signedIn(email: string) {
  const session = await w.visitor.request('POST', '/v1/account/sessions/email', {
    email,
    password: testPassword,
  })
  return createApiClient(w.app, (session.headers['set-cookie'] ?? '').split(';')[0] ?? '')
}

describe('a member as a document', () => {
  test("DATA-01 DATA-02 a member's own document has every attribute, the related lists and her email", async () => {
    const { status, body } = await createAppwriteDocumentsClient(ana, 'users').get(ana.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      $id: ana.id,
      $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      $updatedAt: expect.stringMatching(/\.\d{3}\+00:00$/),
      $databaseId: 'main',
      $collectionId: 'users',
      $permissions: [`read("user:${ana.accountId}")`, `update("user:${ana.accountId}")`],
      accountId: ana.accountId,
      email: ana.email,
      name: 'Ana Luz',
      username: 'ana',
      bio: '',
      imageId: null,
      imageUrl: expect.stringContaining('http://localhost:3000/v1/avatars/initials?name=Ana%20Luz'),
      posts: [],
      postsTotal: 0,
      save: [],
      saveTotal: 0,
      liked: [],
      likedTotal: 0,
    })
  })

  test('A17 the document of another member has no email or account id, in any list or at any depth', async () => {
    const seen = [
      await createAppwriteDocumentsClient(bea, 'users').get(ana.id),
      await createAppwriteDocumentsClient(bea, 'users').list(),
      await createAppwriteDocumentsClient(bea, 'users').list(buildAppwriteEqualQuery('$id', ana)),
    ]
    for (const { status, body } of seen) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(ana.email)
      expect(JSON.stringify(body)).not.toContain(ana.accountId)
    }
    expect(seen[0]?.body).not.toHaveProperty('email')
    expect(seen[0]?.body).not.toHaveProperty('accountId')
  })

  test('HOME-12 the list of members returns the ten newest, newest first', async () => {
    for (let n = 0; n < 10; n += 1) await w.join(`Vecina ${n}`)
    const newest = await createAppwriteDocumentsClient(ana, 'users').list(
      'orderDesc("$createdAt")',
      'limit(10)',
    )
    expect(newest.body.documents).toHaveLength(10)
    expect(newest.body.total).toBe(12)
    const times = newest.body.documents.map((person) => person.$createdAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('PUPD-10 a member edits her name, bio and picture, while her username and email stay the same', async () => {
    const imageId = await insertUploadedImageRow(w.database, ana)
    const sent = { name: 'Ana Mar', bio: 'Hola', imageUrl: 'http://elsewhere/x.png', imageId }
    const changed = await createAppwriteDocumentsClient(ana, 'users').patch(ana.id, sent)
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      name: 'Ana Mar',
      bio: 'Hola',
      imageId,
      imageUrl: `http://localhost:3000/v1/storage/buckets/media/files/${imageId}/preview`,
      username: 'ana',
      email: ana.email,
    })
    // Sending back what she has read changes nothing.
    const echo = { name: 'Ana Mar', username: 'ana', email: ana.email, accountId: ana.accountId }
    expect((await createAppwriteDocumentsClient(ana, 'users').patch(ana.id, echo)).body.$updatedAt).toBe(
      changed.body.$updatedAt,
    )
  })

  test.each([
    ['email', 'other@juntas.test'],
    ['username', 'otra'],
    ['accountId', 'other'],
    ['posts', [{ $id: 'x', caption: 'hacked' }]],
    ['save', []],
    ['liked', ['x']],
    ['admin', true],
    ['name', 'A'],
    ['name', { $ne: 1 }],
    ['bio', 'x'.repeat(2201)],
    ['imageId', { $id: 'x' }],
  ])('A16 A29 a member cannot write a wrong %s to her own profile', async (attribute, value) => {
    const answer = await createAppwriteDocumentsClient(ana, 'users').patch(ana.id, {
      name: 'Otra',
      [attribute]: value,
    })
    expect(formatRefusalText(answer)).toBe(invalidStructureRefusalText)
    expect(answer.body).toMatchObject({ field: attribute })
    expect((await createAppwriteDocumentsClient(ana, 'users').get(ana.id)).body.name).toBe('Ana Mar')
  })

  test('A16 A21 a member cannot write the id, times, collection or permissions of her own profile', async () => {
    const { body: before } = await createAppwriteDocumentsClient(ana, 'users').get(ana.id)
    const system = {
      $id: bea.id,
      $createdAt: '2001-01-01',
      $collectionId: 'posts',
      $permissions: ['read("any")'],
    }
    expect((await createAppwriteDocumentsClient(ana, 'users').patch(ana.id, system)).body).toEqual(before)
    expect((await createAppwriteDocumentsClient(ana, 'users').get(ana.id)).body).toEqual(before)
  })

  test("A16 bea cannot change ana's profile, and can delete no profile", async () => {
    const { body: before } = await createAppwriteDocumentsClient(ana, 'users').get(ana.id)
    expect(
      formatRefusalText(await createAppwriteDocumentsClient(bea, 'users').patch(ana.id, { name: 'Mala' })),
    ).toBe(unauthorizedRefusalText)
    expect(
      formatRefusalText(
        await createAppwriteDocumentsClient(bea, 'users').patch(ana.id, { email: 'x@y.test' }),
      ),
    ).toBe(unauthorizedRefusalText)
    expect(formatRefusalText(await createAppwriteDocumentsClient(bea, 'users').remove(ana.id))).toBe(
      unauthorizedRefusalText,
    )
    expect(formatRefusalText(await createAppwriteDocumentsClient(bea, 'users').remove(bea.id))).toBe(
      unauthorizedRefusalText,
    )
    expect(
      formatRefusalText(await createAppwriteDocumentsClient(bea, 'users').patch('nobody', { name: 'Mala' })),
    ).toBe(documentNotFoundRefusalText)
    expect((await createAppwriteDocumentsClient(ana, 'users').get(ana.id)).body).toEqual(before)
  })

  test('a client whose data is older than the profile gets a conflict', async () => {
    const { body } = await createAppwriteDocumentsClient(bea, 'users').get(bea.id)
    const since = (time: string) =>
      createAppwriteDocumentsClient(bea, 'users', { headers: { 'x-appwrite-timestamp': time } }).patch(
        bea.id,
        { bio: time },
      )
    expect(formatRefusalText(await since('2020-01-01T00:00:00.000+00:00'))).toBe(
      '409 document_update_conflict',
    )
    expect((await since(body.$updatedAt)).status).toBe(200)
  })
})

describe('a profile that an old client creates', () => {
  test('SUP-10 a client creates the profile after the account and before the session', async () => {
    const { body } = await account('uno@juntas.test')
    const users = createAppwriteDocumentsClient(w.visitor, 'users')
    const sent = {
      accountId: body.$id,
      name: 'Uno Dos',
      username: 'uno',
      email: 'uno@juntas.test',
      imageUrl: 'x',
    }
    const profile = await users.create(sent)
    expect(profile.status).toBe(201)
    expect(profile.body).toMatchObject({ accountId: body.$id, username: 'uno', email: 'uno@juntas.test' })
    expect(profile.body.imageUrl).toContain('/v1/avatars/initials?name=Uno%20Dos')
    // A second profile is refused.
    expect(formatRefusalText(await users.create(sent))).toBe('401 general_unauthorized_scope')
  })

  test('a visitor cannot create a profile with another email, after ten minutes or after the first session', async () => {
    const users = createAppwriteDocumentsClient(w.visitor, 'users')
    const late = await account('tarde@juntas.test')
    const of = (email: string, accountId: string) => ({ accountId, email, name: 'Tarde', username: 'tarde' })
    expect(formatRefusalText(await users.create(of('otra@juntas.test', late.body.$id)))).toBe(
      '401 general_unauthorized_scope',
    )
    expect(formatRefusalText(await users.create({ name: 'Tarde', username: 'tarde' }))).toBe(
      '401 general_unauthorized_scope',
    )
    await w.database.pool.query(
      `update accounts set created_at = created_at - interval '10 minutes 1 second' where public_id = $1`,
      [late.body.$id],
    )
    expect(formatRefusalText(await users.create(of('tarde@juntas.test', late.body.$id)))).toBe(
      '401 general_unauthorized_scope',
    )
    const used = await account('usada@juntas.test')
    await signedIn('usada@juntas.test')
    expect(formatRefusalText(await users.create(of('usada@juntas.test', used.body.$id)))).toBe(
      '401 general_unauthorized_scope',
    )
  })

  test('a signed-in account without a profile finds no profile and creates its own profile only once', async () => {
    const { body } = await account('sola@juntas.test')
    const users = createAppwriteDocumentsClient(await signedIn('sola@juntas.test'), 'users')
    const looked = await users.list(buildAppwriteEqualQuery('accountId', body.$id))
    expect(looked.body).toEqual({ total: 0, documents: [] })
    const sent = { name: 'Sola', username: 'sola', email: 'sola@juntas.test' }
    expect(formatRefusalText(await users.create({ ...sent, accountId: ana.accountId }))).toBe(
      unauthorizedRefusalText,
    )
    expect(formatRefusalText(await users.create({ ...sent, accountId: body.$id, username: 'ana' }))).toBe(
      '409 user_username_already_exists',
    )
    const profile = await users.made({ ...sent, accountId: body.$id })
    expect(await users.all(buildAppwriteEqualQuery('accountId', body.$id))).toMatchObject([
      { $id: profile.$id, email: sent.email },
    ])
    expect(formatRefusalText(await users.create({ ...sent, username: 'otra2', accountId: body.$id }))).toBe(
      documentAlreadyExistsRefusalText,
    )
  })

  test('ten simultaneous requests create one profile', async () => {
    const { body } = await account('diez@juntas.test')
    const users = createAppwriteDocumentsClient(await signedIn('diez@juntas.test'), 'users')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        users.create({ accountId: body.$id, name: 'Diez', username: `diez${n}`, email: 'diez@juntas.test' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(
      answers.filter((answer) => formatRefusalText(answer) === documentAlreadyExistsRefusalText),
    ).toHaveLength(9)
  })

  test('an anonymous account is not a member and can read and write no documents', async () => {
    const session = await w.visitor.request('POST', '/v1/account/sessions/anonymous', {})
    const nobody = createApiClient(w.app, (session.headers['set-cookie'] ?? '').split(';')[0] ?? '')
    for (const answer of [
      await createAppwriteDocumentsClient(nobody, 'users').list(),
      await createAppwriteDocumentsClient(nobody, 'users').create({ name: 'Nadie', username: 'nadie' }),
      await createAppwriteDocumentsClient(nobody, 'posts').list(),
    ]) {
      expect(formatRefusalText(answer)).toBe('401 general_unauthorized_scope')
    }
  })
})

describe('following', () => {
  test('DATA-06 when ana follows bea, one record has both members and the time, and repeating returns the same record', async () => {
    const follows = createAppwriteDocumentsClient(ana, 'follows')
    const sent = { followerId: ana.id, followingId: bea.id, createdAt: '2001-01-01T00:00:00.000+00:00' }
    const first = await follows.made(sent)
    expect(first).toMatchObject({ followerId: ana.id, followingId: bea.id })
    expect(first.createdAt).toBe(first.$createdAt)
    expect((await follows.made(sent)).$id).toBe(first.$id)
    expect(documentIdsOf(await follows.all(buildAppwriteEqualQuery('followerId', ana)))).toEqual([first.$id])
    expect(documentIdsOf(await follows.all(buildAppwriteEqualQuery('followingId', bea)))).toEqual([first.$id])
    expect(await follows.all(buildAppwriteEqualQuery('followingId', ana))).toEqual([])
  })

  test("PERM-07 A19 a member cannot follow in another's name, follow herself or follow an unknown member", async () => {
    const follows = createAppwriteDocumentsClient(ana, 'follows')
    expect(formatRefusalText(await follows.create({ followerId: bea.id, followingId: ana.id }))).toBe(
      unauthorizedRefusalText,
    )
    expect(await follows.all(buildAppwriteEqualQuery('followerId', bea))).toEqual([])
    expect(formatRefusalText(await follows.create({ followerId: ana.id, followingId: ana.id }))).toBe(
      '400 follow_self_not_allowed',
    )
    expect(formatRefusalText(await follows.create({ followerId: ana.id, followingId: 'nobody' }))).toBe(
      documentNotFoundRefusalText,
    )
    expect(formatRefusalText(await follows.create({ followerId: ana.id }))).toBe(invalidStructureRefusalText)
  })

  test('A19 FO3 FO4 nobody can change a follow, and only its two members can end it', async () => {
    const cleo = await w.join('Cleo')
    const edge = await createAppwriteDocumentsClient(bea, 'follows').made({
      followerId: bea.id,
      followingId: ana.id,
    })
    expect(
      formatRefusalText(
        await createAppwriteDocumentsClient(bea, 'follows').patch(edge.$id, { followingId: cleo.id }),
      ),
    ).toBe(unauthorizedRefusalText)
    expect(
      (await createAppwriteDocumentsClient(bea, 'follows').patch(edge.$id, { followingId: ana.id })).status,
    ).toBe(200)
    expect(formatRefusalText(await createAppwriteDocumentsClient(cleo, 'follows').remove(edge.$id))).toBe(
      unauthorizedRefusalText,
    )
    expect((await createAppwriteDocumentsClient(bea, 'follows').get(edge.$id)).body).toEqual(edge)
    const removed = await createAppwriteDocumentsClient(ana, 'follows').remove(edge.$id)
    expect(removed.status).toBe(204)
    expect(removed.headers['content-type']).toBeUndefined()
    expect(formatRefusalText(await createAppwriteDocumentsClient(bea, 'follows').remove(edge.$id))).toBe(
      documentNotFoundRefusalText,
    )
  })

  test('C01 ten simultaneous follows, through both APIs, create one record', {
    timeout: raceTimeoutMs,
  }, async () => {
    const follows = createAppwriteDocumentsClient(bea, 'follows')
    await runRaceRounds(
      w.database,
      async (round) => {
        const followed = await w.join(`Dora${round}`)
        return createArrayByIndex(
          10,
          (n) => () =>
            n % 2
              ? bea.request('PUT', `/v1/people/${followed.id}/follow`, {})
              : follows.create({ followingId: followed.id }),
        )
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 5, 201: 5 })
        const made = answers.flatMap(({ status, body }) =>
          status === 201 ? [(body as AppwriteTestDocument).$id] : [],
        )
        expect(new Set(made).size).toBe(1)
      },
    )
  })
})

describe('rate limits of queries for members', () => {
  /** Returns the rate limit that a list of members counts against when another machine requests the list. */
  async function limitOf(...queries: string[]) {
    const far = { headers: { 'x-forwarded-for': '203.0.113.8' } }
    const { headers } = await createAppwriteDocumentsClient(ana, 'users', far).list(...queries)
    return Number(headers['x-ratelimit-limit'])
  }

  test("PROF-01 a query for the caller's own profile has the rate limit of reads", async () => {
    expect(await limitOf(buildAppwriteEqualQuery('accountId', ana.accountId))).toBe(1500)
    expect(await limitOf(buildAppwriteEqualQuery('accountId', bea.accountId), 'limit(1)')).toBe(1500)
    expect(await limitOf(buildAppwriteEqualQuery('email', ana.email))).toBe(1500)
    expect(await limitOf(buildAppwriteEqualQuery('$id', ana))).toBe(1500)
    const both = { method: 'equal', attribute: 'accountId', values: [ana.accountId] }
    expect(await limitOf(JSON.stringify({ method: 'and', values: [both] }))).toBe(1500)
  })

  test('A17 a query for other members has the lower rate limit of lists', async () => {
    expect(await limitOf()).toBe(60)
    expect(await limitOf(buildAppwriteEqualQuery('$id', ana, bea))).toBe(60)
    expect(await limitOf(`notEqual("$id", ["${ana.id}"])`)).toBe(60)
    const either = [
      { method: 'equal', attribute: 'accountId', values: [ana.accountId] },
      { method: 'isNotNull', attribute: 'name', values: [] },
    ]
    expect(await limitOf(JSON.stringify({ method: 'or', values: either }))).toBe(60)
  })
})
