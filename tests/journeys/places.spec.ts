import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })

test('PLACE-02 a place or a tag with a dot in its name opens by its URL @quick', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  for (const [address, name] of [
    ['/places/St.%20Gallen', 'St. Gallen'],
    ['/tags/v1.0', '#v1.0'],
  ] as const) {
    expect((await page.goto(address))?.status()).toBe(200)
    await expect(title(page)).toHaveText(name)
    await page.reload()
    await expect(title(page)).toHaveText(name)
  }
  expect((await page.request.get('/assets/missing.js')).status()).toBe(404)
  expect((await page.request.get('/missing.png')).status()).toBe(404)
})
