import type { Page } from '@playwright/test'
import {
  locateConversationList,
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageList,
  locateSendButton,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMember, openPageWithSocket, test, toastRegion } from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { followMemberViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const card = (page: Page, name: string) => main(page).getByRole('listitem', { name })
const requestsLink = (page: Page) => page.getByRole('link', { name: /^Message requests/ })
const chatLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Chat/ })
async function choose(person: JourneyMember, messagesFrom: string): Promise<void> {
  const answer = await person.request.patch('/v1/me/privacy', { data: { messagesFrom } })
  expect(answer.status()).toBe(200)
}

/** Enter starts a new line on a phone. */
async function send(page: Page, text: string): Promise<void> {
  await locateMessageInput(page).fill(text)
  await locateSendButton(page).click()
}

test("MSGR-04 MSGR-05 MSGR-06 MSGR-07 MSGR-08 MSGR-10 iria's request of three messages adds no unread count; ana sees how she knows iria, and accepts @quick", async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await signedUp('Iria Montes')]
  const [olga, bea] = [await member('Olga'), await member('Bea')]
  await choose(ana, 'ask')
  await createGroupViaApi(bea, {}, [ana, iria])
  await followMemberViaApi(iria, ana)
  const [conversation, other] = [
    await openConversationViaApi(iria, ana),
    await openConversationViaApi(olga, ana),
  ]
  await sendMessageViaApi(olga, other, 'hola guapa')

  const requester = await openConversationPage(iria, conversation)
  await send(requester, '¿Vienes? https://juntas.test/plan')
  await expect(requester.getByText('You can send 2 more until she answers.')).toBeVisible()
  await send(requester, 'Es el jueves')
  await expect(requester.getByText('You can send 1 more until she answers.')).toBeVisible()
  await send(requester, 'Llevo pan')
  await expect(requester.getByText('You can write more once she answers.')).toBeVisible()
  await locateMessageInput(requester).fill('¿Hola?')
  await expect(locateSendButton(requester)).toBeDisabled()
  await expect(locateMessageInput(requester)).toHaveValue('¿Hola?')
  await expect(
    locateMessageBubble(requester, 'Llevo pan').getByRole('img', { name: 'Delivered' }),
  ).toBeVisible()

  const { page } = ana
  await openPageWithSocket(page, '/chat')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  await expect(requestsLink(page)).toContainText('2')
  await expect(chatLink(page)).not.toContainText(/\d/)
  await requestsLink(page).click()
  await expect(page).toHaveURL('/message-requests')
  await expect(title(page)).toHaveText('Message requests')
  const request = card(page, 'Iria Montes')
  await expect(request).toContainText('1 group in common')
  await expect(request).toContainText('Follows you')
  await expect(request).toContainText(`@${iria.username}`)
  await expect(
    request.getByRole('list', { name: 'Messages from Iria Montes' }).getByRole('listitem'),
  ).toHaveText(['¿Vienes? https://juntas.test/plan', 'Es el jueves', 'Llevo pan'])
  await expect(request.getByRole('link', { name: /juntas\.test/ })).toHaveCount(0)
  await expect(request.locator('img')).toHaveCount(0)
  await expect(card(page, 'Olga')).toContainText('Nothing in common')
  await expect(card(page, 'Olga')).toContainText('Joined')

  await request.getByRole('link').click()
  await expect(page).toHaveURL(`/chat/${conversation}`)
  await expect(locateMessageBubble(page, 'https://juntas.test/plan')).toBeVisible()
  await expect(locateMessageList(page).getByRole('link')).toHaveCount(0)
  await page.getByRole('region', { name: 'Message request' }).getByRole('button', { name: 'Accept' }).click()
  await expect(toastRegion(page)).toContainText('Accepted')
  await expect(locateMessageList(page).getByRole('link', { name: 'https://juntas.test/plan' })).toBeVisible()

  await expect(requester.getByText('You can write more once she answers.')).toHaveCount(0)
  await expect(locateSendButton(requester)).toBeEnabled()
  await expect(locateMessageBubble(requester, 'Llevo pan').getByRole('img', { name: 'Read' })).toBeVisible()
})

test("MUTE-05 MUTE-06 MUTE-08 MUTE-09 a restricted member's conversation stays in message requests, even after a reply, until ana unrestricts her", async ({
  signedUp,
  member,
}) => {
  const [ana, iria] = [await signedUp('Ana'), await member('Iria Montes')]
  const conversation = await openConversationViaApi(ana, iria)
  await sendMessageViaApi(iria, conversation, '¿Qué tal?')
  const { page } = ana
  await page.goto(`/profile/${iria.$id}`)
  await page.getByRole('button', { name: 'More about Iria Montes' }).click()
  await page.getByRole('menuitem', { name: /^Restrict/ }).click()
  await expect(toastRegion(page)).toContainText('Restricted')
  await expect(toastRegion(page)).toContainText('Iria Montes won’t know.')
  await openPageWithSocket(page, '/chat')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  await expect(chatLink(page)).not.toContainText(/\d/)
  await requestsLink(page).click()
  await expect(card(page, 'Iria Montes')).toContainText('You restricted her')
  await card(page, 'Iria Montes').getByRole('link').click()
  await expect(locateMessageBubble(page, '¿Qué tal?')).toBeVisible()
  await typeAndSendMessage(page, 'Bien')
  await expect(locateMessageBubble(page, 'Bien').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect(locateConversationList(page)).toHaveCount(0)

  await page.goto('/settings/quiet')
  await expect(main(page).getByText('Nobody is muted.')).toBeVisible()
  await main(page).getByRole('button', { name: 'Unrestrict Iria Montes' }).click()
  await expect(toastRegion(page)).toContainText('Unrestricted')
  await expect(main(page).getByText('Nobody is muted or restricted.')).toBeVisible()
  await page.goto('/chat')
  await expect(locateConversationRow(page, 'Iria Montes')).toBeVisible()
  await expect(requestsLink(page)).toHaveCount(0)
})
