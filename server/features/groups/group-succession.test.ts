import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { closeAccountOperation } from '#contract/account/account-settings.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { getDeletionPlanOperation, requestDeletionOperation } from '#contract/deletion/deletion.ts'
import {
  declineGroupOperation,
  handOverGroupOperation,
  leaveGroupOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import { getGroupOperation, listMyGroupsOperation } from '#contract/groups/groups.ts'
import { decideAppealOperation } from '#contract/moderation/cases.ts'
import { appealSuspensionOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { createPostOperation, getHomeFeedOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { appointModeratorOnDuty, claimAndDecide, reportSubject } from '#tests/support/report-and-moderate.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { extractCookieHeader } from '#tests/support/sent-messages.ts'
import { describeNotification, readNotifications } from '#tests/support/settle-notifications.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'

let w: TestWorld
let mo: MemberClient
let mia: MemberClient
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ;[mo, mia, ana] = [await w.join('Mo'), await w.join('Mia'), await w.join('Ana')]
  for (const who of [mo, mia]) await appointModeratorOnDuty(w.database, who)
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

const query = async (text: string, values: unknown[] = []) => (await w.database.pool.query(text, values)).rows
const adminOf = async (groupId: string) =>
  (
    await query('select u.public_id from groups g join users u on u.id = g.admin_id where g.public_id = $1', [
      groupId,
    ])
  )[0]?.public_id
const signIn = ({ email }: MemberClient) =>
  w.visitor.request('POST', '/v1/sessions', { email, password: testPassword })
const requestDeletion = async (her: MemberClient, heirs: Record<string, string> = {}) =>
  her.call(requestDeletionOperation, {
    username: (await her.call(getCurrentMemberOperation, {})).username,
    password: testPassword,
    heirs,
  })
const suspend = async (her: MemberClient) => {
  const postId = await createPostInGroup(w.database, her, null)
  const { caseId } = await reportSubject(w.database, ana, { kind: 'post', id: postId }, 'threat')
  await claimAndDecide(mo, caseId, { decision: 'suspend', text: 'Busca a una persona', days: 7 })
  return caseId
}
const comeBack = async (her: MemberClient) => {
  const signedIn = await signIn(her)
  if (signedIn.status === 201)
    await w.visitor.request('DELETE', '/v1/me/deletion', undefined, { cookie: extractCookieHeader(signedIn) })
  else
    await query(
      `with lifted as (update suspensions set lifted_at = clock_timestamp() where account_id = (select id from accounts where public_id = $1))
       update accounts set status = 'active' where public_id = $1`,
      [her.accountId],
    )
}
const endByTime = async (her: MemberClient) => {
  await query(
    `update suspensions s set created_at = s.created_at - interval '8 days', ends_at = clock_timestamp() - interval '1 second'
     from accounts a where a.id = s.account_id and a.public_id = $1 and s.lifted_at is null`,
    [her.accountId],
  )
}
const withNewSession = async (her: MemberClient): Promise<MemberClient> => ({
  ...her,
  ...createApiClient(w.app, extractCookieHeader(await signIn(her))),
})
const erase = async (her: MemberClient) => {
  await requestDeletion(her)
  await eraseNow(her)
}
const eraseNow = async (her: MemberClient) => {
  const { username } = (await query('select username from users where public_id = $1', [her.id]))[0]
  const cookie = extractCookieHeader(await signIn(her))
  await w.visitor.request('PUT', '/v1/me/deletion', { username, password: testPassword }, { cookie })
  await waitFor(async () => {
    const [account] = await query('select erased_at from accounts where public_id = $1', [her.accountId])
    expect(account.erased_at).not.toBeNull()
  })
}

const paths: Record<string, (her: MemberClient) => Promise<unknown>> = {
  'closes her account for a while': (her) => her.call(closeAccountOperation, {}),
  'closes her account by the Appwrite API': (her) => her.request('PATCH', '/v1/account/status', {}),
  'deletes her account': (her) => requestDeletion(her),
  'is suspended': suspend,
}
const separations: Record<string, (admin: MemberClient, other: MemberClient) => Promise<unknown>> = {
  'she blocked': (admin, other) => admin.call(blockMemberOperation, { personId: other.id }),
  'who blocked her': (admin, other) => other.call(blockMemberOperation, { personId: admin.id }),
}

describe.each(Object.entries(paths))('bea %s', (_path, away) => {
  test.each(Object.entries(separations))(
    "GRP-27 bea's group does not pass to an oldest member %s",
    async (_, separate) => {
      const [bea, x, cleo] = [await w.join('Bea'), await w.join('Equis'), await w.join('Cleo')]
      const group = await createGroupWithMembers(bea, x, cleo)
      await separate(bea, x)
      const plan = (await bea.call(getDeletionPlanOperation, {})).groups
      expect(plan.map(({ heirs }) => heirs.map(({ $id }) => $id))).toEqual([[cleo.id]])
      await away(bea)
      expect(await adminOf(group)).toBe(cleo.id)
      expect((await x.call(getGroupOperation, { groupId: group })).membership).toBe('member')
    },
  )

  test.each(Object.entries(separations))(
    'GRP-28 a group whose only other member is one %s is hidden until bea is back',
    async (_, separate) => {
      const [bea, x] = [await w.join('Bea'), await w.join('Equis')]
      const group = await createGroupWithMembers(bea, x)
      const postOfBea = await createPostInGroup(w.database, bea, group)
      await createPostInGroup(w.database, x, group)
      await separate(bea, x)
      await away(bea)
      expect(await adminOf(group)).toBe(bea.id)
      expect((await x.ask(getGroupOperation, { groupId: group })).status).toBe(404)
      expect((await x.ask(getPostOperation, { postId: postOfBea })).status).toBe(404)
      expect((await x.call(listMyGroupsOperation, {})).documents).toEqual([])
      expect((await x.call(getHomeFeedOperation, {})).documents.map(({ groupId }) => groupId)).not.toContain(
        group,
      )
      expect((await x.ask(leaveGroupOperation, { groupId: group })).status).toBe(404)
      const written = await x.ask(createPostOperation, {
        ...{ caption: 'Hola a todas', location: 'Casa', tags: [], groupId: group },
        imageId: await insertUploadedImageRow(w.database, x),
      })
      expect(written.body).toMatchObject({ type: 'group_membership_required' })
      for (const collection of ['groups', 'groupMembers'])
        expect(
          JSON.stringify((await createAppwriteDocumentsClient(x, collection).list()).body),
        ).not.toContain(group)
      const groups = createAppwriteDocumentsClient(x, 'groups')
      expect((await groups.patch(group, { adminId: x.id })).status).toBe(404)
      expect((await groups.remove(group)).status).toBe(404)

      await comeBack(bea)
      expect(await adminOf(group)).toBe(bea.id)
      expect((await x.call(getGroupOperation, { groupId: group })).membership).toBe('member')
      expect((await x.call(listMyGroupsOperation, {})).documents.map(({ $id }) => $id)).toEqual([group])
    },
  )

  test('GRP-29 cleo is notified that the group passed to her, and declining it passes the group to the next member', async () => {
    const [bea, cleo, dora] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Dora')]
    const group = await createGroupWithMembers(bea, cleo, dora)
    expect(await cleo.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
    await away(bea)
    const [notification] = await readNotifications(w.database, cleo)
    expect(notification && [describeNotification(notification), notification.group?.$id]).toEqual([
      'group-handover',
      group,
    ])
    expect((await cleo.call(getGroupOperation, { groupId: group })).can.decline).toBe(true)
    expect(await dora.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
    await cleo.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(dora.id)
    expect((await readNotifications(w.database, cleo)).map(({ kind }) => kind)).not.toContain(
      'group-handover',
    )
    expect((await readNotifications(w.database, dora)).map(({ kind }) => kind)).toContain('group-handover')
    expect((await dora.call(getGroupOperation, { groupId: group })).can.decline).toBe(false)
    expect(await dora.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
    await comeBack(bea)
    await dora.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(bea.id)
    expect((await dora.call(getGroupOperation, { groupId: group })).membership).toBe('member')
  })
})

test('GRP-27 GRP-29 cleo cannot decline a group of bea that only someone whom bea blocked could have', async () => {
  const [bea, cleo, x] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Equis')]
  const group = await createGroupWithMembers(bea, cleo, x)
  await bea.call(blockMemberOperation, { personId: x.id })
  await bea.call(closeAccountOperation, {})
  expect(await cleo.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
  expect(await adminOf(group)).toBe(cleo.id)
  expect((await x.call(getGroupOperation, { groupId: group })).membership).toBe('member')
})

test('GRP-27 after two successions a group does not go to someone blocked by its first admin', async () => {
  const [bea, cleo, x] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Equis')]
  const group = await createGroupWithMembers(bea, cleo, x)
  await bea.call(blockMemberOperation, { personId: x.id })
  await bea.call(closeAccountOperation, {})
  await cleo.call(closeAccountOperation, {})
  expect(await adminOf(group)).toBe(cleo.id)
  expect((await x.ask(getGroupOperation, { groupId: group })).status).toBe(404)
})

test('GRP-29 a declined group returns to bea after she has reopened her account', async () => {
  const [bea, cleo, dora] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Dora')]
  const group = await createGroupWithMembers(bea, cleo, dora)
  await bea.call(closeAccountOperation, {})
  await signIn(bea)
  expect(await adminOf(group)).toBe(cleo.id)
  await cleo.call(declineGroupOperation, { groupId: group })
  expect(await adminOf(group)).toBe(bea.id)
})

describe('GRP-29 a group that cleo declines after bea has reopened her account', () => {
  const passToCleo = async (...others: MemberClient[]) => {
    const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
    const group = await createGroupWithMembers(bea, cleo, ...others)
    await bea.call(closeAccountOperation, {})
    await signIn(bea)
    expect(await adminOf(group)).toBe(cleo.id)
    return { bea: await withNewSession(bea), cleo, group }
  }
  const canDecline = async (who: MemberClient, groupId: string) =>
    (await who.call(getGroupOperation, { groupId })).can.decline
  const reasons: Record<string, (bea: MemberClient, cleo: MemberClient, group: string) => Promise<unknown>> =
    {
      'if bea has left it': (bea, _cleo, groupId) => bea.call(leaveGroupOperation, { groupId }),
      'if bea has blocked cleo': (bea, cleo) => bea.call(blockMemberOperation, { personId: cleo.id }),
      'if cleo has blocked bea': (bea, cleo) => cleo.call(blockMemberOperation, { personId: bea.id }),
    }

  test.each(Object.entries(reasons))('passes to dora %s', async (_, happen) => {
    const dora = await w.join('Dora')
    const { bea, cleo, group } = await passToCleo(dora)
    await happen(bea, cleo, group)
    await cleo.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(dora.id)
    expect((await dora.call(getGroupOperation, { groupId: group })).membership).toBe('admin')
  })

  test.each(Object.entries(reasons))(
    'stays with cleo, who cannot decline it, %s and nobody else can have it',
    async (_, happen) => {
      const { bea, cleo, group } = await passToCleo()
      expect(await canDecline(cleo, group)).toBe(true)
      await happen(bea, cleo, group)
      expect(await canDecline(cleo, group)).toBe(false)
      expect(await cleo.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
      expect(await adminOf(group)).toBe(cleo.id)
    },
  )

  test.each([
    ['has closed her account again', (bea: MemberClient) => bea.call(closeAccountOperation, {})],
    ['is suspended', suspend],
    ['waits for deletion', requestDeletion],
  ] as const)('passes to dora if bea %s, and dora cannot decline it', async (_, leave) => {
    const dora = await w.join('Dora')
    const { bea, cleo, group } = await passToCleo(dora)
    await leave(bea)
    await cleo.call(declineGroupOperation, { groupId: group })
    expect(await adminOf(group)).toBe(dora.id)
    expect(await canDecline(dora, group)).toBe(false)
    expect(await dora.refusal(declineGroupOperation, { groupId: group })).toMatchObject({ code: 403 })
    expect((await cleo.call(getGroupOperation, { groupId: group })).membership).toBe('member')
  })
})

test('GRP-29 after cleo hands her new group over by hand and gets it back, she can no longer decline it', async () => {
  const [bea, cleo, dora] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Dora')]
  const groupId = await createGroupWithMembers(bea, cleo, dora, await w.join('Eva'))
  await bea.call(closeAccountOperation, {})
  await cleo.call(handOverGroupOperation, { groupId, memberId: dora.id })
  await dora.call(handOverGroupOperation, { groupId, memberId: cleo.id })
  expect((await cleo.call(getGroupOperation, { groupId })).can.decline).toBe(false)
  expect(await cleo.refusal(declineGroupOperation, { groupId })).toMatchObject({ code: 403 })
  expect(await adminOf(groupId)).toBe(cleo.id)
  expect((await readNotifications(w.database, cleo)).map(({ kind }) => kind)).not.toContain('group-handover')

  await cleo.call(closeAccountOperation, {})
  expect((await dora.call(getGroupOperation, { groupId })).can.decline).toBe(true)
})

test('GRP-28 a group without a successor is deleted after the grace period, and does not pass to a blocked member', async () => {
  const [bea, x] = [await w.join('Bea'), await w.join('Equis')]
  const group = await createGroupWithMembers(bea, x)
  await bea.call(blockMemberOperation, { personId: x.id })
  expect((await bea.call(getDeletionPlanOperation, {})).groups).toMatchObject([{ $id: group, heirs: [] }])
  await erase(bea)
  expect(await query('select from groups where public_id = $1', [group])).toEqual([])
})

test("GRP-27 erasing bea's account passes her group to a returned member, not to the member she blocked", async () => {
  const [bea, x, cleo] = [await w.join('Bea'), await w.join('Equis'), await w.join('Cleo')]
  const group = await createGroupWithMembers(bea, x, cleo)
  await bea.call(blockMemberOperation, { personId: x.id })
  await cleo.call(closeAccountOperation, {})
  await requestDeletion(bea)
  expect(await adminOf(group)).toBe(bea.id)
  await signIn(cleo)
  await eraseNow(bea)
  expect(await adminOf(group)).toBe(cleo.id)
})

test("GRP-28 a group whose other members are blocked or have closed accounts is deleted with bea's account", async () => {
  const [bea, x, cleo] = [await w.join('Bea'), await w.join('Equis'), await w.join('Cleo')]
  const group = await createGroupWithMembers(bea, x, cleo)
  await bea.call(blockMemberOperation, { personId: x.id })
  await cleo.call(closeAccountOperation, {})
  await erase(bea)
  expect(await query('select from groups where public_id = $1', [group])).toEqual([])
  await signIn(cleo)
  for (const her of [x, await withNewSession(cleo)])
    expect((await her.call(listMyGroupsOperation, {})).documents).toEqual([])
})

test('DEL-03 bea cannot choose a successor if either has blocked the other', async () => {
  const [bea, x, cleo] = [await w.join('Bea'), await w.join('Equis'), await w.join('Cleo')]
  const group = await createGroupWithMembers(bea, cleo, x)
  await x.call(blockMemberOperation, { personId: bea.id })
  const { username } = await bea.call(getCurrentMemberOperation, {})
  expect(
    await bea.refusal(requestDeletionOperation, {
      ...{ username, password: testPassword },
      heirs: { [group]: x.id },
    }),
  ).toMatchObject({ code: 404, type: 'group_member_not_found' })
})

const overturn = async (her: MemberClient, caseId: string) => {
  await w.visitor.ask(appealSuspensionOperation, {
    ...{ email: her.email, password: testPassword, text: 'Era mi hermana' },
  })
  await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tiene razón' })
}

describe('GRP-30 an overturned suspension of bea', () => {
  test('an overturned suspension gives bea back the groups that she would still have', async () => {
    const [bea, cleo, dora] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Dora')]
    const handedOn = await createGroupWithMembers(bea, cleo, dora)
    const left = await createGroupWithMembers(bea, cleo)
    const kept = await createGroupWithMembers(bea, cleo)
    const caseId = await suspend(bea)
    // The test deletes the row directly, because nobody can see a suspended member.
    await query(
      `delete from group_members m using groups g, users u where m.group_id = g.id and m.user_id = u.id
       and g.public_id = $1 and u.public_id = $2`,
      [left, bea.id],
    )
    await cleo.call(handOverGroupOperation, { groupId: handedOn, memberId: dora.id })
    await overturn(bea, caseId)
    expect([await adminOf(handedOn), await adminOf(left), await adminOf(kept)]).toEqual([
      dora.id,
      cleo.id,
      bea.id,
    ])
  })

  test.each(Object.entries(separations))(
    "an overturned suspension leaves bea's group with cleo if cleo is a member %s",
    async (_, separate) => {
      const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
      const group = await createGroupWithMembers(bea, cleo)
      const caseId = await suspend(bea)
      await w.visitor.ask(appealSuspensionOperation, {
        ...{ email: bea.email, password: testPassword, text: 'Era mi hermana' },
      })
      await endByTime(bea)
      await separate(await withNewSession(bea), cleo)
      await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tiene razón' })
      expect(await adminOf(group)).toBe(cleo.id)
    },
  )

  test('an overturned suspension does not return a group that bea left and rejoined after the suspension ended', async () => {
    const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
    const group = await createGroupWithMembers(bea, cleo)
    const caseId = await suspend(bea)
    await w.visitor.ask(appealSuspensionOperation, {
      ...{ email: bea.email, password: testPassword, text: 'Era mi hermana' },
    })
    await endByTime(bea)
    const returned = await withNewSession(bea)
    await returned.call(leaveGroupOperation, { groupId: group })
    await admitMemberToGroup(cleo, returned, group)
    await mia.call(decideAppealOperation, { caseId, outcome: 'overturned', text: 'Tiene razón' })
    expect(await adminOf(group)).toBe(cleo.id)
  })

  test('bea gets her group back after two successions when her suspension is overturned; cleo does not get it again', async () => {
    const [bea, cleo, dora] = [await w.join('Bea'), await w.join('Cleo'), await w.join('Dora')]
    const group = await createGroupWithMembers(bea, cleo, dora)
    const caseOfBea = await suspend(bea)
    const caseOfCleo = await suspend(cleo)
    expect(await adminOf(group)).toBe(dora.id)
    await overturn(bea, caseOfBea)
    expect(await adminOf(group)).toBe(bea.id)
    await overturn(cleo, caseOfCleo)
    expect(await adminOf(group)).toBe(bea.id)
  })
})

test('GRP-30 a confirmed suspension gives no group back', async () => {
  const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
  const group = await createGroupWithMembers(bea, cleo)
  const caseId = await suspend(bea)
  await w.visitor.ask(appealSuspensionOperation, {
    ...{ email: bea.email, password: testPassword, text: 'Era mi hermana' },
  })
  await mia.call(decideAppealOperation, { caseId, outcome: 'upheld', text: 'No la tiene' })
  expect(await adminOf(group)).toBe(cleo.id)
})

test('GRP-27 an admin can neither leave nor be removed, at both APIs', async () => {
  const [bea, cleo] = [await w.join('Bea'), await w.join('Cleo')]
  const group = await createGroupWithMembers(bea, cleo)
  expect((await bea.ask(leaveGroupOperation, { groupId: group })).body).toMatchObject({
    type: 'group_admin_cannot_leave',
  })
  expect((await cleo.ask(removeGroupMemberOperation, { groupId: group, memberId: bea.id })).status).toBe(403)
  const members = createAppwriteDocumentsClient(cleo, 'groupMembers')
  const own = (await createAppwriteDocumentsClient(bea, 'groupMembers').all()).find(
    ({ userId, groupId }) => userId === bea.id && groupId === group,
  )
  for (const client of [members, createAppwriteDocumentsClient(bea, 'groupMembers')])
    expect((await client.remove(own?.$id ?? '')).status).toBeGreaterThanOrEqual(400)
  expect(await adminOf(group)).toBe(bea.id)
})

test(
  'GRP-29 a group has an admin after its successor declines while bea closes her account and the next one leaves',
  async () => {
    let group = ''
    await runRaceRounds(
      w.database,
      async (n) => {
        const [bea, cleo, dora, eva] = [
          await w.join(`Bea${n}`),
          await w.join(`Cleo${n}`),
          await w.join(`Dora${n}`),
          await w.join(`Eva${n}`),
        ]
        group = await createGroupWithMembers(bea, cleo, dora, eva)
        await bea.call(closeAccountOperation, {})
        return [
          () => cleo.ask(declineGroupOperation, { groupId: group }),
          () => cleo.ask(closeAccountOperation, {}),
          () => dora.ask(leaveGroupOperation, { groupId: group }),
          () => signIn(bea),
        ]
      },
      async () => {
        const rows = await query(
          `select a.status from groups g join users u on u.id = g.admin_id join accounts a on a.id = u.account_id
           where g.public_id = $1`,
          [group],
        )
        expect(rows).toEqual([{ status: 'active' }])
      },
    )
  },
  raceTimeoutMs,
)
