import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld({ QUICK_EXIT_URL: 'https://weather.example/madrid' })
})
afterAll(() => w.end())

test("EXIT-01 quick exit is off until the member turns it on, only she reads the setting, and it opens the operator's page", async () => {
  const [ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  expect(await ana.call(getPrivacySettingsOperation, {})).toMatchObject({ quickExit: 'off' })
  expect(await ana.call(getCurrentMemberOperation, {})).not.toHaveProperty('quickExit')

  expect(await ana.call(updatePrivacySettingsOperation, { quickExit: 'leave' })).toMatchObject({
    quickExit: 'leave',
    isListed: true,
  })
  const url = 'https://weather.example/madrid'
  expect(await ana.call(getCurrentMemberOperation, {})).toMatchObject({ quickExit: { url, signsOut: false } })
  await ana.call(updatePrivacySettingsOperation, { quickExit: 'sign-out' })
  expect(await ana.call(getCurrentMemberOperation, {})).toMatchObject({ quickExit: { url, signsOut: true } })
  expect(await bea.call(getCurrentMemberOperation, {})).not.toHaveProperty('quickExit')
  expect(JSON.stringify(await bea.request('GET', `/v1/people/${ana.id}`))).not.toContain('quickExit')

  const refused = await ana.request('PATCH', '/v1/me/privacy', { quickExit: 'explode' })
  expect(refused).toMatchObject({ status: 400, body: { field: 'quickExit' } })
})
