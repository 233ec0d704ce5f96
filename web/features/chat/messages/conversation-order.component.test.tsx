import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  ana,
  answerChat,
  conversationList,
  conversationRow,
  conversationWith,
  messageInput,
  messagesFrom,
  sendButton,
} from '#tests/support/component/chat.ts'
import { openApp } from '#tests/support/component/open-app.tsx'

test("CACHE-06 CMSG-13 sending and reading messages update the list's order, the dot and the badge", async () => {
  const withCarla = conversationWith('Carla', { unread: true })
  const withBea = conversationWith('Bea', { unread: true })
  answerChat({
    conversations: [withCarla, withBea],
    messages: [...messagesFrom(withCarla, 'buenas'), ...messagesFrom(withBea, 'hola')],
  })
  await openApp('/chat', { me: ana })
  const badge = page.getByRole('navigation', { name: 'Main' }).getByText(/^unread conversations:/)
  const rows = conversationList.getByRole('listitem')
  await expect.element(badge).toHaveTextContent('unread conversations: 2')
  await expect.element(rows.first()).toMatchTextContent('Carla')
  await conversationRow('Bea').getByRole('link').click()
  await expect.element(badge).toHaveTextContent('unread conversations: 1')
  await messageInput.fill('qué tal')
  await sendButton.click()
  await expect.element(rows.first()).toMatchTextContent('You: qué tal')
  await expect.element(rows.first()).toMatchTextContent('Bea')
  await expect.element(conversationRow('Bea').getByText('Unread')).not.toBeInTheDocument()
  await expect.element(conversationRow('Carla').getByText('Unread')).toBeInTheDocument()
})
