import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { updatePostPreferencesOperation } from '#contract/posts/post-preferences.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { describeRecordedChanges } from '#tests/support/recorded-changes.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

test('ALT-06 a member is reminded of photo descriptions until she declines, and only she reads the setting', async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  const before = await ana.call(getCurrentMemberOperation, {})
  expect(before).not.toHaveProperty('altReminder')
  const changes = await describeRecordedChanges(w.database, [ana, bea], async () => {
    expect(await ana.call(updatePostPreferencesOperation, { altReminder: false })).toEqual({
      altReminder: false,
    })
  })
  expect(changes).toEqual([])
  expect(await ana.call(getCurrentMemberOperation, {})).toEqual({ ...before, altReminder: false })
  expect(await bea.call(getCurrentMemberOperation, {})).not.toHaveProperty('altReminder')
  for (const path of [`/v1/people/${ana.id}`, `/v1/databases/juntas/collections/users/documents/${ana.id}`])
    expect(JSON.stringify(await bea.request('GET', path))).not.toMatch(/alt_?reminder/i)

  await ana.call(updatePostPreferencesOperation, { altReminder: true })
  expect(await ana.call(getCurrentMemberOperation, {})).toEqual(before)
  const refused = await ana.request('PATCH', '/v1/me/post-preferences', { altReminder: 'never' })
  expect(refused).toMatchObject({ status: 400, body: { field: 'altReminder' } })
})
