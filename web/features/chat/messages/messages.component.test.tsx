import { expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { markConversationReadOperation } from '#contract/chat/conversations.ts'
import { listMessagesOperation, sendMessageOperation } from '#contract/chat/messages.ts'
import { listSavedPostsOperation } from '#contract/posts/posts.ts'
import {
  ana,
  bubble,
  conversationList,
  conversationRow,
  conversationWith,
  messageInput,
  messageList,
  messagesFrom,
  openConversation,
  receiveMessage,
  sendButton,
} from '#tests/support/component/chat.ts'
import { makeMessage } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'

const bea = () => conversationWith('Bea Ortiz')
const sent = () => api.callsOf(sendMessageOperation)
const scroller = () => messageList.element().parentElement as HTMLElement
const fromEnd = () => Math.round(scroller().scrollHeight - scroller().clientHeight - scroller().scrollTop)
const countBubbles = (count: number) =>
  expect.poll(() => messageList.getByRole('listitem').elements().length).toBe(count)
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `Mensaje ${at + 1}.`)
const notSent = page.getByText(/Not sent/)

async function send(text: string) {
  await messageInput.fill(text)
  await userEvent.keyboard('{Enter}')
}

test('CMSG-01 CMSG-02 CMSG-03 CMSG-04 CMSG-06 an empty conversation says that it is empty, and its box does not send blanks', async () => {
  await openConversation(bea())
  await expect.element(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await expect.element(sendButton).toBeDisabled()
  for (const blank of [' \n \u3000', '\u200b\u2060']) {
    await messageInput.fill(blank)
    await expect.element(sendButton).toBeDisabled()
    await userEvent.keyboard('{Enter}')
  }
  expect(sent()).toEqual([])
  for (const visible of ['👍🏽', 'hola']) {
    await messageInput.fill(visible)
    await expect.element(sendButton).toBeEnabled()
  }
})

test('CMSG-05 CMSG-08 CMSG-09 CMSG-13 CMSG-16 CMSG-17 a message is trimmed and sent once, and its conversation moves to the top of the list', async () => {
  const [withBea, withCarla] = [bea(), conversationWith('Carla')]
  await openConversation(withCarla, { others: [withBea] })
  await conversationRow('Bea Ortiz').getByRole('link').click()
  await expect.element(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  await send('  hola\nBea  ')
  await expect.element(messageInput).toHaveValue('')
  await expect.element(messageInput).toHaveFocus()
  await expect.element(bubble('hola').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect.element(conversationList.getByRole('listitem').first()).toMatchTextContent('You: hola')
  expect(sent()).toEqual([
    { conversationId: withBea.$id, messageId: expect.any(String), content: 'hola\nBea', type: 'text' },
  ])
})

test('CMSG-07 CMSG-15 while a message is being sent it shows one check, and ana can type but not send', async () => {
  await openConversation(bea())
  const answer = api.hold(sendMessageOperation)
  await send('primero')
  await expect.element(bubble('primero').getByRole('img', { name: 'Sent' })).toBeVisible()
  await messageInput.fill('segundo')
  await expect.element(sendButton).toBeDisabled()
  await userEvent.keyboard('{Enter}')
  answer.release()
  await expect.element(bubble('primero').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await sendButton.click()
  await expect.element(bubble('segundo').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect.poll(() => sent().map(({ content }) => content)).toEqual(['primero', 'segundo'])
})

test('CMSG-11 CMSG-12 a refused message returns to the box, and each way of resending sends it once', async () => {
  const { storeMessage, stored } = await openConversation(bea())
  const contents = () => stored.map(({ content }) => content)
  api.refuse(sendMessageOperation, 500)
  await send('¿Vienes el jueves?')
  await expect.element(toasts).toMatchTextContent('Failed to send message. Please try again.')
  await expect.element(messageInput).toHaveValue('¿Vienes el jueves?')
  expect((messageInput.element() as HTMLTextAreaElement).selectionStart).toBe(18)
  await expect.element(page.getByText(/^Not sent ·/)).toBeVisible()
  await expect.element(bubble('jueves').getByRole('img')).not.toBeInTheDocument()
  api.answer(sendMessageOperation, storeMessage)
  const retry = page.getByRole('button', { name: 'Try again' })
  expect(toasts.getByRole('listitem').element().getBoundingClientRect().bottom).toBeLessThan(
    retry.element().getBoundingClientRect().top,
  )
  await retry.click()
  await expect.element(bubble('jueves').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect.element(messageInput).toHaveValue('')

  api.refuse(sendMessageOperation, 500)
  await send('Trae pan')
  await expect.element(messageInput).toHaveValue('Trae pan')
  api.answer(sendMessageOperation, storeMessage)
  await send('Trae pan y sal')
  await expect.element(bubble('Trae pan y sal').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect.element(notSent).not.toBeInTheDocument()
  await expect.poll(() => contents()).toEqual(['¿Vienes el jueves?', 'Trae pan y sal'])
})

test('CMSG-11 a refused message is put before newer text, and Discard removes only the refused message', async () => {
  await openConversation(bea())
  api.refuse(sendMessageOperation, 500)
  const answer = api.hold(sendMessageOperation)
  await send('una cosa')
  await messageInput.fill('y otra')
  answer.release()
  await expect.element(messageInput).toHaveValue('una cosa\ny otra')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(notSent).not.toBeInTheDocument()
  await expect.element(messageInput).toHaveValue('y otra')
})

test('CMSG-18 the checks of ana’s message change when the other participant reads it', async () => {
  const withBea = bea()
  const own = makeMessage({ conversationId: withBea.$id, senderId: ana.$id, content: 'uno' })
  await openConversation(withBea, { messages: [own], live: true })
  await expect.element(bubble('uno').getByRole('img', { name: 'Delivered' })).toBeVisible()
  const document = { ...own, readBy: [ana.$id, withBea.other.$id] }
  sendChange({ collection: 'messages', kind: 'update', document })
  await expect.element(bubble('uno').getByRole('img', { name: 'Read' })).toBeVisible()
})

test('CMSG-18 a hidden window marks no message as read until the window is visible again', async () => {
  const withBea = bea()
  const { stored } = await openConversation(withBea, { messages: messagesFrom(withBea, 'uno'), live: true })
  const marks = () => api.callsOf(markConversationReadOperation).length
  await expect.poll(marks).toBe(1)
  const show = (value: DocumentVisibilityState) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  show('hidden')
  for (const [message] of [messagesFrom(withBea, 'dos'), messagesFrom(withBea, 'tres')]) {
    if (message) receiveMessage(stored, message)
    await expect.element(bubble(message?.content ?? '')).toBeVisible()
  }
  expect(marks()).toBe(1)
  show('visible')
  await expect.poll(marks).toBe(2)
  Reflect.deleteProperty(document, 'visibilityState')
})

test('CMSG-14 CMSG-19 a conversation opens at its newest message, and older messages load as ana scrolls up', async () => {
  const withBea = bea()
  await openConversation(withBea, { messages: messagesFrom(withBea, ...numbered(120)) })
  await countBubbles(50)
  await expect.poll(fromEnd).toBe(0)
  const oldest = bubble('Mensaje 71.')
  scroller().scrollTo({ top: 150, behavior: 'instant' })
  const before = oldest.element().getBoundingClientRect().bottom
  await countBubbles(100)
  expect(Math.abs(oldest.element().getBoundingClientRect().bottom - before)).toBeLessThan(60)
  scroller().scrollTo({ top: 0, behavior: 'instant' })
  await countBubbles(120)
  await expect.element(messageList.getByRole('listitem').first()).toMatchTextContent('Mensaje 1.')
})

test('CMSG-20 new messages scroll into view if ana is at the end; if she has scrolled up, a button counts them', async () => {
  const withBea = bea()
  const { stored } = await openConversation(withBea, {
    messages: messagesFrom(withBea, ...numbered(40)),
    live: true,
  })
  const receive = (text: string) => {
    for (const message of messagesFrom(withBea, text)) receiveMessage(stored, message)
  }
  await expect.poll(fromEnd).toBe(0)
  receive('Una nueva')
  await expect.element(bubble('Una nueva')).toBeInViewport()
  await expect.poll(fromEnd).toBe(0)
  const scrolled = new Promise((resolve) => scroller().addEventListener('scroll', resolve, { once: true }))
  scroller().scrollTo({ top: 300, behavior: 'instant' })
  await scrolled
  receive('Otra')
  await expect.element(page.getByRole('button', { name: 'New messages' })).toBeVisible()
  receive('Y otra más')
  const button = page.getByRole('button', { name: '2 new messages' })
  await expect.element(button).toBeVisible()
  await expect.element(bubble('Y otra más')).not.toBeInViewport()
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(fromEnd).toBe(0)
  await expect.element(page.getByRole('button', { name: /new messages/i })).not.toBeInTheDocument()
})

test('RT-03 RT-04 an incoming message is shown, announced and marked as read', async () => {
  const withBea = bea()
  const { stored } = await openConversation(withBea, { live: true })
  const log = page.getByRole('log')
  await expect.element(page.getByText('No messages yet. Start the conversation!')).toBeVisible()
  for (const message of messagesFrom(withBea, 'hola, ana')) receiveMessage(stored, message)
  await expect.element(bubble('hola, ana')).toBeVisible()
  await expect.element(log).toMatchTextContent('Bea Ortiz: hola, ana')
  await expect.poll(() => api.callsOf(markConversationReadOperation).length).toBe(1)
  await send('hola, bea')
  await expect.element(bubble('hola, bea')).toBeVisible()
  await expect.element(log).not.toMatchTextContent('hola, bea')
})

test('CMSG-21 a conversation reloads its messages when ana returns to it', async () => {
  const withBea = bea()
  const { navigate } = await openConversation(withBea, { messages: messagesFrom(withBea, 'hola') })
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await expect.element(bubble('hola')).toBeVisible()
  const asked = () => api.callsOf(listMessagesOperation).length
  const before = asked()
  navigate('/saved')
  await expect.element(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  history.back()
  await expect.poll(asked).toBe(before + 1)
  await expect.element(bubble('hola')).toBeVisible()
})

test('each conversation keeps its own draft', async () => {
  const [withBea, withCarla] = [bea(), conversationWith('Carla')]
  await openConversation(withBea, { others: [withCarla] })
  await messageInput.fill('a medias')
  await conversationRow('Carla').getByRole('link').click()
  await expect.element(messageInput).toHaveValue('')
  await conversationRow('Bea Ortiz').getByRole('link').click()
  await expect.element(messageInput).toHaveValue('a medias')
})

test("if the browser's storage is full, ana can still type and send", async () => {
  await openConversation(bea())
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  })
  await messageInput.click()
  await userEvent.keyboard('nos vemos')
  await expect.element(messageInput).toHaveValue('nos vemos')
  await userEvent.keyboard('{Enter}')
  await expect.element(bubble('nos vemos').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect.element(messageInput).toHaveValue('')
})

test('a printed conversation contains all of its messages and nothing else', async () => {
  const withBea = bea()
  await openConversation(withBea, { messages: messagesFrom(withBea, ...numbered(40)) })
  await countBubbles(40)
  const media = (name: string) => cdp().send('Emulation.setEmulatedMedia', { media: name })
  await media('print')
  try {
    await expect.poll(() => getComputedStyle(scroller()).overflowY).toBe('visible')
    const shown = messageList.element().getBoundingClientRect()
    expect(shown.height).toBeGreaterThan(innerHeight)
    expect(document.documentElement.scrollHeight).toBeGreaterThan(shown.height)
    await expect.element(page.getByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    await expect.element(messageInput).not.toBeVisible()
    await expect.element(conversationList).not.toBeInTheDocument()
  } finally {
    await media('')
  }
})
