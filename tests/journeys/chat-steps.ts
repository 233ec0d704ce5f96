import type { Page } from '@playwright/test'
import { expect, type JourneyMember, type JourneyMemberWithPage, openPageWithSocket } from './fixtures.ts'

export type ConversationReference = { $id: string }

/** Creates a missing conversation through the API. */
export async function openConversationViaApi(
  one: JourneyMember,
  other: Pick<JourneyMember, '$id'>,
): Promise<string> {
  const answer = await one.request.post('/v1/conversations', { data: { personId: other.$id } })
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as ConversationReference).$id
}

export async function sendMessageViaApi(
  one: JourneyMember,
  conversation: string,
  content: string,
): Promise<string> {
  const answer = await one.request.post(`/v1/conversations/${conversation}/messages`, { data: { content } })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { $id: string }).$id
}

export const locateConversationList = (page: Page) => page.getByRole('list', { name: 'Conversations' })
export const locateConversationRow = (page: Page, name: string) =>
  locateConversationList(page).getByRole('listitem').filter({ hasText: name })
export const locateMessageList = (page: Page) => page.getByRole('list', { name: /^Messages with / })
export const locateMessageBubble = (page: Page, text: string) =>
  locateMessageList(page).getByRole('listitem').filter({ hasText: text })
export const locateMessageInput = (page: Page) => page.getByPlaceholder('Type a message...')
export const locateSendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
export const locateUserSearchInput = (page: Page) => page.getByPlaceholder('Buscar usuarios...')

export async function openConversationPage(
  person: Pick<JourneyMemberWithPage, 'page'>,
  conversation: string,
): Promise<Page> {
  const page = await openPageWithSocket(person.page, `/chat/${conversation}`)
  await expect(locateMessageInput(page)).toBeVisible()
  return page
}

export async function typeAndSendMessage(page: Page, text: string): Promise<void> {
  await locateMessageInput(page).fill(text)
  await locateMessageInput(page).press('Enter')
}
