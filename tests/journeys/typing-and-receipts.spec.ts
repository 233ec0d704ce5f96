import type { Page } from '@playwright/test'
import {
  locateMessageBubble,
  locateMessageInput,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'

type Shown = { showsTyping?: boolean; showsReceipts?: boolean }

async function choose(person: JourneyMember, shown: Shown): Promise<void> {
  expect((await person.request.patch('/v1/me/privacy', { data: shown })).ok()).toBe(true)
}

async function talking(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const conversation = await openConversationViaApi(ana, bea)
  await sendMessageViaApi(ana, conversation, 'hola')
  return { ana, bea, conversation }
}

test('TYPE-01 TYPE-02 TYPE-03 CMSG-18 while both settings are on, ana sees when bea types and reads; after bea turns them off, ana sees neither', async ({
  signedUp,
}) => {
  const { ana, bea, conversation } = await talking(signedUp)
  for (const person of [ana, bea]) await choose(person, { showsTyping: true })
  await openConversationPage(ana, conversation)
  await openConversationPage(bea, conversation)
  const status = (page: Page, text: string, name: string) =>
    locateMessageBubble(page, text).getByRole('img', { name })
  const typing = ana.page.getByText('bea is typing…')
  await expect(status(ana.page, 'hola', 'Read')).toBeVisible()
  await locateMessageInput(bea.page).pressSequentially('va')
  await expect(typing).toBeVisible()
  await locateMessageInput(bea.page).press('Enter')
  await expect(ana.page.getByRole('log')).toContainText('bea: va')
  await expect(typing).toBeHidden()
  await expect(bea.page.getByText('is typing…')).toBeHidden()

  await choose(bea, { showsTyping: false, showsReceipts: false })
  await openConversationPage(bea, conversation)
  await typeAndSendMessage(ana.page, 'dos')
  await expect(locateMessageBubble(bea.page, 'dos')).toBeVisible()
  // The reply arrives after any earlier frames.
  await typeAndSendMessage(bea.page, 'tres')
  await expect(locateMessageBubble(ana.page, 'tres')).toBeVisible()
  await expect(typing).toBeHidden()
  await expect(status(ana.page, 'dos', 'Delivered')).toBeVisible()
  await expect(status(bea.page, 'tres', 'Delivered')).toBeVisible()
  await openConversationPage(ana, conversation)
  for (const text of ['hola', 'dos']) await expect(status(ana.page, text, 'Delivered')).toBeVisible()
})
