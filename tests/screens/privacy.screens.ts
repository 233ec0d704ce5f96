import type { Page } from '@playwright/test'
import { followMemberViaApi, publishPostViaApi } from '#tests/journeys/post-steps.ts'
import {
  defineScreenStateScreenshots,
  expect,
  takeResponsiveScreenshots,
  test,
} from './screenshot-fixtures.ts'

defineScreenStateScreenshots({
  name: 'privacy',
  by: 'lucia.ferrer',
  address: '/settings/privacy',
  asks: /privacy/,
})
defineScreenStateScreenshots({
  name: 'follow-requests',
  by: 'lucia.ferrer',
  address: '/follow-requests',
  asks: /follow-requests/,
})
defineScreenStateScreenshots({
  name: 'message-requests',
  by: 'lucia.ferrer',
  address: '/message-requests',
  asks: /message-requests/,
})

const privateSwitch = (page: Page) => page.getByRole('switch', { name: 'Private account' })

test('privacy: the settings, both confirmations, the follow requests and the profile as a stranger sees it', async ({
  neighbour,
  member,
}) => {
  const petra = await neighbour('wanjiru')
  const { page } = petra
  await publishPostViaApi(petra)
  await page.goto('/settings/privacy')
  await privateSwitch(page).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(page, 'privacy', 'go-private')
  await page.getByRole('button', { name: 'Make private' }).click()
  await expect(page.getByRole('link', { name: 'Follow requests' })).toBeVisible()
  const stranger = await neighbour('lucia.ferrer')
  await stranger.request.delete(`/v1/people/${petra.$id}/follow`, { data: {} })
  for (const requester of [await member('Nuria Beltrán'), await member('Sofía Arce'), stranger])
    await followMemberViaApi(requester, petra)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Follow requests 3' })).toBeVisible()
  await takeResponsiveScreenshots(page, 'privacy', 'private', { whole: true })
  await privateSwitch(page).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(page, 'privacy', 'go-public')

  await page.goto('/follow-requests')
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(3)
  await takeResponsiveScreenshots(page, 'follow-requests', 'waiting')
  await page.goto(`/profile/${petra.$id}`)
  await expect(page.getByRole('link', { name: /^Follow requests/ })).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'own-private')
  await page.goto(`/profile/${petra.$id}?list=followers`)
  await expect(page.getByRole('button', { name: /^Remove/ }).first()).toBeVisible()
  await takeResponsiveScreenshots(page, 'profile', 'own-followers')
  await page.goto('/all-users')
  await expect(page.getByRole('link', { name: /^Follow requests/ })).toBeVisible()
  await takeResponsiveScreenshots(page, 'people', 'requests')

  await stranger.page.goto(`/profile/${petra.$id}`)
  await expect(stranger.page.getByRole('button', { name: 'Requested' })).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'private-profile', 'requested')
  await stranger.page.getByRole('button', { name: 'Requested' }).click()
  await expect(stranger.page.getByRole('alertdialog')).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'private-profile', 'withdraw')
  await stranger.page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(stranger.page.getByText('This account is private')).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'private-profile', 'stranger')
  await followMemberViaApi(stranger, petra)
  await stranger.page.goto('/')
  await expect(stranger.page.getByRole('main').getByRole('article').first()).toBeVisible()
  await takeResponsiveScreenshots(stranger.page, 'home', 'requested')
})

defineScreenStateScreenshots({
  name: 'photos-of-you',
  by: 'lucia.ferrer',
  address: '/photos-of-you',
  asks: /me\/photos/,
})
