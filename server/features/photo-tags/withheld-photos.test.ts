import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { createCommentOperation, listCommentsOperation } from '#contract/comments/comments.ts'
import { listMentionablePeopleOperation } from '#contract/comments/mentions.ts'
import { updateGroupOperation } from '#contract/groups/groups.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import type { PhotoTag } from '#contract/photo-tags/photo-tag-schema.ts'
import {
  acceptPhotoTagOperation,
  listPhotosOfMeOperation,
  listTaggablePeopleOperation,
  removePhotoTagOperation,
  stopWithholdingPhotoOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import {
  deletePostOperation,
  explorePostsOperation,
  getPostOperation,
  likePostOperation,
  type Post,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { findPathsToPost } from '#tests/support/find-paths-to-post.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createHttpCache } from '#tests/support/http-cache.ts'
import {
  publishPhotos,
  tagAndShowMember,
  tagAndWithholdPhoto,
  tagMember,
} from '#tests/support/publish-and-tag-photos.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let lucia: MemberClient
let camila: MemberClient
let bea: MemberClient
let group: string
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[lucia, camila, bea] = [await w.join('Lucia'), await w.join('Camila'), await w.join('Bea')]
  group = await createGroupWithMembers(lucia, camila, bea)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const waysTo = (id: string): string[] => [
  ...['', '/view', '/download', '/preview', '/preview?width=64'].map(
    (way) => `${appwriteFilesPath}/${id}${way}`,
  ),
  `/v1/files/${id}`,
  `/v1/files/${id}/content`,
  `/v1/files/${id}/content?width=64`,
]
const idsOf = ({ photos }: Post) => photos.map(({ id }) => id)
const read = (who: MemberClient, { $id: postId }: Post) => who.call(getPostOperation, { postId })
const hide = (who: MemberClient, { $id: postId }: Post, imageId: string) =>
  who.call(withholdPhotoOperation, { postId, imageId })
const showAgain = (who: MemberClient, { $id: postId }: Post, imageId: string) =>
  who.call(stopWithholdingPhotoOperation, { postId, imageId })

describe('hiding a photo', () => {
  test("PICT-06 a hidden photo's bytes are unavailable on every path at the next request, even for cached copies", async () => {
    const post = await publishPhotos(lucia, 3)
    const [, second = ''] = idsOf(post)
    const browser = createHttpCache({ shared: false })
    for (const path of waysTo(second).filter((way) => !/files\/[^/]+$/.test(way)))
      expect([path, (await browser.get(bea, path)).status]).toEqual([path, 200])
    await tagMember(lucia, camila, { $id: post.$id, imageId: second })
    expect(await hide(camila, post, second)).toEqual({ withheld: true })
    for (const path of waysTo(second)) {
      const answer = await browser.get(bea, path)
      expect([path, answer.status, answer.raw.includes('JFIF')]).toEqual([path, 404, false])
    }
    expect([...browser.kept.keys()]).toEqual([])
    for (const who of [lucia, camila])
      for (const path of waysTo(second))
        expect([path, (await who.request('GET', path)).status]).toEqual([path, 200])
    const files = await bea.request('GET', appwriteFilesPath)
    expect(JSON.stringify(files.body)).not.toContain(second)
  })

  test('PICT-06 a post shows its other photos while a photo is hidden, whatever the tagged member answered', async () => {
    for (const answer of ['waiting', 'shown', 'declined'] as const) {
      const post = await publishPhotos(lucia, 3)
      const [first = '', second = '', third = ''] = idsOf(post)
      const named = await tagMember(lucia, camila, { $id: post.$id, imageId: second })
      if (answer === 'shown') await camila.call(acceptPhotoTagOperation, { photoTagId: named.$id })
      if (answer === 'declined') await camila.call(removePhotoTagOperation, { photoTagId: named.$id })
      await hide(camila, post, second)
      expect(idsOf(await read(bea, post))).toEqual([first, third])
      const listed = (await bea.call(explorePostsOperation, {})).documents.find(({ $id }) => $id === post.$id)
      expect(listed && idsOf(listed)).toEqual([first, third])
      const document = await createAppwriteDocumentsClient(bea, 'posts').get(post.$id)
      expect(document.body.imageIds).toEqual([first, third])
      expect(JSON.stringify(document.body)).not.toContain(second)
      for (const who of [lucia, camila]) {
        const { photos } = await read(who, post)
        expect(photos.map(({ id, withheld }) => [id, withheld])).toEqual([
          [first, undefined],
          [second, true],
          [third, undefined],
        ])
      }
      await lucia.call(deletePostOperation, { postId: post.$id })
    }
  })

  test('PICT-06 only a member tagged in a photo can hide it', async () => {
    const post = await publishPhotos(lucia, 2)
    const [first = '', second = ''] = idsOf(post)
    await tagMember(lucia, camila, { $id: post.$id, imageId: first })
    for (const [who, imageId] of [
      [bea, first],
      [lucia, first],
      [camila, second],
    ] as const)
      for (const operation of [withholdPhotoOperation, stopWithholdingPhotoOperation])
        expect(await who.refusal(operation, { postId: post.$id, imageId })).toMatchObject({ code: 404 })
    expect(idsOf(await read(bea, post))).toEqual([first, second])
  })

  test('PICT-07 the next photo replaces a hidden cover through both APIs without making the post newer', async () => {
    const post = await publishPhotos(lucia, 3)
    const [first = '', second = '', third = ''] = idsOf(post)
    await tagAndWithholdPhoto(lucia, camila, { $id: post.$id, imageId: first })
    const seen = await read(bea, post)
    expect([seen.imageId, seen.image.id, idsOf(seen)]).toEqual([second, second, [second, third]])
    expect(seen.imageUrl).toContain(second)
    expect(seen.$updatedAt).toBe(post.$updatedAt)
    const document = await createAppwriteDocumentsClient(bea, 'posts').get(post.$id)
    expect(document.body).toMatchObject({ imageId: second, imageIds: [second, third] })
    expect(document.body.imageUrl).toContain(second)
    // The author's new order still has the hidden photo after a shown one.
    await lucia.call(updatePostOperation, {
      postId: post.$id,
      photos: [first, third, second].map((imageId) => ({ imageId })),
    })
    expect(idsOf(await read(bea, post))).toEqual([third, second])
    expect(idsOf(await read(lucia, post))).toEqual([third, first, second])
    await showAgain(camila, post, first)
    expect(idsOf(await read(bea, post))).toEqual([third, first, second])
  })

  test('PICT-07 a post whose only photo is hidden answers 404 and is in no list, while its likes and saves stay stored', async () => {
    const since = await waitForChangePosition(w.database, bea)
    for (const inGroup of [null, group]) {
      const post = await publishPhotos(lucia, 1, inGroup)
      await bea.call(likePostOperation, { postId: post.$id })
      await bea.call(savePostOperation, { postId: post.$id })
      const where = { author: lucia, group, since }
      const before = await findPathsToPost(bea, post, where)
      expect(before).toEqual(expect.arrayContaining(['explore', 'search', 'saved', 'liked', 'one', 'view']))
      const { postCount } = await bea.call(getPersonOperation, { personId: lucia.id })
      const socket = await openTestSocket(w.app, { as: bea, path: '/v1/live', channels: [] })
      await tagAndWithholdPhoto(lucia, camila, post)
      expect(await findPathsToPost(bea, post, where)).toEqual([])
      await socket.until(
        ({ type, data }) =>
          type === 'change' && data?.kind === 'delete' && JSON.stringify(data).includes(post.$id),
      )
      socket.close()
      expect((await bea.call(getPersonOperation, { personId: lucia.id })).postCount).toBe(postCount - 1)
      expect((await read(lucia, post)).photos).toMatchObject([{ withheld: true }])
      const { rows } = await w.database.pool.query(
        `select (select count(*) from saves s where s.post_id = p.id)::int as saves, like_count from posts p where public_id = $1`,
        [post.$id],
      )
      expect(rows).toEqual([{ saves: 1, like_count: 1 }])
      await showAgain(camila, post, post.imageId)
      expect(await findPathsToPost(bea, post, where)).toEqual(before)
      await lucia.call(deletePostOperation, { postId: post.$id })
    }
  })

  test('PICT-07 deleting a hidden post notifies only its author and the member who hid the photo', async () => {
    const post = await publishPhotos(lucia, 1)
    await tagAndWithholdPhoto(lucia, camila, post)
    const nina = await w.join('Nina')
    const socket = await openTestSocket(w.app, { as: nina, path: '/v1/live', channels: [] })
    await lucia.call(deletePostOperation, { postId: post.$id })
    const other = await publishPhotos(lucia, 1)
    await socket.until((frame) => JSON.stringify(frame).includes(other.$id))
    expect(JSON.stringify(socket.frames)).not.toContain(post.$id)
    socket.close()
  })
})

describe('who decides about a hidden photo', () => {
  test('PICT-08 the author learns which photo was hidden, but not by whom, and can show a cropped replacement', async () => {
    const post = await publishPhotos(lucia, 2)
    const [first = '', second = ''] = idsOf(post)
    const named = await tagAndWithholdPhoto(lucia, camila, { $id: post.$id, imageId: first })
    await camila.call(removePhotoTagOperation, { photoTagId: named.$id })
    const own = await read(lucia, post)
    expect(own.people).toBeUndefined()
    expect(own.photos.find(({ id }) => id === first)).toMatchObject({ withheld: true })
    expect(JSON.stringify(own)).not.toContain(camila.id)
    const replacement = await lucia.upload(await createJpeg())
    await lucia.call(updatePostOperation, {
      postId: post.$id,
      photos: [{ imageId: replacement }, { imageId: second }],
    })
    expect(idsOf(await read(bea, post))).toEqual([replacement, second])
    expect(
      (await camila.call(listPhotosOfMeOperation, { state: 'hidden' })).documents.map((one) => one.imageId),
    ).not.toContain(first)
  })

  test('PICT-08 when someone hides the only photo, the author still sees all tags and mentions', async () => {
    const post = await publishPhotos(lucia, 1)
    for (const who of [camila, bea]) await tagAndShowMember(lucia, who, post)
    const names = await Promise.all(
      [camila, bea].map(async ({ id }) => (await lucia.call(getPersonOperation, { personId: id })).username),
    )
    const text = names.map((name) => `@${name}`).join(' ')
    const say = () => lucia.call(createCommentOperation, { postId: post.$id, content: text })
    const rewrite = (caption: string) => lucia.call(updatePostOperation, { postId: post.$id, caption })
    const suggest = async (term: string) =>
      (await lucia.call(listMentionablePeopleOperation, { term, postId: post.$id })).documents.map(
        ({ $id }) => $id,
      )
    const both = [camila.id, bea.id]
    const looks = async () => {
      const { people = [], mentions = [] } = await read(lucia, post)
      const { documents } = await lucia.call(listCommentsOperation, { postId: post.$id })
      return [
        people.map(({ person }) => person.$id),
        mentions.map(({ $id }) => $id),
        ...documents.map((comment) => comment.mentions?.map(({ $id }) => $id)),
        (await Promise.all(names.map(suggest))).flat(),
      ]
    }
    await rewrite(text)
    await say()
    expect(await looks()).toEqual([both, both, both, both])
    for (const hider of [bea, camila]) {
      await hide(hider, post, post.imageId)
      expect(await looks()).toEqual([both, both, both, both])
      await showAgain(hider, post, post.imageId)
    }
    await hide(bea, post, post.imageId)
    expect((await rewrite(`Otra vez ${text}`)).mentions?.map(({ $id }) => $id)).toEqual(both)
    expect((await say()).mentions?.map(({ $id }) => $id)).toEqual(both)
    expect((await camila.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
  })

  test('PICT-08 new tags never reveal to the author who hid a photo, even after removing tags or moving the post through a group', async () => {
    const alone = await createGroupWithMembers(lucia)
    const ways: ((post: Post, tags: PhotoTag[]) => Promise<unknown>)[] = [
      (_post, tags) =>
        Promise.all(tags.map(({ $id }) => lucia.call(removePhotoTagOperation, { photoTagId: $id }))),
      async ({ $id: postId }) => {
        for (const groupId of [alone, null]) await lucia.call(updatePostOperation, { postId, groupId })
      },
    ]
    for (const end of ways) {
      const post = await publishPhotos(lucia, 2)
      const [first = ''] = idsOf(post)
      const photo = { $id: post.$id, imageId: first }
      const tags = [await tagMember(lucia, camila, photo), await tagMember(lucia, bea, photo)]
      await hide(bea, post, first)
      await end(post, tags)
      expect((await read(lucia, post)).people).toBeUndefined()
      const offered = await lucia.call(listTaggablePeopleOperation, { postId: post.$id, imageId: first })
      for (const who of [camila, bea]) {
        expect(offered.documents.map(({ $id }) => $id)).not.toContain(who.id)
        const again = { postId: post.$id, imageId: first, personId: who.id, x: 0.5, y: 0.5 }
        expect(await lucia.refusal(tagPersonOperation, again)).toMatchObject({ type: 'person_not_named' })
      }
    }
  })

  test('PICT-08 when all photos of a post are hidden, tag suggestions for another photo do not reveal who hid them', async () => {
    const nina = await w.join('NinaTercera')
    const post = await publishPhotos(lucia, 2)
    const [first = '', second = ''] = idsOf(post)
    for (const who of [camila, bea]) await tagMember(lucia, who, { $id: post.$id, imageId: first })
    await tagAndWithholdPhoto(lucia, nina, { $id: post.$id, imageId: second })
    const photo = { postId: post.$id, imageId: second }
    const offered = async (term?: string) =>
      (await lucia.call(listTaggablePeopleOperation, { ...photo, ...(term && { term }) })).documents.map(
        ({ $id }) => $id,
      )
    expect(await offered()).toEqual(expect.arrayContaining([camila.id, bea.id]))
    await hide(camila, post, first)
    expect([await offered(), await offered('Camila'), await offered('Bea')]).toEqual([[], [], []])
    for (const who of [camila, bea])
      expect(
        await lucia.refusal(tagPersonOperation, { ...photo, personId: who.id, x: 0.5, y: 0.5 }),
      ).toMatchObject({ type: 'person_not_named' })
    await showAgain(camila, post, first)
    expect(await offered()).toEqual(expect.arrayContaining([camila.id, bea.id]))
  })

  test('PICT-09 only the member who hid a photo can show it again, even after her tag is removed or the post changed', async () => {
    const post = await publishPhotos(lucia, 1)
    const named = await tagAndWithholdPhoto(lucia, camila, post)
    await lucia.call(removePhotoTagOperation, { photoTagId: named.$id })
    expect((await read(lucia, post)).people).toBeUndefined()
    await lucia.call(updatePostOperation, {
      postId: post.$id,
      caption: 'De nuevo',
      photos: [{ imageId: post.imageId }],
    })
    await lucia.call(updatePostOperation, { postId: post.$id, groupId: group })
    await lucia.call(updatePostOperation, { postId: post.$id, groupId: null })
    expect(
      await lucia.refusal(stopWithholdingPhotoOperation, { postId: post.$id, imageId: post.imageId }),
    ).toMatchObject({ code: 404 })
    expect((await bea.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
    expect(
      (await camila.call(listPhotosOfMeOperation, { state: 'hidden' })).documents.map(({ postId }) => postId),
    ).toContain(post.$id)
    expect(await showAgain(camila, post, post.imageId)).toEqual({ withheld: false })
    expect((await bea.ask(getPostOperation, { postId: post.$id })).status).toBe(200)
  })

  test('PICT-09 a photo hidden by two members stays hidden until both show it again', async () => {
    const post = await publishPhotos(lucia, 2)
    const [first = ''] = idsOf(post)
    const both = { $id: post.$id, imageId: first }
    await tagAndWithholdPhoto(lucia, camila, both)
    await tagMember(lucia, bea, both)
    await hide(bea, post, first)
    expect(await showAgain(camila, post, first)).toEqual({ withheld: true })
    const nina = await w.join('NinaOtra')
    expect(idsOf(await read(nina, post))).not.toContain(first)
    expect(await showAgain(bea, post, first)).toEqual({ withheld: false })
    expect(idsOf(await read(nina, post))).toContain(first)
  })
})

describe('attacks', () => {
  test('PICT-06 the author cannot use a hidden photo for a group, a profile or another post', async () => {
    const post = await publishPhotos(lucia, 2)
    const [first = ''] = idsOf(post)
    await tagAndWithholdPhoto(lucia, camila, { $id: post.$id, imageId: first })
    expect(await lucia.refusal(updateGroupOperation, { groupId: group, imageId: first })).toMatchObject({
      type: 'storage_file_not_found',
    })
    const other = await publishPhotos(lucia, 1)
    expect(
      await lucia.refusal(updatePostOperation, { postId: other.$id, photos: [{ imageId: first }] }),
    ).toMatchObject({ type: 'storage_file_not_found' })
    const document = await createAppwriteDocumentsClient(lucia, 'groups').patch(group, { imageId: first })
    expect(document.status).toBe(404)
    for (const path of waysTo(first)) expect((await bea.request('GET', path)).status).toBe(404)
  })

  test('PICT-06 a report stores a hidden photo as evidence, but shows it to nobody', async () => {
    const post = await publishPhotos(lucia, 2)
    const [first = ''] = idsOf(post)
    await tagAndWithholdPhoto(lucia, camila, { $id: post.$id, imageId: first })
    await bea.call(createReportOperation, {
      subject: { kind: 'post', id: post.$id },
      reason: 'harassment',
    })
    const { rows } = await w.database.pool.query(
      `select count(*)::int as sealed from evidence e join files f on f.id = e.file_id where f.public_id = $1`,
      [first],
    )
    expect(rows).toEqual([{ sealed: 1 }])
    for (const path of waysTo(first)) expect((await bea.request('GET', path)).status).toBe(404)
  })
})
