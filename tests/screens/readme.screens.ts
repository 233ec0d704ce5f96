import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import {
  hashPicturedSources,
  picturedSourcesHashPath,
  readmePicturesFolder,
} from '#scripts/docs/readme-picture-sources.ts'
import type { JourneyMemberWithPage } from '#tests/journeys/fixtures.ts'
import { expect, findDemoDocument, test } from './screenshot-fixtures.ts'

const desktop = { width: 1440, height: 1000 }
const phone = { width: 390, height: 844 }

/** Saves `<name>-light.webp` and `<name>-dark.webp`, at most 1,200 pixels wide. */
async function takeReadmePictures(page: Page, name: string, viewport: typeof phone): Promise<void> {
  await page.setViewportSize(viewport)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => document.fonts.ready)
    const picture = await page.screenshot({ animations: 'disabled', scale: 'device' })
    await sharp(picture)
      .resize({ width: 1200, withoutEnlargement: true })
      .webp({ quality: 82 })
      .toFile(`${readmePicturesFolder}/${name}-${colorScheme}.webp`)
  }
}

const firstPhoto = (page: Page) => page.getByRole('article').first().getByRole('img').last()

const ceramicsGroup = (me: JourneyMemberWithPage) =>
  findDemoDocument<{ $id: string; name: string }>(me, '/v1/groups', ({ name }) => name.includes('Cerámica'))

test('the README’s pictures', async ({ neighbour }) => {
  const lucia = await neighbour('lucia.ferrer')
  const { page } = lucia
  await page.setViewportSize(desktop)
  await page.goto('/')
  await expect(firstPhoto(page)).toBeVisible()
  await takeReadmePictures(page, 'home-desktop', desktop)
  await takeReadmePictures(page, 'home-phone', phone)
  await page.goto(`/groups/${(await ceramicsGroup(lucia)).$id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await takeReadmePictures(page, 'group-phone', phone)
  await page.goto('/chat')
  await page.getByRole('listitem').getByRole('link').first().click()
  await expect(page.getByRole('textbox')).toBeVisible()
  await takeReadmePictures(page, 'chat-phone', phone)
  writeFileSync(picturedSourcesHashPath, `${hashPicturedSources()}\n`)
})
