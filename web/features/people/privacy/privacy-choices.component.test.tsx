import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getCommunityOperation, type RegistrationMode } from '#contract/community/community.ts'
import {
  getPrivacySettingsOperation,
  type PrivacySettings,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import { makeCommunity, makePrivacySettings } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const toggle = (name: string) => main.getByRole('switch', { name })
const choices = (group: string) => main.getByRole('radiogroup', { name: group }).getByRole('radio')
const choice = (group: string, name: string) =>
  main.getByRole('radiogroup', { name: group }).getByRole('radio', { name: new RegExp(`^${name}(?!,)`) })
const changes = () => api.callsOf(updatePrivacySettingsOperation)

async function openPrivacy(
  given: Partial<PrivacySettings> = {},
  registration: RegistrationMode = 'approval',
) {
  api.answer(getCommunityOperation, makeCommunity({ registration }))
  let settings = makePrivacySettings(given)
  api.answer(getPrivacySettingsOperation, () => settings)
  api.answer(updatePrivacySettingsOperation, (changed) => {
    settings = { ...settings, ...(changed as Partial<PrivacySettings>) }
    return settings
  })
  await openApp('/settings/privacy')
}

for (const [rows, name, key, checked] of [
  ['TYPE-01 TYPE-03', 'Show when I’m typing', 'showsTyping', false],
  ['TYPE-03', 'Show when I’ve read messages', 'showsReceipts', true],
  ['PLACE-02', 'Keep my posts off place pages', 'onPlacePages', false],
  ['APR-22', 'Ask me about applicants who name me', 'takesVouchRequests', true],
] as const)
  test(`${rows} ana toggles “${name}”, and the change is saved`, async () => {
    await openPrivacy({ showsTyping: false })
    const isChecked = (wanted: boolean) =>
      wanted ? expect.element(toggle(name)).toBeChecked() : expect.element(toggle(name)).not.toBeChecked()
    await isChecked(checked)
    await toggle(name).click()
    await isChecked(!checked)
    await expect.poll(changes).toEqual([{ [key]: key === 'onPlacePages' ? checked : !checked }])
  })

for (const [rows, group, key, before, names] of [
  [
    'MSGR-01',
    'Who can write to me',
    'messagesFrom',
    'Everyone',
    ['Everyone', 'Everyone, but people I don’t follow ask first', 'People I follow', 'Nobody new'],
  ],
  [
    'CMT-07',
    'Who can comment',
    'commentsFrom',
    'Everyone who can see this post',
    ['Everyone who can see this post', 'People I follow', 'Nobody'],
  ],
  ['PICT-05', 'Who can tag me', 'picturedBy', 'People I follow', ['Everyone', 'People I follow', 'Nobody']],
] as const)
  test(`${rows} ana chooses “${group}”, and the choice is saved`, async () => {
    await openPrivacy({ picturedBy: 'followed' })
    await expect.element(choice(group, before)).toBeChecked()
    expect(choices(group).elements()).toHaveLength(names.length)
    for (const name of names) await expect.element(choice(group, name)).toBeVisible()
    const last = choice(group, names.at(-1) ?? '')
    await last.click()
    await expect.element(last).toBeChecked()
    await expect.element(choice(group, before)).not.toBeChecked()
    await expect.poll(changes).toEqual([{ [key]: 'nobody' }])
  })

test('TYPE-03 a choice that cannot be saved is undone with a message', async () => {
  await openPrivacy()
  api.refuse(updatePrivacySettingsOperation, 500)
  await toggle('Show when I’ve read messages').click()
  await expect
    .element(page.getByText('Something went wrong. Please try again.', { exact: true }))
    .toBeVisible()
  await expect.element(toggle('Show when I’ve read messages')).toBeChecked()
})

for (const registration of ['open', 'invite', 'closed'] as const)
  test(`APR-22 with registration “${registration}”, ana’s settings do not offer questions about applicants`, async () => {
    await openPrivacy({}, registration)
    await expect.element(toggle('Keep my posts off place pages')).toBeVisible()
    expect(toggle('Ask me about applicants who name me').elements()).toEqual([])
  })
