import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  locateMessageList,
  locateSendButton,
  openConversationPage,
  openConversationViaApi,
  typeAndSendMessage,
} from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
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
async function choose(page: Page, count: number): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add photos' }).click()
  await (await choosing).setFiles(await files(count))
}
const photoLines = (page: Page) =>
  locateMessageList(page)
    .getByRole('listitem')
    .evaluateAll((lines) =>
      lines.map(
        (line) => line.querySelector('[data-photos]')?.getAttribute('data-photos') ?? line.textContent,
      ),
    )

async function two(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const [ana, bea] = [await signedUp('Ana Gil'), await signedUp('Bea Ruiz')]
  await followMemberViaApi(bea, ana)
  const conversation = await openConversationViaApi(ana, bea)
  return { ana, bea, conversation, page: await openConversationPage(ana, conversation) }
}

test('CHPH-03 a photo sent offline waits between text messages, survives a reload, and is sent once, in order', async ({
  signedUp,
}) => {
  const { ana, bea, conversation, page } = await two(signedUp)
  await openConversationPage(bea, conversation)
  await ana.context.setOffline(true)
  await typeAndSendMessage(page, 'uno')
  await choose(page, 2)
  await locateSendButton(page).click()
  await typeAndSendMessage(page, 'tres')
  await expect(locateMessageList(page).getByText('Waiting')).toHaveCount(3)
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
  // Without blocked uploads, a connection would send the messages; but the page reloads only with a connection.
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
  await expect(locateMessageList(page).getByText('Waiting')).toHaveCount(0)
  await expect.poll(() => photoLines(bea.page)).toEqual(lines)
  // An interrupted message keeps its id.
  const first = new Map(
    sent.map((body) => [JSON.parse(body).messageId, JSON.parse(body).photos?.length ?? 0]),
  )
  expect([...first.values()]).toEqual([0, 2, 0])
})
