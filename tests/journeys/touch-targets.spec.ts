import type { Locator, Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { openConversationViaApi, sendMessageViaApi } from './chat-steps.ts'
import { expect, test } from './fixtures.ts'
import { openCreatePostForm, publishPostViaApi, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')

/** Measured from the centre of the control in each direction. */
const reachOf = (control: Locator) =>
  control.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const meets = (dx: number, dy: number) => {
      const met = document.elementFromPoint(x + dx, y + dy)
      return met !== null && element.contains(met)
    }
    const run = (dx: number, dy: number) => {
      let steps = 0
      while (steps < 60 && meets(dx * (steps + 1), dy * (steps + 1))) steps += 1
      return steps
    }
    return { width: run(-1, 0) + run(1, 0) + 1, height: run(0, -1) + run(0, 1) + 1 }
  })

async function expectFinger(control: Locator): Promise<void> {
  await control.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const { width, height } = await reachOf(control)
  expect(Math.min(width, height), `${width} × ${height}`).toBeGreaterThanOrEqual(43)
}

test('buttons for photo options, comments and messages are at least 44 pixels wide @phone', async ({
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
  const page = await openCreatePostForm(ana)
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles(toUploadFilePayload(await createJpeg(), 'foto.jpg', 'image/jpeg'))
  await expectFinger(main(page).getByRole('button', { name: 'Options for photo 1' }))

  const post = await publishPostViaApi(bea)
  const said = await ana.request.post(`/v1/posts/${post.$id}/comments`, { data: { content: 'Qué luz' } })
  expect(said.status()).toBe(201)
  await bea.page.goto('/settings/language')
  const reloaded = bea.page.waitForEvent('load')
  await bea.page.getByRole('radio', { name: 'Español' }).click()
  await reloaded
  await bea.page.goto(`/posts/${post.$id}`)
  await expectFinger(main(bea.page).getByRole('button', { name: 'Quitar', exact: true }))

  const conversation = await openConversationViaApi(bea, ana)
  const message = await sendMessageViaApi(
    ana,
    conversation,
    'Hola, ¿vienes el sábado a la cala con las demás del grupo de barro?',
  )
  await bea.request.put(`/v1/messages/${message}/reaction`, { data: { emoji: '👏' } })
  await bea.page.goto(`/chat/${conversation}`)
  await expectFinger(main(bea.page).getByRole('button', { name: 'Aplauso, 1, tuya' }))
  await expectFinger(main(bea.page).getByRole('button', { name: 'Opciones del mensaje' }))
})
