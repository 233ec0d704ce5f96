import type { Page } from '@playwright/test'
import {
  locateConversationList,
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageThread,
  openConversationPage,
  openConversationViaApi,
  sendMessageViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'

const sending = /\/v1\/conversations\/[^/]+\/messages$/
const isSend = (url: string, method: string) => method === 'POST' && sending.test(url)

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('ana'), await signedUp('Bea Ortiz')]
  return { ana, bea, talk: await openConversationViaApi(ana, bea) }
}

const stored = async (person: JourneyMember, talk: string) => {
  const answer = await person.request.get(`/v1/conversations/${talk}/messages`)
  return ((await answer.json()) as { documents: { content: string; readBy: string[] }[] }).documents
}

test('CMSG-05 CMSG-08 CMSG-09 CMSG-13 CMSG-16 CMSG-17 what ana writes is trimmed, stored once and on top of her list @quick', async ({
  member,
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  const carla = await member('carla')
  await sendMessageViaApi(ana, talk, 'Antes')
  const other = await openConversationViaApi(ana, carla)
  await sendMessageViaApi(carla, other, 'Buenas')
  const page = await openConversationPage(ana, talk)
  await expect(locateConversationList(page).getByRole('listitem').first()).toContainText('carla')
  const sent = page.waitForRequest((request) => isSend(request.url(), request.method()))
  await typeAndSendMessage(page, '  hola\nBea  ')
  expect((await sent).postDataJSON()).toEqual({
    messageId: expect.any(String),
    content: 'hola\nBea',
    type: 'text',
  })
  await expect(locateMessageInput(page)).toHaveValue('')
  await expect(locateMessageInput(page)).toBeFocused()
  await expect(locateMessageBubble(page, 'hola').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect(locateConversationList(page).getByRole('listitem').first()).toContainText('You: hola')
  const [newest, ...rest] = await stored(bea, talk)
  expect(newest).toMatchObject({ content: 'hola\nBea', readBy: [ana.$id] })
  expect(rest).toHaveLength(1)

  await openConversationPage(bea, talk)
  await expect(locateMessageBubble(bea.page, 'hola')).toBeVisible()
  await expect(locateMessageThread(bea.page).getByRole('img')).toHaveCount(0)
})

test('CMSG-18 opening a conversation reads it: the check of the other one takes its colour', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'uno')
  await sendMessageViaApi(bea, talk, 'dos')
  await openConversationPage(bea, talk)
  await expect(locateMessageBubble(bea.page, 'dos').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await openConversationPage(ana, talk)
  for (const text of ['uno', 'dos'])
    await expect(locateMessageBubble(bea.page, text).getByRole('img', { name: 'Read' })).toBeVisible()
  expect((await stored(bea, talk)).map(({ readBy }) => readBy)).toEqual([
    [bea.$id, ana.$id],
    [bea.$id, ana.$id],
  ])
})

test('CMSG-21 coming back asks for the messages again', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  await sendMessageViaApi(bea, talk, 'hola')
  const page = await openConversationPage(ana, talk)
  await expect(locateMessageBubble(page, 'hola')).toBeVisible()
  await page.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  const again = page.waitForRequest((request) => sending.test(request.url()))
  await page.goBack()
  await again
  await expect(locateMessageBubble(page, 'hola')).toBeVisible()
})

test('a draft is there again after a reload, in its own conversation', async ({ signedUp }) => {
  const { ana, bea, talk } = await two(signedUp)
  const other = await openConversationViaApi(ana, await signedUp('carla'))
  const page = await openConversationPage(ana, talk)
  await locateMessageInput(page).fill('a medias')
  await openConversationPage(ana, other)
  await expect(locateMessageInput(page)).toHaveValue('')
  await openConversationPage(ana, talk)
  await expect(locateMessageInput(page)).toHaveValue('a medias')
  await locateConversationRow(page, bea.name).getByRole('link').click()
  await expect(locateMessageInput(page)).toHaveValue('a medias')
})

/** How many messages her browser keeps for the next start. */
const countKeptMessages = (page: Page) =>
  page.evaluate(async () => {
    const name = 'juntas-outgoing'
    // Opening one that is not there yet would make it, without what belongs in it.
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

test('NAV-18 offline, messages wait, survive a reload, and go out once in their order; a logout asks before it drops them', async ({
  signedUp,
}) => {
  const { ana, bea, talk } = await two(signedUp)
  const page = await openConversationPage(ana, talk)
  await ana.context.setOffline(true)
  await expect(page.getByText('Waiting for connection…')).toBeVisible()
  for (const text of ['uno', 'dos', 'tres']) await typeAndSendMessage(page, text)
  await expect(locateMessageBubble(page, 'tres')).toContainText('Waiting')
  await expect.poll(() => countKeptMessages(page)).toBe(3)
  await page.close()
  await ana.context.setOffline(false)
  const later = await ana.context.newPage()
  await later.goto('/')
  await expect
    .poll(async () => (await stored(bea, talk)).map(({ content }) => content))
    .toEqual(['tres', 'dos', 'uno'])

  await later.goto(`/chat/${talk}`)
  await expect(locateMessageBubble(later, 'tres').getByRole('img', { name: 'Delivered' })).toBeVisible()
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
