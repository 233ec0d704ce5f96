/** Photos in the chat: chosen, pasted and dropped, waiting with their words, failing, and opened large. */
import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findAxeProblems } from './axe-steps.ts'
import {
  locateConversationRow,
  locateMessageBubble,
  locateMessageInput,
  locateMessageThread,
  locateSendButton,
  openConversationPage,
  openConversationViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, fulfillWithServerError, type JourneyMemberWithPage, test } from './fixtures.ts'
import { followMemberViaApi } from './post-steps.ts'

const colors = ['#cc3344', '#3344cc', '#44cc33', '#ccaa33', '#8833cc']
const files = (count: number) =>
  Promise.all(
    colors.slice(0, count).map(async (color, n) => ({
      name: `foto${n}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await createJpeg(color, 320, 240)),
    })),
  )
const chosen = (page: Page) =>
  page.getByRole('list', { name: 'Photos of this message' }).getByRole('listitem')
async function choose(page: Page, count: number): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add photos' }).click()
  await (await choosing).setFiles(await files(count))
}
const photoLines = (page: Page) =>
  locateMessageThread(page)
    .getByRole('listitem')
    .evaluateAll((lines) =>
      lines.map(
        (line) => line.querySelector('[data-photos]')?.getAttribute('data-photos') ?? line.textContent,
      ),
    )

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('Ana Gil'), await signedUp('Bea Ruiz')]
  await followMemberViaApi(bea, ana)
  const talk = await openConversationViaApi(ana, bea)
  return { ana, bea, talk, page: await openConversationPage(ana, talk) }
}

/** Gives files to the page as the clipboard or a drag does. */
const handOver = (page: Page, kind: 'paste' | 'drop', bytes: readonly number[]) =>
  page.evaluate(
    ([type, given]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(given)], 'foto.jpg', { type: 'image/jpeg' }))
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
      document.querySelector('[data-composer]')?.dispatchEvent(event)
    },
    [kind, bytes] as const,
  )

test('CHPH-01 ana chooses, pastes and drops photos, describes them, and bea sees them in her order @both', async ({
  signedUp,
}) => {
  const { bea, talk, page } = await two(signedUp)
  await openConversationPage(bea, talk)
  await expect(locateSendButton(page)).toBeDisabled()
  await choose(page, 2)
  await expect(chosen(page)).toHaveCount(2)
  const bytes = [...(await createJpeg('#338899', 240, 320))]
  await handOver(page, 'paste', bytes)
  await expect(chosen(page)).toHaveCount(3)
  await handOver(page, 'drop', bytes)
  await expect(chosen(page)).toHaveCount(4)
  await choose(page, 1)
  await expect(page.getByRole('alert')).toContainText('Too many files')
  await expect(chosen(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Take photo 4 off' }).click()
  await expect(chosen(page)).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Take photo 3 off' })).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Describe photo 2' }).fill('La puerta azul')
  expect(await findAxeProblems(page)).toEqual([])

  await expect(locateSendButton(page)).toBeEnabled()
  await locateSendButton(page).click()
  await expect(chosen(page)).toHaveCount(0)
  for (const reader of [page, bea.page]) {
    const photos = locateMessageThread(reader).getByRole('link').getByRole('img')
    await expect(photos).toHaveCount(3)
    await expect(photos.nth(1)).toHaveAccessibleName('La puerta azul')
    await expect(photos.nth(2)).toHaveJSProperty('complete', true)
  }
  await expect(locateMessageThread(page).getByRole('img', { name: 'Read' })).toBeVisible()
  await bea.page.goto('/chat')
  await expect(locateConversationRow(bea.page, 'Ana Gil')).toContainText('3 photos')
  await bea.page.goto(`/chat/${talk}`)
  await choose(page, 1)
  await locateMessageInput(page).fill('Y esta')
  await locateSendButton(page).click()
  await expect(locateMessageBubble(bea.page, 'Y esta').getByRole('link').getByRole('img')).toHaveCount(1)
  expect(await findAxeProblems(bea.page)).toEqual([])
})

test('CHPH-03 offline a photo waits between words, survives a reload, and goes out once in its order', async ({
  signedUp,
}) => {
  const { ana, bea, talk, page } = await two(signedUp)
  await openConversationPage(bea, talk)
  await ana.context.setOffline(true)
  await typeAndSendMessage(page, 'uno')
  await choose(page, 2)
  await locateSendButton(page).click()
  await typeAndSendMessage(page, 'tres')
  await expect(locateMessageThread(page).getByText('Waiting')).toHaveCount(3)
  const lines = ['uno', '2', 'tres'].map((line) => expect.stringContaining(line))
  expect(await photoLines(page)).toEqual(lines)
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const opening = indexedDB.open('juntas-outgoing')
        const db = await new Promise<IDBDatabase>((resolve) => {
          opening.onsuccess = () => resolve(opening.result)
        })
        const counting = db.transaction('messages').objectStore('messages').count()
        return new Promise((resolve) => {
          counting.onsuccess = () => resolve(counting.result)
          db.close()
        })
      }),
    )
    .toBe(3)
  // The page itself comes from the server, which is out of reach until then.
  const sent: string[] = []
  await ana.context.route('**/v1/conversations/*/messages', (route) => {
    if (route.request().method() === 'POST') sent.push(route.request().postData() ?? '')
    return route.continue()
  })
  await ana.context.route('**/v1/files', (route) => route.abort())
  await ana.context.setOffline(false)
  await page.reload()
  await expect.poll(() => photoLines(page)).toEqual(lines)
  await ana.context.unroute('**/v1/files')
  await expect(locateMessageThread(page).getByText('Waiting')).toHaveCount(0, { timeout: 20_000 })
  await expect.poll(() => photoLines(bea.page)).toEqual(lines)
  // One whose answer the reload cut off is sent again under its id.
  const first = new Map(
    sent.map((body) => [JSON.parse(body).messageId, JSON.parse(body).photos?.length ?? 0]),
  )
  expect([...first.values()]).toEqual([0, 2, 0])
})

test('CHPH-04 a message whose photo does not arrive keeps it and its words: Not sent, Try again, Discard', async ({
  signedUp,
}) => {
  const { bea, talk, page } = await two(signedUp)
  await openConversationPage(bea, talk)
  await page.route('**/v1/files', fulfillWithServerError)
  await choose(page, 1)
  await typeAndSendMessage(page, 'mira esto')
  const failed = locateMessageBubble(page, 'Not sent')
  await expect(failed).toContainText('mira esto')
  await expect(failed.getByRole('img', { name: /^Photo by you/ })).toBeVisible()
  await expect(locateMessageInput(page)).toHaveValue('')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toContainText('mira esto')
  await page.unroute('**/v1/files')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toHaveCount(0)
  await expect(locateMessageBubble(bea.page, 'mira esto').getByRole('img')).toHaveCount(1)

  await page.route('**/v1/files', fulfillWithServerError)
  await choose(page, 1)
  await typeAndSendMessage(page, 'mejor no')
  await failed.getByRole('button', { name: 'Discard' }).click()
  await expect(failed).toHaveCount(0)
  await expect(page.getByText('mejor no')).toHaveCount(0)
})

test('CHPH-06 a photo opens large among all of the conversation, and Back closes it', async ({
  signedUp,
}) => {
  const { bea, talk, page } = await two(signedUp)
  await choose(page, 2)
  await locateSendButton(page).click()
  await expect(locateMessageThread(page).getByRole('link')).toHaveCount(2)
  await openConversationPage(bea, talk)
  await choose(bea.page, 1)
  await bea.page.getByRole('textbox', { name: 'Describe photo 1' }).fill('El patio')
  await locateSendButton(bea.page).click()
  const photos = locateMessageThread(page).getByRole('link')
  await expect(photos).toHaveCount(3)
  await photos.nth(1).click()
  const viewer = page.getByRole('dialog', { name: /^Photo/ })
  await expect(viewer).toHaveAccessibleName('Photo 2 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(viewer).toHaveAccessibleName('Photo 3 of 3')
  await expect(viewer).toContainText('El patio')
  await page.goBack()
  await expect(viewer).toHaveCount(0)
  await expect(page).toHaveURL(`/chat/${talk}`)
  await expect(photos.nth(1)).toBeFocused()

  await photos.nth(2).click()
  await expect(viewer).toHaveAccessibleName('Photo 3 of 3')
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
})
