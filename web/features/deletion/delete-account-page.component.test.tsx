import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  getDeletionPlanOperation,
  keepAccountByEmailLinkOperation,
  requestDeletionOperation,
} from '#contract/deletion/deletion.ts'
import { answerAccountSettings, password } from '#tests/support/component/account-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makePersonSummary, newId } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'

const main = page.getByRole('main')
const title = page.getByRole('heading', { level: 1 })
const erase = main.getByRole('button', { name: 'Delete my account' })
const usernameField = main.getByLabelText(/^Type your username/)
const [bea, cleo] = [makePersonSummary({ name: 'Bea' }), makePersonSummary({ name: 'Cleo' })]
const group = {
  $id: newId('group'),
  name: 'Tejer',
  heirs: [bea, cleo].map(({ $id, name }) => ({ $id, name })),
}

function answerPlan(): void {
  answerAccountSettings()
  api.answer(getDeletionPlanOperation, {
    eraseAfter: '2026-12-13T10:00:00.000Z',
    counts: { posts: 1, photos: 1, likes: 1, saves: 0, comments: 0, messages: 1 },
    groups: [group],
    asksForPassword: true,
    asksForCode: false,
  })
}

test('DEL-01 DEL-03 hana reads what deletion does, and chooses who takes over her group', async () => {
  answerPlan()
  api.refuse(requestDeletionOperation, 'general_argument_invalid')
  const { me } = await openApp('/settings/data/delete')
  await expect.element(title).toHaveTextContent('Delete your account')
  const text = () => page.getByRole('region', { name: 'What happens' }).element().textContent
  await expect.poll(text).toContain('1 photo, 1 post, 1 like, 0 saves, 0 comments')
  expect(text()).toContain('the 1 message you sent them')
  expect(text()).toContain('Until 13 December')
  expect(text()).toContain('goes to Bea now, its longest-standing member.')
  await main.getByRole('button', { name: 'Choose another' }).click()
  await main.getByRole('combobox', { name: 'Who takes over Tejer' }).selectOptions('Cleo')
  await expect.poll(text).toContain('goes to Cleo now.')
  await main.getByLabelText('Password', { exact: true }).fill(password)
  await usernameField.fill(me.username)
  await erase.click()
  await expect
    .poll(() => api.callsOf(requestDeletionOperation))
    .toMatchObject([
      { username: me.username, password, heirs: { [group.$id]: cleo.$id }, takeBackMessages: false },
    ])
})

test('DEL-02 a wrong username and a wrong password show errors at their fields', async () => {
  answerPlan()
  const { me } = await openApp('/settings/data/delete')
  api.answer(requestDeletionOperation, (given) =>
    refusal(given.username === me.username ? 'user_invalid_credentials' : 'username_mismatch'),
  )
  await main.getByLabelText('Password', { exact: true }).fill('otra')
  await usernameField.fill('somebody')
  await erase.click()
  await expect.element(usernameField).toHaveAccessibleDescription('That is not your username.')
  await expect.element(usernameField).toHaveFocus()
  await usernameField.fill(me.username)
  await erase.click()
  await expect.element(main.getByText('That is not your password.')).toBeVisible()
})

test('DEL-01 a deletion plan that cannot be loaded can be retried', async () => {
  answerPlan()
  api.refuse(getDeletionPlanOperation, 'general_argument_invalid')
  await openApp('/settings/data/delete')
  await expect.element(main.getByRole('alert')).toMatchTextContent('We couldn’t load this.')
  answerPlan()
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('region', { name: 'What happens' })).toBeVisible()
})

const keep = page.getByRole('button', { name: 'No quiero borrarla' })
const secret = 'a'.repeat(64)

for (const [refused, expected] of [
  [false, 'Tu cuenta sigue aquí'],
  [true, 'Este enlace ya no vale.'],
] as const)
  test(`DEL-05 the emailed link keeps the account when its button is pressed: ${expected}`, async () => {
    if (refused) api.refuse(keepAccountByEmailLinkOperation, 'user_invalid_token')
    else api.answer(keepAccountByEmailLinkOperation, undefined)
    await openApp(`/sign-in/keep?userId=${newId('account')}&secret=${secret}`, { me: null })
    await expect.element(title).toHaveTextContent('¿Quieres quedarte?')
    expect(location.pathname + location.search).toBe('/sign-in/keep')
    expect(api.callsOf(keepAccountByEmailLinkOperation)).toEqual([])
    await keep.click()
    await expect.element(title).toHaveTextContent(expected)
    expect(api.callsOf(keepAccountByEmailLinkOperation)).toEqual([{ secret }])
  })
