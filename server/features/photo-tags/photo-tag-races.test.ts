import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { followOperation } from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import {
  acceptPhotoTagOperation,
  removePhotoTagOperation,
  stopWithholdingPhotoOperation,
  tagPersonOperation,
  withholdPhotoOperation,
} from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { tagMember } from '#tests/support/publish-and-tag-photos.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let lucia: MemberClient
let camila: MemberClient
let nina: MemberClient
let bea: MemberClient
let group: string
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[lucia, camila, nina, bea] = [
    await w.join('Lucia'),
    await w.join('Camila'),
    await w.join('Nina'),
    await w.join('Bea'),
  ]
  for (const who of [camila, nina]) await who.call(followOperation, { personId: lucia.id })
  group = await createGroupWithMembers(lucia, camila, nina)
})
afterAll(() => w.end())

async function publish(count: number, groupId: string | null = null): Promise<Post> {
  const ids = await Promise.all(
    Array.from({ length: count }, () => insertUploadedImageRow(w.database, lucia)),
  )
  return lucia.call(createPostOperation, {
    ...{
      caption: 'A la vez',
      location: 'Aquí',
      tags: [],
      groupId,
      photos: ids.map((imageId) => ({ imageId })),
    },
  })
}
const idsOf = ({ photos }: Post) => photos.map(({ id }) => id)
const race = (name: string, work: () => Promise<void>) => test(name, { timeout: raceTimeoutMs }, work)
const hides = (who: MemberClient, postId: string, imageId: string) => () =>
  who.ask(withholdPhotoOperation, { postId, imageId })
const arranges = (postId: string, ids: readonly string[]) => () =>
  lucia.ask(updatePostOperation, { postId, photos: ids.map((imageId) => ({ imageId })) })

race(
  'PICT-07 the cover is hidden while its author reorders the photos: the cover is never a hidden one',
  async () => {
    let post: Post
    await runRaceRounds(
      w.database,
      async () => {
        post = await publish(3)
        const [first = '', second = '', third = ''] = idsOf(post)
        for (const who of [camila, nina])
          for (const imageId of [first, third]) await tagMember(lucia, who, { $id: post.$id, imageId })
        return [
          hides(camila, post.$id, first),
          arranges(post.$id, [third, first, second]),
          hides(nina, post.$id, third),
          arranges(post.$id, [second, third, first]),
        ]
      },
      async (answers) => {
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        expect(idsOf(await bea.call(getPostOperation, { postId: post.$id }))).toEqual([idsOf(post)[1]])
      },
    )
  },
)

race(
  'PICT-06 hiding a photo while its author removes it or deletes the post never brings it back',
  async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const [kept, gone] = [await publish(2), await publish(2)]
        const [first = '', second = ''] = idsOf(kept)
        await tagMember(lucia, camila, { $id: kept.$id, imageId: first })
        await tagMember(lucia, camila, gone)
        return [
          hides(camila, kept.$id, first),
          arranges(kept.$id, [second]),
          hides(camila, gone.$id, gone.imageId),
          () => lucia.ask(deletePostOperation, { postId: gone.$id }),
        ]
      },
      ([hid, arranged, hidToo, deleted]) => {
        for (const answer of [hid, hidToo]) expect([200, 404]).toContain(answer?.status)
        expect([arranged?.status, deleted?.status]).toEqual([200, 204])
      },
    )
  },
)

race('PICT-09 two hide a photo and one shows it again: it stays hidden by the other', async () => {
  let post: Post
  await runRaceRounds(
    w.database,
    async () => {
      post = await publish(1)
      for (const who of [camila, nina]) await tagMember(lucia, who, post)
      await camila.call(withholdPhotoOperation, { postId: post.$id, imageId: post.imageId })
      return [
        hides(nina, post.$id, post.imageId),
        () => camila.ask(stopWithholdingPhotoOperation, { postId: post.$id, imageId: post.imageId }),
      ]
    },
    async (answers) => {
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await bea.ask(getPostOperation, { postId: post.$id })).status).toBe(404)
    },
  )
})

race('PICT-05 a tag while she turns tagging off is created before that or not at all', async () => {
  await runRaceRounds(
    w.database,
    async () => {
      await camila.call(updatePrivacySettingsOperation, { picturedBy: 'followed' })
      const { $id: postId, imageId } = await publish(1)
      return [
        () => lucia.ask(tagPersonOperation, { postId, imageId, personId: camila.id, x: 0, y: 1 }),
        () => camila.ask(updatePrivacySettingsOperation, { picturedBy: 'nobody' }),
      ]
    },
    async ([named]) => {
      expect([201, 403]).toContain(named?.status)
      const { $id: postId, imageId } = await publish(1)
      expect(
        (await lucia.ask(tagPersonOperation, { postId, imageId, personId: camila.id, x: 0, y: 1 })).status,
      ).toBe(403)
      await camila.call(updatePrivacySettingsOperation, { picturedBy: 'followed' })
    },
  )
})

race('PICT-04 she says yes while the author takes the name off: it is off', async () => {
  let post: Post
  await runRaceRounds(
    w.database,
    async () => {
      post = await publish(1)
      const { $id: photoTagId } = await tagMember(lucia, camila, post)
      return [
        () => camila.ask(acceptPhotoTagOperation, { photoTagId }),
        () => lucia.ask(removePhotoTagOperation, { photoTagId }),
        () => camila.ask(acceptPhotoTagOperation, { photoTagId }),
      ]
    },
    async ([first, off, second]) => {
      expect(off?.status).toBe(204)
      for (const answer of [first, second]) expect([204, 404]).toContain(answer?.status)
      expect((await bea.call(getPostOperation, { postId: post.$id })).people).toBeUndefined()
    },
  )
})

race(
  'PICT-03 she says yes, or the post moves into the group, while she leaves it: no name is left there',
  async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const [grouped, moving] = [await publish(1, group), await publish(1)]
        const { $id: photoTagId } = await tagMember(lucia, camila, grouped)
        await tagMember(lucia, camila, moving)
        return [
          () => camila.ask(acceptPhotoTagOperation, { photoTagId }),
          () => camila.ask(leaveGroupOperation, { groupId: group }),
          () => lucia.ask(updatePostOperation, { postId: moving.$id, groupId: group }),
        ]
      },
      async ([accepted, left, moved]) => {
        expect([204, 404]).toContain(accepted?.status)
        expect(moved?.status).toBe(200)
        expect(left?.status).toBeLessThan(300)
        await admitMemberToGroup(lucia, camila, group)
      },
    )
  },
)
