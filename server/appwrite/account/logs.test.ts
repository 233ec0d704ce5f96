import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  handOverGroupOperation,
  leaveGroupOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import { rejectJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { deleteGroupOperation, getGroupOperation } from '#contract/groups/groups.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { fetchCodeSentTo, fetchSentLinkSecret } from '../../../tests/support/sent-messages.ts'

type LogList = { total: number; logs: Record<string, string>[] }

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const logsOf = (person: MemberClient, queries: string[] = [], more = '') => {
  const query = queries.map((text, n) => `queries[${n}]=${encodeURIComponent(text)}`).join('&')
  return person.request<LogList>('GET', `/v1/account/logs?${query}${more}`)
}

describe('SDK-06 the activity log of an account', () => {
  test("the log lists only the member's own actions, newest first, with place and client", async () => {
    const bea = await w.join('Bea')
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0' }
    const url = 'http://localhost:3000/'
    await ana.request('PATCH', '/v1/account/name', { name: 'Ana Luz' }, firefox)
    await ana.request('PATCH', '/v1/account/prefs', { prefs: { a: 1 } })
    await ana.request('PATCH', '/v1/account/phone', { phone: '+34600111222', password: testPassword })
    await ana.request('POST', '/v1/account/verification', { url })
    await ana.request('PUT', '/v1/account/verification', await fetchSentLinkSecret(w, ana.email))
    await ana.request('POST', '/v1/account/verification/phone')
    await w.visitor.request('PUT', '/v1/account/verification/phone', {
      userId: ana.accountId,
      secret: await fetchCodeSentTo(w, '+34600111222'),
    })
    await w.visitor.request('POST', '/v1/account/recovery', { email: ana.email, url })
    await ana.request('PATCH', '/v1/account/sessions/current', {})
    // Refused actions are not listed.
    await w.visitor.request('POST', '/v1/account/sessions/email', { email: ana.email, password: 'not hers!' })

    const { status, body } = await logsOf(ana)
    expect(status).toBe(200)
    expect(body.logs.map(({ event }) => event)).toEqual([
      'session.update',
      'recovery.create',
      'verification.update',
      'verification.create',
      'verification.update',
      'verification.create',
      'user.update',
      'user.update',
      'user.update',
      'session.create',
      'user.create',
    ])
    expect(body.total).toBe(11)
    expect(body.logs[8]).toMatchObject({
      userId: ana.accountId,
      userEmail: ana.email,
      mode: 'default',
      ip: '127.0.0.1',
      osCode: 'LIN',
      clientCode: 'FF',
      deviceName: 'desktop',
      countryCode: '--',
    })
    expect((await logsOf(bea)).body.total).toBe(2)
  })

  test('the log is paged in both query grammars, can omit the total and goes back ninety days', async () => {
    const all = (await logsOf(ana)).body.logs
    for (const queries of [
      ['limit(3)', 'offset(2)'],
      ['{"method":"limit","values":[3]}', '{"method":"offset","values":[2]}'],
    ]) {
      const { body } = await logsOf(ana, queries)
      expect(body).toEqual({ total: all.length, logs: all.slice(2, 5) })
    }
    expect((await logsOf(ana, [], '&total=false')).body.total).toBe(0)
    for (const query of [
      'limit(0)',
      'limit(101)',
      'offset(5001)',
      'equal("event", ["x"])',
      'nonsense',
      '{',
    ]) {
      expect((await logsOf(ana, [query])).body).toMatchObject({ code: 400, type: 'general_query_invalid' })
    }
    await w.database.pool.query(
      "update account_events set created_at = created_at - interval '91 days' where event = 'user.update'",
    )
    expect((await logsOf(ana)).body.total).toBe(all.length - 3)
  })
})

test('decisions about a group are logged with their author, also after the group is deleted', async () => {
  const names = ['Gala', 'Mia', 'Nora', 'Eva']
  const people = await Promise.all(names.map((name) => w.join(name)))
  const [gala, mia, nora, eva] = people as [MemberClient, MemberClient, MemberClient, MemberClient]
  const group = await createGroupWithMembers(gala, mia, nora)
  const request = await eva.call(requestToJoinOperation, { groupId: group })
  await gala.call(rejectJoinRequestOperation, { requestId: request.$id })
  await gala.call(removeGroupMemberOperation, { groupId: group, memberId: nora.id })
  await gala.call(handOverGroupOperation, { groupId: group, memberId: mia.id })
  await gala.call(leaveGroupOperation, { groupId: group })
  const { name } = await mia.call(getGroupOperation, { groupId: group })
  // A refused deletion leaves no entry.
  await gala.refusal(deleteGroupOperation, { groupId: group, name })
  await mia.call(deleteGroupOperation, { groupId: group, name })

  const { rows } = await w.database.pool.query<{ event: string; by: string; whom: string | null }>(
    `select e.event, u.public_id as by, e.whom from account_events e join users u on u.account_id = e.account_id
     where e.about = $1 order by e.id`,
    [group],
  )
  const called = new Map(people.map((person) => [person.id, person.name]))
  expect(rows.map(({ event, by, whom }) => [called.get(by), event, called.get(whom ?? '')])).toEqual([
    ['Gala', 'group.create', undefined],
    ['Gala', 'request.accept', 'Mia'],
    ['Gala', 'request.accept', 'Nora'],
    ['Gala', 'request.reject', 'Eva'],
    ['Gala', 'member.remove', 'Nora'],
    ['Gala', 'group.handover', 'Mia'],
    ['Gala', 'member.leave', 'Gala'],
    ['Mia', 'group.delete', undefined],
  ])
  const { body } = await logsOf(mia)
  expect(body.logs.map(({ event }) => event)).toEqual(['group.delete', 'session.create', 'user.create'])
})
