import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaveGroupOperation, removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  acceptPhotoTagOperation,
  listPhotosOfMeOperation,
  listTaggablePeopleOperation,
  removePhotoTagOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  getPostOperation,
  searchPostsOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { tagAndShowMember, tagMember } from '#tests/support/publish-and-tag-photos.ts'
import { readNotifications, settleNotifications } from '#tests/support/settle-notifications.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
/** Lucía posts, Camila is in the photo, and Bea only sees it. */
let lucia: MemberClient
let camila: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[lucia, camila, bea] = [await w.join('Lucia'), await w.join('Camila'), await w.join('Bea')]
  await camila.call(followOperation, { personId: lucia.id })
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

async function photoOf(author: MemberClient, groupId: string | null = null) {
  const postId = await createPostInGroup(w.database, author, groupId)
  return author.call(getPostOperation, { postId })
}
const peopleIn = async (who: MemberClient, postId: string) =>
  ((await who.call(getPostOperation, { postId })).people ?? []).map(({ person, state }) => [
    person.name,
    state,
  ])
const place = { x: 0.5, y: 0.5 }
const notNamed = { code: 403, type: 'person_not_named', message: "She can't be tagged in this photo." }

describe('tagging a person', () => {
  test('PICT-01 ten people can be tagged in a photo and twenty in a post, each once', async () => {
    const photos = await Promise.all([0, 1, 2].map(() => insertUploadedImageRow(w.database, lucia)))
    const post = await lucia.call(createPostOperation, {
      ...{ caption: 'Todas', location: 'Aquí', tags: [], photos: photos.map((imageId) => ({ imageId })) },
    })
    const guests = await Promise.all(Array.from({ length: 21 }, (_, n) => w.join(`Invitada${n}`)))
    for (const guest of guests) await guest.call(followOperation, { personId: lucia.id })
    const name = (n: number, imageId = '') =>
      lucia.ask(tagPersonOperation, { postId: post.$id, imageId, personId: guests[n]?.id ?? '', ...place })
    for (let n = 0; n < 10; n += 1) expect((await name(n, photos[0])).status).toBe(201)
    const full = { code: 400, type: 'named_people_full' }
    expect((await name(10, photos[0])).body).toMatchObject(full)
    for (let n = 10; n < 20; n += 1) expect((await name(n, photos[1])).status).toBe(201)
    expect((await name(20, photos[2])).body).toMatchObject(full)
    const again = await lucia.call(tagPersonOperation, {
      ...{ postId: post.$id, imageId: photos[0] ?? '', personId: guests[0]?.id ?? '', x: 0.9, y: 0.9 },
    })
    expect(again).toMatchObject({ state: 'waiting', x: 0.5, y: 0.5 })
    expect(await peopleIn(lucia, post.$id)).toHaveLength(20)
  })

  test("PICT-01 a tag must lie within a photo of the caller's own post", async () => {
    const post = await photoOf(lucia)
    const other = await photoOf(lucia)
    const asked = { postId: post.$id, imageId: post.imageId, personId: camila.id, ...place }
    for (const wrong of [{ x: -0.1 }, { y: 1.1 }])
      expect(await lucia.refusal(tagPersonOperation, { ...asked, ...wrong })).toMatchObject({ code: 400 })
    expect(await lucia.refusal(tagPersonOperation, { ...asked, imageId: other.imageId })).toMatchObject({
      type: 'storage_file_not_found',
    })
    expect(await bea.refusal(tagPersonOperation, asked)).toMatchObject({ type: 'user_unauthorized' })
    expect(await lucia.refusal(tagPersonOperation, { ...asked, personId: lucia.id })).toMatchObject(notNamed)
  })

  test('PICT-02 only members who can see the post and allow tags are suggested and tagged; every refusal is the same', async () => {
    const carla = await w.join('Carla')
    const group = await createGroupWithMembers(lucia, camila)
    await carla.call(followOperation, { personId: lucia.id })
    const grouped = await photoOf(lucia, group)
    const open = await photoOf(lucia)
    const offered = async ({ $id: postId, imageId }: { $id: string; imageId: string }, term = 'c') =>
      (await lucia.call(listTaggablePeopleOperation, { postId, imageId, term })).documents.map(
        ({ name }) => name,
      )
    expect(await offered(grouped)).toEqual(['Camila'])
    expect((await offered(open)).sort()).toEqual(['Camila', 'Carla'])
    expect(await offered(open, '')).toContain('Carla')
    const name = ({ $id: postId, imageId }: { $id: string; imageId: string }, personId: string) =>
      lucia.refusal(tagPersonOperation, { postId, imageId, personId, ...place })
    const refusals = [await name(grouped, carla.id)]
    await carla.call(updatePrivacySettingsOperation, { picturedBy: 'nobody' })
    refusals.push(await name(open, carla.id), await name(open, 'nobody-at-all'), await name(open, bea.id))
    await carla.call(updatePrivacySettingsOperation, { picturedBy: 'everyone' })
    await carla.call(blockMemberOperation, { personId: lucia.id })
    refusals.push(await name(open, carla.id))
    for (const refusal of refusals) {
      expect(refusal).toMatchObject(notNamed)
      expect(refusal).toEqual(refusals[0])
    }
    expect(await offered(open)).toEqual(['Camila'])
  })

  test('PICT-05 a member chooses who can tag her: people she follows by default, everyone, or nobody', async () => {
    const nora = await w.join('Nora')
    const ask = async () => {
      const { $id: postId, imageId } = await photoOf(lucia)
      return (await lucia.ask(tagPersonOperation, { postId, imageId, personId: nora.id, ...place })).status
    }
    expect(await ask()).toBe(403)
    await nora.call(followOperation, { personId: lucia.id })
    expect(await ask()).toBe(201)
    expect(await nora.call(updatePrivacySettingsOperation, { picturedBy: 'nobody' })).toMatchObject({
      picturedBy: 'nobody',
    })
    expect(await ask()).toBe(403)
    const ivy = await w.join('Ivy')
    await nora.call(updatePrivacySettingsOperation, { picturedBy: 'everyone' })
    const { $id: postId, imageId } = await photoOf(ivy)
    expect((await ivy.ask(tagPersonOperation, { postId, imageId, personId: nora.id, ...place })).status).toBe(
      201,
    )
  })
})

describe('before the tagged member answers', () => {
  test('PICT-03 only the author and the tagged member see a pending tag, in documents, events, searches and catch-up', async () => {
    const since = await waitForChangePosition(w.database, bea)
    const socket = await openTestSocket(w.app, { as: bea, path: '/v1/live', channels: [] })
    const post = await photoOf(lucia)
    const named = await tagMember(lucia, camila, post)
    expect(named).toMatchObject({ state: 'waiting', person: { name: 'Camila' }, imageId: post.imageId })
    expect(await peopleIn(lucia, post.$id)).toEqual([['Camila', 'waiting']])
    expect((await camila.call(getPostOperation, { postId: post.$id })).people).toMatchObject([
      { me: true, state: 'waiting', x: 0.25, y: 0.75 },
    ])
    expect(await peopleIn(bea, post.$id)).toEqual([])
    const answers = [
      await createAppwriteDocumentsClient(bea, 'posts').get(post.$id),
      await bea.ask(searchPostsOperation, { term: post.caption }),
      await bea.ask(catchUpOperation, { since }),
    ]
    for (const { body } of answers)
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`${named.$id}|Camila|${camila.id}`))
    await lucia.call(updatePostOperation, { postId: post.$id, caption: 'Otra vez' })
    await socket.until((frame) => JSON.stringify(frame).includes(post.$id))
    expect(JSON.stringify(socket.frames)).not.toMatch(new RegExp(`${named.$id}|namings`))
    socket.close()
    const [notification] = await readNotifications(w.database, camila)
    expect(notification).toMatchObject({
      kind: 'photo-tag',
      people: [{ name: 'Lucia' }],
      post: { $id: post.$id },
    })
  })

  test("PICT-03 leaving the group or closing the account removes the member's tag", async () => {
    const group = await createGroupWithMembers(lucia, camila, bea)
    const grouped = await photoOf(lucia, group)
    await tagAndShowMember(lucia, camila, grouped)
    expect(await peopleIn(bea, grouped.$id)).toEqual([['Camila', 'shown']])
    await camila.call(leaveGroupOperation, { groupId: group })
    for (const who of [bea, lucia]) expect(await peopleIn(who, grouped.$id)).toEqual([])

    const gala = await w.join('Gala')
    const post = await photoOf(lucia)
    await tagAndShowMember(lucia, gala, post)
    expect(await peopleIn(bea, post.$id)).toEqual([['Gala', 'shown']])
    expect((await gala.request('PATCH', '/v1/account/status', {})).status).toBe(200)
    for (const who of [bea, lucia]) expect(await peopleIn(who, post.$id)).toEqual([])
  })

  test('PICT-03 moving a post into a group removes tags of non-members', async () => {
    const group = await createGroupWithMembers(lucia, bea)
    const post = await photoOf(lucia)
    await tagAndShowMember(lucia, camila, post)
    await lucia.call(updatePostOperation, { postId: post.$id, groupId: group })
    expect(await peopleIn(lucia, post.$id)).toEqual([])
    await lucia.call(updatePostOperation, { postId: post.$id, groupId: null })
    expect(await peopleIn(bea, post.$id)).toEqual([])
  })

  test('PICT-03 a block between the tagged member and a reader or the author hides the tag from them', async () => {
    const kira = await w.join('Kira')
    const post = await photoOf(lucia)
    await tagAndShowMember(lucia, kira, post)
    await kira.call(blockMemberOperation, { personId: bea.id })
    expect(await peopleIn(bea, post.$id)).toEqual([])
    expect(await peopleIn(lucia, post.$id)).toEqual([['Kira', 'shown']])
    await kira.call(unblockMemberOperation, { personId: bea.id })
    await lucia.call(blockMemberOperation, { personId: kira.id })
    for (const who of [bea, lucia]) expect(await peopleIn(who, post.$id)).toEqual([])
  })
})

test('PICT-02 A20 a removed member can tag nobody in her posts in the group', async () => {
  const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
  const groupId = await createGroupWithMembers(lucia, dora, iria)
  await iria.call(followOperation, { personId: dora.id })
  const { $id: postId, imageId, can } = await photoOf(dora, groupId)
  expect(can.name).toBe(true)
  await lucia.call(removeGroupMemberOperation, { groupId, memberId: dora.id })
  const asked = { postId, imageId, personId: iria.id, ...place }
  expect(await dora.refusal(tagPersonOperation, asked)).toMatchObject({ code: 403 })
  expect(await dora.refusal(listTaggablePeopleOperation, { postId, imageId })).toMatchObject({ code: 403 })
  expect((await dora.call(getPostOperation, { postId })).can.name).toBeUndefined()
})

test("PICT-03 A20 tags in a removed member's photos in the group reveal no members to her", async () => {
  const [dora, iria] = [await w.join('Dora'), await w.join('Iria')]
  const groupId = await createGroupWithMembers(lucia, dora, iria)
  const photo = await photoOf(dora, groupId)
  const shown = await tagAndShowMember(dora, iria, photo)
  await tagMember(dora, lucia, photo)
  expect(await peopleIn(dora, photo.$id)).toEqual([
    ['Iria', 'shown'],
    ['Lucia', 'waiting'],
  ])
  await lucia.call(removeGroupMemberOperation, { groupId, memberId: dora.id })
  expect(await peopleIn(dora, photo.$id)).toEqual([])
  expect(await dora.refusal(removePhotoTagOperation, { photoTagId: shown.$id })).toMatchObject({ code: 404 })
  expect(await peopleIn(lucia, photo.$id)).toEqual([
    ['Iria', 'shown'],
    ['Lucia', 'waiting'],
  ])
})

describe("the tagged member's answer", () => {
  test('PICT-04 A23 accepting or declining a tag sends nothing across a block, because the timing would reveal the member', async () => {
    const [dora, kira, iria] = [await w.join('Dora'), await w.join('Kira'), await w.join('Iria')]
    const [yes, no] = [await photoOf(dora), await photoOf(dora)]
    const receives = async (who: MemberClient, act: () => Promise<unknown>) => {
      const since = await waitForChangePosition(w.database, who)
      await act()
      const { changes } = await who.call(catchUpOperation, { since })
      return changes.filter(({ collection }) => collection === 'posts').map(({ document }) => document.$id)
    }
    const [named, waiting] = [await tagMember(dora, kira, yes), await tagMember(dora, kira, no)]
    await kira.call(blockMemberOperation, { personId: iria.id })
    const accept = () => kira.call(acceptPhotoTagOperation, { photoTagId: named.$id })
    expect(await receives(iria, accept)).toEqual([])
    expect(await receives(bea, accept)).toEqual([yes.$id])
    await kira.call(blockMemberOperation, { personId: dora.id })
    const decline = (photoTagId: string) => () => kira.call(removePhotoTagOperation, { photoTagId })
    expect(await receives(dora, decline(waiting.$id))).toEqual([])
    expect(await receives(dora, decline(named.$id))).toEqual([])
  })

  test('PICT-04 declining a pending tag sends a change only to its author, and the member is not notified afterwards', async () => {
    const [dora, kira] = [await w.join('Dora'), await w.join('Kira')]
    await kira.call(followOperation, { personId: dora.id })
    const post = await photoOf(dora)
    const receives = async (who: MemberClient, since: string) =>
      (await who.call(catchUpOperation, { since })).changes.flatMap(({ collection, document }) =>
        collection === 'posts' ? [document.$id] : [],
      )
    await settleNotifications(w.database)
    const teller = await w.database.pool.connect()
    try {
      // Delays the notification job, as a slow node would.
      await teller.query('begin')
      await teller.query("select pg_advisory_xact_lock(hashtext('notifications'))")
      const named = await tagMember(dora, kira, post)
      const [author, reader] = [
        await waitForChangePosition(w.database, dora),
        await waitForChangePosition(w.database, bea),
      ]
      await kira.call(removePhotoTagOperation, { photoTagId: named.$id })
      expect(await receives(dora, author)).toEqual([post.$id])
      expect(await receives(bea, reader)).toEqual([])
      await teller.query('commit')
    } finally {
      teller.release()
    }
    await settleNotifications(w.database)
    const { rows } = await w.database.pool.query(
      `select n.kind from notifications n join users u on u.id = n.user_id where u.public_id = $1 and n.kind = 'photo-tag'`,
      [kira.id],
    )
    expect(rows).toEqual([])
  })

  test('PICT-04 accepting shows the tag to all readers of the post; declining removes it silently and permanently', async () => {
    const post = await photoOf(lucia)
    await tagAndShowMember(lucia, camila, post)
    expect(await peopleIn(bea, post.$id)).toEqual([['Camila', 'shown']])

    const other = await photoOf(lucia)
    const asked = await tagMember(lucia, camila, other)
    await camila.call(removePhotoTagOperation, { photoTagId: asked.$id })
    for (const who of [lucia, bea]) expect(await peopleIn(who, other.$id)).toEqual([])
    const again = { postId: other.$id, imageId: other.imageId, personId: camila.id, ...place }
    expect(await lucia.refusal(tagPersonOperation, again)).toMatchObject(notNamed)
    expect((await lucia.call(listTaggablePeopleOperation, { ...again, term: 'camila' })).documents).toEqual(
      [],
    )
    expect(await lucia.refusal(removePhotoTagOperation, { photoTagId: asked.$id })).toMatchObject({
      code: 404,
    })
    expect(await camila.refusal(acceptPhotoTagOperation, { photoTagId: asked.$id })).toMatchObject({
      code: 404,
    })
  })

  test('PICT-04 a tagged member can remove her tag at any time, and nobody can answer for her', async () => {
    const post = await photoOf(lucia)
    const named = await tagMember(lucia, camila, post)
    for (const who of [lucia, bea])
      expect(await who.refusal(acceptPhotoTagOperation, { photoTagId: named.$id })).toMatchObject({
        code: 404,
      })
    expect(await bea.refusal(removePhotoTagOperation, { photoTagId: named.$id })).toMatchObject({ code: 404 })
    await camila.call(acceptPhotoTagOperation, { photoTagId: named.$id })
    expect(await bea.refusal(removePhotoTagOperation, { photoTagId: named.$id })).toMatchObject({ code: 404 })
    await camila.call(removePhotoTagOperation, { photoTagId: named.$id })
    for (const who of [lucia, bea]) expect(await peopleIn(who, post.$id)).toEqual([])
  })
})

describe('acceptance for some readers', () => {
  test('PICT-04 A15 accepting a tag covers only members who can see the post then; before others see it, the tagged member is asked again', async () => {
    const [dora, kira] = [await w.join('Dora'), await w.join('Kira')]
    const groupId = await createGroupWithMembers(dora, kira)
    const grouped = await photoOf(dora, groupId)
    const named = await tagAndShowMember(dora, kira, grouped)
    await dora.call(updatePostOperation, { postId: grouped.$id, groupId: null })
    expect(await peopleIn(bea, grouped.$id)).toEqual([])
    for (const who of [dora, kira]) expect(await peopleIn(who, grouped.$id)).toEqual([['Kira', 'waiting']])
    expect(await kira.call(listPhotosOfMeOperation, { state: 'waiting' })).toMatchObject({ waiting: 1 })
    await kira.call(acceptPhotoTagOperation, { photoTagId: named.$id })
    expect(await peopleIn(bea, grouped.$id)).toEqual([['Kira', 'shown']])
    await dora.call(updatePostOperation, { postId: grouped.$id, groupId })
    expect(await peopleIn(kira, grouped.$id)).toEqual([['Kira', 'shown']])

    await dora.call(updatePrivacySettingsOperation, { isPrivate: true })
    const kept = await photoOf(dora)
    await tagAndShowMember(dora, kira, kept)
    await dora.call(updatePrivacySettingsOperation, { isPrivate: false, earlierPosts: 'everyone' })
    expect(await peopleIn(bea, kept.$id)).toEqual([])
    expect(await peopleIn(kira, kept.$id)).toEqual([['Kira', 'waiting']])
  })
})

describe('photos of you', () => {
  test('PICT-10 only the tagged member can list photos of her, in pages: pending, shown and hidden', async () => {
    const vera = await w.join('Vera')
    const group = await createGroupWithMembers(lucia, vera, bea)
    const posts = [
      await photoOf(lucia, group),
      await photoOf(lucia),
      await photoOf(lucia),
      await photoOf(lucia),
    ]
    const [first, second, third, fourth] = posts as [
      (typeof posts)[0],
      (typeof posts)[0],
      (typeof posts)[0],
      (typeof posts)[0],
    ]
    await tagMember(lucia, vera, first)
    await tagAndShowMember(lucia, vera, second)
    await tagMember(lucia, vera, third)
    await vera.call(withholdPhotoOperation, { postId: third.$id, imageId: third.imageId })
    const declined = await tagMember(lucia, vera, fourth)
    await vera.call(removePhotoTagOperation, { photoTagId: declined.$id })
    const list = await vera.call(listPhotosOfMeOperation, {})
    expect(list.documents.map(({ state, postId }) => [state, postId])).toEqual([
      ['hidden', third.$id],
      ['shown', second.$id],
      ['waiting', first.$id],
    ])
    expect(list.waiting).toBe(1)
    expect(list.documents[2]?.post).toMatchObject({
      creator: { name: 'Lucia' },
      group: { $id: group },
      audience: { kind: 'group', count: 2 },
      photo: { id: first.imageId },
    })
    expect(list.documents[0]?.post?.photo).toBeNull()
    for (const state of ['waiting', 'shown', 'hidden'] as const)
      expect((await vera.call(listPhotosOfMeOperation, { state })).documents.map((one) => one.state)).toEqual(
        [state],
      )
    const page = await vera.call(listPhotosOfMeOperation, { limit: 2 })
    const rest = await vera.call(listPhotosOfMeOperation, { limit: 2, cursor: page.next ?? '' })
    expect([...page.documents, ...rest.documents]).toEqual(list.documents)
    expect((await bea.call(listPhotosOfMeOperation, {})).documents).toEqual([])
    expect(await bea.refusal(listPhotosOfMeOperation, { cursor: page.next ?? '' })).toMatchObject({
      type: 'general_cursor_not_found',
    })
    for (const path of [
      `/v1/people/${vera.id}/photos`,
      `/v1/people/${vera.id}/photos-of`,
      `/v1/photos/${vera.id}`,
    ])
      expect((await bea.request('GET', path)).status).toBe(404)
  })

  test('PICT-10 if the post is hidden from a tagged member, she learns only that she is tagged, and can hide the photo', async () => {
    const zoe = await w.join('Zoe')
    const post = await photoOf(lucia)
    await tagMember(lucia, zoe, post)
    await lucia.call(blockMemberOperation, { personId: zoe.id })
    const [entry] = (await zoe.call(listPhotosOfMeOperation, {})).documents
    expect(entry).toMatchObject({ state: 'waiting', post: null })
    expect(JSON.stringify(entry)).not.toContain('Luc')
    expect(await zoe.call(withholdPhotoOperation, { postId: post.$id, imageId: post.imageId })).toEqual({
      withheld: true,
    })
    expect((await bea.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
  })
})
