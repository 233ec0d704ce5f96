import type { Page } from '@playwright/test'
import {
  locateConversationList,
  locateConversationRow,
  openConversationViaApi,
  typeAndSendMessage as send,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const links = (page: Page) => main(page).getByRole('listitem').getByRole('link')

/** By the links of the page, which loads nothing anew. */
async function goTo(page: Page, label: string) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${label}`) })
    .click()
}

async function ownProfile({ page, username }: JourneyMemberWithPage) {
  await page
    .getByRole('complementary', { name: 'Sidebar' })
    .getByRole('link', { name: `@${username}` })
    .click()
  await expect(main(page).getByRole('link', { name: 'Edit Profile' })).toBeVisible()
}

/** A mark that a reload would wipe out. */
const begin = async (page: Page, path: string) => {
  await page.goto(path)
  await page.evaluate(() => document.body.setAttribute('data-same-load', 'yes'))
}
const sameLoad = (page: Page) => expect(page.locator('body')).toHaveAttribute('data-same-load', 'yes')

test('CACHE-06 a like and a save are known to every screen that was loaded before @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  await followMemberViaApi(ana, bea)
  const post = await publishPostViaApi(bea)
  const { page } = ana
  await begin(page, '/')
  await goTo(page, 'Saved')
  await expect(main(page).getByRole('heading', { name: 'No available posts' })).toBeVisible()
  await ownProfile(ana)
  await main(page).getByRole('link', { name: 'Liked Posts' }).click()
  await expect(main(page).getByText('No liked posts')).toBeVisible()
  await goTo(page, 'Explore')
  await expect(links(page).first()).toBeVisible()

  await goTo(page, 'Home')
  await main(page)
    .getByRole('button', { name: /^Like, / })
    .click()
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await goTo(page, 'Saved')
  await expect(links(page)).toHaveCount(1)
  await ownProfile(ana)
  await main(page).getByRole('link', { name: 'Liked Posts' }).click()
  await expect(main(page).getByRole('link', { name: post.caption })).toBeVisible()
  await goTo(page, 'Explore')
  await expect(main(page).getByRole('listitem').filter({ hasText: 'bea' }).first()).toContainText('1 like')
  await links(page).first().click()
  await expect(main(page).getByRole('button', { name: 'Like, 1 like' })).toBeVisible()
  await sameLoad(page)
})

test('CACHE-06 a follow is known to the people list, both profiles and Home', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  await publishPostViaApi(bea, { caption: 'La de bea' })
  const { page } = ana
  await begin(page, '/')
  await expect(main(page).getByRole('heading', { name: 'No posts available' })).toBeVisible()
  await ownProfile(ana)
  await expect(main(page).getByRole('definition')).toHaveText(['0', '0', '0'])
  await goTo(page, 'People')
  const card = main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${bea.username}` })
  await card.getByRole('link').click()
  await expect(main(page).getByRole('definition')).toHaveText(['1', '0', '0'])
  await main(page).getByRole('button', { name: 'Follow' }).click()
  await expect(main(page).getByRole('definition')).toHaveText(['1', '1', '0'])
  await ownProfile(ana)
  await expect(main(page).getByRole('definition')).toHaveText(['0', '0', '1'])
  await goTo(page, 'People')
  await expect(card.getByRole('button', { name: 'Unfollow' })).toBeVisible()
  await goTo(page, 'Home')
  await expect(main(page).getByRole('article')).toContainText('La de bea')
  await sameLoad(page)
})

test('CACHE-06 a post that is changed and deleted is so on Home, Explore and her profile', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, { caption: `Antes ${ana.username}` })
  const { page } = ana
  await begin(page, '/')
  await expect(main(page).getByRole('article')).toContainText('Antes')
  await goTo(page, 'Explore')
  await expect(main(page).getByRole('link', { name: post.caption })).toBeVisible()
  await ownProfile(ana)
  await main(page).getByRole('link', { name: post.caption }).click()
  await main(page).getByRole('link', { name: 'Edit post' }).click()
  await page.getByLabel('Caption').fill(`Después ${ana.username}`)
  await main(page).getByRole('button', { name: 'Update Post' }).click()
  await expect(main(page).getByRole('article')).toContainText('Después')
  for (const label of ['Home', 'Explore']) {
    await goTo(page, label)
    await expect(main(page).getByRole('link', { name: `Después ${ana.username}` })).toBeVisible()
    await expect(main(page).getByRole('link', { name: post.caption })).toHaveCount(0)
  }
  await ownProfile(ana)
  await main(page)
    .getByRole('link', { name: `Después ${ana.username}` })
    .click()
  await main(page).getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete post' }).click()
  await expect(main(page).getByRole('definition')).toHaveText(['0', '0', '0'])
  for (const label of ['Home', 'Explore']) {
    await goTo(page, label)
    await expect(main(page).getByRole('heading').first()).toBeVisible()
    await expect(main(page).getByRole('link', { name: `Después ${ana.username}` })).toHaveCount(0)
  }
  await sameLoad(page)
})

test('CACHE-06 what is done to a group and to who asks is known to its page, the list and the other member', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const group = await createGroupViaApi(ana)
  await begin(ana.page, '/groups')
  await begin(bea.page, '/groups')
  const card = (page: Page, name: string) => main(page).getByRole('article', { name })
  await card(ana.page, group.name).getByRole('link', { name: 'View Group' }).click()
  await card(bea.page, group.name).getByRole('button', { name: 'Join Group' }).click()
  await main(ana.page).getByRole('link', { name: 'Requests 1 pending' }).click()
  await main(ana.page).getByRole('button', { name: 'Approve bea' }).click()
  await expect(card(bea.page, group.name).getByRole('link', { name: 'View Group' })).toBeVisible()
  await main(ana.page).getByRole('link', { name: 'Back to the group' }).click()
  await expect(main(ana.page).getByRole('button', { name: 'Members (2)' })).toBeVisible()
  await main(ana.page).getByRole('link', { name: 'Edit Group' }).click()
  await ana.page.getByLabel('Name').fill(`Hilar ${ana.username}`)
  await main(ana.page).getByRole('button', { name: 'Update Group' }).click()
  await expect(main(ana.page).getByRole('heading', { level: 1 })).toHaveText(`Hilar ${ana.username}`)
  await goTo(ana.page, 'Groups')
  for (const { page } of [ana, bea]) {
    await expect(card(page, `Hilar ${ana.username}`).getByText('2 members')).toBeVisible()
    await sameLoad(page)
  }
})

test('CACHE-06 a name and a picture of her own change in the sidebar and wherever she stands', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await publishPostViaApi(ana)
  const { page } = ana
  await begin(page, '/')
  await expect(main(page).getByRole('article', { name: 'Post by ana' })).toBeVisible()
  await ownProfile(ana)
  await main(page).getByRole('link', { name: 'Edit Profile' }).click()
  await main(page).getByLabel('Name', { exact: true }).fill('Ana Sol')
  await main(page).getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Ana Sol')
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('Ana Sol')
  await goTo(page, 'Home')
  await expect(main(page).getByRole('article', { name: 'Post by Ana Sol' })).toBeVisible()
  await sameLoad(page)
})

test('CACHE-06 CMSG-13 sending and reading move the list, the dot and the badge', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  const [withBea, withCarla] = [
    await openConversationViaApi(ana, bea),
    await openConversationViaApi(ana, carla),
  ]
  await sendMessageViaApi(bea, withBea, 'hola')
  await sendMessageViaApi(carla, withCarla, 'buenas')
  const { page } = ana
  await begin(page, '/chat')
  const badge = page.getByRole('navigation', { name: 'Main' }).getByText('unread conversations:')
  await expect(badge).toHaveText('unread conversations: 2')
  await locateConversationRow(page, 'bea').getByRole('link').click()
  await expect(badge).toHaveText('unread conversations: 1')
  await send(page, 'qué tal')
  await expect(locateConversationList(page).getByRole('listitem').first()).toContainText('You: qué tal')
  await expect(locateConversationRow(page, 'bea').getByText('Unread')).toHaveCount(0)
  await expect(locateConversationRow(page, 'carla').getByText('Unread')).toBeAttached()
  await sameLoad(page)
})
