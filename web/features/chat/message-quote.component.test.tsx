import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Message } from '#contract/chat/messages.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  ana,
  bubble,
  conversationWith,
  messageInput,
  messageList,
  messagesFrom,
  openConversation,
  quoteOf,
} from '#tests/support/component/chat.ts'
import { makeMessage } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, phone } from '#tests/support/component/open-app.tsx'

const bea = () => conversationWith('Bea Luna')
const overTheBox = (name: string) => page.getByText(`Reply to ${name}`, { exact: true })
const quoteIn = (text: string) => bubble(text).getByRole('button', { name: /^Reply to / })
const options = (text: string) => bubble(text).getByRole('button', { name: 'Message options' })
const delivered = (text: string) => bubble(text).getByRole('img', { name: 'Delivered' })

async function openWithMessages(...texts: string[]) {
  const withBea = bea()
  const opened = await openConversation(withBea, { messages: messagesFrom(withBea, ...texts), live: true })
  await expect.element(bubble(texts.at(-1) ?? '')).toBeVisible()
  return { ...opened, withBea }
}

async function chooseReply(text: string) {
  await options(text).click()
  await page.getByRole('menuitem', { name: 'Reply', exact: true }).click()
  await expect.element(messageInput).toHaveFocus()
}

async function send(text: string) {
  await messageInput.fill(text)
  await userEvent.keyboard('{Enter}')
}

test('REPLY-01 REPLY-02 the menu or R quotes a message above the box, and Escape removes the quote', async () => {
  const { stored } = await openWithMessages('¿La azul?\no la verde')
  await chooseReply('¿La azul?')
  await expect.element(overTheBox('Bea Luna')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(overTheBox('Bea Luna')).not.toBeInTheDocument()
  await expect.element(messageInput).toHaveFocus()

  ;(options('¿La azul?').element() as HTMLElement).focus()
  await userEvent.keyboard('r')
  await expect.element(overTheBox('Bea Luna')).toBeVisible()
  await expect.element(messageInput).toHaveFocus()
  expect(await findAxeProblems()).toEqual([])
  await send('la verde, sin pensarlo')
  await expect.element(overTheBox('Bea Luna')).not.toBeInTheDocument()
  await expect.element(quoteIn('sin pensarlo')).toMatchTextContent('Bea Luna¿La azul?')
  await expect.element(quoteIn('sin pensarlo')).not.toMatchTextContent('o la verde')
  await expect.poll(() => api.callsOf(sendMessageOperation)).toMatchObject([{ replyTo: stored[0]?.$id }])
})

test('REPLY-02 the quote of ana’s own message reads “You”', async () => {
  const withBea = bea()
  const own = makeMessage({ conversationId: withBea.$id, senderId: ana.$id, content: '¿La azul?' })
  const [answer] = messagesFrom(withBea, 'la verde') as [Message]
  await openConversation(withBea, { messages: [own, { ...answer, replyTo: quoteOf(own) }] })
  await expect.element(quoteIn('la verde')).toMatchTextContent('You¿La azul?')
})

test('REPLY-01 a quote survives a refused message and a message that waits for the connection', async () => {
  const { storeMessage } = await openWithMessages('la pregunta')
  api.refuse(sendMessageOperation, 500)
  await chooseReply('la pregunta')
  await send('respuesta fallida')
  await expect.element(bubble('respuesta fallida')).toMatchTextContent('Not sent')
  await expect.element(quoteIn('respuesta fallida')).toMatchTextContent('la pregunta')
  await expect.element(overTheBox('Bea Luna')).toBeVisible()
  api.answer(sendMessageOperation, storeMessage)
  await bubble('respuesta fallida').getByRole('button', { name: 'Try again' }).click()
  await expect.element(delivered('respuesta fallida')).toBeVisible()
  await expect.element(quoteIn('respuesta fallida')).toMatchTextContent('la pregunta')
  await expect.element(overTheBox('Bea Luna')).not.toBeInTheDocument()

  api.goOffline()
  await chooseReply('respuesta fallida')
  await expect.element(overTheBox('yourself')).toBeVisible()
  await send('desde el túnel')
  await expect.element(bubble('desde el túnel')).toMatchTextContent('Waiting')
  api.goOffline(false)
  await expect.element(delivered('desde el túnel')).toBeVisible()
  await expect.element(quoteIn('desde el túnel')).toMatchTextContent('Yourespuesta fallida')
})

test('REPLY-02 pressing a quote scrolls to the quoted message, 200 messages up, and marks it', async () => {
  const withBea = bea()
  const texts = Array.from({ length: 200 }, (_, n) => `nº ${n}.`)
  const messages = messagesFrom(withBea, 'la primera de todas', ...texts, 'a la primera')
  const [first, answer] = [messages[0], messages.at(-1)] as [Message, Message]
  answer.replyTo = quoteOf(first)
  await openConversation(withBea, { messages })
  const found = () => document.querySelector(`[data-message="${first.$id}"]`)
  await expect.element(quoteIn('a la primera')).toBeVisible()
  expect(found()).toBeNull()
  await quoteIn('a la primera').click()
  await expect.poll(() => found()?.getAttribute('data-marked')).toBe('true')
  await expect.element(found() as HTMLElement).toBeInViewport()
  await expect.element(found() as HTMLElement).toHaveFocus()
  await expect.poll(() => found()?.hasAttribute('data-marked')).toBe(false)
})

test('REPLY-03 the quote of an unsent message reads “Message unsent”', async () => {
  const withBea = bea()
  const [said] = messagesFrom(withBea, 'ojalá no') as [Message]
  const answer = makeMessage({
    conversationId: withBea.$id,
    senderId: ana.$id,
    content: 'ya te contesté',
    replyTo: quoteOf(said),
  })
  await openConversation(withBea, { messages: [said, answer], live: true })
  await expect.element(quoteIn('ya te contesté')).toMatchTextContent('ojalá no')
  const unsent = { ...said, content: '', unsentAt: new Date().toISOString() }
  sendChange({ collection: 'messages', kind: 'update', document: unsent })
  await expect.element(quoteIn('ya te contesté')).toMatchTextContent('Message unsent')
  expect(messageList.getByText('ojalá no').elements()).toEqual([])
})

function swipe(text: string, by: number) {
  const item = bubble(text).element()
  const { left, top, height } = item.getBoundingClientRect()
  const touch = (type: string, x: number) => {
    const finger = new Touch({ identifier: 1, target: item, clientX: x, clientY: top + height / 2 })
    const touches = type === 'touchend' ? [] : [finger]
    item.dispatchEvent(new TouchEvent(type, { bubbles: true, touches, changedTouches: [finger] }))
  }
  touch('touchstart', left + 60)
  touch('touchmove', left + 60 + by / 2)
  touch('touchmove', left + 60 + by)
  touch('touchend', left + 60 + by)
}

test('REPLY-01 swiping a message far enough to the right quotes it above the box', async () => {
  const withBea = bea()
  await openConversation(withBea, { messages: messagesFrom(withBea, 'desliza'), size: phone })
  await expect.element(bubble('desliza')).toBeVisible()
  swipe('desliza', 40)
  await expect.element(overTheBox('Bea Luna')).not.toBeInTheDocument()
  swipe('desliza', 64)
  await expect.element(overTheBox('Bea Luna')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the reply' }).click()
  await expect.element(overTheBox('Bea Luna')).not.toBeInTheDocument()
})
