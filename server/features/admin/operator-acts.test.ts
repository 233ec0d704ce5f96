import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { listOperatorActsOperation, listPublicOperatorActsOperation } from '#contract/admin/operator-acts.ts'
import { updateCommunityOperation } from '#contract/community/community.ts'
import { promoteToOperator } from '#server/features/community/promote-to-operator.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { recordOperatorAct } from './operator-acts.ts'

let w: TestWorld
let ana: MemberClient
let olga: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  olga = await w.join('Olga')
  await promoteToOperator(w.database.kysely, 'olga2')
})
afterAll(() => w.end())

const keyOf = async ({ id }: MemberClient): Promise<number> =>
  (await w.database.pool.query('select id from users where public_id = $1', [id])).rows[0].id
const empty = () => w.database.pool.query('truncate operator_acts')

test('ADM-06 each change that olga makes to the community is logged once, with the changed settings', async () => {
  await empty()
  await olga.call(updateCommunityOperation, { name: 'Barro', registration: 'invite' })
  await olga.call(updateCommunityOperation, { name: 'Barro', registration: 'invite' })
  await olga.call(updateCommunityOperation, { registration: 'open', rules: ['Con calma.'] })
  const { documents } = await olga.call(listOperatorActsOperation, {})
  expect(documents.map(({ act, detail }) => ({ act, ...detail }))).toEqual([
    { act: 'registration.update', to: 'open' },
    { act: 'community.update', fields: ['rules'] },
    { act: 'registration.update', to: 'invite' },
    { act: 'community.update', fields: ['name'] },
  ])
  expect(documents[0]).toMatchObject({ by: { name: 'Olga' }, systemUser: null, about: null })
})

test('ADM-06 only operators read the full log, and visitors cannot read the public log either', async () => {
  expect(await ana.refusal(listOperatorActsOperation, {})).toMatchObject({
    code: 404,
    type: 'general_route_not_found',
  })
  for (const operation of [listOperatorActsOperation, listPublicOperatorActsOperation])
    expect(await w.visitor.refusal(operation, {})).toMatchObject({ code: 401 })
})

test('ADM-07 ana reads which actions operators took and on which day, without names', async () => {
  await empty()
  const about = await keyOf(ana)
  const by = { systemUser: 'maria' }
  await recordOperatorAct(w.database.kysely, 'member.suspend', {
    by,
    about,
    detail: { text: 'Amenazas', days: 3 },
  })
  const { documents } = await ana.call(listPublicOperatorActsOperation, {})
  expect(documents).toEqual([
    { $id: expect.any(String), act: 'member.suspend', day: new Date().toISOString().slice(0, 10) },
  ])
  const all = await olga.call(listOperatorActsOperation, {})
  expect(all.documents[0]).toMatchObject({
    by: null,
    systemUser: 'maria',
    about: { $id: ana.id, name: 'Ana' },
    detail: { text: 'Amenazas', days: 3 },
  })
})

test('ADM-06 actions with the same timestamp are listed in order across pages', async () => {
  await empty()
  await w.database.pool.query(`
    insert into operator_acts (public_id, act, run_by, created_at)
    select 'act-' || n, 'member.recover', 'maria', '2026-11-29T10:00:00Z' from generate_series(1, 45) n`)
  const expected = Array.from({ length: 45 }, (_, index) => `act-${45 - index}`)
  for (const [who, operation] of [
    [olga, listOperatorActsOperation],
    [ana, listPublicOperatorActsOperation],
  ] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await who.call(operation, { limit: 20, ...(cursor ? { cursor } : {}) })
      seen.push(...page.documents.map(({ $id }) => $id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(expected)
    expect(await who.refusal(operation, { cursor: 'nothing' })).toMatchObject({ code: 400, field: 'cursor' })
  }
})

test('ADM-06 the database refuses to change or delete a log entry during its first two years', async () => {
  await empty()
  await w.database.pool.query(`
    insert into operator_acts (public_id, act, created_at) values ('new', 'member.delete', now()),
      ('old', 'member.delete', now() - interval '25 months')`)
  await expect(w.database.pool.query(`update operator_acts set act = 'member.recover'`)).rejects.toThrow()
  await expect(w.database.pool.query(`delete from operator_acts where public_id = 'new'`)).rejects.toThrow()
  await w.database.pool.query(`delete from operator_acts where public_id = 'old'`)
})
