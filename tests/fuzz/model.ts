/** Random operations on the model and on the server must agree. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  rejectJoinRequestOperation,
  requestToJoinOperation,
} from '#contract/groups/group-requests.ts'
import { createGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { followOperation, getPersonOperation, unfollowOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  deletePostOperation,
  getHomeFeedOperation,
  likePostOperation,
  listSavedPostsOperation,
  savePostOperation,
  unlikePostOperation,
  unsavePostOperation,
} from '#contract/posts/posts.ts'
import { commentModelCommands, expectCommentsMatch } from './model-comments.ts'
import { expectMessagesMatch, messageModelCommands } from './model-messages.ts'
import { expectPhotoTagsMatch, photoTagModelCommands } from './model-photo-tags.ts'
import {
  callOrExpectRefusal,
  canSeePost,
  defineModelCommand,
  type FuzzModelState,
  type FuzzRealSystem,
  itemNumberArbitrary,
  type ModelCommand,
  memberIndexArbitrary,
  type Post,
  pickByNumber,
} from './model-state.ts'

export const createEmptyFuzzModel = (): FuzzModelState => ({
  follows: new Set(),
  posts: [],
  groups: [],
  conversations: [],
})

const createPostState = (): Pick<Post, 'likes' | 'saves' | 'threads' | 'named'> => ({
  likes: new Set(),
  saves: new Set(),
  threads: [],
  named: new Map(),
})

const homeOf = ({ posts, follows }: FuzzModelState, who: number) =>
  posts
    .filter(({ creator, group }) =>
      group ? group.members.has(who) : creator === who || follows.has(`${who} ${creator}`),
    )
    .map(({ id }) => id)
    .reverse()
    .slice(0, 20)

export async function expectServerMatchesModel(
  model: FuzzModelState,
  { people }: FuzzRealSystem,
): Promise<void> {
  for (const [who, person] of people.entries()) {
    const home = await person.call(getHomeFeedOperation, {})
    expect(home.documents.map((post) => post.$id)).toEqual(homeOf(model, who))
    const saved = await person.call(listSavedPostsOperation, {})
    const kept = model.posts
      .filter((post) => post.saves.has(who) && canSeePost(post, who))
      .map(({ id }) => id)
    expect(new Set(saved.documents.map((post) => post.$id))).toEqual(new Set(kept))
    await expectMessagesMatch(model, person, who)
    await expectPhotoTagsMatch(model, person, who)
    const followerCount = people.filter((_, other) => model.follows.has(`${other} ${who}`)).length
    const followingCount = people.filter((_, other) => model.follows.has(`${who} ${other}`)).length
    const postCount = model.posts.filter((post) => post.creator === who && canSeePost(post, who)).length
    expect(await person.call(getPersonOperation, { personId: person.id })).toMatchObject({
      followerCount,
      followingCount,
      postCount,
    })
    for (const post of model.posts) {
      const shown = await person.request('GET', `/v1/posts/${post.id}`)
      if (!canSeePost(post, who)) expect([403, 404]).toContain(shown.status)
      else
        expect(shown.body).toMatchObject({
          likeCount: post.likes.size,
          liked: post.likes.has(who),
          saved: post.saves.has(who),
        })
      if (canSeePost(post, who)) await expectCommentsMatch(post, people, who)
    }
    for (const group of model.groups) {
      expect(await person.call(getGroupOperation, { groupId: group.id })).toMatchObject({
        memberCount: group.members.size,
      })
    }
  }
}

const doings: fc.Arbitrary<ModelCommand>[] = [
  fc.tuple(memberIndexArbitrary, memberIndexArbitrary, fc.boolean()).map(([who, whom, on]) =>
    defineModelCommand(`${who} ${on ? 'follows' : 'unfollows'} ${whom}`, async ({ follows }, { people }) => {
      const personId = people[whom]?.id ?? ''
      if (who === whom && on) return people[who]?.refusal(followOperation, { personId })
      await people[who]?.call(on ? followOperation : unfollowOperation, { personId })
      if (on) follows.add(`${who} ${whom}`)
      else follows.delete(`${who} ${whom}`)
    }),
  ),
  fc.tuple(memberIndexArbitrary, fc.option(itemNumberArbitrary)).map(([who, where]) =>
    defineModelCommand(`${who} posts in ${where ?? 'public'}`, async (model, { people, pictures }) => {
      const person = people[who] as MemberClient
      const group = where === null ? null : (pickByNumber(model.groups, where) ?? null)
      const input = {
        caption: 'una foto',
        location: 'Lima',
        tags: [],
        imageId: await pictures(person),
        groupId: group?.id ?? null,
      }
      const made = await callOrExpectRefusal(
        person,
        createPostOperation,
        input,
        group === null || group.members.has(who),
      )
      if (made) model.posts.push({ id: made.$id, creator: who, group, ...createPostState() })
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary).map(([who, which]) =>
    defineModelCommand(`${who} deletes post ${which}`, async (model, { people }) => {
      const post = pickByNumber(model.posts, which)
      if (!post) return
      if (
        (await callOrExpectRefusal(
          people[who],
          deletePostOperation,
          { postId: post.id },
          post.creator === who,
        )) !== null
      ) {
        model.posts.splice(model.posts.indexOf(post), 1)
      }
    }),
  ),
  fc
    .tuple(memberIndexArbitrary, itemNumberArbitrary, fc.boolean(), fc.constantFrom('likes', 'saves'))
    .map(([who, which, on, what]) =>
      defineModelCommand(`${who} ${on ? '' : 'no longer '}${what} ${which}`, async (model, { people }) => {
        const post = pickByNumber(model.posts, which)
        if (!post || (!on && !canSeePost(post, who))) return
        const operation =
          what === 'likes'
            ? on
              ? likePostOperation
              : unlikePostOperation
            : on
              ? savePostOperation
              : unsavePostOperation
        const done = await callOrExpectRefusal(
          people[who],
          operation,
          { postId: post.id },
          canSeePost(post, who),
        )
        if (done === null) return
        const set = what === 'likes' ? post.likes : post.saves
        if (on) set.add(who)
        else set.delete(who)
      }),
    ),
  memberIndexArbitrary.map((who) =>
    defineModelCommand(`${who} makes a group`, async ({ groups }, { people }) => {
      if (groups.length > 3) return
      const made = await people[who]?.call(createGroupOperation, { name: 'Tejer', description: '' })
      groups.push({ id: made?.$id ?? '', admin: who, members: new Set([who]), requests: new Map() })
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary).map(([who, which]) =>
    defineModelCommand(`${who} asks to join ${which}`, async ({ groups }, { people }) => {
      const group = pickByNumber(groups, which)
      if (!group) return
      const may = !group.members.has(who) && !group.requests.has(who)
      const made = await callOrExpectRefusal(people[who], requestToJoinOperation, { groupId: group.id }, may)
      if (made) group.requests.set(who, made.$id)
    }),
  ),
  fc
    .tuple(memberIndexArbitrary, itemNumberArbitrary, itemNumberArbitrary, fc.boolean())
    .map(([who, which, whose, yes]) =>
      defineModelCommand(
        `${who} ${yes ? 'approves' : 'rejects'} ${whose} in ${which}`,
        async ({ groups }, { people }) => {
          const group = pickByNumber(groups, which)
          const [requester, requestId] = pickByNumber([...(group?.requests ?? [])], whose) ?? []
          if (!group || requester === undefined || requestId === undefined) return
          const decided = await callOrExpectRefusal(
            people[who],
            yes ? approveJoinRequestOperation : rejectJoinRequestOperation,
            { requestId },
            group.admin === who,
          )
          if (decided === null) return
          group.requests.delete(requester)
          if (yes) group.members.add(requester)
        },
      ),
    ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary).map(([who, which]) =>
    defineModelCommand(`${who} leaves ${which}`, async ({ groups }, { people }) => {
      const group = pickByNumber(groups, which)
      if (!group) return
      const left = await callOrExpectRefusal(
        people[who],
        leaveGroupOperation,
        { groupId: group.id },
        group.admin !== who,
      )
      if (left !== null) group.members.delete(who)
    }),
  ),
  ...commentModelCommands,
  ...messageModelCommands,
  ...photoTagModelCommands,
  fc.constant(defineModelCommand('they look', expectServerMatchesModel)),
]

export const fuzzCommandSequences = fc.commands(doings, { maxCommands: 50, size: 'max' })
