import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  followOperation,
  getPersonOperation,
  isFollowingOperation,
  listFollowersOperation,
  listFollowingOperation,
  listPeopleOperation,
  searchPeopleOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea Águila')
  cleo = await w.join('Cleo')
})
afterAll(() => w.end())

describe('the people list', () => {
  test('HOME-10 HOME-11 HOME-12 ana sees up to ten other members, newest first', async () => {
    const crowd = await Promise.all(Array.from({ length: 12 }, (_, n) => w.join(`Vecina ${n}`)))
    const { documents } = await ana.call(listPeopleOperation, { limit: 10, who: 'others' })
    expect(documents).toHaveLength(10)
    expect(documents.map((person) => person.$id)).not.toContain(ana.id)
    const times = documents.map((person) => person.$createdAt)
    expect(times).toEqual([...times].sort().reverse())
    expect(crowd.map((person) => person.id)).toContain(documents[0]?.$id)
  })

  test('USR-02 the pages of the people list contain every member once', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await bea.call(listPeopleOperation, { limit: 4, ...(cursor ? { cursor } : {}) })
      seen.push(...page.documents.map((person) => person.$id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining([ana.id, bea.id, cleo.id]))
  })

  test('an unknown cursor is refused with its own error', async () => {
    expect(await ana.refusal(listPeopleOperation, { cursor: 'nobody' })).toMatchObject({
      code: 400,
      type: 'general_cursor_not_found',
    })
  })

  test('PERM-01 a visitor cannot list people', async () => {
    expect(await w.visitor.refusal(listPeopleOperation, {})).toMatchObject({ code: 401 })
  })

  test("A17 no member gets another member's email address or account id", async () => {
    const everything = JSON.stringify([
      await ana.call(listPeopleOperation, { limit: 100 }),
      await ana.call(getPersonOperation, { personId: bea.id }),
    ])
    expect(everything).not.toContain('@juntas.test')
    expect(everything).not.toContain(bea.accountId)
  })
})

describe('following', () => {
  test('FOL-01 FOL-03 PROF-13 ana follows and unfollows bea, and both counts change', async () => {
    await ana.call(followOperation, { personId: bea.id })
    expect(await cleo.call(getPersonOperation, { personId: bea.id })).toMatchObject({
      followerCount: 1,
      following: false,
    })
    expect(await ana.call(getPersonOperation, { personId: ana.id })).toMatchObject({ followingCount: 1 })
    expect(await ana.call(isFollowingOperation, { personId: bea.id })).toEqual({
      following: true,
      requested: false,
    })
    await ana.call(unfollowOperation, { personId: bea.id })
    expect(await ana.call(getPersonOperation, { personId: bea.id })).toMatchObject({
      followerCount: 0,
      following: false,
    })
    expect(await ana.call(isFollowingOperation, { personId: bea.id })).toEqual({
      following: false,
      requested: false,
    })
  })

  test('FOL-12 twenty concurrent follows create one follow and count one', async () => {
    await Promise.all(Array.from({ length: 20 }, () => cleo.call(followOperation, { personId: ana.id })))
    expect(await cleo.call(getPersonOperation, { personId: ana.id })).toMatchObject({
      followerCount: 1,
      following: true,
    })
  })

  test('two members who follow each other concurrently, twenty times, never deadlock or lose a count', async () => {
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([
        ana.call(followOperation, { personId: bea.id }),
        bea.call(followOperation, { personId: ana.id }),
      ])
      await Promise.all([
        ana.call(unfollowOperation, { personId: bea.id }),
        bea.call(unfollowOperation, { personId: ana.id }),
      ])
    }
    expect(await ana.call(getPersonOperation, { personId: bea.id })).toMatchObject({
      followerCount: 0,
      followingCount: 0,
    })
  })

  test('FOL-10 a member cannot follow herself', async () => {
    expect(await ana.refusal(followOperation, { personId: ana.id })).toMatchObject({
      type: 'follow_self_not_allowed',
    })
  })

  test('PERM-07 A19 ana cannot make bea follow someone', async () => {
    expect(await ana.refusal(followOperation, { personId: cleo.id, followerId: bea.id })).toMatchObject({
      code: 403,
    })
  })

  test('FOL-11 the lists of followers and of followed members are newest first', async () => {
    await bea.call(followOperation, { personId: cleo.id })
    await ana.call(followOperation, { personId: cleo.id })
    const { documents } = await bea.call(listFollowersOperation, { personId: cleo.id })
    expect(documents.map((person) => person.$id)).toEqual([ana.id, bea.id])
    const followed = await bea.call(listFollowingOperation, { personId: bea.id })
    expect(followed.documents.map((person) => person.$id)).toEqual([cleo.id])
  })

  test('a member who does not exist cannot be followed', async () => {
    expect(await ana.refusal(followOperation, { personId: 'nobody' })).toMatchObject({
      code: 404,
      type: 'user_not_found',
    })
  })
})

describe('search', () => {
  test('CHAT-10 the search finds members by name or username, ignoring case and accents, including long-standing members', async () => {
    for (const term of ['aguila', 'ÁGUI', 'bea']) {
      const { documents } = await ana.call(searchPeopleOperation, { term })
      expect(documents.map((person) => person.$id)).toContain(bea.id)
    }
  })

  test('CHAT-08 a blank search finds nobody, and wildcards are literal characters', async () => {
    expect(await ana.call(searchPeopleOperation, { term: '  ' })).toEqual({ documents: [] })
    expect(await ana.call(searchPeopleOperation, { term: '%' })).toEqual({ documents: [] })
    expect(await ana.call(searchPeopleOperation, { term: '\\' })).toEqual({ documents: [] })
  })

  test('CHAT-09 a member can leave herself out of the search', async () => {
    const found = await ana.call(searchPeopleOperation, { term: 'ana', who: 'others' })
    expect(found.documents.map((person) => person.$id)).not.toContain(ana.id)
  })
})

describe('editing a profile', () => {
  test('PUPD-10 ana changes her name and bio, but no request changes her username or email', async () => {
    const edited = await ana.request('PATCH', `/v1/people/${ana.id}`, {
      userId: ana.id,
      name: 'Ana Sol',
      bio: 'Barro y mar',
      username: 'otra',
      email: 'otra@juntas.test',
    })
    expect(edited.body).toMatchObject({ name: 'Ana Sol', bio: 'Barro y mar', username: 'ana' })
    expect((await ana.request('GET', '/v1/me')).body).toMatchObject({ email: ana.email })
  })

  test("PUPD-12 A16 bea cannot edit ana's profile", async () => {
    expect(await bea.refusal(updateProfileOperation, { personId: ana.id, name: 'Robada' })).toMatchObject({
      code: 403,
    })
    expect(
      await bea.refusal(updateProfileOperation, { personId: ana.id, userId: ana.id, name: 'Robada' }),
    ).toMatchObject({
      code: 403,
    })
    expect(await bea.call(getPersonOperation, { personId: ana.id })).toMatchObject({ name: 'Ana Sol' })
  })
})
