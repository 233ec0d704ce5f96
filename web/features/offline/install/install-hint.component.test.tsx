import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  conversationWith,
  messageInput,
  openConversation,
  sendButton,
} from '#tests/support/component/chat.ts'
import { createPicture } from '#tests/support/component/pictures.ts'
import {
  answerPostForm,
  choosePhotos,
  createButton,
  fillPost,
  photoInput,
} from '#tests/support/component/post-form.ts'
import { onContentSent } from './content-sent-event.ts'
import { captureInstallPrompt } from './install-prompt.ts'

captureInstallPrompt()

const hint = page.getByRole('region', { name: 'Juntas on your home screen' })
const iosHint = page.getByRole('region', { name: 'Add Juntas to your iPhone' })
const dayMs = 86_400_000
const start = new Date('2026-11-02T10:00:00Z').getTime()
const passDays = (days: number) => vi.setSystemTime(start + days * dayMs)

async function sendMessage(content: string): Promise<void> {
  await messageInput.fill(content)
  const sent = Promise.withResolvers<void>()
  const stop = onContentSent(sent.resolve)
  await sendButton.click()
  await sent.promise
  stop()
  // The hint's code is loaded, so two frames would show it.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
}

function openOnFirstDay() {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  answerPostForm()
  return openConversation(conversationWith('Bea'))
}

// This test must run first, because the browser's install offer lasts until the page closes.
test('PWA-13 on an iPhone, which has no install prompt, Juntas explains the two steps', async () => {
  const userAgent = vi
    .spyOn(navigator, 'userAgent', 'get')
    .mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)')
  await openOnFirstDay()
  await sendMessage('Hola')
  await expect.element(iosHint).not.toBeInTheDocument()
  passDays(1)
  await sendMessage('Otra vez')
  await expect.element(iosHint).toBeVisible()
  expect(
    iosHint
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Press Share below in Safari', 'Choose Add to Home Screen'])
  userAgent.mockRestore()
})

test('PWA-13 from ana’s second day, Juntas offers its installation after a post or a message, once in sixty days', async () => {
  const prompt = vi.fn(async () => {})
  dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
  const { navigate } = await openOnFirstDay()
  await sendMessage('El primer día')
  await expect.element(hint).not.toBeInTheDocument()
  passDays(1)
  await sendMessage('El segundo día')
  await expect.element(hint).toBeVisible()
  await hint.getByRole('button', { name: 'Not now' }).click()
  await expect.element(hint).not.toBeInTheDocument()
  passDays(60)
  await sendMessage('Dos meses después')
  await expect.element(hint).not.toBeInTheDocument()
  passDays(62)
  navigate('/create-post')
  await expect.element(photoInput).toBeInTheDocument()
  await choosePhotos(await createPicture())
  await fillPost()
  await createButton.click()
  await expect.element(hint).toBeVisible()
  expect(prompt).not.toHaveBeenCalled()
  await hint.getByRole('button', { name: 'Install' }).click()
  expect(prompt).toHaveBeenCalledTimes(1)
  await expect.element(hint).not.toBeInTheDocument()
})
