import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { searchMessagesOperation } from '#contract/chat/message-search.ts'
import type { Message } from '#contract/chat/messages.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  ana,
  answerChat,
  conversationWith,
  messageList,
  messagesFrom,
} from '#tests/support/component/chat.ts'
import { api, desktop, openApp, phone } from '#tests/support/component/open-app.tsx'

const opener = page.getByRole('button', { name: 'Search messages' })
const box = page.getByRole('searchbox', { name: 'Search messages' })
const found = page.getByRole('list', { name: 'Search results' }).getByRole('listitem')
const further = page.getByRole('button', { name: 'Search further back' })

for (const size of [desktop, phone])
  test(`CHPH-09 at ${size.width} px ana finds an old message, scrolls to it and returns to her conversations`, async () => {
    const withBea = conversationWith('bea')
    const texts = Array.from({ length: 70 }, (_, n) => `otra cosa ${n + 1}`)
    const messages = messagesFrom(withBea, 'La receta del café de olla', ...texts)
    answerChat({ conversations: [withBea], messages })
    const [message] = messages as [Message]
    api.answer(searchMessagesOperation, ({ term }) => ({
      documents: term === 'CAFE' ? [{ message, conversation: withBea }] : [],
      next: null,
    }))
    await openApp('/chat', { me: ana, size })
    await opener.click()
    await expect.element(box).toHaveFocus()
    await expect.element(page.getByText(/^Type two letters or more\./)).toBeVisible()
    await box.fill('palabra que no hay')
    await expect.element(page.getByText('No messages found.')).toBeVisible()
    await box.fill('CAFE')
    await expect.element(found).toMatchTextContent('La receta del café de olla')
    expect(await findAxeProblems()).toEqual([])
    await found.getByRole('link').click()
    const marked = () => messageList.element().querySelector<HTMLElement>('[data-marked]')
    await expect.poll(() => marked()?.textContent).toContain('La receta del café de olla')
    await expect.element(messageList.getByText('La receta del café de olla')).toBeInViewport()
    if (size === phone) await page.getByRole('button', { name: 'All conversations' }).click()
    await page.getByRole('button', { name: 'Back to conversations' }).click()
    await expect.element(opener).toHaveFocus()
    await expect.element(page.getByRole('list', { name: 'Conversations' })).toBeVisible()
  })

test('CHPH-09 a failed search says so and can be retried; a button loads older results', async () => {
  const withBea = conversationWith('bea')
  const messages = messagesFrom(withBea, ...Array.from({ length: 25 }, (_, n) => `naranja ${25 - n}.`))
  const documents = messages.map((message) => ({ message, conversation: withBea }))
  answerChat({ conversations: [withBea] })
  api.refuse(searchMessagesOperation, 500)
  await openApp('/chat', { me: ana })
  await opener.click()
  await box.fill('naranja')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return page.getByText('We couldn’t search.').elements().length
    })
    .toBe(1)
  vi.useRealTimers()
  const next = messages[19]?.$id ?? null
  api.answer(searchMessagesOperation, ({ before }) =>
    before ? { documents: documents.slice(20), next: null } : { documents: documents.slice(0, 20), next },
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => found.elements().length).toBe(20)
  await further.click()
  await expect.poll(() => found.elements().length).toBe(25)
  await expect.element(further).not.toBeInTheDocument()
  await expect.element(found.last()).toMatchTextContent('naranja 1.')
})
