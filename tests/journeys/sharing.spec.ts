import type { Page } from '@playwright/test'
import { findAxeProblems } from './axe-steps.ts'
import {
  locateMessageList,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
} from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this post' })
const targets = (page: Page) => dialog(page).getByRole('list', { name: 'People to send it to' })

test("SHARE-01 SHARE-02 SHARE-03 ana shares two posts with bea: the public post opens from its card, and the group's post shows only that it is unavailable @quick", async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('Ana Gil'), await signedUp('Bea Ruiz')]
  const { $id: groupId } = await createGroupViaApi(ana, { name: 'Costura' })
  await followMemberViaApi(bea, ana)
  const open = await publishPostViaApi(ana, { caption: 'La mesa del domingo' })
  const secret = await publishPostViaApi(ana, { caption: 'Solo para Costura', groupId })
  const conversation = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(ana, conversation, 'hola')
  const { page } = ana
  for (const post of [open, secret]) {
    await page.goto(`/posts/${post.$id}`)
    await page.getByRole('button', { name: 'Share', exact: true }).first().click()
    if (post === secret) await expect(targets(page)).toContainText('Not in this group')
    await targets(page)
      .getByRole('checkbox', { name: /Bea Ruiz/ })
      .check()
    expect(await findAxeProblems(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog(page)).toHaveCount(0)
  }
  const asked: string[] = []
  bea.page.on('request', (request) => {
    if (request.url().includes(secret.$id) || request.url().includes(secret.imageId))
      asked.push(request.url())
  })
  await openConversationPage(bea, conversation)
  await expect(locateMessageList(bea.page)).toContainText('This post isn’t available to you.')
  await expect(locateMessageList(bea.page)).not.toContainText('Costura')
  expect(asked).toEqual([])
  await locateMessageList(bea.page)
    .getByRole('link', { name: /La mesa del domingo/ })
    .click()
  await expect(bea.page).toHaveURL(`/posts/${open.$id}`)
})
