import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import {
  createPostOperation,
  deletePostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import {
  listPlacePostsOperation,
  listTagPostsOperation,
  suggestPlacesOperation,
} from '#contract/posts/posts-by-tag-or-place.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let carla: MemberClient
let theirs: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, carla] = [await w.join('Ana'), await w.join('Bea'), await w.join('Carla')]
  theirs = await createGroupWithMembers(bea, carla)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

async function publish(who: MemberClient, location: string, groupId: string | null = null): Promise<Post> {
  const imageId = await insertUploadedImageRow(w.database, who)
  return who.call(createPostOperation, { caption: 'Una tarde', location, tags: [], imageId, groupId })
}

const age = (posts: readonly Post[], by: string) =>
  w.database.pool.query(
    `update posts set created_at = created_at - $1::interval, updated_at = updated_at - $1::interval,
      shared_at = shared_at - $1::interval where public_id = any($2)`,
    [by, posts.map(({ $id }) => $id)],
  )

const listed = async (who: MemberClient, place: string) =>
  (await who.call(listPlacePostsOperation, { place, limit: 100 })).documents.map(({ $id }) => $id)
const suggested = async (who: MemberClient, term: string) =>
  (await who.call(suggestPlacesOperation, { term })).places

test('PLACE-01 all spellings of a place share one page, named after the most common spelling', async () => {
  const posts = [
    await publish(bea, 'Vejer  de la Frontera'),
    await publish(carla, 'vejer de la frontera'),
    await publish(bea, 'Vejer de la Frontera'),
    await publish(carla, 'Vejer de la Frontera'),
    await publish(bea, 'VÉJER DE LA FRONTERA'),
  ]
  await publish(bea, 'Vejer')
  await age(posts, '2 days')
  const page = await ana.call(listPlacePostsOperation, { place: ' vejer de  la  FRONTERA ' })
  expect(page.documents.map(({ $id }) => $id)).toEqual(posts.map(({ $id }) => $id).reverse())
  expect(page).toMatchObject({ place: 'Vejer de la Frontera', next: null })
})

test('PLACE-02 a post appears on its place page immediately to its author, and a day after its creation to others', async () => {
  const post = await publish(bea, 'Barbate')
  expect(await listed(ana, 'barbate')).toEqual([])
  expect(await listed(bea, 'barbate')).toEqual([post.$id])
  await age([post], '23 hours 59 minutes')
  expect(await listed(ana, 'barbate')).toEqual([])
  await age([post], '2 minutes')
  expect(await listed(ana, 'barbate')).toEqual([post.$id])
})

test('PLACE-02 an old post leaves its former place page at once and appears on the new one a day later; other edits change nothing', async () => {
  const post = await publish(bea, 'Conil')
  await age([post], '3 days')
  await bea.call(updatePostOperation, { postId: post.$id, tags: ['playa'], caption: 'Otra tarde' })
  expect(await listed(ana, 'conil')).toEqual([post.$id])
  await bea.call(updatePostOperation, { postId: post.$id, location: 'Tarifa' })
  expect(await listed(ana, 'conil')).toEqual([])
  expect(await listed(ana, 'tarifa')).toEqual([])
  expect(await listed(bea, 'tarifa')).toEqual([post.$id])
  await w.database.pool.query(
    `update post_topics set since = since - interval '25 hours' where topic = 'tarifa'`,
  )
  expect(await listed(ana, 'tarifa')).toEqual([post.$id])
})

test('PLACE-02 a member who turned place pages off appears on them only to herself, until she turns them on again', async () => {
  const post = await publish(bea, 'Zahara')
  await age([post], '2 days')
  expect(await bea.call(getPrivacySettingsOperation, {})).toMatchObject({ onPlacePages: true })
  expect(await bea.call(updatePrivacySettingsOperation, { onPlacePages: false })).toMatchObject({
    onPlacePages: false,
  })
  expect(await listed(ana, 'zahara')).toEqual([])
  expect(await listed(bea, 'zahara')).toEqual([post.$id])
  expect(await suggested(ana, 'zah')).toEqual([])
  await bea.call(updatePrivacySettingsOperation, { onPlacePages: true })
  expect(await listed(ana, 'zahara')).toEqual([post.$id])
})

test('PLACE-02 the documents API finds no post by place before its place page does, by comparison, order or cursor', async () => {
  const post = await publish(bea, 'Trafalgar')
  const { $id: own } = await publish(ana, 'Trafalgar')
  const api = createAppwriteDocumentsClient(ana, 'posts')
  const askedFor = [
    'equal("location", ["Trafalgar"])',
    'search("location", "trafal")',
    'startsWith("location", "Traf")',
    'endsWith("location", "gar")',
    'contains("location", ["rafalg"])',
    'between("location", "Traf", "Trafz")',
    '{"method":"or","values":[{"method":"equal","attribute":"location","values":["Trafalgar"]},{"method":"equal","attribute":"caption","values":["x"]}]}',
  ]
  const opposites = [
    'notEqual("location", ["Vigo"])',
    'notSearch("location", "vigo")',
    'isNotNull("location")',
  ]
  const found = async (...queries: string[]) =>
    (await api.all(...queries, 'limit(100)')).map(({ $id }) => $id)
  for (const query of askedFor) expect([query, await found(query)]).toEqual([query, [own]])
  for (const query of opposites) {
    const ids = await found(query)
    expect([query, ids.includes(post.$id), ids.includes(own)]).toEqual([query, false, true])
  }
  const inOrder = await found('orderDesc("location")')
  expect(inOrder.indexOf(own)).toBeLessThan(inOrder.indexOf(post.$id))
  expect(await found('orderAsc("location")', `cursorBefore("${own}")`)).toContain(post.$id)
  expect(await found('orderAsc("location")', `cursorAfter("${own}")`)).not.toContain(post.$id)

  await age([post], '2 days')
  for (const query of askedFor) expect((await found(query)).toSorted()).toEqual([own, post.$id].toSorted())
  await bea.call(updatePrivacySettingsOperation, { onPlacePages: false })
  for (const query of askedFor) expect(await found(query)).toEqual([own])
  await bea.call(updatePrivacySettingsOperation, { onPlacePages: true })
})

test("PLACE-03 a group's post appears on its place page to members, and an unknown place answers like a hidden place", async () => {
  const post = await publish(bea, 'La casa de todas', theirs)
  await age([post], '2 days')
  expect(await listed(carla, 'la casa de todas')).toEqual([post.$id])
  const answers = await Promise.all(
    ['La casa de todas', 'Ninguna parte', ' '].map((place) => ana.ask(listPlacePostsOperation, { place })),
  )
  expect(answers.map(({ status, raw }) => [status, raw.toString()])).toEqual(
    Array(3).fill([200, '{"documents":[],"next":null,"place":null}']),
  )
})

test('PLACE-03 place pages contain each post once, even with equal times and deletions, and take three statements', async () => {
  const posts: Post[] = []
  for (let n = 0; n < 7; n += 1) posts.unshift(await publish(n % 2 ? bea : carla, 'Bolonia'))
  await age(posts, '2 days')
  await w.database.pool.query(
    `update posts set created_at = '2026-01-01', updated_at = '2026-01-01', shared_at = '2026-01-01' where location = 'Bolonia'`,
  )
  const first = await ana.call(listPlacePostsOperation, { place: 'bolonia', limit: 3 })
  const last = posts[2] as Post
  await (last.creator?.$id === bea.id ? bea : carla).call(deletePostOperation, { postId: last.$id })
  const next = () =>
    ana.call(listPlacePostsOperation, { place: 'bolonia', limit: 10, cursor: first.next ?? '' })
  expect([...first.documents, ...(await next()).documents].map(({ $id }) => $id)).toEqual(
    posts.map(({ $id }) => $id),
  )
  const { statements } = await captureSqlStatements(() => listed(ana, 'bolonia'))
  expect(statements).toHaveLength(3)
})

test('PLACE-05 hidden places never reduce the number of suggested places', async () => {
  const nora = await w.join('Nora')
  await nora.call(updatePrivacySettingsOperation, { isPrivate: true })
  const hidden: Post[] = []
  for (let n = 0; n < 50; n += 1) hidden.push(await publish(nora, `Gijón ${String(n).padStart(3, '0')}`))
  const seen = await publish(bea, 'Gijón playa')
  await age([...hidden, seen], '2 days')
  expect(await suggested(ana, 'gij')).toEqual(['Gijón playa'])
  expect(await suggested(nora, 'gij')).toHaveLength(24)
})

test('PLACE-05 place suggestions come from posts that the caller can find, never from posts of a group that she is not in', async () => {
  const places = [
    'Cádiz',
    'Cádiz centro',
    'cadiz norte',
    'Cádiz sur',
    'Cadaqués',
    'Cádiz este',
    'CÁDIZ oeste',
  ]
  const posts = [...(await Promise.all(places.map((place) => publish(bea, place))))]
  posts.push(await publish(bea, 'Cadalso', theirs), await publish(carla, 'Cádiz centro'))
  expect(await suggested(ana, 'cad')).toEqual([])
  await age(posts, '2 days')
  expect(await suggested(ana, 'CAD')).toEqual([
    'Cadaqués',
    'Cádiz',
    'Cádiz centro',
    'Cádiz este',
    'cadiz norte',
    'CÁDIZ oeste',
    'Cádiz sur',
  ])
  expect(await suggested(carla, 'cada')).toEqual(['Cadalso', 'Cadaqués'])
  expect(await suggested(ana, 'cada')).toEqual(['Cadaqués'])
  for (const term of ['', 'c', ' c ', 'zzz', '%', '_a', '\u{10ffff}', 'de'])
    expect(await suggested(ana, term)).toEqual([])
})

test('PLACE-03 TAG-03 a text that the database cannot store is refused', async () => {
  expect(await ana.refusal(listPlacePostsOperation, { place: 'a\0' })).toMatchObject({ code: 400 })
  expect(await ana.refusal(suggestPlacesOperation, { term: 'ab\0' })).toMatchObject({ code: 400 })
  expect(await ana.refusal(listTagPostsOperation, { tag: 'a\0' })).toMatchObject({ code: 400 })
})
