import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Message } from '#contract/chat/messages.ts'
import { reactOperation, unreactOperation } from '#contract/chat/reactions.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  ana,
  bubble,
  conversationRow,
  conversationWith,
  messagesFrom,
  openConversation,
} from '#tests/support/component/chat.ts'
import { sendChange } from '#tests/support/component/live-socket.ts'
import { api, phone } from '#tests/support/component/open-app.tsx'
import { toasts } from '#tests/support/component/post-form.ts'
import { emulateTouchScreen } from '#tests/support/component/touch.ts'
import { findOwnReaction, withOwnReaction } from './own-reaction.ts'

const names = ['Love', 'Laugh', 'Wow', 'Sad', 'Applause', 'Thank you']
const choice = (name: string) => page.getByRole('menuitemradio', { name, exact: true })
const chip = (text: string, name: string) => bubble(text).getByRole('button', { name, exact: true })

async function openWithMessage(text: string, given: Parameters<typeof openConversation>[1] = {}) {
  const withBea = conversationWith('Bea Ruiz', { lastMessage: text })
  const messages = messagesFrom(withBea, text)
  const opened = await openConversation(withBea, { messages, live: true, ...given })
  await expect.element(bubble(text)).toBeVisible()
  const keep = (by: string, emoji: Parameters<typeof withOwnReaction>[2]) => {
    const [before] = opened.stored as [Message]
    opened.stored[0] = { ...before, reactions: withOwnReaction(before.reactions, by, emoji) }
    return opened.stored[0]
  }
  api.answer(reactOperation, ({ emoji }) => keep(ana.$id, emoji))
  api.answer(unreactOperation, () => keep(ana.$id, null))
  const beaReacts = (emoji: '❤️') =>
    sendChange({ collection: 'messages', kind: 'update', document: keep(withBea.other.$id, emoji) })
  return { ...opened, withBea, beaReacts }
}

async function openReactions(text: string) {
  await bubble(text).getByRole('button', { name: 'React', exact: true }).click()
}

test('REACT-01 REACT-02 REACT-03 ana reacts with one of six emojis, changes her reaction and removes it', async () => {
  const { beaReacts } = await openWithMessage('salió del horno')
  await openReactions('salió')
  await expect.element(choice('Love')).toHaveFocus()
  for (const name of names) await expect.element(choice(name)).toBeVisible()
  await expect.poll(() => page.getByRole('menuitemradio').elements()).toHaveLength(6)
  expect(await findAxeProblems()).toEqual([])
  await choice('Love').click()
  await expect.element(chip('salió', 'Love, 1, yours')).toBeVisible()
  beaReacts('❤️')
  await expect.element(chip('salió', 'Love, 2, yours')).toMatchTextContent('2')
  expect(await findAxeProblems()).toEqual([])

  await openReactions('salió')
  await expect.element(choice('Love')).toHaveAttribute('aria-checked', 'true')
  await choice('Applause').click()
  await expect.element(chip('salió', 'Applause, 1, yours')).toBeVisible()
  await expect.element(chip('salió', 'Love, 1')).toBeVisible()
  await chip('salió', 'Applause, 1, yours').click()
  await expect.element(bubble('salió')).not.toMatchTextContent('👏')
  await expect.poll(() => api.callsOf(unreactOperation).length).toBe(1)
  await expect.poll(() => api.callsOf(reactOperation).map(({ emoji }) => emoji)).toEqual(['❤️', '👏'])
})

test('REACT-02 a stranger is offered no reactions until the recipient answers', async () => {
  const withBea = conversationWith('Bea Ruiz', { left: 4 })
  const messages = messagesFrom(withBea, 'hola').map((message) => ({ ...message, senderId: ana.$id }))
  const { known } = await openConversation(withBea, { messages, live: true })
  const react = bubble('hola').getByRole('button', { name: 'React', exact: true })
  await bubble('hola').getByRole('button', { name: 'Message options' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Reply', exact: true })).toBeVisible()
  expect(page.getByRole('menuitem', { name: 'React', exact: true }).elements()).toEqual([])
  expect(react.elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  known[0] = { ...withBea, left: null }
  sendChange({ collection: 'conversations', kind: 'update', document: { $id: withBea.$id } })
  await expect.element(react).toBeInTheDocument()
})

test('REACT-01 the keyboard reaches the reactions from the menu, and a refused reaction is undone', async () => {
  await openWithMessage('hola')
  api.refuse(reactOperation, 500)
  ;(bubble('hola').getByRole('button', { name: 'Message options' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const react = page.getByRole('menuitem', { name: 'React', exact: true })
  await expect.element(react).toBeVisible()
  ;(react.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(choice('Love')).toHaveFocus()
  for (const [key, name] of [
    ['ArrowRight', 'Laugh'],
    ['End', 'Thank you'],
    ['ArrowRight', 'Love'],
    ['ArrowLeft', 'Thank you'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expect.element(choice(name)).toHaveFocus()
  }
  await userEvent.keyboard('{Enter}')
  await expect.element(toasts).toMatchTextContent('Something went wrong. Please try again.')
  await expect.element(bubble('hola')).not.toMatchTextContent('🙏')
  await openReactions('hola')
  await expect.element(choice('Love')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(choice('Love')).not.toBeInTheDocument()
})

test('REACT-04 an unsent message shows no reactions, and a reaction does not change the conversation list', async () => {
  const { stored } = await openWithMessage('ojalá no')
  const row = () => conversationRow('Bea Ruiz').element().textContent
  await expect.element(conversationRow('Bea Ruiz')).toMatchTextContent('ojalá no')
  const before = row()
  await openReactions('ojalá')
  await choice('Sad').click()
  await expect.element(chip('ojalá', 'Sad, 1, yours')).toBeVisible()
  await expect.poll(() => findOwnReaction(stored[0]?.reactions ?? [], ana.$id)).toBe('😢')
  expect(row()).toBe(before)
  const unsent = { ...(stored[0] as Message), content: '', reactions: [], unsentAt: new Date().toISOString() }
  sendChange({ collection: 'messages', kind: 'update', document: unsent })
  await expect.element(bubble('Message unsent')).toBeVisible()
  await expect.element(bubble('Message unsent').getByRole('button')).not.toBeInTheDocument()
})

test('REACT-01 on a touch screen a long press on a message opens the reactions', async () => {
  await emulateTouchScreen()
  await openWithMessage('descansa', { size: phone })
  await expect.element(bubble('descansa').getByRole('button', { name: 'React' })).not.toBeInTheDocument()
  const words = bubble('descansa').getByText('descansa', { exact: true }).element()
  const { left, top } = words.getBoundingClientRect()
  const finger = new Touch({ identifier: 1, target: words, clientX: left + 4, clientY: top + 4 })
  words.dispatchEvent(
    new TouchEvent('touchstart', { bubbles: true, touches: [finger], changedTouches: [finger] }),
  )
  await choice('Wow').click()
  await expect.element(chip('descansa', 'Wow, 1, yours')).toBeVisible()
})
