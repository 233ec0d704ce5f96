import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkMembership,
  handOverGroup,
  leaveGroup,
  listMembers,
  removeMember,
} from '#contract/group-members.ts'
import { approveJoinRequest, listPendingJoinRequests, requestToJoin } from '#contract/group-requests.ts'
import { getGroup, listGroupPosts, updateGroup } from '#contract/groups.ts'
import { deletePost, getPost } from '#contract/posts.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { brokenInvariants } from '#tests/support/invariants.ts'
import { recordedChanges } from '#tests/support/recorded-changes.ts'
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
  test('GPAGE-07 are listed for members, who joined last first, by pages', async () => {
    const groupId = await createGroupWithMembers(ana, bea, cleo)
    const first = await bea.call(listMembers, { groupId, limit: 2 })
    expect(first.documents.map((member) => member.user.name)).toEqual(['Cleo', 'Bea'])
    const second = await bea.call(listMembers, { groupId, cursor: first.next as string })
    expect(second.documents).toMatchObject([{ userId: ana.id, role: 'admin' }])
    expect(first.documents[0]?.can).toEqual({ remove: false, handOver: false })
    const seenByAna = await ana.call(listMembers, { groupId })
    expect(seenByAna.documents.map((member) => member.can.remove)).toEqual([true, true, false])
    expect(seenByAna.documents.map((member) => member.can.handOver)).toEqual([true, true, false])
  })

  test('A20 are nobody else’s to see', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    expect((await eva.call(listMembers, { groupId })).documents).toEqual([])
    await eva.call(requestToJoin, { groupId })
    expect((await eva.call(listMembers, { groupId })).documents).toEqual([])
    expect(await ana.refusal(listMembers, { groupId: 'nothing' })).toMatchObject({ code: 404 })
  })

  test('GPAGE-16 the checks tell the truth about oneself and about those one shares the group with', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    await cleo.call(requestToJoin, { groupId })
    const table: [asker: MemberClient, of: MemberClient, isMember: boolean, isAdmin: boolean][] = [
      [ana, ana, true, true],
      [bea, bea, true, false],
      [cleo, cleo, false, false],
      [eva, eva, false, false],
      [bea, ana, true, true],
      [ana, bea, true, false],
      [ana, cleo, false, false],
      // Outsiders do not learn who is in.
      [cleo, ana, false, false],
      [eva, bea, false, false],
    ]
    for (const [asker, of, isMember, isAdmin] of table) {
      expect(await asker.call(checkMembership, { groupId, userId: of.id })).toEqual({ isMember, isAdmin })
    }
  })
})

describe('leaving', () => {
  test('she loses sight of everything but her own posts, which she may still delete', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const [anas, hers] = [
      await createPostInGroup(w.database, ana, groupId),
      await createPostInGroup(w.database, bea, groupId),
    ]
    const told = await recordedChanges(w.database, people(), async () => {
      expect(await bea.call(leaveGroup, { groupId, userId: bea.id })).toMatchObject({
        membership: 'none',
        memberCount: 1,
      })
    })
    expect(told).toEqual([
      // Of the others she hears that they are gone, of her they hear the same.
      'delete groupMembers → Bea',
      'delete groupMembers → Bea, group',
      'update groups → everyone',
      'delete posts → Bea',
    ])
    expect(await bea.refusal(listGroupPosts, { groupId })).toMatchObject({ code: 403 })
    expect(await bea.refusal(getPost, { postId: anas })).toMatchObject({ code: 403 })
    expect(await bea.call(getPost, { postId: hers })).toMatchObject({ can: { delete: true } })
    await bea.call(deletePost, { postId: hers })
    expect(await ana.refusal(getPost, { postId: hers })).toMatchObject({ code: 404 })
  })

  test('leaving twice is leaving once, and a stranger leaves nothing', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    await bea.call(leaveGroup, { groupId })
    for (const person of [bea, eva]) {
      expect(await person.call(leaveGroup, { groupId })).toMatchObject({ membership: 'none' })
    }
    expect(await ana.refusal(leaveGroup, { groupId: 'nothing' })).toMatchObject({ code: 404 })
  })

  test('the admin hands over first', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    expect(await ana.refusal(leaveGroup, { groupId })).toMatchObject({
      code: 409,
      message: 'El admin no puede salir del grupo sin transferirlo',
    })
    await ana.call(handOverGroup, { groupId, memberId: bea.id })
    expect(await ana.call(leaveGroup, { groupId })).toMatchObject({ membership: 'none', memberCount: 1 })
  })

  test('what she loses sight of is named newest first and not without bound', async () => {
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
    const told = await recordedChanges(w.database, people(), () => bea.call(leaveGroup, { groupId }))
    expect(told.filter((change) => change === 'delete posts → Bea')).toHaveLength(100)
  })
})

describe('removing', () => {
  test('the admin removes a member, who is told and sees the group as any stranger', async () => {
    const groupId = await createGroupWithMembers(ana, bea, cleo)
    const postId = await createPostInGroup(w.database, cleo, groupId)
    const told = await recordedChanges(w.database, people(), async () => {
      const input = { groupId, memberId: bea.id, currentUserId: ana.id }
      expect(await ana.call(removeMember, input)).toMatchObject({ memberCount: 2 })
    })
    expect(told).toContain('delete posts → Bea')
    expect(told).toContain('delete groupMembers → Bea, group')
    expect(await bea.call(getGroup, { groupId })).toMatchObject({ membership: 'none' })
    expect(await bea.refusal(getPost, { postId })).toMatchObject({ code: 403 })
    expect(await cleo.call(getPost, { postId })).toMatchObject({ $id: postId })
  })

  test('nobody else removes anybody', async () => {
    const groupId = await createGroupWithMembers(ana, bea, cleo)
    expect(await bea.refusal(removeMember, { groupId, memberId: cleo.id })).toMatchObject({ code: 403 })
    expect(await bea.refusal(removeMember, { groupId, memberId: ana.id })).toMatchObject({ code: 403 })
    expect(await eva.refusal(removeMember, { groupId, memberId: cleo.id })).toMatchObject({ code: 404 })
    expect(await ana.refusal(removeMember, { groupId, memberId: eva.id })).toMatchObject({
      code: 404,
      type: 'group_member_not_found',
    })
    expect(await ana.refusal(removeMember, { groupId, memberId: ana.id })).toMatchObject({ code: 409 })
    const forged = { groupId, memberId: cleo.id, currentUserId: ana.id }
    expect(await bea.refusal(removeMember, forged)).toMatchObject({ code: 403 })
    expect(await ana.call(getGroup, { groupId })).toMatchObject({ memberCount: 3 })
  })
})

describe('handing over', () => {
  test('A10 PERM-04 the member becomes the admin, the admin a member, and the old right is gone at once', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    const { $id: requestId } = await eva.call(requestToJoin, { groupId })
    const told = await recordedChanges(w.database, people(), async () => {
      const group = await ana.call(handOverGroup, { groupId, memberId: bea.id, currentUserId: ana.id })
      expect(group).toMatchObject({
        adminId: bea.id,
        membership: 'member',
        can: { edit: false, leave: true },
      })
    })
    expect(told).toEqual([
      'update groupMembers → Ana, group',
      'update groupMembers → Bea, group',
      'delete groupRequests → Ana',
      'update groups → everyone',
    ])
    expect(
      (await ana.call(listPendingJoinRequests, {})).documents.map((request) => request.$id),
    ).not.toContain(requestId)
    expect(await ana.refusal(approveJoinRequest, { requestId })).toMatchObject({
      code: 403,
      message: 'Solo el admin del grupo puede aprobar solicitudes',
    })
    expect(await ana.refusal(updateGroup, { groupId, name: 'Mío' })).toMatchObject({ code: 403 })
    await bea.call(approveJoinRequest, { requestId })
    expect(await ana.call(listMembers, { groupId })).toMatchObject({
      documents: [{ role: 'member' }, { userId: bea.id, role: 'admin' }, { userId: ana.id, role: 'member' }],
    })
  })

  test('only the admin hands over, and only to a member', async () => {
    const groupId = await createGroupWithMembers(ana, bea)
    expect(await bea.refusal(handOverGroup, { groupId, memberId: bea.id })).toMatchObject({ code: 403 })
    expect(await eva.refusal(handOverGroup, { groupId, memberId: bea.id })).toMatchObject({ code: 403 })
    expect(await ana.refusal(handOverGroup, { groupId, memberId: eva.id })).toMatchObject({
      code: 404,
      type: 'group_member_not_found',
    })
    expect(await ana.call(handOverGroup, { groupId, memberId: ana.id })).toMatchObject({ adminId: ana.id })
  })
})

test('nothing of all this broke an invariant', async () => {
  expect(await brokenInvariants(w.database)).toEqual([])
})
