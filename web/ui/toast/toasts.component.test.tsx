import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { signInOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { followOperation, listPeopleOperation, unfollowOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import {
  conversationWith,
  messageInput,
  openConversation,
  sendButton,
} from '#tests/support/component/chat.ts'
import { makePerson } from '#tests/support/component/fixtures.ts'
import { api, desktop, openApp, phone } from '#tests/support/component/open-app.tsx'

const regions = page.getByRole('region', { name: /^(Notifications|Avisos) \(F8\)$/ })
const toasts = regions.getByRole('listitem')
const followButton = page
  .getByRole('complementary', { name: 'People' })
  .getByRole('button', { name: /ollow$/ })
const countToasts = (count: number) => expect.poll(() => toasts.elements().length).toBe(count)

async function openSignIn(size = desktop): Promise<void> {
  api.refuse(signInOperation, 'user_invalid_credentials')
  await openApp('/sign-in', { me: null, size })
  await page.getByLabelText('Email').fill('nobody@juntas.test')
  await page.getByLabelText('Contraseña', { exact: true }).fill('not a password')
}

const signIn = () => page.getByRole('button', { name: 'Entrar', exact: true }).click()

async function failToSignIn(size = desktop): Promise<void> {
  await openSignIn(size)
  await signIn()
  await expect.element(toasts).toHaveTextContent('Login failed. Please try again.')
}

async function followBea(): Promise<void> {
  const bea = makePerson({ name: 'bea' })
  const answer = (following: boolean) => () => {
    api.answer(listPeopleOperation, { documents: [{ ...bea, following }], next: null })
    return { following, requested: false }
  }
  api.answer(getHomeFeedOperation, { documents: [], next: null })
  api.answer(listPeopleOperation, { documents: [bea], next: null })
  api.answer(followOperation, answer(true))
  api.answer(unfollowOperation, answer(false))
  await openApp('/')
  await followButton.click()
  await expect.element(toasts).toMatchTextContent('You are now following bea')
}

test('GEN-05 the sign-in page has one toast region, named in Spanish', async () => {
  await failToSignIn()
  await expect.element(page.getByRole('region', { name: 'Avisos (F8)', exact: true })).toBeInTheDocument()
  await expect.poll(() => regions.elements()).toHaveLength(1)
  await expect.element(toasts).toBeVisible()
  await expect
    .poll(() => toasts.element().querySelector('[lang=en]')?.textContent)
    .toBe('Login failed. Please try again.')
})

test('GEN-05 TOAST-01 Home has one toast region, in which a second toast replaces the first', async () => {
  await followBea()
  await expect
    .element(page.getByRole('region', { name: 'Notifications (F8)', exact: true }))
    .toBeInTheDocument()
  await expect.poll(() => regions.elements()).toHaveLength(1)
  await followButton.click()
  await expect.element(toasts).toMatchTextContent('You unfollowed bea')
  await countToasts(1)
})

test('TOAST-02 a toast closes after 5000 ms', async () => {
  await openSignIn()
  await expect.element(regions).toBeInTheDocument()
  const { release, arrived } = api.hold(signInOperation)
  await signIn()
  await arrived
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  release()
  // `expect.poll` would advance the clock.
  const drawn = () => new Promise(requestAnimationFrame)
  while (toasts.elements().length === 0) await drawn()
  vi.advanceTimersByTime(4999)
  await drawn()
  expect(toasts.element().getAttribute('data-state')).toBe('open')
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await countToasts(0)
})

test('TOAST-04 dragging a toast 49 px to the right keeps it, and dragging it 51 px dismisses it', async () => {
  await failToSignIn()
  const drag = (distance: number) =>
    userEvent.dragAndDrop(toasts, toasts, {
      sourcePosition: { x: 40, y: 30 },
      targetPosition: { x: 40 + distance, y: 30 },
    })
  await drag(49)
  await expect.element(toasts).toHaveAttribute('data-swipe', 'cancel')
  await expect.element(toasts).toHaveAttribute('data-state', 'open')
  await drag(51)
  await countToasts(0)
})

test('TOAST-05 F8 moves the focus to the toasts, and Escape closes the focused toast', async () => {
  await failToSignIn()
  await userEvent.keyboard('{F8}')
  await expect.poll(() => regions.element().contains(document.activeElement)).toBe(true)
  await userEvent.tab()
  await expect.element(toasts).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await countToasts(0)
})

test('TOAST-06 TOAST-07 a failure toast shows title, text and its own icon, and is announced immediately', async () => {
  await followBea()
  await expect.element(toasts.getByText('Success', { exact: true })).toBeVisible()
  expect(toasts.element().querySelectorAll('svg')).toHaveLength(1)
  api.refuse(unfollowOperation, 'network')
  const announced: string[] = []
  const observer = new MutationObserver(() => {
    for (const element of document.querySelectorAll('[role=status][aria-live=assertive]'))
      announced.push(element.textContent)
  })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  await followButton.click()
  await expect.element(toasts.getByText('Error', { exact: true })).toBeVisible()
  await expect.element(toasts.getByText('Something went wrong. Please try again.')).toBeVisible()
  expect(toasts.element().querySelectorAll('svg')).toHaveLength(2)
  await expect.poll(() => announced.some((text) => text.includes('Something went wrong'))).toBe(true)
  observer.disconnect()
})

test('the close button of a toast closes it above the bottom bar on a phone', async () => {
  await failToSignIn(phone)
  await toasts.getByRole('button', { name: 'Cerrar' }).click()
  await countToasts(0)
})

for (const size of [desktop, phone])
  test(`at ${size.width} px a toast does not cover the message box, however many lines it has`, async () => {
    await openConversation(conversationWith('Bea'), { size })
    api.refuse(sendMessageOperation, 'general_argument_invalid')
    await messageInput.fill('una\ndos\ntres\ncuatro\ncinco\nseis')
    await sendButton.click()
    await expect.element(toasts).toMatchTextContent('Failed to send message')
    await expect.element(messageInput).toHaveValue('una\ndos\ntres\ncuatro\ncinco\nseis')
    const bottomOf = () => toasts.element().getBoundingClientRect().bottom
    const top = () => messageInput.element().getBoundingClientRect().top
    await expect.poll(() => bottomOf() - top()).toBeLessThan(0)
  })
