import type { Page } from '@playwright/test'
import {
  locateMessageBubble,
  locateMessageInput,
  locateMessageList,
  openConversationPage,
  openConversationViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ortiz')]
  return { ana, bea, conversation: await openConversationViaApi(ana, bea) }
}

const stored = async (person: JourneyMember, conversation: string) => {
  const answer = await person.request.get(`/v1/conversations/${conversation}/messages`)
  return ((await answer.json()) as { documents: { content: string; readBy: string[] }[] }).documents
}

test("CMSG-05 CMSG-18 RT-03 RT-04 REPLY-02 REPLY-03 REACT-03 UNSEND-02 ana's message, bea's reply and reaction, and ana's unsending appear live for both @quick", async ({
  signedUp,
}) => {
  const { ana, bea, conversation } = await two(signedUp)
  const page = await openConversationPage(ana, conversation)
  await openConversationPage(bea, conversation)
  const actAt = async (reader: Page, text: string, action: string) => {
    const bubble = locateMessageBubble(reader, text)
    await bubble.hover()
    await bubble.getByRole('button', { name: 'Message options' }).click()
    await reader.getByRole('menuitem', { name: action, exact: true }).click()
  }
  await typeAndSendMessage(page, '  salió\ndel horno  ')
  await expect(locateMessageBubble(bea.page, 'salió')).toBeVisible()
  await expect(locateMessageBubble(page, 'salió').getByRole('img', { name: 'Read' })).toBeVisible()
  expect(await stored(bea, conversation)).toMatchObject([
    { content: 'salió\ndel horno', readBy: [ana.$id, bea.$id] },
  ])

  await actAt(bea.page, 'del horno', 'React')
  await bea.page.getByRole('menuitemradio', { name: 'Love', exact: true }).click()
  await expect(
    locateMessageBubble(page, 'salió').getByRole('button', { name: 'Love, 1', exact: true }),
  ).toBeVisible()
  await actAt(bea.page, 'del horno', 'Reply')
  await typeAndSendMessage(bea.page, 'qué bien huele')
  const quoteAt = (reader: Page) =>
    locateMessageBubble(reader, 'qué bien huele').getByRole('button', { name: /^Reply to / })
  await expect(quoteAt(page)).toContainText('Yousalió')

  await actAt(page, 'del horno', 'Unsend')
  await page
    .getByRole('alertdialog', { name: 'Unsend this message for both of you?' })
    .getByRole('button', { name: 'Unsend', exact: true })
    .click()
  for (const reader of [page, bea.page]) {
    await expect(locateMessageList(reader).getByRole('listitem').first()).toContainText('Message unsent')
    await expect(quoteAt(reader)).toContainText('Message unsent')
    await expect(reader.getByText('del horno')).toHaveCount(0)
    await expect(locateMessageList(reader).getByRole('button', { name: /^Love/ })).toHaveCount(0)
  }
  await page.reload()
  await expect(locateMessageList(page).getByRole('listitem').first()).toContainText('Message unsent')
})

const countKeptMessages = (page: Page) =>
  page.evaluate(async () => {
    const name = 'juntas-outgoing'
    // Opening a missing database would create an empty one.
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const counting = opening.result.transaction('messages').objectStore('messages').count()
        counting.onsuccess = () => {
          opening.result.close()
          resolve(counting.result)
        }
      }
    })
  })

test('NAV-18 offline messages and a draft survive a reload, and messages are sent once, in order; logging out asks before deleting them', async ({
  signedUp,
}) => {
  const { ana, bea, conversation } = await two(signedUp)
  const page = await openConversationPage(ana, conversation)
  await ana.context.setOffline(true)
  await expect(page.getByText('Waiting for connection…')).toBeVisible()
  for (const text of ['uno', 'dos', 'tres']) await typeAndSendMessage(page, text)
  await expect(locateMessageBubble(page, 'tres')).toContainText('Waiting')
  await expect.poll(() => countKeptMessages(page)).toBe(3)
  await locateMessageInput(page).fill('a medias')
  await page.close()
  await ana.context.setOffline(false)
  const later = await ana.context.newPage()
  await later.goto('/')
  await expect
    .poll(async () => (await stored(bea, conversation)).map(({ content }) => content))
    .toEqual(['tres', 'dos', 'uno'])

  await later.goto(`/chat/${conversation}`)
  await expect(locateMessageBubble(later, 'tres').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect(locateMessageInput(later)).toHaveValue('a medias')
  await ana.context.setOffline(true)
  await typeAndSendMessage(later, 'nunca')
  await expect(locateMessageBubble(later, 'nunca')).toContainText('Waiting')
  const logout = later.getByRole('button', { name: 'Logout' })
  const question = later.getByRole('alertdialog', { name: 'Log out now?' })
  await logout.click()
  await expect(question).toContainText('1 message has not been sent yet. Logging out deletes it.')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toBeHidden()
  await expect(locateMessageBubble(later, 'nunca')).toContainText('Waiting')
  await logout.click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(later).toHaveURL('/sign-in')
  await ana.context.setOffline(false)
  const kept = await later.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(kept).toEqual([])
})
