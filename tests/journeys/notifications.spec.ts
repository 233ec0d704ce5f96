/** Notifications: the bell on every page, the list, answers in place, and what two devices of a member show of it. */
import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import { expect, type JourneyMember, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { refuseRequestsUntilClick } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
/** Of the two in the page the one that shows at this width. */
const bell = (page: Page) =>
  page.getByRole('link', { name: 'Notifications', exact: true }).filter({ visible: true }).first()
const unseen = (page: Page) => page.getByText('unread notifications: ').filter({ visible: true })
const row = (page: Page, text: string) => main(page).getByRole('listitem').filter({ hasText: text })
const tab = (page: Page, name: string) =>
  main(page).getByRole('navigation').getByRole('button', { name, exact: true })

async function like(who: JourneyMember, postId: string): Promise<void> {
  expect((await who.request.put(`/v1/posts/${postId}/like`, { data: {} })).ok()).toBe(true)
}

test('NOT-01 NOT-09 NOT-10 NOT-11 a like rings on both of ana’s devices; seeing and reading it shows on both @quick', async ({
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

  // A second look, for which the list is still there as it was.
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

  // Without the list, by way of the post itself.
  const carla = await member('Carla')
  await page.goto('/saved')
  await like(carla, post.$id)
  await expect(row(other, 'Carla')).toContainText('unread')
  await page.goto(`/posts/${post.$id}`)
  await expect(row(other, 'Carla')).not.toContainText('unread')
  // While the post is open, what comes is there to see.
  const eva = await member('Eva')
  await like(eva, post.$id)
  await expect(row(other, 'Eva')).not.toContainText('unread')
})

test('NOT-09 two tabs and a phone of ana show the same number, and none once she has looked on any of them', async ({
  signedUp,
  newBrowser,
  member,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('Bea'), await member('Carla')]
  const { page, context, email, password } = ana
  const pocket = await newBrowser()
  expect((await pocket.request.post('/v1/sessions', { data: { email, password } })).status()).toBe(201)
  const phone = await pocket.newPage()
  await phone.setViewportSize({ width: 390, height: 844 })
  const second = await context.newPage()
  const devices = [page, phone, second]
  for (const each of devices) await each.goto('/saved')
  const posts = [await publishPostViaApi(ana), await publishPostViaApi(ana)]
  const expectEverywhere = async (text: string) => {
    for (const each of devices) await expect(unseen(each)).toHaveText(text)
  }

  // With the device that is new.
  await expectEverywhere('unread notifications: 1')
  for (const post of posts) await like(bea, post.$id)
  await followMemberViaApi(carla, ana)
  await expectEverywhere('unread notifications: 4')
  for (const looking of devices) {
    await bell(looking).click()
    await expect(row(looking, 'Carla follows you')).toBeVisible()
    for (const each of devices) await expect(unseen(each)).toHaveCount(0)
    await looking.goBack()
    await like(await member('Dora'), posts[0]?.$id ?? '')
    await expectEverywhere('unread notifications: 1')
  }
})

test('SET-01 SET-02 the bell stands beside the brand at every width, and the navigation has its seven entries', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/saved')
  const entries = page.getByRole('navigation', { name: 'Main' }).filter({ visible: true }).getByRole('link')
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(
      page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link', { name: 'Notifications' }),
    ).toBeVisible()
    await expect(entries).toHaveCount(7)
    const [settings, logout] = await Promise.all(
      [page.getByRole('link', { name: 'Settings' }), page.getByRole('button', { name: 'Logout' })].map(
        (one) => one.filter({ visible: true }).boundingBox(),
      ),
    )
    expect(settings?.y).toBeLessThan(logout?.y ?? 0)
  }
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(entries).toHaveCount(7)
    const bar = page.getByRole('banner')
    const inOrder = [
      bar.getByRole('link', { name: 'Juntas' }),
      bar.getByRole('link', { name: 'Notifications' }),
      bar.getByRole('button', { name: 'Logout' }),
      bar.getByRole('link', { name: 'Your profile' }),
    ]
    for (const one of inOrder) await expect(one).toBeVisible()
    const boxes = await Promise.all(inOrder.map((one) => one.boundingBox()))
    for (const [place, box] of boxes.entries()) {
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(44)
      const next = boxes[place + 1]
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(next ? next.x : width)
    }
  }
})

test('NOT-04 NOT-05 NOT-12 every kind has its words; a request is answered in place, and the other tab says how @quick', async ({
  signedUp,
  member,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('Bea'), await member('Carla')]
  const { page, context, username } = ana
  await page.goto('/notifications')
  await expect(main(page).getByRole('heading', { name: 'Nothing new' })).toBeVisible()

  const group = await createGroupViaApi(ana, { name: 'Cerámica' })
  await submitJoinRequest(bea, group)
  const asks = 'Bea asks to join Cerámica'
  await expect(row(page, asks)).toBeVisible()
  const second = await context.newPage()
  await second.goto('/notifications')
  await expect(tab(second, 'Requests 1')).toBeVisible()
  await row(page, asks).getByRole('button', { name: 'Approve Bea' }).click()
  await expect(toastRegion(page)).toContainText('Request approved!')
  for (const each of [page, second]) {
    await expect(row(each, asks)).toContainText('Approved')
    await expect(row(each, asks).getByRole('button')).toHaveCount(0)
  }

  await followMemberViaApi(carla, ana)
  await expect(row(page, 'Carla follows you')).toBeVisible()
  await publishPostViaApi(bea, { caption: `Mira, @${username}`, groupId: group.$id })
  await expect(row(page, 'Bea mentioned you in Cerámica')).toBeVisible()
  await expect(row(page, 'Bea posted in Cerámica')).toBeVisible()
  await expect(main(page).getByText('We keep 90 days.')).toBeVisible()

  await main(page).getByRole('link', { name: 'Notification settings' }).click()
  await main(page).getByRole('checkbox', { name: 'New followers: Here' }).click()
  await expect(main(page).getByRole('checkbox', { name: 'New followers: Here' })).not.toBeChecked()
  await page.goBack()
  await expect(row(page, 'Bea posted in Cerámica')).toBeVisible()
  await expect(row(page, 'Carla follows you')).toHaveCount(0)

  await refuseRequestsUntilClick(second, '**/v1/notifications?*')
  await second.reload()
  await second.getByRole('button', { name: 'Try again' }).click()
  await expect(row(second, asks)).toBeVisible()
})

test('PUSH-02 PUSH-11 each kind is chosen for itself: what shows, what rings, and what the summary tells of', async ({
  signedUp,
}) => {
  const { page, request } = await signedUp('ana')
  await page.goto('/settings/notifications')
  const choice = (name: string) => main(page).getByRole('checkbox', { name, exact: true })
  const delivery = async () => (await request.get('/v1/me/notification-delivery')).json()
  await expect(choice('Likes: Here')).toBeChecked()
  await expect(choice('Likes: Push')).not.toBeChecked()
  await expect(choice('Requests to follow or join: Push')).toBeChecked()
  await choice('Likes: Push').click()
  await choice('Messages: Push').click()
  await choice('Mentions of you: E-mail').click()
  await expect(choice('Likes: Push')).toBeChecked()
  await expect(choice('Messages: Push')).not.toBeChecked()
  await expect(choice('Mentions of you: E-mail')).not.toBeChecked()
  await expect.poll(async () => (await delivery()).mail).not.toContain('mention')
  const { push, mail } = await delivery()
  expect(push).toContain('like')
  expect(push).not.toContain('message')
  expect(push).toContain('mention')
  expect(mail).toContain('group-post')
  await page.reload()
  await expect(choice('Likes: Push')).toBeChecked()
  await expect(choice('Messages: Push')).not.toBeChecked()
  // Of one's account one is always told, and of messages no summary tells.
  await expect(main(page).getByRole('img', { name: 'Safety of your account: Push, always on' })).toBeVisible()
  await expect(choice('Messages: E-mail')).toHaveCount(0)
  expect(await findAxeProblems(page)).toEqual([])
})

test('SESS-06 ana is asked whether a new device was hers; No signs it out and opens the change of password, Yes asks no more', async ({
  signedUp,
  newBrowser,
}) => {
  const { page, email, password, request } = await signedUp('ana')
  const signInElsewhere = async () => {
    const context = await newBrowser()
    expect((await context.request.post('/v1/sessions', { data: { email, password } })).status()).toBe(201)
    const other = await context.newPage()
    await other.goto('/notifications')
    return other
  }
  const other = await signInElsewhere()
  // Whoever is at the new device is not asked.
  await expect(row(other, 'New device: ')).toContainText('Was it you?')
  await expect(row(other, 'New device: ').getByRole('button')).toHaveCount(0)
  const letters: { to: string; kind: string }[] = await (await request.get('/dev/outbox')).json()
  expect(letters.filter(({ to, kind }) => to === email && kind === 'new-device')).toHaveLength(1)

  await page.goto('/notifications')
  await row(page, 'New device: ')
    .getByRole('button', { name: /^No, end Chrome on / })
    .click()
  await expect(page).toHaveURL('/settings/account')
  await expect(main(page).getByRole('region', { name: 'Change your password' })).toBeVisible()
  await expect(other).toHaveURL('/sign-in')
  await bell(page).click()
  await expect(row(page, 'New device: ')).not.toContainText('unread')
  await expect(row(page, 'New device: ').getByRole('button')).toHaveCount(0)

  const hers = await signInElsewhere()
  const second = row(page, 'New device: ').first()
  await second.getByRole('button', { name: /^Yes, Chrome on .* was me$/ }).click()
  await expect(second).not.toContainText('unread')
  await expect(second.getByRole('button')).toHaveCount(0)
  await hers.reload()
  await expect(hers).toHaveURL('/notifications')
})
