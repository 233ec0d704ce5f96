import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { getGroupOperation } from '#contract/groups/groups.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import {
  countResponsesByStatus,
  createArrayByIndex,
  raceTimeoutMs,
  runRaceRounds,
} from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
let eva: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
  eva = await w.join('Eva')
})
afterAll(() => w.end())

const ask = async (person: MemberClient, groupId: string) =>
  (await person.call(requestToJoinOperation, { groupId })).$id
const approving = (admin: MemberClient, id: string) => () =>
  admin.request('POST', `/v1/group-requests/${id}/approve`)
const rejecting = (admin: MemberClient, id: string) => () =>
  admin.request('POST', `/v1/group-requests/${id}/reject`)
const withdrawing = (person: MemberClient, id: string) => () =>
  person.request('DELETE', `/v1/group-requests/${id}`)
const asking = (person: MemberClient, groupId: string) => () =>
  person.request('POST', `/v1/groups/${groupId}/requests`, {})
const leaving = (person: MemberClient, groupId: string) => () =>
  person.request('DELETE', `/v1/groups/${groupId}/membership`)
const removing = (admin: MemberClient, member: MemberClient, groupId: string) => () =>
  admin.request('DELETE', `/v1/groups/${groupId}/members/${member.id}`)
const handingOver = (admin: MemberClient, member: MemberClient, groupId: string) => () =>
  admin.request('PUT', `/v1/groups/${groupId}/admin`, { memberId: member.id })
const deleting = (admin: MemberClient, groupId: string, name: string) => () =>
  admin.request('DELETE', `/v1/groups/${groupId}`, { name })
const posting = (author: MemberClient, groupId: string, imageId: string) => () =>
  author.request('POST', '/v1/posts', {
    caption: 'A la vez',
    location: 'Aquí',
    tags: [],
    groupId,
    imageId,
  })
const pictures = (author: MemberClient, count: number) =>
  Promise.all(createArrayByIndex(count, () => insertUploadedImageRow(w.database, author)))

async function stateOf(groupId: string) {
  const { rows } = await w.database.pool.query<{ members: number; posts: number; statuses: string[] }>(
    `select g.member_count as members, (select count(*)::int from posts p where p.group_id = g.id) as posts,
       array(select r.status from group_requests r where r.group_id = g.id order by r.id) as statuses
     from groups g where g.public_id = $1`,
    [groupId],
  )
  return rows[0]
}

describe('concurrent decisions', () => {
  test('C05 if ten approvals arrive at once, one succeeds, nine report that it is done, and the person is a member once', {
    timeout: raceTimeoutMs,
  }, async () => {
    let groupId: string
    await runRaceRounds(
      w.database,
      async () => {
        groupId = await createGroupWithMembers(ana)
        const requestId = await ask(bea, groupId)
        return createArrayByIndex(10, () => approving(ana, requestId))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 9 })
        expect(await stateOf(groupId)).toEqual({ members: 2, posts: 0, statuses: ['accepted'] })
      },
    )
  })

  test('C05 only one of several concurrent approvals and rejections succeeds, and decides the membership', {
    timeout: raceTimeoutMs,
  }, async () => {
    let groupId: string
    await runRaceRounds(
      w.database,
      async (n) => {
        groupId = await createGroupWithMembers(ana)
        const requestId = await ask(bea, groupId)
        return createArrayByIndex(10, (m) => (m % 2 === n % 2 ? approving : rejecting)(ana, requestId))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 9 })
        const winner = answers.find((answer) => answer.status === 200)?.body as { status: string }
        const members = winner.status === 'accepted' ? 2 : 1
        expect(await stateOf(groupId)).toEqual({ members, posts: 0, statuses: [winner.status] })
      },
    )
  })

  test('concurrent approvals and withdrawals end in a membership or a deleted request', {
    timeout: raceTimeoutMs,
  }, async () => {
    let groupId: string
    await runRaceRounds(
      w.database,
      async (n) => {
        groupId = await createGroupWithMembers(ana)
        const requestId = await ask(bea, groupId)
        return createArrayByIndex(10, (m) =>
          m % 2 === n % 2 ? approving(ana, requestId) : withdrawing(bea, requestId),
        )
      },
      async (answers) => {
        const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status)
        const admitted = winner?.status === 200
        expect(admitted || winner?.status === 204).toBe(true)
        expect(countResponsesByStatus(others)).toEqual({ [admitted ? 409 : 404]: 9 })
        expect(await stateOf(groupId)).toEqual({
          members: admitted ? 2 : 1,
          posts: 0,
          statuses: admitted ? ['accepted'] : [],
        })
      },
    )
  })

  test('ten people approved concurrently all become members, and the count is correct', {
    timeout: raceTimeoutMs,
  }, async () => {
    const crowd = await Promise.all(createArrayByIndex(10, (n) => w.join(`Vecina ${n}`)))
    let groupId: string
    await runRaceRounds(
      w.database,
      async () => {
        groupId = await createGroupWithMembers(ana)
        const requests = await Promise.all(crowd.map((person) => ask(person, groupId)))
        return requests.map((requestId) => approving(ana, requestId))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 200: 10 })
        expect(await stateOf(groupId)).toMatchObject({ members: 11 })
      },
    )
  })

  test('ten concurrent requests by one person create one pending request', {
    timeout: raceTimeoutMs,
  }, async () => {
    let groupId: string
    await runRaceRounds(
      w.database,
      async () => {
        groupId = await createGroupWithMembers(ana)
        return createArrayByIndex(10, () => asking(bea, groupId))
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toEqual({ 201: 1, 409: 9 })
        expect(await stateOf(groupId)).toMatchObject({ statuses: ['pending'] })
      },
    )
  })

  test('C06 new requests concurrent with an approval never leave a member with a pending request', {
    timeout: raceTimeoutMs,
  }, async () => {
    await runRaceRounds(
      w.database,
      async () => {
        const groupId = await createGroupWithMembers(ana)
        const requestId = await ask(bea, groupId)
        return [approving(ana, requestId), ...createArrayByIndex(9, () => asking(bea, groupId))]
      },
      (answers) => expect(countResponsesByStatus(answers)).toEqual({ 200: 1, 409: 9 }),
    )
  })
})

describe('posting while the membership ends', () => {
  test.each([
    { how: 'C07 she leaves', end: (groupId: string) => leaving(bea, groupId) },
    { how: 'C07 she is removed', end: (groupId: string) => removing(ana, bea, groupId) },
  ])(
    '$how: no post by the member appears after the server has confirmed the end of her membership',
    { timeout: raceTimeoutMs },
    async ({ end }) => {
      let groupId: string
      let atTheEnd: number | undefined
      await runRaceRounds(
        w.database,
        async (n) => {
          groupId = await createGroupWithMembers(ana, bea)
          const [first = '', ...rest] = await pictures(bea, 10)
          const posts = [first, ...rest].map((imageId) => posting(bea, groupId, imageId))
          const endThenCount = async () => {
            const answer = await end(groupId)()
            atTheEnd = (await stateOf(groupId))?.posts
            return answer
          }
          posts.splice(n % posts.length, 1, endThenCount)
          return posts
        },
        async (answers) => {
          const { 201: posted = 0, 403: refused = 0, 200: ended } = countResponsesByStatus(answers)
          expect({ ended, others: posted + refused }).toEqual({ ended: 1, others: 9 })
          expect(atTheEnd).toBe(posted)
          expect(await stateOf(groupId)).toMatchObject({ members: 1, posts: posted })
        },
      )
    },
  )

  test('deleting the group during posting leaves no post and no picture', {
    timeout: raceTimeoutMs,
  }, async () => {
    let groupId: string
    await runRaceRounds(
      w.database,
      async (n) => {
        groupId = await createGroupWithMembers(ana, bea)
        await createPostInGroup(w.database, bea, groupId)
        const { name } = await ana.call(getGroupOperation, { groupId })
        const posts = (await pictures(bea, 9)).map((imageId) => posting(bea, groupId, imageId))
        posts.splice(n % posts.length, 0, deleting(ana, groupId, name))
        return posts
      },
      async (answers) => {
        expect(countResponsesByStatus(answers)).toMatchObject({ 204: 1 })
        expect(await stateOf(groupId)).toBeUndefined()
      },
    )
  })
})

test('C13 concurrent handover, leaving, removal, approval and deletion leave a group with one admin, or no group', {
  timeout: raceTimeoutMs,
}, async () => {
  let groupId: string
  await runRaceRounds(
    w.database,
    async (n) => {
      groupId = await createGroupWithMembers(ana, bea)
      await admitMemberToGroup(ana, cleo, groupId)
      const requestId = await ask(eva, groupId)
      const { name } = await ana.call(getGroupOperation, { groupId })
      const contenders = [
        handingOver(ana, bea, groupId),
        leaving(bea, groupId),
        handingOver(ana, cleo, groupId),
        leaving(cleo, groupId),
        leaving(ana, groupId),
        approving(ana, requestId),
        removing(ana, bea, groupId),
        approving(bea, requestId),
        asking(eva, groupId),
      ]
      // In every second round nobody deletes the group, and several members compete for its admin role.
      if (n % 2 === 0) contenders.splice(n % contenders.length, 0, deleting(ana, groupId, name))
      return contenders
    },
    async (answers) => {
      const deleted = answers.some((answer) => answer.status === 204)
      const group = await stateOf(groupId)
      if (deleted) expect(group).toBeUndefined()
      else expect(group?.members).toBeGreaterThan(0)
    },
  )
})
