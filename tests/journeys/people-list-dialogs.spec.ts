/** Lists of people that open over the page they belong to. */
import type { Page } from '@playwright/test'
import {
  expect,
  fulfillWithServerError,
  type JourneyMember,
  test,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const rows = (page: Page, name: string) => dialog(page, name).getByRole('listitem')
const link = (page: Page, name: string) => main(page).getByRole('link', { name })

/** Closes her account, through the door that has such a call. */
const close = async (person: JourneyMember) =>
  expect((await person.request.patch('/v1/account/status', { data: {} })).ok()).toBe(true)

test('PROF-16 ana sees who follows bea and whom she follows, without who closed her account, and follows from there @both @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const [carla, dora, gone] = [await member('Carla Pinto'), await member('dora'), await member('Ida Fuera')]
  for (const fan of [carla, gone, dora]) await followMemberViaApi(fan, bea)
  await followMemberViaApi(bea, carla)
  await close(gone)
  const { page } = ana
  await page.goto(`/profile/${bea.$id}`)
  await link(page, '2 Followers').or(link(page, '3 Followers')).click()
  await expect(page).toHaveURL(`/profile/${bea.$id}?list=followers`)
  await expect(rows(page, 'Followers')).toHaveCount(2)
  await expect(rows(page, 'Followers').nth(0)).toContainText(`@${dora.username}`)
  await expect(rows(page, 'Followers').nth(1)).toContainText(`@${carla.username}`)
  await expect(dialog(page, 'Followers')).not.toContainText('Ida Fuera')
  const chosen = rows(page, 'Followers').filter({ hasText: 'Carla Pinto' })
  await chosen.getByRole('button', { name: 'Follow' }).click()
  await expect(chosen.getByRole('button', { name: 'Unfollow' })).toBeVisible()

  await chosen.getByRole('link').click()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Carla Pinto')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(rows(page, 'Followers')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Followers')).toBeHidden()
  await expect(page).toHaveURL(`/profile/${bea.$id}`)

  await link(page, '1 Following').click()
  await expect(rows(page, 'Following')).toHaveCount(1)
  await expect(rows(page, 'Following')).toContainText('Carla Pinto')
  await page.goBack()
  await expect(dialog(page, 'Following')).toBeHidden()
  await expect(link(page, '1 Following')).toBeFocused()
})

test('PROF-16 a long list goes on as she scrolls; an empty one, one that loads and one that fails say so', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const fans = []
  for (let number = 0; number < 21; number += 1) fans.push(await member(`Fan ${number}`))
  for (const fan of fans) await followMemberViaApi(fan, bea)
  const { page } = ana
  // By its address the list opens at once, and closing it stays on the profile.
  await page.goto(`/profile/${bea.$id}?list=followers`)
  await expect(rows(page, 'Followers')).toHaveCount(20)
  await rows(page, 'Followers').last().scrollIntoViewIfNeeded()
  await expect(rows(page, 'Followers')).toHaveCount(21)
  await expect(rows(page, 'Followers').last()).toContainText('Fan 0')
  await dialog(page, 'Followers').getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/profile/${bea.$id}`)

  const release = await holdRequestsToUrl(page, `**/v1/people/${bea.$id}/following`)
  await link(page, '0 Following').click()
  await expect(dialog(page, 'Following').getByText('Loading…')).toBeAttached()
  release()
  await expect(dialog(page, 'Following').getByText('Nobody followed yet')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.route(`**/v1/people/${ana.$id}/followers`, fulfillWithServerError)
  await page.clock.install()
  await page.goto(`/profile/${ana.$id}?list=followers`)
  await waitThroughQueryRetries(page, dialog(page, 'Followers').getByText('We couldn’t load this.'))
  await page.unroute(`**/v1/people/${ana.$id}/followers`)
  await dialog(page, 'Followers').getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page, 'Followers').getByText('No followers yet')).toBeVisible()
})

test('LIKE-13 who likes a post stands over it, and of a group’s post for nobody outside', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await signedUp('carla')]
  const post = await publishPostViaApi(bea)
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await expect(main(page).getByRole('button', { name: 'Like, 0 likes' })).toBeVisible()
  await expect(link(page, 'Who likes this')).toHaveCount(0)
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/like'))
  await main(page).getByRole('button', { name: 'Like, 0 likes' }).click()
  await stored
  expect((await carla.request.put(`/v1/posts/${post.$id}/like`, { data: {} })).ok()).toBe(true)
  await link(page, 'Who likes this').click()
  await expect(rows(page, 'Likes')).toHaveCount(2)
  await expect(rows(page, 'Likes').nth(0)).toContainText(`@${carla.username}`)
  await expect(rows(page, 'Likes').nth(1)).toContainText(`@${ana.username}`)
  await expect(rows(page, 'Likes').nth(1).getByRole('button', { name: 'Follow' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(link(page, 'Who likes this')).toBeFocused()

  const group = await createGroupViaApi(bea, {}, [ana])
  const inGroup = await publishPostViaApi(bea, { groupId: group.$id })
  expect((await ana.request.put(`/v1/posts/${inGroup.$id}/like`, { data: {} })).ok()).toBe(true)
  await page.goto(`/posts/${inGroup.$id}?list=likers`)
  await expect(rows(page, 'Likes')).toHaveCount(1)
  await carla.page.goto(`/posts/${inGroup.$id}?list=likers`)
  await expect(main(carla.page).getByText('No tienes acceso a los posts de este grupo')).toBeVisible()
  await expect(carla.page.getByRole('dialog')).toHaveCount(0)
})

test('GPAGE-19 a member opens the list of members from their number, somebody outside cannot', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, cleo] = [await member('Ana Paz'), await signedUp('bea'), await signedUp('cleo')]
  const group = await createGroupViaApi(ana, {}, [bea])
  const { page } = bea
  await page.goto(`/groups/${group.$id}`)
  await link(page, '2 members').click()
  await expect(rows(page, 'Members')).toHaveCount(2)
  const admin = rows(page, 'Members').filter({ hasText: 'Ana Paz' })
  await expect(admin).toContainText('Admin')
  await expect(rows(page, 'Members').getByRole('button', { name: /admin|Remove/ })).toHaveCount(0)
  await admin.getByRole('link').click()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Ana Paz')

  await cleo.page.goto(`/groups/${group.$id}?list=members`)
  await expect(main(cleo.page).getByText('2 members')).toBeVisible()
  await expect(link(cleo.page, '2 members')).toHaveCount(0)
  await expect(cleo.page.getByRole('dialog')).toHaveCount(0)
})
