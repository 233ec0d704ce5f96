import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { uploadFileOperation } from '#contract/files/files.ts'
import { uploadMaxSidePx } from '#contract/limits.ts'
import { findAxeProblems } from '#tests/support/component/axe.ts'
import {
  ana,
  bubble,
  conversationRow,
  conversationWith,
  makeMessagePhoto,
  messageInput,
  messageList,
  openConversation,
  sendButton,
} from '#tests/support/component/chat.ts'
import { makeMessage } from '#tests/support/component/fixtures.ts'
import { api, desktop, phone } from '#tests/support/component/open-app.tsx'
import {
  chooseFiles,
  createAnimatedWebp,
  createPicture,
  dropFiles,
  pasteFiles,
  sizeOf,
} from '#tests/support/component/pictures.ts'
import { keepUploads } from '#tests/support/component/post-form.ts'

const chosen = page.getByRole('list', { name: 'Photos of this message' }).getByRole('listitem')
const failed = bubble('Not sent')
const pictures = (count: number) => Promise.all(Array.from({ length: count }, () => createPicture()))
const countChosen = (count: number) => expect.poll(() => chosen.elements().length).toBe(count)

async function choose(count: number) {
  await expect.element(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
  const input = document.querySelector('input[type=file][aria-label=Photos]') as HTMLInputElement
  chooseFiles(input, ...(await pictures(count)))
}

async function openChat(given: Parameters<typeof openConversation>[1] = {}) {
  const uploads = keepUploads()
  const withBea = conversationWith('Bea Ruiz')
  const opened = await openConversation(withBea, given)
  return { ...opened, uploads, withBea }
}

async function send(text: string) {
  await messageInput.fill(text)
  await sendButton.click()
}

test('CHPH-10 a WebP photo is sent as a JPEG, and a photo with too many pixels is scaled down', async () => {
  const { uploads } = await openChat()
  await expect.element(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
  const input = document.querySelector('input[type=file][aria-label=Photos]') as HTMLInputElement
  expect(input.accept.split(', ')).toContain('image/webp')
  chooseFiles(input, await createAnimatedWebp(), await createPicture({ width: 13_000, height: 200 }))
  await countChosen(2)
  await expect.element(page.getByText('Preparing your photo…')).not.toBeInTheDocument()
  await send('Mira')
  await expect.poll(() => uploads.sent().length).toBe(2)
  const [first, second] = uploads.sent().map(({ file }) => file)
  expect(first?.type).toBe('image/jpeg')
  const [width = 0] = await sizeOf(second as File)
  expect(width).toBeLessThanOrEqual(uploadMaxSidePx)
})

test('CHPH-10 a damaged photo shows an error, and the other photos stay', async () => {
  await openChat()
  await choose(1)
  await countChosen(1)
  const damaged = new File(
    [new Uint8Array([0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50])],
    'rota.webp',
  )
  dropFiles(messageInput.element(), damaged)
  await expect.element(page.getByRole('alert')).toMatchTextContent('It may be damaged')
  await countChosen(1)
})

for (const size of [desktop, phone])
  test(`CHPH-01 at ${size.width} px ana chooses, pastes and drops up to four photos, describes them and sends them in her order`, async () => {
    const { uploads } = await openChat({ size })
    await expect.element(sendButton).toBeDisabled()
    await choose(2)
    await countChosen(2)
    ;(messageInput.element() as HTMLElement).focus()
    pasteFiles(...(await pictures(1)))
    await countChosen(3)
    dropFiles(messageInput.element(), ...(await pictures(1)))
    await countChosen(4)
    await choose(1)
    await expect.element(page.getByRole('alert')).toMatchTextContent('Too many files')
    await countChosen(4)
    await page.getByRole('button', { name: 'Remove photo 4' }).click()
    await countChosen(3)
    await expect.element(page.getByRole('button', { name: 'Remove photo 3' })).toHaveFocus()
    expect(page.getByRole('alert').elements()).toEqual([])
    await page.getByRole('textbox', { name: 'Describe photo 2' }).fill('La puerta azul')
    expect(await findAxeProblems()).toEqual([])
    await expect.element(sendButton).toBeEnabled()
    await sendButton.click()
    await countChosen(0)
    await expect.element(messageList.getByRole('img', { name: 'La puerta azul' })).toBeVisible()
    await expect.poll(() => api.callsOf(sendMessageOperation).length).toBe(1)
    expect(api.callsOf(sendMessageOperation)[0]).toMatchObject({
      content: '',
      photos: [{}, { alt: 'La puerta azul' }, {}],
    })
    expect(uploads.ids()).toHaveLength(3)
    expect(new Set(api.callsOf(sendMessageOperation)[0]?.photos?.map(({ imageId }) => imageId))).toEqual(
      new Set(uploads.ids()),
    )
  })

test('CHPH-01 the list shows “3 photos” for a conversation whose newest message is three photos', async () => {
  const withBea = conversationWith('Bea Ruiz', { lastMessage: '3 photos' })
  await openConversation(withBea)
  await expect.element(conversationRow('Bea Ruiz')).toMatchTextContent('3 photos')
})

test('CHPH-04 a message whose photo upload fails keeps photo and text, and can be resent or discarded', async () => {
  const { uploads } = await openChat()
  api.refuse(uploadFileOperation, 'storage_file_damaged')
  await choose(1)
  await countChosen(1)
  await send('mira esto')
  await expect.element(failed).toMatchTextContent('mira esto')
  await expect.element(failed.getByRole('img', { name: /^Photo by you/ })).toBeVisible()
  await expect.element(messageInput).toHaveValue('')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect.element(failed).toMatchTextContent('mira esto')
  api.answer(uploadFileOperation, uploads.storeFile)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect.element(bubble('mira esto').getByRole('img', { name: 'Delivered' })).toBeVisible()
  await expect.element(failed).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(sendMessageOperation).map(({ photos }) => photos?.length)).toEqual([1])

  api.refuse(uploadFileOperation, 'storage_file_damaged')
  await choose(1)
  await countChosen(1)
  await send('mejor no')
  await failed.getByRole('button', { name: 'Discard' }).click()
  await expect.element(failed).not.toBeInTheDocument()
  expect(page.getByText('mejor no').elements()).toEqual([])
})

test('CHPH-06 the viewer shows a photo among all photos of the conversation, and Back and Escape close it', async () => {
  const withBea = conversationWith('Bea Ruiz')
  const photo = (senderId: string, at: string, ...alts: string[]) =>
    makeMessage({
      $createdAt: at,
      conversationId: withBea.$id,
      senderId,
      content: '',
      photos: alts.map((alt) => makeMessagePhoto({ alt })),
    })
  const messages = [
    photo(ana.$id, '2026-11-01T10:00:00.000Z', '', ''),
    photo(withBea.other.$id, '2026-11-01T10:01:00.000Z', 'El patio'),
  ]
  await openConversation(withBea, { messages })
  const photos = messageList.getByRole('link')
  await expect.poll(() => photos.elements().length).toBe(3)
  const viewer = page.getByRole('dialog', { name: /^Photo/ })
  await photos.nth(1).click()
  await expect.element(viewer).toHaveAccessibleName('Photo 2 of 3')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(viewer).toHaveAccessibleName('Photo 3 of 3')
  await expect.element(viewer).toMatchTextContent('El patio')
  history.back()
  await expect.element(viewer).not.toBeInTheDocument()
  expect(location.pathname).toBe(`/chat/${withBea.$id}`)
  await expect.element(photos.nth(1)).toHaveFocus()

  await photos.nth(2).click()
  await expect.element(viewer).toHaveAccessibleName('Photo 3 of 3')
  await userEvent.keyboard('{Escape}')
  await expect.element(viewer).not.toBeInTheDocument()
  expect(location.pathname).toBe(`/chat/${withBea.$id}`)
  await expect.element(photos.nth(2)).toHaveFocus()
})
