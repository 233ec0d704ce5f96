import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getGroupMembershipOperation,
  handOverGroupOperation,
  leaveGroupOperation,
  listGroupMembersOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  listPendingJoinRequestsOperation,
  requestToJoinOperation,
} from '#contract/groups/group-requests.ts'
import { getGroupOperation, listGroupPostsOperation, updateGroupOperation } from '#contract/groups/groups.ts'
import { deletePostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
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

const people = () => [ana, bea, cleo, eva]

describe('the members of a group', () => {
  test('GPAGE-07 members see the list of members, newest first, in pages', async () => {
    const groupId = await createGroupWithMembers(ana, bea, cleo)
    const first = await bea.call(listGroupMembersOperation, { groupId, limit: 2 })
    expect(first.documents.map((member) => member.user.name)).toEqual(['Cleo', 'Bea'])
    const second = await bea.call(listGroupMembersOperation, { groupId, cursor: first.next as string })
    expect(second.documents).toMatchObject([{ userId: ana.id, role: 'admin' }])
    expect(first.documents[0]?.can).toEqual({ remove: false, handOver: false })
    const seenByAna = await ana.call(listGroupMembersOperation, { groupId })
    expect(seenByAna.documents.map((member) => member.can.remove)).toEqual([true, true, false])
    expect(seenByAna.documents.map((member) => member.can.handOver)).toEqual([true, true, false])
  })

  test('A20 outsiders cannot list the members of a group', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    expect((await eva.call(listGroupMembersOperation, { groupId })).documents).toEqual([])
    await eva.call(requestToJoinOperation, { groupId })
    expect((await eva.call(listGroupMembersOperation, { groupId })).documents).toEqual([])
    expect(await ana.refusal(listGroupMembersOperation, { groupId: 'nothing' })).toMatchObject({ code: 404 })
  })

  test('GPAGE-16 membership checks answer only about the caller and members of shared groups', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    await cleo.call(requestToJoinOperation, { groupId })
    const table: [requester: MemberClient, of: MemberClient, isMember: boolean, isAdmin: boolean][] = [
      [ana, ana, true, true],
      [bea, bea, true, false],
      [cleo, cleo, false, false],
      [eva, eva, false, false],
      [bea, ana, true, true],
      [ana, bea, true, false],
      [ana, cleo, false, false],
      // People outside the group do not learn who is a member.
      [cleo, ana, false, false],
      [eva, bea, false, false],
    ]
    for (const [requester, of, isMember, isAdmin] of table) {
      // Only the member learns how many posts they have in the group.
      const own = requester === of ? { postCount: 0 } : {}
      expect(await requester.call(getGroupMembershipOperation, { groupId, userId: of.id })).toEqual({
        isMember,
        isAdmin,
        ...own,
      })
    }
  })
})

describe('leaving a group', () => {
  test('a member who leaves sees only her own posts of the group, which she can still delete', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const [anas, hers] = [
      await createPostInGroup(w.database, ana, groupId),
      await createPostInGroup(w.database, bea, groupId),
    ]
    const changes = await describeRecordedChanges(w.database, people(), async () => {
      expect(await bea.call(leaveGroupOperation, { groupId, userId: bea.id })).toMatchObject({
        membership: 'none',
        memberCount: 1,
      })
    })
    expect(changes).toEqual([
      'delete groupMembers → Bea',
      'delete groupMembers → Bea, group',
      'update groups → everyone',
      'delete posts → Bea',
    ])
    expect(await bea.refusal(listGroupPostsOperation, { groupId })).toMatchObject({ code: 403 })
    expect(await bea.refusal(getPostOperation, { postId: anas })).toMatchObject({ code: 403 })
    expect(await bea.call(getPostOperation, { postId: hers })).toMatchObject({ can: { delete: true } })
    await bea.call(deletePostOperation, { postId: hers })
    expect(await ana.refusal(getPostOperation, { postId: hers })).toMatchObject({ code: 404 })
  })

  test('leaving a group twice has no further effect, and a non-member leaves nothing', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    await bea.call(leaveGroupOperation, { groupId })
    for (const person of [bea, eva]) {
      expect(await person.call(leaveGroupOperation, { groupId })).toMatchObject({ membership: 'none' })
    }
    expect(await ana.refusal(leaveGroupOperation, { groupId: 'nothing' })).toMatchObject({ code: 404 })
  })

  test('the admin can leave only after handing the group over', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    expect(await ana.refusal(leaveGroupOperation, { groupId })).toMatchObject({
      code: 409,
      message: 'El admin no puede salir del grupo sin transferirlo',
    })
    await ana.call(handOverGroupOperation, { groupId, memberId: bea.id })
    expect(await ana.call(leaveGroupOperation, { groupId })).toMatchObject({
      membership: 'none',
      memberCount: 1,
    })
  })

  test('leaving a group reports 100 of the posts that the member can no longer see, and one change for all others', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    await createPostInGroup(w.database, ana, groupId)
    await w.database.pool.query(`
      with pictures as (
        insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total,
          mime_type, signature, sha256, width, height, thumbhash)
        select 'many' || n, f.owner_id, 'attached', 'post', f.name, md5(n::text), 9, 9, 1, f.mime_type, f.signature,
          f.sha256, f.width, f.height, f.thumbhash
        from (select * from files order by id desc limit 1) f, generate_series(1, 150) n returning id, public_id, owner_id
      )
      insert into posts (public_id, creator_id, caption, location, group_id, image_id)
      select p.public_id, p.owner_id, 'Muchas', 'Casa', (select max(id) from groups), p.id from pictures p`)
    const changes = await describeRecordedChanges(w.database, people(), () =>
      bea.call(leaveGroupOperation, { groupId }),
    )
    expect(changes.filter((change) => change === 'delete posts → Bea')).toHaveLength(101)
  })
})

describe('removing a member', () => {
  test('the admin removes a member, who is notified and then sees the group as a stranger', async () => {
    const groupId = await createGroupWithMembers(ana, bea, cleo)
    const postId = await createPostInGroup(w.database, cleo, groupId)
    const changes = await describeRecordedChanges(w.database, people(), async () => {
      const input = { groupId, memberId: bea.id, currentUserId: ana.id }
      expect(await ana.call(removeGroupMemberOperation, input)).toMatchObject({ memberCount: 2 })
    })
    expect(changes).toContain('delete posts → Bea')
    expect(changes).toContain('delete groupMembers → Bea, group')
    expect(await bea.call(getGroupOperation, { groupId })).toMatchObject({ membership: 'none' })
    expect(await bea.refusal(getPostOperation, { postId })).toMatchObject({ code: 403 })
    expect(await cleo.call(getPostOperation, { postId })).toMatchObject({ $id: postId })
  })

  test('only the admin can remove a member', async () => {
    const groupId = await createGroupWithMembers(ana, bea, cleo)
    expect(await bea.refusal(removeGroupMemberOperation, { groupId, memberId: cleo.id })).toMatchObject({
      code: 403,
    })
    expect(await bea.refusal(removeGroupMemberOperation, { groupId, memberId: ana.id })).toMatchObject({
      code: 403,
    })
    expect(await eva.refusal(removeGroupMemberOperation, { groupId, memberId: cleo.id })).toMatchObject({
      code: 404,
    })
    expect(await ana.refusal(removeGroupMemberOperation, { groupId, memberId: eva.id })).toMatchObject({
      code: 404,
      type: 'group_member_not_found',
    })
    expect(await ana.refusal(removeGroupMemberOperation, { groupId, memberId: ana.id })).toMatchObject({
      code: 409,
    })
    const forged = { groupId, memberId: cleo.id, currentUserId: ana.id }
    expect(await bea.refusal(removeGroupMemberOperation, forged)).toMatchObject({ code: 403 })
    expect(await ana.call(getGroupOperation, { groupId })).toMatchObject({ memberCount: 3 })
  })
})

describe('handing a group over', () => {
  test('A10 PERM-04 handing over makes the member admin and the admin a member, and the old permission ends immediately', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const { $id: requestId } = await eva.call(requestToJoinOperation, { groupId })
    const changes = await describeRecordedChanges(w.database, people(), async () => {
      const group = await ana.call(handOverGroupOperation, {
        groupId,
        memberId: bea.id,
        currentUserId: ana.id,
      })
      expect(group).toMatchObject({
        adminId: bea.id,
        membership: 'member',
        can: { edit: false, leave: true },
      })
    })
    expect(changes).toEqual([
      'update groupMembers → Ana, group',
      'update groupMembers → Bea, group',
      'delete groupRequests → Ana',
      'update groups → everyone',
    ])
    expect(
      (await ana.call(listPendingJoinRequestsOperation, {})).documents.map((request) => request.$id),
    ).not.toContain(requestId)
    expect(await ana.refusal(approveJoinRequestOperation, { requestId })).toMatchObject({
      code: 403,
      message: 'Solo el admin del grupo puede aprobar solicitudes',
    })
    expect(await ana.refusal(updateGroupOperation, { groupId, name: 'Mío' })).toMatchObject({ code: 403 })
    await bea.call(approveJoinRequestOperation, { requestId })
    expect(await ana.call(listGroupMembersOperation, { groupId })).toMatchObject({
      documents: [{ role: 'member' }, { userId: bea.id, role: 'admin' }, { userId: ana.id, role: 'member' }],
    })
  })

  test('only the admin can hand a group over, and only to a member', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    expect(await bea.refusal(handOverGroupOperation, { groupId, memberId: bea.id })).toMatchObject({
      code: 403,
    })
    expect(await eva.refusal(handOverGroupOperation, { groupId, memberId: bea.id })).toMatchObject({
      code: 403,
    })
    expect(await ana.refusal(handOverGroupOperation, { groupId, memberId: eva.id })).toMatchObject({
      code: 404,
      type: 'group_member_not_found',
    })
    expect(await ana.call(handOverGroupOperation, { groupId, memberId: ana.id })).toMatchObject({
      adminId: ana.id,
    })
  })
})

test('none of the tests above broke a database invariant', async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
