import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Message } from '#contract/chat/messages.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  ana,
  bubble,
  conversationWith,
  messageInput,
  messagesFrom,
  openConversation,
  receiveMessage,
} from '#tests/support/component/chat.ts'
import { receivedFrames, sendTyping } from '#tests/support/component/live-socket.ts'

const typing = page.getByText('bea is typing…')

async function openChat() {
  const withBea = conversationWith('bea')
  const opened = await openConversation(withBea, { messages: messagesFrom(withBea, 'hola'), live: true })
  await expect.element(bubble('hola')).toBeVisible()
  const beaTypes = () => sendTyping({ conversationId: withBea.$id, personId: withBea.other.$id })
  return { ...opened, withBea, beaTypes }
}

for (const showsTyping of [true, false])
  test(`TYPE-01 the other participant ${showsTyping ? 'learns' : 'does not learn'} that ana types if ana’s setting is ${showsTyping ? 'on' : 'off'}`, async () => {
    const withBea = conversationWith('bea')
    await openConversation(withBea, { me: { ...ana, ...(showsTyping && { showsTyping }) }, live: true })
    await messageInput.fill('va')
    await expect.element(messageInput).toHaveValue('va')
    const signals = receivedFrames().filter(({ type }) => type === 'typing')
    expect(signals).toEqual(showsTyping ? [{ type: 'typing', data: { conversationId: withBea.$id } }] : [])
  })

test('TYPE-02 screen readers do not announce the typing indicator', async () => {
  const { beaTypes } = await openChat()
  beaTypes()
  await expect.element(typing).toBeVisible()
  expect(typing.element().closest('[aria-live], [role=status], [role=log]')).toBeNull()
  expect(await findAxeProblems()).toEqual([])
})

test('TYPE-02 the typing indicator disappears seven seconds after the last signal', async () => {
  const { beaTypes } = await openChat()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  beaTypes()
  const countShown = () => typing.elements().length
  await expect.poll(countShown).toBe(1)
  // `expect.poll` has advanced the clock, so a second signal restarts the seven seconds.
  beaTypes()
  vi.advanceTimersByTime(6999)
  await nextFrame()
  expect(countShown()).toBe(1)
  vi.advanceTimersByTime(1)
  await expect.poll(countShown).toBe(0)
})

test('TYPE-02 the typing indicator disappears when the message arrives', async () => {
  const { beaTypes, stored, withBea } = await openChat()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  beaTypes()
  await expect.poll(() => typing.elements().length).toBe(1)
  const [message] = messagesFrom(withBea, 'ya está') as [Message]
  receiveMessage(stored, message)
  await expect.poll(() => [bubble('ya está').elements().length, typing.elements().length]).toEqual([1, 0])
})

const nextFrame = () => new Promise(requestAnimationFrame)
