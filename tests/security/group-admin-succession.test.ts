import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handOverGroupOperation } from '#contract/groups/group-members.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { getGroupOperation, listGroupsOperation } from '#contract/groups/groups.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { appwriteDocumentsPath } from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

const close = (person: MemberClient) => person.request('PATCH', '/v1/account/status', {})
const reopen = (person: MemberClient) =>
  w.database.pool.query(`update accounts set status = 'active' where public_id = $1`, [person.accountId])
const adminOf = async (groupId: string) => (await bea.call(getGroupOperation, { groupId })).adminId

describe('a group whose admin closes the account', () => {
  test('the group goes to its oldest remaining member, with the role, requests, log entry and live change', async () => {
    const [fio, gone, old, young] = [
      await w.join('Fio'),
      await w.join('Gone'),
      await w.join('Old'),
      await w.join('Young'),
    ]
    const group = await createGroupWithMembers(fio, gone, old, young)
    await close(gone)
    const { $id: request } = await bea.call(requestToJoinOperation, { groupId: group })
    const since = await waitForChangePosition(w.database, bea)
    expect((await close(fio)).status).toBe(200)

    expect(await adminOf(group)).toBe(old.id)
    expect(await old.call(getGroupOperation, { groupId: group })).toMatchObject({
      membership: 'admin',
      can: { edit: true, decide: true, leave: false },
      pendingCount: 1,
    })
    expect(
      (await bea.request('GET', `${appwriteDocumentsPath('groups')}/${group}`)).raw.toString(),
    ).not.toContain(fio.id)
    const { changes } = await bea.call(catchUpOperation, { since, collections: 'groups' })
    expect(changes).toMatchObject([{ kind: 'update', document: { $id: group, adminId: old.id } }])
    await old.call(approveJoinRequestOperation, { requestId: request })
    const { rows } = await w.database.pool.query(
      `select e.event, e.about, e.whom from account_events e join accounts a on a.id = e.account_id
       where a.public_id = $1 and e.event like 'group.%' order by e.id`,
      [fio.accountId],
    )
    expect(rows.at(-1)).toEqual({ event: 'group.handover', about: group, whom: old.id })
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  })

  test('a group without other members is hidden, and visible again after its admin reopens the account', async () => {
    const fio = await w.join('Fiona')
    const group = await createGroupWithMembers(fio)
    await close(fio)
    expect(await bea.refusal(getGroupOperation, { groupId: group })).toMatchObject({ code: 404 })
    expect(await bea.refusal(requestToJoinOperation, { groupId: group })).toMatchObject({ code: 404 })
    expect(JSON.stringify(await bea.call(listGroupsOperation, { limit: 100 }))).not.toContain(group)
    expect((await bea.request('GET', `${appwriteDocumentsPath('groups')}/${group}`)).status).toBe(404)
    await reopen(fio)
    expect(await adminOf(group)).toBe(fio.id)
  })

  test('a group cannot be handed over to a closed account', async () => {
    const gone = await w.join('Gone Too')
    const group = await createGroupWithMembers(ana, gone)
    await close(gone)
    expect(await ana.refusal(handOverGroupOperation, { groupId: group, memberId: gone.id })).toMatchObject({
      code: 404,
    })
    expect(await adminOf(group)).toBe(ana.id)
  })

  test(
    'a group always has an active admin during concurrent closing, leaving and handover',
    async () => {
      let group = ''
      await runRaceRounds(
        w.database,
        async (n) => {
          const [fio, old, successor] = [
            await w.join(`Fio${n}`),
            await w.join(`Old${n}`),
            await w.join(`Successor${n}`),
          ]
          group = await createGroupWithMembers(fio, old, successor, bea)
          return [
            () => close(fio),
            () => close(old),
            () => successor.request('DELETE', `/v1/groups/${group}/membership`),
            () => fio.request('PUT', `/v1/groups/${group}/admin`, { memberId: old.id }),
          ]
        },
        async () => {
          const { rows } = await w.database.pool.query(
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
})
