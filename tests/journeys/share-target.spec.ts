import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, test, toastRegion } from './fixtures.ts'
import { readHeic } from './heic-fixtures.ts'
import { fetchHomeFeedPosts, filesApiPath } from './post-steps.ts'
import { openWithServiceWorker } from './service-worker-steps.ts'

// A service worker stays registered in its browser.
test.use({ serviceWorkers: 'allow', fresh: true })

const main = (page: Page) => page.getByRole('main')
const sentence = 'Your photo is here. Nothing is sent until you press Create Post.'

async function share(page: Page, bytes: Buffer, name: string, type: string): Promise<void> {
  await Promise.all([
    page.waitForURL(/\/(create-post|sign-in)/),
    page.evaluate(
      ({ base64, name, type }) => {
        const form = Object.assign(document.createElement('form'), {
          method: 'post',
          action: '/share',
          enctype: 'multipart/form-data',
        })
        const input = Object.assign(document.createElement('input'), { type: 'file', name: 'photo' })
        const transfer = new DataTransfer()
        const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        transfer.items.add(new File([content], name, { type }))
        input.files = transfer.files
        form.append(input)
        document.body.append(form)
        form.submit()
      },
      { base64: bytes.toString('base64'), name, type },
    ),
  ])
}

test('PWA-10 a JPEG shared to Juntas waits in Create Post until ana presses the button', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page } = ana
  await page.clock.install()
  await page.goto('/')
  await page.clock.runFor(10_000)
  await openWithServiceWorker(page, '/')
  const sent: string[] = []
  ana.context.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await share(page, await createJpeg('#3252a8', 800, 600), 'playa.jpg', 'image/jpeg')
  await expect(main(page).getByText(sentence)).toBeVisible()
  await expect(main(page).getByRole('img').first()).toBeVisible()
  await page.clock.runFor(20_000)
  expect(sent.filter((one) => one.includes(filesApiPath))).toEqual([])
  await page.getByLabel('Caption').fill('La playa')
  await page.getByLabel('Location').fill('Tonalá')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(toastRegion(page).getByText('Posted')).toBeVisible()
  expect((await fetchHomeFeedPosts(ana)).map(({ caption }) => caption)).toEqual(['La playa'])
  expect(await page.evaluate(() => caches.has('juntas-shared'))).toBe(false)
})

test('PWA-10 a photo shared while signed out is kept until ana signs in; a HEIC becomes a JPEG on the device, and other files are refused', async ({
  signedUp,
}) => {
  const ana = await signedUp('Ana')
  const { page } = ana
  await openWithServiceWorker(page, '/')
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await share(page, await createJpeg(), 'playa.jpg', 'image/jpeg')
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(ana.password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(main(page).getByText(sentence)).toBeVisible()
  await expect(main(page).getByRole('img').first()).toBeVisible()

  await page.goto('/saved')
  await share(page, readHeic('plain'), 'foto.heic', 'image/heic')
  await expect(main(page).getByText(sentence)).toBeVisible()
  await expect(main(page).getByRole('img').first()).toBeVisible()
  await page.goto('/saved')
  await share(page, Buffer.from('%PDF-1.7 no photo'), 'foto.jpg', 'image/jpeg')
  await expect(toastRegion(page).getByText('Juntas takes JPEG and PNG.')).toBeVisible()
  await expect(main(page).getByText(sentence)).toHaveCount(0)
})
