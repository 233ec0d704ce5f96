import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Message } from '#contract/chat/messages.ts'
import { unsendMessageOperation } from '#contract/chat/messages.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  ana,
  answerChat,
  bubble,
  conversationRow,
  conversationWith,
  messageList,
  messagesFrom,
  openConversation,
} from '#tests/support/component/chat.ts'
import { makeMessage } from '#tests/support/component/fixtures.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'

const question = page.getByRole('alertdialog', { name: 'Unsend this message for both of you?' })
const answer = (name: string) => question.getByRole('button', { name, exact: true })
const options = (text: string) => bubble(text).getByRole('button', { name: 'Message options' })
const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
const lines = messageList.getByRole('listitem')

async function openWithOwnMessages(...texts: string[]) {
  const withBea = conversationWith('Bea Ruiz')
  const own = texts.map((content) =>
    makeMessage({
      $createdAt: new Date().toISOString(),
      conversationId: withBea.$id,
      senderId: ana.$id,
      content,
    }),
  )
  const opened = await openConversation(withBea, { messages: [...messagesFrom(withBea, 'de bea'), ...own] })
  await expect.element(bubble(texts.at(-1) ?? '')).toBeVisible()
  const { stored } = opened
  const unsend = ({ messageId }: { messageId: string }) => {
    const at = stored.findIndex(({ $id }) => $id === messageId)
    stored[at] = { ...(stored[at] as Message), content: '', unsentAt: new Date().toISOString() }
    return stored[at]
  }
  api.answer(unsendMessageOperation, unsend)
  return { ...opened, unsend }
}

async function openQuestion(text: string) {
  await options(text).click()
  await item('Unsend').click()
  await expect.element(question).toBeVisible()
}

test('UNSEND-01 UNSEND-02 ana confirms before unsending her own message, and “Message unsent” takes its place', async () => {
  const { unsend } = await openWithOwnMessages('me equivoqué', 'esto se queda')
  await options('de bea').click()
  await expect.element(item('Reply')).toBeVisible()
  await expect.element(item('Unsend')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')

  await openQuestion('me equivoqué')
  await answer('Keep').click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(options('me equivoqué')).toHaveFocus()

  api.refuse(unsendMessageOperation, 500)
  await openQuestion('me equivoqué')
  await answer('Unsend').click()
  await expect.element(toasts).toMatchTextContent('Something went wrong. Please try again.')
  await expect.element(bubble('me equivoqué')).toBeVisible()

  api.answer(unsendMessageOperation, unsend)
  await openQuestion('me equivoqué')
  await answer('Unsend').click()
  const place = lines.nth(1)
  await expect.element(place).toMatchTextContent('Message unsent')
  await expect.element(place.getByRole('time')).toBeVisible()
  expect(place.getByRole('button').elements()).toEqual([])
  expect(place.getByRole('img').elements()).toEqual([])
  await expect.element(lines.nth(2)).toMatchTextContent('esto se queda')
  expect(page.getByText('me equivoqué').elements()).toEqual([])
  await expect.element(place).toHaveFocus()
  expect(await findAxeProblems()).toEqual([])
})

test('UNSEND-01 ana unsends a message using only the keyboard', async () => {
  await openWithOwnMessages('fuera')
  ;(options('fuera').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item('Reply')).toHaveFocus()
  for (const name of ['React', 'Copy text', 'Unsend']) {
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(item(name)).toHaveFocus()
  }
  await userEvent.keyboard('{Enter}')
  await expect.element(answer('Keep')).toHaveFocus()
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(bubble('Message unsent')).toBeVisible()
})

test('UNSEND-04 unsending an unread message removes its dot and badge, and the row shows the previous message', async () => {
  const badge = page.getByRole('navigation', { name: 'Main' }).getByText(/^unread conversations:/)
  const withBea = conversationWith('Bea Ruiz', { lastMessage: 'olvídalo', unread: true })
  const { known } = answerChat({ conversations: [withBea], messages: messagesFrom(withBea, 'olvídalo') })
  await openApp('/chat', { me: ana, live: true })
  const row = conversationRow('Bea Ruiz')
  await expect.element(row).toMatchTextContent('olvídalo')
  await expect.element(row).toMatchTextContent('Unread')
  await expect.element(badge).toHaveTextContent('unread conversations: 1')
  known[0] = { ...withBea, lastMessage: 'hola, bea', lastMessageSender: ana.$id, unread: false }
  const [gone] = messagesFrom(withBea, '') as [Message]
  sendChange({
    collection: 'messages',
    kind: 'update',
    document: { ...gone, unsentAt: new Date().toISOString() },
  })
  sendChange({ collection: 'conversations', kind: 'update', document: { $id: withBea.$id } })
  await expect.element(row).toMatchTextContent('You: hola, bea')
  await expect.element(row).not.toMatchTextContent('Unread')
  await expect.element(badge).not.toBeInTheDocument()
})
