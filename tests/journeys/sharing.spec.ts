/** Sharing a post into conversations, and what its card shows to whom. */
import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import {
  locateMessageThread,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this post' })
const targets = (page: Page) => dialog(page).getByRole('list', { name: 'People to send it to' })

test('SHARE-01 SHARE-02 SHARE-06 ana sends a post to two, who see its card, and copies its link @both', async ({
  signedUp,
}) => {
  const [ana, bea, carla] = [
    await signedUp('Ana Gil'),
    await signedUp('Bea Ruiz'),
    await signedUp('Carla Paz'),
  ]
  for (const reader of [bea, carla]) await followMemberViaApi(reader, ana)
  const post = await publishPostViaApi(ana, { caption: 'La mesa del domingo' })
  const talk = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(ana, talk, 'hola')
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  await expect(targets(page).getByRole('listitem')).toHaveCount(1)
  await expect(dialog(page).getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await targets(page)
    .getByRole('checkbox', { name: /Bea Ruiz/ })
    .check()
  await dialog(page).getByRole('searchbox', { name: 'Buscar usuarios' }).fill('Carla Paz')
  await targets(page)
    .getByRole('checkbox', { name: /Carla Paz/ })
    .check()
  await dialog(page).getByRole('textbox', { name: 'Add a few words' }).fill('Mira esto')
  expect(await findAxeProblems(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Send to 2' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(toastRegion(page)).toContainText('To 2 people')

  await openConversationPage(bea, talk)
  const card = locateMessageThread(bea.page).getByRole('link', { name: /La mesa del domingo/ })
  await expect(card).toBeVisible()
  await expect(locateMessageThread(bea.page)).toContainText('Mira esto')
  await card.click()
  await expect(bea.page).toHaveURL(`/posts/${post.$id}`)
  await openConversationPage(carla, await openConversationViaApi(carla, ana))
  await expect(
    locateMessageThread(carla.page).getByRole('link', { name: /La mesa del domingo/ }),
  ).toBeVisible()

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text: string) => {
          document.documentElement.dataset.copied = text
        },
      },
    })
  })
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  await dialog(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-copied', new RegExp(`/posts/${post.$id}$`))
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Share', exact: true }).first()).toBeFocused()
})

test('SHARE-02 SHARE-03 of a group’s post ana is told who is not in the group, who then sees only that something was shared @quick', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('Ana Gil'), await signedUp('Bea Ruiz')]
  const { $id: groupId } = await createGroupViaApi(ana, { name: 'Costura' })
  await followMemberViaApi(bea, ana)
  const post = await publishPostViaApi(ana, { caption: 'Solo para Costura', groupId })
  const talk = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(ana, talk, 'hola')
  const { page } = ana
  await page.goto(`/posts/${post.$id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  await expect(targets(page)).toContainText('Not in this group')
  await targets(page)
    .getByRole('checkbox', { name: /Bea Ruiz/ })
    .check()
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  const asked: string[] = []
  bea.page.on('request', (request) => {
    if (request.url().includes(post.$id) || request.url().includes(post.imageId)) asked.push(request.url())
  })
  await openConversationPage(bea, talk)
  await expect(locateMessageThread(bea.page)).toContainText('This post isn’t available to you.')
  await expect(locateMessageThread(bea.page)).not.toContainText('Costura')
  expect(asked).toEqual([])
})
