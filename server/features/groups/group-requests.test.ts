import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getGroupMembershipOperation,
  leaveGroupOperation,
  listGroupMembersOperation,
} from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  getLatestJoinRequestOperation,
  listPendingJoinRequestsOperation,
  rejectJoinRequestOperation,
  requestToJoinOperation,
  withdrawJoinRequestOperation,
} from '#contract/groups/group-requests.ts'
import { getGroupOperation } from '#contract/groups/groups.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
let groupId: string
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  cleo = await w.join('Cleo')
  groupId = await createGroupWithMembers(ana, bea)
})
afterAll(() => w.end())

async function waiting(name: string) {
  const person = await w.join(name)
  const request = await person.call(requestToJoinOperation, { groupId, userId: person.id })
  return { person, requestId: request.$id }
}
const membershipOf = async (person: MemberClient) =>
  (await person.call(getGroupOperation, { groupId })).membership
const memberCount = async () => (await ana.call(getGroupOperation, { groupId })).memberCount

describe('asking to join', () => {
  test("GRP-25 GRP-26 DATA-09 dora's request to join is pending, and she is not yet a member", async () => {
    const { person: dora, requestId } = await waiting('Dora')
    const { request } = await dora.call(getLatestJoinRequestOperation, { groupId })
    expect(request).toMatchObject({
      $id: requestId,
      groupId,
      userId: dora.id,
      user: { name: 'Dora', username: expect.stringMatching(/^dora/) },
      status: 'pending',
      can: { decide: false, withdraw: true },
    })
    expect(request?.requestedAt).toBe(request?.$createdAt)
    expect(await dora.call(getGroupMembershipOperation, { groupId })).toEqual({
      isMember: false,
      isAdmin: false,
      postCount: 0,
    })
    expect(await dora.call(getGroupOperation, { groupId })).toMatchObject({
      membership: 'pending',
      requestId,
    })
  })

  test("GRP-22 GRP-23 a person with a pending request, a member and the admin cannot request to join, and get the spec's sentences", async () => {
    const { person: dora } = await waiting('Dora')
    expect(await dora.refusal(requestToJoinOperation, { groupId })).toMatchObject({
      code: 409,
      message: 'Ya tienes una solicitud pendiente para este grupo',
    })
    for (const member of [ana, bea]) {
      expect(await member.refusal(requestToJoinOperation, { groupId })).toMatchObject({
        code: 409,
        message: 'Ya eres miembro de este grupo',
      })
    }
    expect(await cleo.refusal(requestToJoinOperation, { groupId: 'nothing' })).toMatchObject({ code: 404 })
  })

  test('PERM-07 nobody can send a request for another person', async () => {
    expect(await cleo.refusal(requestToJoinOperation, { groupId, userId: bea.id })).toMatchObject({
      code: 403,
    })
    expect(await membershipOf(cleo)).toBe('none')
  })

  test('GRP-26 a rejected person may ask again, and her latest request counts', async () => {
    const { person: eva, requestId } = await waiting('Eva')
    await ana.call(rejectJoinRequestOperation, { requestId })
    expect(await membershipOf(eva)).toBe('rejected')
    await eva.call(requestToJoinOperation, { groupId })
    expect(await membershipOf(eva)).toBe('pending')
    expect((await eva.call(getLatestJoinRequestOperation, { groupId })).request).toMatchObject({
      status: 'pending',
    })
  })

  test('a former member can send a new request', async () => {
    const { person: fina, requestId } = await waiting('Fina')
    await ana.call(approveJoinRequestOperation, { requestId })
    await fina.call(leaveGroupOperation, { groupId })
    expect(await membershipOf(fina)).toBe('none')
    await fina.call(requestToJoinOperation, { groupId })
    expect(await membershipOf(fina)).toBe('pending')
  })

  test('only the requester can withdraw a request, and only while it is pending', async () => {
    const { person: gala, requestId } = await waiting('Gala')
    expect(await ana.refusal(withdrawJoinRequestOperation, { requestId })).toMatchObject({ code: 403 })
    for (const outsider of [bea, cleo]) {
      expect(await outsider.refusal(withdrawJoinRequestOperation, { requestId })).toMatchObject({
        code: 404,
        type: 'group_request_not_found',
      })
    }
    const changes = await describeRecordedChanges(w.database, [ana, gala], () =>
      gala.call(withdrawJoinRequestOperation, { requestId }),
    )
    expect(changes).toEqual(['delete groupRequests → Ana, Gala'])
    expect(await membershipOf(gala)).toBe('none')
    expect(await gala.refusal(withdrawJoinRequestOperation, { requestId })).toMatchObject({ code: 404 })

    const { $id: decided } = await gala.call(requestToJoinOperation, { groupId })
    await ana.call(rejectJoinRequestOperation, { requestId: decided })
    expect(await gala.refusal(withdrawJoinRequestOperation, { requestId: decided })).toMatchObject({
      code: 409,
      type: 'group_request_processed',
    })
  })
})

describe('deciding about a request', () => {
  test('GREQ-06 GREQ-17 DATA-08 approving a request marks it as accepted, adds the member and raises the count by one', async () => {
    const { person: hila, requestId } = await waiting('Hila')
    const before = await memberCount()
    const changes = await describeRecordedChanges(w.database, [ana, hila], async () => {
      const request = await ana.call(approveJoinRequestOperation, { requestId, currentUserId: ana.id })
      expect(request).toMatchObject({ status: 'accepted', can: { decide: false, withdraw: false } })
    })
    expect(changes).toEqual([
      'create groupMembers → Hila, group',
      'update groupRequests → Ana, Hila',
      'update groups → everyone',
    ])
    expect(await memberCount()).toBe(before + 1)
    expect(await hila.call(getGroupMembershipOperation, { groupId })).toEqual({
      isMember: true,
      isAdmin: false,
      postCount: 0,
    })
    const [newest] = (await hila.call(listGroupMembersOperation, { groupId })).documents
    expect(newest).toMatchObject({ userId: hila.id, role: 'member' })
  })

  test('GREQ-07 rejecting a request adds no membership and keeps the count', async () => {
    const { person: ines, requestId } = await waiting('Ines')
    const before = await memberCount()
    expect(await ana.call(rejectJoinRequestOperation, { requestId })).toMatchObject({ status: 'rejected' })
    expect(await memberCount()).toBe(before)
    expect(await membershipOf(ines)).toBe('rejected')
  })

  test('GREQ-11 a decided request cannot be decided again, and the count rises once', async () => {
    const processed = { code: 409, message: 'Esta solicitud ya fue procesada' }
    const { requestId } = await waiting('Julia')
    await ana.call(approveJoinRequestOperation, { requestId })
    const count = await memberCount()
    expect(await ana.refusal(approveJoinRequestOperation, { requestId })).toMatchObject(processed)
    expect(await ana.refusal(rejectJoinRequestOperation, { requestId })).toMatchObject(processed)
    const { requestId: rejected } = await waiting('Kika')
    await ana.call(rejectJoinRequestOperation, { requestId: rejected })
    expect(await ana.refusal(approveJoinRequestOperation, { requestId: rejected })).toMatchObject(processed)
    expect(await memberCount()).toBe(count)
  })

  test.each([
    {
      verb: 'approving',
      decide: approveJoinRequestOperation,
      sentence: 'Solo el admin del grupo puede aprobar solicitudes',
    },
    {
      verb: 'rejecting',
      decide: rejectJoinRequestOperation,
      sentence: 'Solo el admin del grupo puede rechazar solicitudes',
    },
  ])(
    'GREQ-12 GREQ-13 GREQ-14 A07 $verb checks first that the request exists, then that the caller is the admin, then that the request is pending',
    async ({ decide, sentence }) => {
      const boss = await w.join('Berta')
      await createGroupWithMembers(boss)
      const { person: lola, requestId } = await waiting('Lola')
      for (const caller of [ana, bea, boss, lola]) {
        expect(await caller.refusal(decide, { requestId: 'nothing' })).toMatchObject({
          code: 404,
          message: 'Solicitud no encontrada',
        })
      }
      for (const caller of [bea, boss, lola]) {
        expect(await caller.refusal(decide, { requestId })).toMatchObject({ code: 403, message: sentence })
      }
      await ana.call(decide, { requestId })
      // Only the admin learns whether the request is decided.
      expect(await bea.refusal(decide, { requestId })).toMatchObject({ code: 403, message: sentence })
      expect(await ana.refusal(decide, { requestId })).toMatchObject({ code: 409 })
    },
  )

  test("A07 PERM-07 sending the admin's id in the payload gives nobody the admin's permission", async () => {
    const { person: maia, requestId } = await waiting('Maia')
    for (const caller of [maia, bea]) {
      expect(
        await caller.refusal(approveJoinRequestOperation, { requestId, currentUserId: ana.id }),
      ).toMatchObject({
        code: 403,
        type: 'user_unauthorized',
      })
    }
    expect(await membershipOf(maia)).toBe('pending')
  })
})

describe('readers of a request', () => {
  test('GREQ-18 the admin sees the pending requests of all her groups or of one group, newest first', async () => {
    const boss = await w.join('Olga')
    const [one, two] = [await createGroupWithMembers(boss), await createGroupWithMembers(boss, bea)]
    const first = await cleo.call(requestToJoinOperation, { groupId: one })
    const second = await ana.call(requestToJoinOperation, { groupId: two })
    const third = await cleo.call(requestToJoinOperation, { groupId: two })
    const all = await boss.call(listPendingJoinRequestsOperation, { userId: boss.id })
    expect(all.documents.map((request) => request.$id)).toEqual([third.$id, second.$id, first.$id])
    expect(all.documents[0]).toMatchObject({ group: { $id: two }, can: { decide: true, withdraw: false } })
    const ofTwo = await boss.call(listPendingJoinRequestsOperation, { groupId: two, limit: 1 })
    expect(ofTwo.documents.map((request) => request.$id)).toEqual([third.$id])
    const rest = await boss.call(listPendingJoinRequestsOperation, {
      groupId: two,
      cursor: ofTwo.next as string,
    })
    expect(rest.documents.map((request) => request.$id)).toEqual([second.$id])

    for (const other of [bea, cleo]) {
      expect((await other.call(listPendingJoinRequestsOperation, {})).documents).toEqual([])
      expect((await other.call(listPendingJoinRequestsOperation, { groupId: two })).documents).toEqual([])
    }
    expect(await bea.refusal(listPendingJoinRequestsOperation, { userId: boss.id })).toMatchObject({
      code: 403,
    })
  })

  test('only the requester and the admin see the state of a request', async () => {
    const { person: pura, requestId } = await waiting('Pura')
    const seenBy = async (person: MemberClient) =>
      (await person.call(getLatestJoinRequestOperation, { groupId, userId: pura.id })).request?.$id
    expect(await Promise.all([pura, ana, bea, cleo].map(seenBy))).toEqual([
      requestId,
      requestId,
      undefined,
      undefined,
    ])
  })
})

test('none of the tests above broke a database invariant', async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
