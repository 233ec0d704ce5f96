import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { listMessageRequestsOperation } from '#contract/chat/message-requests.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { listGroupMembersOperation } from '#contract/groups/group-members.ts'
import { listPendingJoinRequestsOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { listGroupsOperation } from '#contract/groups/groups.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import type { Operation } from '#contract/operation.ts'
import { blockMemberOperation, listBlocksOperation } from '#contract/people/blocks.ts'
import { listFollowRequestsOperation } from '#contract/people/follow-requests.ts'
import {
  listMutedMembersOperation,
  listRestrictedMembersOperation,
  muteMemberOperation,
  restrictMemberOperation,
} from '#contract/people/mutes-and-restrictions.ts'
import {
  followOperation,
  listFollowersOperation,
  listFollowingOperation,
  listPeopleOperation,
} from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { explorePostsOperation } from '#contract/posts/posts.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

const same = '2026-03-04T05:06:07.008Z'
let w: TestWorld
/** Five other members act on eva and fay, and eva and fay act on each of them. */
let eva: MemberClient
let fay: MemberClient
let group: string
let asked: string
beforeAll(async () => {
  w = await createTestWorld()
  ;[eva, fay] = [await w.join('Eva'), await w.join('Fay')]
  const five: MemberClient[] = []
  for (const name of ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco']) five.push(await w.join(name))
  group = await createGroupWithMembers(eva, ...five)
  asked = await createGroupWithMembers(fay)
  await fay.call(updatePrivacySettingsOperation, { isPrivate: true, messagesFrom: 'ask' })
  for (const one of five) {
    await createGroupWithMembers(one)
    await createPostInGroup(w.database, one, null)
    await createPostInGroup(w.database, one, group)
    for (const person of [eva, fay]) await one.call(followOperation, { personId: person.id })
    await eva.call(followOperation, { personId: one.id })
    await one.call(requestToJoinOperation, { groupId: asked })
    const { $id: conversationId } = await one.call(openConversationOperation, { personId: fay.id })
    await one.call(sendMessageOperation, { conversationId, content: 'hola, fay' })
    await fay.call(muteMemberOperation, { personId: one.id })
    await eva.call(restrictMemberOperation, { personId: one.id })
    await eva.call(createReportOperation, { subject: { kind: 'member', id: one.id }, reason: 'spam' })
  }
  for (const table of [
    'users',
    'posts',
    'groups',
    'follows',
    'follow_requests',
    'group_members',
    'group_requests',
    'mutes',
    'restrictions',
    'reports',
  ])
    await w.database.pool.query(`update ${table} set created_at = $1`, [same])
  await w.database.pool.query('update conversations set updated_at = $1', [same])
})
afterAll(() => w.end())

const lists: [string, () => [MemberClient, Operation, Record<string, unknown>?]][] = [
  ['USR-02 members', () => [eva, listPeopleOperation]],
  ['followers', () => [eva, listFollowersOperation, { personId: eva.id }]],
  ['the followed', () => [eva, listFollowingOperation, { personId: eva.id }]],
  ['GCRE-07 groups', () => [eva, listGroupsOperation]],
  ['GPAGE-07 members of a group', () => [eva, listGroupMembersOperation, { groupId: group }]],
  ['GREQ-03 requests to join', () => [fay, listPendingJoinRequestsOperation, { groupId: asked }]],
  ['REQ-03 requests to follow', () => [fay, listFollowRequestsOperation]],
  ['MSGR-06 requests to write', () => [fay, listMessageRequestsOperation]],
  ['MUTE-09 the muted', () => [fay, listMutedMembersOperation]],
  ['MUTE-09 the restricted', () => [eva, listRestrictedMembersOperation]],
  ['REP-12 what she reported', () => [eva, listMyReportsOperation]],
  ['EXP-18 posts of the followed', () => [eva, explorePostsOperation, { from: 'following' }]],
  ['EXP-18 posts of her groups', () => [eva, explorePostsOperation, { from: 'groups' }]],
]

type Page = { documents: { $id?: string; conversation?: { $id: string } }[]; next: string | null }

async function walk(list: () => [MemberClient, Operation, Record<string, unknown>?], limit: number) {
  const [who, operation, input] = list()
  const seen: string[] = []
  for (let cursor: string | undefined | null; cursor !== null && seen.length < 50; ) {
    const page = (await who.call(operation, { ...input, limit, ...(cursor && { cursor }) })) as Page
    seen.push(...page.documents.map(({ $id, conversation }) => $id ?? conversation?.$id ?? ''))
    cursor = page.next
  }
  return seen
}

test.each(lists)(
  '%s with the same time appear once each and in one order, in pages of any size',
  async (_, list) => {
    const whole = await walk(list, 20)
    expect(new Set(whole).size).toBeGreaterThanOrEqual(5)
    for (const limit of [1, 2, 3]) expect(await walk(list, limit)).toEqual(whole)
  },
)

test('BLK-28 members blocked at the same moment appear once each in a stable order, across pages', async () => {
  const gala = await w.join('Gala')
  for (const name of ['Seis', 'Siete', 'Ocho', 'Nueve', 'Diez'])
    await gala.call(blockMemberOperation, { personId: (await w.join(name)).id })
  await w.database.pool.query('update blocks set created_at = $1', [same])
  const list = (): [MemberClient, Operation] => [gala, listBlocksOperation]
  const whole = await walk(list, 20)
  expect(new Set(whole).size).toBe(5)
  for (const limit of [1, 2, 3]) expect(await walk(list, limit)).toEqual(whole)
})

test('EXP-19 every list refuses a cursor with a time outside the calendar', async () => {
  const { documents } = await eva.call(explorePostsOperation, {})
  const id = documents[0]?.$id ?? ''
  for (const time of ['-1zzzzzzzzzz', '2gosa7pa2gv', '-zzzzzzzzzz', '+1', '1.5', ''])
    for (const path of [
      '/v1/explore',
      '/v1/tags/playa/posts',
      '/v1/me/follow-requests',
      '/v1/message-requests',
      `/v1/posts/${id}/likers`,
    ]) {
      const cursor = encodeURIComponent(`${time}~${id}`)
      const answer = await eva.request('GET', `${path}?cursor=${cursor}`)
      expect([path, time, answer.status]).toEqual([path, time, 400])
    }
})
