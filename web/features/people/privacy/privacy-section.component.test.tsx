import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getAccountSettingsOperation, reauthenticateOperation } from '#contract/account/account-settings.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeAccountSettings, makePrivacySettings } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { ana, answerPeople, dialog, main, question, title, toasts } from '#tests/support/component/people.ts'

const privateSwitch = main.getByRole('switch', { name: 'Private account' })
const toPrivate = question('Make your account private?')
const toPublic = question('Make your account public?')
const confirmPublic = toPublic.getByRole('button', { name: 'Make public' })
const failure = 'Something went wrong. Please try again.'
const lists = main.getByRole('radiogroup', { name: 'Who can see my followers and who I follow' })
const switches = () => api.callsOf(updatePrivacySettingsOperation)
const press = async (key: string) => {
  ;(privateSwitch.element() as HTMLElement).focus()
  await userEvent.keyboard(key)
}

/** The server stores choices. @returns a function that changes settings as if on another device */
async function openSettings(given: Parameters<typeof makePrivacySettings>[0] = {}) {
  let settings = makePrivacySettings(given)
  const change = (more: typeof given) => {
    settings = { ...settings, ...more }
  }
  const keepSettings = ({ earlierPosts: _, password: __, ...chosen }: object & Record<string, unknown>) => {
    change(chosen)
    return settings
  }
  api.answer(getPrivacySettingsOperation, () => settings)
  api.answer(updatePrivacySettingsOperation, keepSettings)
  answerPeople([])
  await openApp('/settings/privacy', { me: { ...ana, isPrivate: settings.isPrivate } })
  await expect.element(privateSwitch).toBeVisible()
  return { change, keepSettings }
}

test('PRIV-02 PRIV-03 ana makes her account private by keyboard; Cancel and Escape change nothing', async () => {
  const { change } = await openSettings()
  await expect.element(privateSwitch).not.toBeChecked()
  await expect
    .element(main)
    .toMatchTextContent(
      'People ask to follow you. Only people you approve see your posts and their photos. Your groups still see what you post there.',
    )
  await press('{Enter}')
  await expect.element(toPrivate).toMatchTextContent('From now on you decide who follows you.')
  await expect.element(toPrivate.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(toPrivate).not.toBeInTheDocument()
  await expect.element(privateSwitch).toHaveFocus()

  change({ followerCount: 1 })
  await press('{Enter}')
  await expect.element(toPrivate.getByText('Your 1 follower stays.', { exact: true })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(toPrivate).not.toBeInTheDocument()
  expect(switches()).toEqual([])

  change({ followerCount: 2 })
  await press(' ')
  await expect.element(toPrivate).toMatchTextContent('Your 2 followers stay. You can remove any of them.')
  await expect
    .element(toPrivate.getByRole('link', { name: 'See your followers' }))
    .toHaveAttribute('href', `/profile/${ana.$id}?list=followers`)
  await userEvent.keyboard('{Tab}')
  await expect.element(toPrivate.getByRole('button', { name: 'Make private' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(toPrivate).not.toBeInTheDocument()
  await expect.element(privateSwitch).toBeChecked()
  expect(switches()).toEqual([{ isPrivate: true }])
})

test("PRIV-08 before ana's account becomes public, she chooses who sees her earlier posts", async () => {
  await openSettings({ isPrivate: true, followRequestCount: 2, followersOnlyPostCount: 1 })
  const radios = toPublic.getByRole('radio')
  await privateSwitch.click()
  await expect
    .element(toPublic)
    .toMatchTextContent(
      'From now on every member can see what you post and follow you. The 2 people who are waiting will follow you.',
    )
  await expect.poll(() => radios.elements()).toHaveLength(2)
  for (const radio of radios.all()) await expect.element(radio).not.toBeChecked()
  await expect.element(confirmPublic).toBeDisabled()
  await toPublic.getByRole('radio', { name: 'Show my earlier posts to everyone' }).click()
  await expect.element(toPublic).toMatchTextContent('1 post, with its photo and place.')
  await toPublic.getByRole('button', { name: 'Stay private' }).click()
  await expect.element(toPublic).not.toBeInTheDocument()
  expect(switches()).toEqual([])

  await privateSwitch.click()
  for (const radio of radios.all()) await expect.element(radio).not.toBeChecked()
  await expect.element(confirmPublic).toBeDisabled()
  await toPublic.getByText('Keep my earlier posts for my followers').click()
  await confirmPublic.click()
  await expect.element(toPublic).not.toBeInTheDocument()
  await expect.element(privateSwitch).not.toBeChecked()
  expect(switches()).toEqual([{ isPrivate: false, earlierPosts: 'followers' }])
})

test('PRIV-11 in an old session, making the account public requires the password; without it nothing changes', async () => {
  const { keepSettings } = await openSettings({ isPrivate: true })
  api.answer(getAccountSettingsOperation, makeAccountSettings())
  let reauthenticated = false
  api.answer(updatePrivacySettingsOperation, (input) =>
    reauthenticated ? keepSettings(input) : refusal('user_challenge_required'),
  )
  api.answer(reauthenticateOperation, ({ password }) => {
    reauthenticated = password === 'una clave larga'
    return reauthenticated ? undefined : refusal('user_invalid_credentials')
  })
  const reauthentication = dialog('Confirm it’s you')
  await privateSwitch.click()
  await toPublic.getByRole('radio', { name: 'Keep my earlier posts for my followers' }).click()
  await confirmPublic.click()
  await reauthentication.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(reauthentication).not.toBeInTheDocument()
  await expect.element(toPublic.getByRole('alert')).not.toBeInTheDocument()
  expect(api.callsOf(reauthenticateOperation)).toEqual([])

  await confirmPublic.click()
  const password = reauthentication.getByLabelText('Password', { exact: true })
  await password.fill('no es la mía')
  await reauthentication.getByRole('button', { name: 'Continue' }).click()
  await expect.element(reauthentication).toMatchTextContent('That is not your password.')
  await expect.element(privateSwitch).toBeChecked()
  await password.fill('una clave larga')
  await reauthentication.getByRole('button', { name: 'Continue' }).click()
  await expect.element(toPublic).not.toBeInTheDocument()
  await expect.element(privateSwitch).not.toBeChecked()
})

test('PRIV-03 PRIV-08 a failed change of account privacy shows an error in its dialog and can be retried', async () => {
  await openSettings()
  await privateSwitch.click()
  api.goOffline()
  await toPrivate.getByRole('button', { name: 'Make private' }).click()
  await expect.element(toPrivate.getByRole('alert')).toHaveTextContent(failure)
  await expect.element(privateSwitch).not.toBeChecked()
  api.goOffline(false)
  await toPrivate.getByRole('button', { name: 'Make private' }).click()
  await expect.element(toPrivate).not.toBeInTheDocument()
  await expect.element(privateSwitch).toBeChecked()

  await privateSwitch.click()
  api.refuse(updatePrivacySettingsOperation, 500)
  await toPublic.getByRole('radio', { name: 'Keep my earlier posts for my followers' }).click()
  await confirmPublic.click()
  await expect.element(toPublic.getByRole('alert')).toHaveTextContent(failure)
  await expect.element(privateSwitch).toBeChecked()
})

test('MUTE-12 ana chooses who sees her lists, and a failed choice is undone', async () => {
  await openSettings()
  const choice = (name: string) => lists.getByRole('radio', { name })
  await expect.element(choice('Everyone')).toBeChecked()
  await expect.element(lists).toMatchTextContent('The numbers are hidden too.')
  for (const name of ['My followers', 'Only me']) {
    await choice(name).click()
    await expect.element(choice(name)).toBeChecked()
  }
  await expect.poll(switches).toEqual([{ listsFor: 'followers' }, { listsFor: 'me' }])
  api.refuse(updatePrivacySettingsOperation, 500)
  await choice('Everyone').click()
  await expect.element(toasts).toMatchTextContent(failure)
  await expect.element(choice('Only me')).toBeChecked()
})

test('MUTE-12 the lists of a private account cannot be visible to everyone', async () => {
  await openSettings({ isPrivate: true })
  await expect.element(lists.getByRole('radio', { name: 'Everyone' })).toBeDisabled()
  await expect.element(lists.getByRole('radio', { name: 'My followers' })).toBeChecked()
})

test('MUTE-14 ana hides herself from People and search by keyboard', async () => {
  await openSettings()
  await expect
    .element(main)
    .toMatchTextContent('When off, only people with the link to your profile find it.')
  const listed = main.getByRole('switch', { name: 'Show me in People and search' })
  await expect.element(listed).toBeChecked()
  ;(listed.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(listed).not.toBeChecked()
  await expect.poll(switches).toEqual([{ isListed: false }])
})

test('MUTE-10 REQ-09 the settings link to followers and follow requests, with their counts', async () => {
  await openSettings({ isPrivate: true, followerCount: 1, followRequestCount: 2 })
  const followers = main.getByRole('link', { name: /^Your followers/ })
  await expect.element(followers).toMatchTextContent('Remove anyone without telling her.')
  await expect.element(followers).toMatchTextContent('1')
  await expect.element(followers).toHaveAttribute('href', `/profile/${ana.$id}?list=followers`)
  const requests = main.getByRole('link', { name: /^Follow requests/ })
  await expect.element(requests).toMatchTextContent(/2$/)
  await expect.element(requests).toHaveAttribute('href', '/follow-requests')
})

test('MUTE-12 privacy settings that cannot be loaded can be retried, and the blocked list stays reachable', async () => {
  api.answer(getPrivacySettingsOperation, () => refusal('general_query_invalid'))
  await openApp('/settings/privacy', { me: ana })
  const again = main.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  await expect.element(main.getByRole('link', { name: /^Blocked/ })).toBeVisible()
  api.answer(getPrivacySettingsOperation, makePrivacySettings({ isPrivate: true }))
  await again.click()
  await expect.element(privateSwitch).toBeChecked()
})

test('BLK-27 the link to the blocked list appears only after the settings have loaded, so it does not move under a press', async () => {
  api.answer(getPrivacySettingsOperation, makePrivacySettings())
  const answer = api.hold(getPrivacySettingsOperation)
  await openApp('/settings/privacy', { me: ana, waits: false })
  await expect.element(title).toHaveTextContent('Privacy and safety')
  const link = main.getByRole('link', { name: /^Blocked/ })
  await expect.element(link).not.toBeInTheDocument()
  answer.release()
  await expect.element(link).toHaveAttribute('href', '/settings/blocked')
  await expect.poll(() => page.getByRole('switch').elements().length).toBeGreaterThan(0)
})
