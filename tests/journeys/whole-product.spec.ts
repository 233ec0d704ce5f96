import type { BrowserContext, Page } from '@playwright/test'
import { clickCreateAccountButton, fillSignUp } from './auth-form-steps.ts'
import {
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateUserSearchInput,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, signUpFormFixture, test, toastRegion } from './fixtures.ts'
import { uploadPhotoInForm } from './post-steps.ts'

type Newcomer = ReturnType<typeof signUpFormFixture> & { page: Page; context: BrowserContext }

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const toast = (page: Page) => toastRegion(page).getByRole('listitem')

/** The Chat link has its badge after the label. */
async function goTo(page: Page, label: string, heading = label) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${label}`) })
    .click()
  await expect(title(page)).toHaveText(heading)
}

async function publish(page: Page, caption: string) {
  await expect(title(page)).toHaveText('Create Post')
  await page.getByLabel('Caption').fill(caption)
  await uploadPhotoInForm(page)
  await page.getByLabel('Location').fill('Tonalá')
  await page.getByLabel('Tags').fill('barro, sol')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
}

const cardOf = (page: Page, { username }: Newcomer) =>
  main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${username}` })

test('GEN-01 two new members, ana and eva, use every main feature @quick', async ({ browser, server }) => {
  test.slow()
  const meet = async (name: string): Promise<Newcomer> => {
    const context = await browser.newContext({ baseURL: server.url })
    return { ...signUpFormFixture(name), context, page: await context.newPage() }
  }
  const [ana, eva] = [await meet('Ana Sol'), await meet('Eva Mar')]

  await test.step('sign up, sign out, sign in', async () => {
    for (const person of [ana, eva]) {
      const { page } = person
      await page.goto('/')
      await expect(page).toHaveURL('/sign-in')
      await page.getByRole('link', { name: 'Crea tu cuenta' }).click()
      await fillSignUp(page, person)
      await clickCreateAccountButton(page)
      await expect(title(page)).toHaveText('Following')
    }
    await eva.page.getByRole('button', { name: 'Logout' }).click()
    await expect(eva.page).toHaveURL('/sign-in')
    await eva.page.getByLabel('Email').fill(eva.email)
    await eva.page.getByLabel('Contraseña', { exact: true }).fill(eva.password)
    await eva.page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(title(eva.page)).toHaveText('Following')
  })

  await test.step('edit her own profile', async () => {
    const { page, username } = eva
    await page
      .getByRole('complementary', { name: 'Sidebar' })
      .getByRole('link', { name: `@${username}` })
      .click()
    await main(page).getByRole('link', { name: 'Edit Profile' }).click()
    await main(page).getByLabel('Bio').fill('Barro y mar')
    await main(page).getByRole('button', { name: 'Update Profile' }).click()
    await expect(main(page).getByText('Barro y mar')).toBeVisible()
  })

  await test.step('publish a post, edit it, delete another', async () => {
    const { page } = eva
    for (const caption of [`Cazuelas de ${eva.username}`, 'La que se va']) {
      await goTo(page, 'Create Post')
      await publish(page, caption)
      await expect(title(page)).toHaveText('Following')
      await expect(main(page).getByRole('article').first()).toContainText(caption)
    }
    const posts = main(page).getByRole('article')
    await posts.first().getByRole('link', { name: 'La que se va' }).click()
    await main(page).getByRole('button', { name: 'Delete post' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete post' }).click()
    await expect(posts).toHaveCount(1)
    await posts.getByRole('link', { name: 'Edit post' }).click()
    await page.getByLabel('Caption').fill(`Jarras de ${eva.username}`)
    await main(page).getByRole('button', { name: 'Update Post' }).click()
    await expect(main(page).getByRole('article')).toContainText(`Jarras de ${eva.username}`)
  })

  await test.step('find, follow and unfollow eva, and see what she posted', async () => {
    const { page } = ana
    await goTo(page, 'People')
    const card = cardOf(page, eva)
    await card.getByRole('button', { name: 'Follow' }).click()
    await expect(toast(page)).toContainText('You are now following Eva Mar')
    await card.getByRole('button', { name: 'Unfollow' }).click()
    await expect(toast(page)).toContainText('You unfollowed Eva Mar')
    await card.getByRole('button', { name: 'Follow' }).click()
    await expect(card.getByRole('button', { name: 'Unfollow' })).toBeVisible()
    await card.getByRole('link').click()
    await expect(main(page).getByText('Barro y mar')).toBeVisible()
    await expect(main(page).getByRole('definition')).toHaveText(['1', '1', '0'])
    await goTo(page, 'Home', 'Following')
    await expect(main(page).getByRole('article')).toContainText(`Jarras de ${eva.username}`)
  })

  await test.step('explore, search, like and save', async () => {
    const { page } = ana
    await goTo(page, 'Explore')
    await page.getByRole('searchbox', { name: 'Search Posts' }).fill(`jarras de ${eva.username}`)
    await expect(main(page).getByRole('heading', { name: /^Results for/ })).toBeVisible()
    await main(page)
      .getByRole('link', { name: `Jarras de ${eva.username}` })
      .click()
    await expect(main(page).getByText('#barro')).toBeVisible()
    await main(page)
      .getByRole('button', { name: /^Like, / })
      .click()
    await main(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(main(page).getByRole('button', { name: 'Like, 1 like' })).toBeVisible()
    await goTo(page, 'Saved', 'Saved Posts')
    await expect(main(page).getByRole('link', { name: `Jarras de ${eva.username}` })).toBeVisible()
    await page
      .getByRole('complementary', { name: 'Sidebar' })
      .getByRole('link', { name: `@${ana.username}` })
      .click()
    await main(page).getByRole('link', { name: 'Liked Posts' }).click()
    await expect(main(page).getByRole('link', { name: `Jarras de ${eva.username}` })).toBeVisible()
  })

  await test.step('chat, live on both sides', async () => {
    await goTo(eva.page, 'Chat')
    await goTo(ana.page, 'Chat')
    await locateUserSearchInput(ana.page).fill(eva.username)
    await ana.page.getByRole('option').filter({ hasText: eva.username }).click()
    await typeAndSendMessage(ana.page, '¿Haces macetas?')
    await expect(locateConversationRow(eva.page, 'Ana Sol').getByText('Unread')).toBeAttached()
    await locateConversationRow(eva.page, 'Ana Sol').getByRole('link').click()
    await expect(locateMessageBubble(eva.page, '¿Haces macetas?')).toBeVisible()
    await expect(
      locateMessageBubble(ana.page, '¿Haces macetas?').getByRole('img', { name: 'Read' }),
    ).toBeVisible()
    await typeAndSendMessage(eva.page, 'Sí, de barro')
    await expect(locateMessageBubble(ana.page, 'Sí, de barro')).toBeVisible()
    await expect(locateMessageInput(ana.page)).toHaveValue('')
  })

  const groups = { knit: `Tejer ${ana.username}`, read: `Leer ${ana.username}` }
  const card = (page: Page, name: string) => main(page).getByRole('article', { name })

  await test.step('create two groups, and ask to join them', async () => {
    for (const name of Object.values(groups)) {
      await goTo(ana.page, 'Groups')
      await main(ana.page).getByRole('link', { name: 'Create Group' }).click()
      await ana.page.getByLabel('Name').fill(name)
      await main(ana.page).getByRole('button', { name: 'Create Group' }).click()
      await expect(toast(ana.page)).toContainText('Group created successfully!')
    }
    await goTo(eva.page, 'Groups')
    for (const name of Object.values(groups)) {
      await card(eva.page, name).getByRole('button', { name: 'Join Group' }).click()
      await expect(card(eva.page, name).getByRole('button', { name: 'Pending' })).toBeDisabled()
    }
  })

  await test.step('approve one request, reject the other', async () => {
    for (const [name, decision, said] of [
      [groups.knit, 'Approve', 'Request approved!'],
      [groups.read, 'Reject', 'Request rejected'],
    ] as const) {
      await goTo(ana.page, 'Groups')
      await card(ana.page, name).getByRole('link', { name: 'View Group' }).click()
      await main(ana.page).getByRole('link', { name: 'Requests 1 pending' }).click()
      await main(ana.page)
        .getByRole('button', { name: `${decision} Eva Mar` })
        .click()
      await expect(toast(ana.page)).toContainText(said)
    }
    const refused = card(eva.page, groups.read).getByRole('button', { name: 'Request Rejected' })
    await expect(refused).toBeDisabled()
  })

  await test.step('post in the group, where only its members see it', async () => {
    const { page } = eva
    await card(page, groups.knit).getByRole('link', { name: 'View Group' }).click()
    await main(page).getByRole('link', { name: 'Create First Post' }).click()
    await publish(page, 'Solo entre nosotras')
    await expect(title(page)).toHaveText(groups.knit)
    await expect(main(page).getByRole('article')).toContainText('Solo entre nosotras')
    await goTo(ana.page, 'Home', 'Following')
    const post = main(ana.page).getByRole('article').filter({ hasText: 'Solo entre nosotras' })
    await expect(post.getByRole('link', { name: `Posted in ${groups.knit}` })).toBeVisible()
  })

  for (const { context } of [ana, eva]) await context.close()
})
