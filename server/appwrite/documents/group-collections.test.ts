import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handOverGroupOperation } from '#contract/groups/group-members.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
  documentNotFoundRefusalText,
  formatRefusalText,
  invalidStructureRefusalText,
  postContentFixture,
  unauthorizedRefusalText,
} from '../../../tests/support/appwrite-documents-client.ts'

let w: TestWorld
let gala: MemberClient
let mia: MemberClient
let eva: MemberClient
let boss: MemberClient
let knit: string
beforeAll(async () => {
  w = await createTestWorld()
  gala = await w.join('Gala')
  mia = await w.join('Mia')
  eva = await w.join('Eva')
  boss = await w.join('Boss')
  knit = await createGroupWithMembers(gala, mia)
  await createGroupWithMembers(boss)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const groups = (person: MemberClient) => createAppwriteDocumentsClient(person, 'groups')
const members = (person: MemberClient) => createAppwriteDocumentsClient(person, 'groupMembers')
const requests = (person: MemberClient) => createAppwriteDocumentsClient(person, 'groupRequests')

describe('a group', () => {
  test("GCRE-11 DATA-07 a client's payload creates a group with its admin as the first member", async () => {
    const imageId = await insertUploadedImageRow(w.database, gala)
    const sent = {
      name: 'Tejer',
      description: 'Con lana',
      adminId: gala.id,
      isPrivate: true,
      imageId,
      memberCount: 500,
    }
    const { status, body } = await groups(gala).create(sent)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Tejer',
      description: 'Con lana',
      adminId: gala.id,
      isPrivate: true,
      imageId,
      imageUrl: expect.stringContaining(`/files/${imageId}/preview`),
      memberCount: 1,
    })
    const [membership] = await members(gala).all(buildAppwriteEqualQuery('groupId', body.$id))
    expect(membership).toMatchObject({ groupId: body.$id, userId: gala.id, role: 'admin' })
    expect((await groups(gala).made({ name: 'Sin foto' })).imageUrl).toBe('')
  })

  test('A11 PERM-07 a member cannot create a group in the name of another member, or a public group', async () => {
    const forged = { name: 'De Mia', adminId: mia.id, memberCount: 500 }
    expect(formatRefusalText(await groups(eva).create(forged))).toBe(unauthorizedRefusalText)
    expect(await groups(eva).all(buildAppwriteEqualQuery('name', 'De Mia'))).toEqual([])
    expect(formatRefusalText(await groups(eva).create({ name: 'Tejer', isPrivate: false }))).toBe(
      invalidStructureRefusalText,
    )
    const nameless = await groups(eva).create({ name: '' })
    expect(nameless.body.message).toContain('Group name is required')
  })

  test('A09 A11 GR3 GR4 GR5 only the admin edits a group, and not its member count, admin or privacy', async () => {
    expect(formatRefusalText(await groups(mia).patch(knit, { name: 'Robado' }))).toBe(unauthorizedRefusalText)
    expect(formatRefusalText(await groups(mia).patch(knit, { adminId: mia.id }))).toBe(
      unauthorizedRefusalText,
    )
    expect(formatRefusalText(await groups(gala).patch(knit, { adminId: mia.id }))).toBe(
      invalidStructureRefusalText,
    )
    expect(formatRefusalText(await groups(gala).patch(knit, { isPrivate: false }))).toBe(
      invalidStructureRefusalText,
    )
    const before = (await groups(gala).get(knit)).body
    expect((await groups(gala).patch(knit, { memberCount: 9999 })).body).toEqual(before)
    expect((await groups(eva).patch(knit, { memberCount: 0 })).body).toMatchObject({ memberCount: 2 })
    const renamed = await groups(gala).patch(knit, { name: 'Lana', description: null, memberCount: 7 })
    expect(renamed.body).toMatchObject({ name: 'Lana', description: '', memberCount: 2, adminId: gala.id })
  })

  test('GR6 only the admin deletes a group, together with its posts, members and requests', async () => {
    const group = await createGroupWithMembers(gala, mia)
    const imageId = await insertUploadedImageRow(w.database, mia)
    const post = await createAppwriteDocumentsClient(mia, 'posts').made({
      ...postContentFixture,
      imageId,
      groupId: group,
    })
    for (const person of [mia, eva, boss])
      expect(formatRefusalText(await groups(person).remove(group))).toBe(unauthorizedRefusalText)
    expect((await groups(gala).remove(group)).status).toBe(204)
    expect(formatRefusalText(await groups(gala).get(group))).toBe(documentNotFoundRefusalText)
    expect(formatRefusalText(await createAppwriteDocumentsClient(mia, 'posts').get(post.$id))).toBe(
      documentNotFoundRefusalText,
    )
    expect(await members(mia).all(buildAppwriteEqualQuery('groupId', group))).toEqual([])
  })
})

describe('memberships', () => {
  test("DATA-08 a member reads the role and joining time of all members; a stranger and another group's admin find nobody", async () => {
    const all = await members(mia).all(buildAppwriteEqualQuery('groupId', knit))
    expect(all.map(({ userId, role }) => [userId, role])).toEqual([
      [gala.id, 'admin'],
      [mia.id, 'member'],
    ])
    expect(all[0]?.joinedAt).toBe(all[0]?.$createdAt)
    for (const person of [eva, boss]) {
      expect((await members(person).list(buildAppwriteEqualQuery('groupId', knit))).body).toEqual({
        total: 0,
        documents: [],
      })
      expect(formatRefusalText(await members(person).get(String(all[0]?.$id)))).toBe(
        documentNotFoundRefusalText,
      )
    }
  })

  test("A20 a member finds another member's memberships of shared groups only", async () => {
    const secret = await createGroupWithMembers(mia)
    expect((await members(eva).list(buildAppwriteEqualQuery('userId', mia))).body.total).toBe(0)
    const seen = await members(gala).all(buildAppwriteEqualQuery('userId', mia))
    expect(seen.map(({ groupId }) => groupId)).toEqual([knit])
    expect(
      (await members(mia).all(buildAppwriteEqualQuery('userId', mia))).map(({ groupId }) => groupId),
    ).toContain(secret)
  })

  test('A08 GM3 nobody can add themselves or another member to a group, in any role', async () => {
    for (const [person, userId] of [
      [eva, eva.id],
      [mia, eva.id],
      [gala, eva.id],
      [boss, boss.id],
    ] as const) {
      for (const role of ['admin', 'member']) {
        expect(formatRefusalText(await members(person).create({ groupId: knit, userId, role }))).toBe(
          unauthorizedRefusalText,
        )
      }
    }
    expect(
      formatRefusalText(await members(mia).create({ groupId: knit, userId: mia.id, role: 'admin' })),
    ).toBe(unauthorizedRefusalText)
    expect(
      formatRefusalText(await members(gala).create({ groupId: knit, userId: eva.id, role: 'boss' })),
    ).toBe(invalidStructureRefusalText)
    expect((await groups(gala).get(knit)).body.memberCount).toBe(2)
  })

  test('A09 GM4 nobody can change a role', async () => {
    const before = await members(mia).all(buildAppwriteEqualQuery('groupId', knit))
    const own = String(before[1]?.$id)
    for (const person of [mia, gala]) {
      expect(formatRefusalText(await members(person).patch(own, { role: 'admin' }))).toBe(
        unauthorizedRefusalText,
      )
    }
    expect(formatRefusalText(await members(eva).patch(own, { role: 'admin' }))).toBe(
      documentNotFoundRefusalText,
    )
    expect(await members(mia).all(buildAppwriteEqualQuery('groupId', knit))).toEqual(before)
  })

  test('GM5 a member leaves or the admin removes her; nobody else can remove her, and the admin cannot leave', async () => {
    const nora = await w.join('Nora')
    const group = await createGroupWithMembers(gala, mia, nora)
    const rowOf = async (person: MemberClient) =>
      String(
        (
          await members(gala).all(
            buildAppwriteEqualQuery('groupId', group),
            buildAppwriteEqualQuery('userId', person),
          )
        )[0]?.$id,
      )
    const [galas, mias, noras] = [await rowOf(gala), await rowOf(mia), await rowOf(nora)]
    expect(formatRefusalText(await members(mia).remove(noras))).toBe(unauthorizedRefusalText)
    expect(formatRefusalText(await members(eva).remove(noras))).toBe(documentNotFoundRefusalText)
    expect((await members(gala).remove(noras)).status).toBe(204)
    expect((await members(mia).remove(mias)).status).toBe(204)
    expect(formatRefusalText(await members(gala).remove(galas))).toBe('409 group_admin_cannot_leave')
    expect((await groups(gala).get(group)).body.memberCount).toBe(1)
  })
})

describe('requests to join', () => {
  test('GRP-26 DATA-09 a request to join is pending; a second request, or a request by a member, gets 409', async () => {
    const lia = await w.join('Lia')
    const asked = await requests(lia).made({ groupId: knit, userId: lia.id, status: 'pending' })
    expect(asked).toMatchObject({ groupId: knit, userId: lia.id, status: 'pending' })
    expect(asked.requestedAt).toBe(asked.$createdAt)
    const again = await requests(lia).create({ groupId: knit, userId: lia.id })
    expect(formatRefusalText(again)).toBe('409 group_request_pending')
    expect(again.body.message).toBe('Ya tienes una solicitud pendiente para este grupo')
    const member = await requests(mia).create({ groupId: knit, userId: mia.id })
    expect(formatRefusalText(member)).toBe('409 group_already_member')
    expect(member.body.message).toBe('Ya eres miembro de este grupo')
  })

  test('PERM-07 GQ3 nobody can request to join for another member, or create an accepted request', async () => {
    const lola = await w.join('Lola')
    expect(formatRefusalText(await requests(eva).create({ groupId: knit, userId: lola.id }))).toBe(
      unauthorizedRefusalText,
    )
    expect(formatRefusalText(await requests(eva).create({ groupId: knit, status: 'accepted' }))).toBe(
      invalidStructureRefusalText,
    )
    expect(formatRefusalText(await requests(eva).create({ groupId: 'nothing' }))).toBe(
      documentNotFoundRefusalText,
    )
    expect(await requests(lola).all()).toEqual([])
  })

  test('GREQ-17 GQ4 when the admin accepts, the member joins, the member count grows and the request is processed', async () => {
    const nina = await w.join('Nina')
    const request = await requests(nina).made({ groupId: knit })
    const count = Number((await groups(gala).get(knit)).body.memberCount)
    const accepted = await requests(gala).patch(request.$id, { status: 'accepted' })
    expect(accepted.body).toMatchObject({ status: 'accepted', userId: nina.id })
    expect((await groups(gala).get(knit)).body.memberCount).toBe(count + 1)
    expect(
      await members(nina).all(
        buildAppwriteEqualQuery('groupId', knit),
        buildAppwriteEqualQuery('userId', nina),
      ),
    ).toMatchObject([{ role: 'member' }])
    for (const status of ['accepted', 'rejected']) {
      const late = await requests(gala).patch(request.$id, { status })
      expect(formatRefusalText(late)).toBe('409 group_request_processed')
      expect(late.body.message).toBe('Esta solicitud ya fue procesada')
    }
    expect(formatRefusalText(await requests(gala).patch(request.$id, { status: 'pending' }))).toBe(
      invalidStructureRefusalText,
    )
  })

  test('A07 GQ5 only the admin decides about a request: the requester is refused, and others find nothing', async () => {
    const olga = await w.join('Olga')
    const request = await requests(olga).made({ groupId: knit })
    const approving = await requests(olga).patch(request.$id, { status: 'accepted' })
    expect(formatRefusalText(approving)).toBe(unauthorizedRefusalText)
    expect(approving.body.message).toBe('Solo el admin del grupo puede aprobar solicitudes')
    const rejecting = await requests(olga).patch(request.$id, { status: 'rejected' })
    expect(rejecting.body.message).toBe('Solo el admin del grupo puede rechazar solicitudes')
    for (const person of [mia, boss, eva]) {
      expect(formatRefusalText(await requests(person).patch(request.$id, { status: 'accepted' }))).toBe(
        documentNotFoundRefusalText,
      )
      expect(formatRefusalText(await requests(person).get(request.$id))).toBe(documentNotFoundRefusalText)
    }
    expect((await requests(olga).get(request.$id)).body.status).toBe('pending')
    expect((await requests(gala).patch(request.$id, { status: 'rejected' })).body.status).toBe('rejected')
    // The latest request counts, and a new request may follow a rejection.
    expect((await requests(olga).create({ groupId: knit })).status).toBe(201)
  })

  test('GQ6 GQ7 nobody changes the group or person of a request, and the requester withdraws it while it is pending', async () => {
    const pia = await w.join('Pia')
    const request = await requests(pia).made({ groupId: knit })
    const other = await createGroupWithMembers(boss)
    for (const person of [pia, gala]) {
      expect(formatRefusalText(await requests(person).patch(request.$id, { groupId: other }))).toBe(
        invalidStructureRefusalText,
      )
      expect(formatRefusalText(await requests(person).patch(request.$id, { userId: eva.id }))).toBe(
        invalidStructureRefusalText,
      )
      expect(formatRefusalText(await requests(person).patch(request.$id, { status: 'maybe' }))).toBe(
        invalidStructureRefusalText,
      )
    }
    expect(formatRefusalText(await requests(gala).remove(request.$id))).toBe(unauthorizedRefusalText)
    expect(formatRefusalText(await requests(eva).remove(request.$id))).toBe(documentNotFoundRefusalText)
    expect((await requests(pia).remove(request.$id)).status).toBe(204)
    const rejected = await requests(pia).made({ groupId: knit })
    await requests(gala).patch(rejected.$id, { status: 'rejected' })
    expect(formatRefusalText(await requests(pia).remove(rejected.$id))).toBe('409 group_request_processed')
  })

  test('GQ1 a requester sees her own requests, and an admin sees the requests to her groups', async () => {
    const rita = await w.join('Rita')
    const request = await requests(rita).made({ groupId: knit })
    expect(documentIdsOf(await requests(rita).all())).toEqual([request.$id])
    expect(
      documentIdsOf(
        await requests(gala).all(
          buildAppwriteEqualQuery('status', 'pending'),
          buildAppwriteEqualQuery('groupId', knit),
        ),
      ),
    ).toContain(request.$id)
    for (const person of [mia, boss, eva]) {
      expect(
        documentIdsOf(await requests(person).all(buildAppwriteEqualQuery('groupId', knit))),
      ).not.toContain(request.$id)
    }
  })

  test('A10 an admin who hands over the group can no longer accept requests', async () => {
    const sol = await w.join('Sol')
    const group = await createGroupWithMembers(gala, mia)
    const request = await requests(sol).made({ groupId: group })
    await gala.call(handOverGroupOperation, { groupId: group, memberId: mia.id })
    expect(formatRefusalText(await requests(gala).patch(request.$id, { status: 'accepted' }))).toBe(
      documentNotFoundRefusalText,
    )
    expect((await requests(mia).patch(request.$id, { status: 'accepted' })).status).toBe(200)
  })

  test('C05 only one of ten simultaneous approvals of one request admits the member', async () => {
    const uma = await w.join('Uma')
    const request = await requests(uma).made({ groupId: knit })
    const count = Number((await groups(gala).get(knit)).body.memberCount)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => requests(gala).patch(request.$id, { status: 'accepted' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(
      answers.filter((answer) => formatRefusalText(answer) === '409 group_request_processed'),
    ).toHaveLength(9)
    expect((await groups(gala).get(knit)).body.memberCount).toBe(count + 1)
  })
})

describe('the posts of a group', () => {
  test('PG1 PERM-05 a stranger gets an error for the posts of a group, and other lists omit the posts', async () => {
    const imageId = await insertUploadedImageRow(w.database, mia)
    const post = await createAppwriteDocumentsClient(mia, 'posts').made({
      ...postContentFixture,
      caption: 'Secreto',
      imageId,
      groupId: knit,
    })
    const refused = await createAppwriteDocumentsClient(eva, 'posts').list(
      buildAppwriteEqualQuery('groupId', knit),
    )
    expect(formatRefusalText(refused)).toBe('401 user_unauthorized')
    expect(refused.body.message).toBe('No tienes acceso a los posts de este grupo')
    expect(
      documentIdsOf(
        await createAppwriteDocumentsClient(gala, 'posts').all(buildAppwriteEqualQuery('groupId', knit)),
      ),
    ).toContain(post.$id)
    for (const query of [
      buildAppwriteEqualQuery('creator', mia),
      'search("caption", ["secreto"])',
      'isNotNull("groupId")',
    ]) {
      expect(documentIdsOf(await createAppwriteDocumentsClient(eva, 'posts').all(query))).toEqual([])
    }
    expect(
      documentIdsOf(await createAppwriteDocumentsClient(gala, 'posts').all('isNull("groupId")')),
    ).not.toContain(post.$id)
  })
})
