import type { Page } from '@playwright/test'
import { expect, type JourneyMember, test } from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
/** The page has two links, of which one is visible. */
const bell = (page: Page) =>
  page.getByRole('link', { name: 'Notifications', exact: true }).filter({ visible: true }).first()
const unseen = (page: Page) => page.getByText('unread notifications: ').filter({ visible: true })
const row = (page: Page, text: string) => main(page).getByRole('listitem').filter({ hasText: text })
const tab = (page: Page, name: string) =>
  main(page).getByRole('navigation').getByRole('button', { name, exact: true })

async function like(who: JourneyMember, postId: string): Promise<void> {
  expect((await who.request.put(`/v1/posts/${postId}/like`, { data: {} })).ok()).toBe(true)
}

test('NOT-01 NOT-05 NOT-09 NOT-10 NOT-11 a like notifies ana on both devices; seeing, reading or answering on one device updates the other @quick', async ({
  signedUp,
  newBrowser,
  member,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('Bea')]
  const { page, email, password } = ana
  const phone = await newBrowser()
  const session = await phone.request.post('/v1/sessions', { data: { email, password } })
  expect(session.status()).toBe(201)
  const post = await publishPostViaApi(ana)
  await page.goto('/saved')
  const other = await phone.newPage()
  await other.goto('/saved')
  await expect(unseen(page)).toHaveText('unread notifications: 1')
  await like(bea, post.$id)
  for (const each of [page, other]) {
    await expect(unseen(each)).toHaveText('unread notifications: 2')
    await expect(each).toHaveTitle('(2) Saved Posts · Juntas')
  }

  await bell(page).click()
  await expect(main(page).getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(row(page, 'Bea liked your post')).toContainText('unread')
  await expect(row(page, 'New device: ')).toContainText('Was it you?')
  await expect(unseen(other)).toHaveCount(0)
  await expect(other).toHaveTitle('Saved Posts · Juntas')
  await expect(tab(page, 'Unread')).toBeVisible()

  await bell(other).click()
  await expect(row(other, 'Bea liked your post')).toContainText('unread')
  await row(page, 'Bea liked your post').getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/posts/${post.$id}$`))
  await expect(row(other, 'Bea liked your post')).not.toContainText('unread')
  await main(other).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(tab(other, 'Unread')).toBeVisible()
  await expect(row(other, 'New device: ')).not.toContainText('unread')

  const dora = await member('Dora')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Saved' }).click()
  await expect(main(page).getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  await main(other).getByRole('link', { name: 'Notification settings' }).click()
  await like(dora, post.$id)
  for (const each of [page, other]) await expect(unseen(each)).toHaveText('unread notifications: 1')
  await bell(page).click()
  await expect(row(page, 'Dora')).toBeVisible()
  for (const each of [page, other]) await expect(unseen(each)).toHaveCount(0)
  await bell(other).click()

  const asks = 'Eva asks to join Cerámica'
  const eva = await member('Eva')
  await submitJoinRequest(eva, await createGroupViaApi(ana, { name: 'Cerámica' }))
  await expect(tab(other, 'Requests 1')).toBeVisible()
  await row(page, asks).getByRole('button', { name: 'Approve Eva' }).click()
  for (const each of [page, other]) {
    await expect(row(each, asks)).toContainText('Approved')
    await expect(row(each, asks).getByRole('button')).toHaveCount(0)
  }

  const carla = await member('Carla')
  await page.goto('/saved')
  await like(carla, post.$id)
  await expect(row(other, 'Carla')).toContainText('unread')
  await page.goto(`/posts/${post.$id}`)
  await expect(row(other, 'Carla')).not.toContainText('unread')
  // New notifications of the open post count as read.
  const gala = await member('Gala')
  await like(gala, post.$id)
  await expect(row(other, 'Gala')).not.toContainText('unread')
})
