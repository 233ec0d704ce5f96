import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countUnreadConversationsOperation,
  listConversationsOperation,
  markConversationReadOperation,
  openConversationOperation,
} from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { listGroupPostsOperation, listMyGroupsPostsOperation } from '#contract/groups/groups.ts'
import { apiOperations } from '#contract/index.ts'
import type { Operation } from '#contract/operation.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import {
  getMuteOperation,
  listMutedMembersOperation,
  muteMemberOperation,
  unmuteMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import { followOperation, listPeopleOperation, searchPeopleOperation } from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  savePostOperation,
  searchPostsOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

async function prepareScene() {
  const [ana, iria, bea] = [await w.join('Ana'), await w.join('Iria'), await w.join('Bea')]
  const group = await createGroupWithMembers(bea, ana, iria)
  await ana.call(followOperation, { personId: iria.id })
  const posts = [
    await createPostInGroup(w.database, iria, null),
    await createPostInGroup(w.database, iria, group),
  ] as const
  for (const postId of posts) {
    await ana.call(likePostOperation, { postId })
    await ana.call(savePostOperation, { postId })
  }
  const others = [await createPostInGroup(w.database, bea, group)]
  const { $id: conversation } = await ana.call(openConversationOperation, { personId: iria.id })
  await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hola' })
  await iria.call(sendMessageOperation, { conversationId: conversation, content: '¿qué tal?' })
  return { ana, iria, bea, group, posts, others, conversation }
}

const mute = (who: MemberClient, whom: MemberClient) => who.call(muteMemberOperation, { personId: whom.id })
const unmute = (who: MemberClient, whom: MemberClient) =>
  who.call(unmuteMemberOperation, { personId: whom.id })

describe('a muted member', () => {
  let scene: Awaited<ReturnType<typeof prepareScene>>
  beforeAll(async () => {
    scene = await prepareScene()
  })

  type List = readonly [Operation, Record<string, unknown>]
  const quietened = (): List[] => [
    [getHomeFeedOperation, {}],
    [explorePostsOperation, { limit: 100 }],
    [explorePostsOperation, { from: 'following' }],
    [explorePostsOperation, { from: 'groups' }],
    [searchPostsOperation, { term: 'tarde' }],
    [listMyGroupsPostsOperation, {}],
  ]
  const unchanged = (): List[] => [
    [listPersonPostsOperation, { personId: scene.iria.id }],
    [listGroupPostsOperation, { groupId: scene.group }],
    [listSavedPostsOperation, {}],
    [listLikedPostsOperation, {}],
    [getPostOperation, { postId: scene.posts[0] }],
    [getPostOperation, { postId: scene.posts[1] }],
    [listPeopleOperation, { limit: 100 }],
    [searchPeopleOperation, { term: 'Iria' }],
  ]
  const mentionsIria = async (who: MemberClient, [operation, input]: List) => {
    const { raw } = await who.ask(operation, input)
    return [scene.iria.id, ...scene.posts].some((id) => raw.includes(`"${id}"`))
  }
  const whereShown = async (lists: List[]) => {
    const shown: string[] = []
    for (const list of lists)
      if (await mentionsIria(scene.ana, list)) shown.push(`${list[0].name} ${JSON.stringify(list[1])}`)
    return shown
  }
  const named = (lists: List[]) => lists.map(([{ name }, input]) => `${name} ${JSON.stringify(input)}`)

  test("MUTE-02 a muted member's posts leave Home, Explore, the post search and merged group posts, but no other page", async () => {
    const { ana, iria, bea, others } = scene
    expect(await whereShown([...quietened(), ...unchanged()])).toEqual(
      named([...quietened(), ...unchanged()]),
    )
    expect(await mute(ana, iria)).toEqual({ muted: true })
    expect(await whereShown(quietened())).toEqual([])
    expect(await whereShown(unchanged())).toEqual(named(unchanged()))
    for (const [operation, input] of [quietened()[0], quietened()[3], quietened()[5]] as List[])
      expect((await ana.ask(operation, input)).raw.includes(`"${others[0]}"`)).toBe(true)
    for (const list of quietened().filter(([{ name }]) => name === 'listMyGroupsPosts'))
      expect(await mentionsIria(bea, list)).toBe(true)
    const documents = await createAppwriteDocumentsClient(ana, 'posts').all('limit(100)')
    expect(documents.map(({ $id }) => $id)).toEqual(expect.arrayContaining([...scene.posts]))
    await unmute(ana, iria)
    expect(await whereShown(quietened())).toEqual(named(quietened()))
  })

  test("MUTE-03 a muted member's conversation keeps its place in the list, without dot or count", async () => {
    const { ana, iria, bea, conversation } = scene
    const { $id: other } = await bea.call(openConversationOperation, { personId: ana.id })
    await bea.call(sendMessageOperation, { conversationId: other, content: 'buenas' })
    await iria.call(sendMessageOperation, { conversationId: conversation, content: 'sigo aquí' })
    const found = async () => ({
      list: (await ana.call(listConversationsOperation, {})).documents.map(({ $id, unread }) => [
        $id,
        unread,
      ]),
      ...(await ana.call(countUnreadConversationsOperation, {})),
    })
    const before = { list: [conversation, other].map((id) => [id, true]), count: 2 }
    expect(await found()).toEqual(before)
    await mute(ana, iria)
    const quiet = {
      list: [
        [conversation, false],
        [other, true],
      ],
      count: 1,
    }
    expect(await found()).toEqual(quiet)
    await iria.call(sendMessageOperation, { conversationId: conversation, content: '¿me lees?' })
    expect(await found()).toEqual(quiet)
    await unmute(ana, iria)
    expect(await found()).toEqual(before)
    await mute(ana, iria)
    await ana.call(markConversationReadOperation, { conversationId: conversation })
    const [newest] = (await iria.call(listMessagesOperation, { conversationId: conversation })).documents
    expect(newest?.readBy).toEqual([iria.id, ana.id])
    await unmute(ana, iria)
  })

  test('MUTE-04 muting iria changes no response to her, and nobody is notified', async () => {
    const { ana, iria, conversation, posts, group } = scene
    const inputs: Record<string, string> = {
      personId: ana.id,
      postId: posts[0],
      groupId: group,
      conversationId: conversation,
      term: 'Ana',
    }
    const everything = async () => {
      const answers: unknown[] = []
      for (const operation of apiOperations.filter(
        ({ method, name }) => method === 'GET' && name !== 'catchUp',
      )) {
        const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
        if (names.some((name) => !(name in inputs))) continue
        const input = Object.fromEntries([...names, 'term'].map((name) => [name, inputs[name]]))
        const { status, raw } = await iria.ask(operation, input)
        // This date counts from the time of the request.
        const said = raw.toString('latin1').replace(/"eraseAfter":"[^"]*"/, '"eraseAfter":"<in two weeks>"')
        answers.push([operation.name, status, said])
      }
      return answers
    }
    const before = await everything()
    expect(before.length).toBeGreaterThan(20)
    const since = await waitForChangePosition(w.database, iria)
    await mute(ana, iria)
    expect(await everything()).toEqual(before)
    expect((await iria.call(catchUpOperation, { since })).changes).toEqual([])
    await unmute(ana, iria)
    expect((await iria.call(catchUpOperation, { since })).changes).toEqual([])
    expect((await ana.call(catchUpOperation, { since })).changes).toEqual([])
  })
})

describe('the list of muted members', () => {
  test('MUTE-09 only its owner sees the list of muted members, newest first in pages; hidden members are left out and return', async () => {
    const ana = await w.join('Ana')
    const muted = [await w.join('Iria'), await w.join('Olga'), await w.join('Eva')]
    for (const person of muted) await mute(ana, person)
    await mute(ana, muted[0] as MemberClient)
    const list = async (who: MemberClient, input: Record<string, unknown> = {}) => {
      const { documents, next } = await who.call(listMutedMembersOperation, input)
      return { names: documents.map(({ person }) => person.name), next }
    }
    expect(await list(ana)).toEqual({ names: ['Eva', 'Olga', 'Iria'], next: null })
    const first = await list(ana, { limit: 2 })
    expect(first.names).toEqual(['Eva', 'Olga'])
    expect(await list(ana, { limit: 2, cursor: first.next })).toEqual({ names: ['Iria'], next: null })
    for (const person of muted) {
      expect(await list(person)).toEqual({ names: [], next: null })
      expect(await person.refusal(listMutedMembersOperation, { cursor: first.next })).toMatchObject({
        type: 'general_cursor_not_found',
        field: 'cursor',
      })
    }
    const olga = muted[1] as MemberClient
    await olga.call(blockMemberOperation, { personId: ana.id })
    expect(await list(ana)).toEqual({ names: ['Eva', 'Iria'], next: null })
  })

  test('MUTE-01 repeated muting and unmuting answer alike, and nobody can mute herself or a hidden member', async () => {
    const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
    const personId = iria.id
    expect(await ana.call(getMuteOperation, { personId })).toEqual({ muted: false })
    for (let turn = 0; turn < 2; turn += 1) expect(await mute(ana, iria)).toEqual({ muted: true })
    expect(await ana.call(getMuteOperation, { personId })).toEqual({ muted: true })
    expect(await iria.call(getMuteOperation, { personId: ana.id })).toEqual({ muted: false })
    for (let turn = 0; turn < 2; turn += 1) expect(await unmute(ana, iria)).toEqual({ muted: false })
    expect(await ana.call(getMuteOperation, { personId })).toEqual({ muted: false })
    expect(await ana.refusal(muteMemberOperation, { personId: ana.id })).toMatchObject({
      code: 400,
      type: 'mute_self_not_allowed',
    })
    await iria.call(blockMemberOperation, { personId: ana.id })
    for (const operation of [getMuteOperation, muteMemberOperation])
      for (const out of [personId, 'nadie'])
        expect(await ana.refusal(operation, { personId: out })).toMatchObject({ type: 'user_not_found' })
    expect(await unmute(ana, iria)).toEqual({ muted: false })
  })

  test('MUTE-01 concurrent requests to mute a member create one mute', async () => {
    const [ana, iria] = [await w.join('Ana'), await w.join('Iria')]
    await Promise.all(Array.from({ length: 8 }, () => mute(ana, iria)))
    expect((await ana.call(listMutedMembersOperation, {})).documents).toHaveLength(1)
  })
})
