import type { Page } from '@playwright/test'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const links = (page: Page) => main(page).getByRole('listitem').getByRole('link')

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

/** A reload would remove the attribute set here. */
const begin = async (page: Page, path: string) => {
  await page.goto(path)
  await page.evaluate(() => document.body.setAttribute('data-same-load', 'yes'))
}
const sameLoad = (page: Page) => expect(page.locator('body')).toHaveAttribute('data-same-load', 'yes')

test('CACHE-06 a follow, a like, a save, a new name and an edited post appear on every screen that was already loaded @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const { page } = ana
  const own = await publishPostViaApi(ana, { caption: `Antes ${ana.username}` })
  const post = await publishPostViaApi(bea, { caption: `La de ${bea.username}` })
  const counts = main(page).getByRole('definition')
  const articles = main(page).getByRole('article')
  const link = (name: string) => main(page).getByRole('link', { name })
  await begin(page, '/')
  await expect(articles).toHaveCount(1)
  await goTo(page, 'Saved')
  await expect(main(page).getByRole('heading', { name: 'No available posts' })).toBeVisible()
  await ownProfile(ana)
  await expect(counts).toHaveText(['1', '0', '0'])
  await link('Liked Posts').click()
  await expect(main(page).getByText('No liked posts')).toBeVisible()
  await goTo(page, 'Explore')
  for (const { caption } of [own, post]) await expect(link(caption)).toBeVisible()

  await goTo(page, 'People')
  const card = main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${bea.username}` })
  await card.getByRole('link').click()
  await expect(counts).toHaveText(['1', '0', '0'])
  await main(page).getByRole('button', { name: 'Follow' }).click()
  await expect(counts).toHaveText(['1', '1', '0'])
  await ownProfile(ana)
  await expect(counts).toHaveText(['1', '0', '1'])
  await goTo(page, 'People')
  await expect(card.getByRole('button', { name: 'Unfollow' })).toBeVisible()

  await goTo(page, 'Home')
  const hers = articles.filter({ hasText: post.caption })
  await hers.getByRole('button', { name: /^Like, / }).click()
  await hers.getByRole('button', { name: 'Save', exact: true }).click()
  await goTo(page, 'Saved')
  await expect(links(page)).toHaveCount(1)
  await ownProfile(ana)
  await link('Liked Posts').click()
  await expect(link(post.caption)).toBeVisible()
  await goTo(page, 'Explore')
  await expect(
    main(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: post.caption }) }),
  ).toContainText('1 like')
  await link(post.caption).click()
  await expect(main(page).getByRole('button', { name: 'Like, 1 like' })).toBeVisible()

  await ownProfile(ana)
  await link('Edit Profile').click()
  await main(page).getByLabel('Name', { exact: true }).fill('Ana Sol')
  await main(page).getByRole('button', { name: 'Update Profile' }).click()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Ana Sol')
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('Ana Sol')
  await goTo(page, 'Home')
  await expect(main(page).getByRole('article', { name: 'Post by Ana Sol' })).toBeVisible()

  const after = `Después ${ana.username}`
  await link(own.caption).first().click()
  await link('Edit post').click()
  await page.getByLabel('Caption').fill(after)
  await main(page).getByRole('button', { name: 'Update Post' }).click()
  await expect(articles).toContainText(after)
  for (const label of ['Home', 'Explore']) {
    await goTo(page, label)
    await expect(link(after).first()).toBeVisible()
    await expect(link(own.caption)).toHaveCount(0)
  }
  await ownProfile(ana)
  await link(after).click()
  await main(page).getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete post' }).click()
  await expect(counts).toHaveText(['0', '0', '1'])
  for (const label of ['Home', 'Explore']) {
    await goTo(page, label)
    await expect(link(post.caption).first()).toBeVisible()
    await expect(link(after)).toHaveCount(0)
  }
  await sameLoad(page)
})

test('CACHE-06 changes to a group and its join requests appear on its page, in the group list and for the other member', async ({
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
