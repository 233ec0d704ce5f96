import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const canvas = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const dark = 'rgb(19, 15, 18)'
const light = 'rgb(251, 248, 250)'

const watchFrames = (page: Page) =>
  page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(window, { seen })
    const look = () => {
      if (document.body) seen.add(getComputedStyle(document.documentElement).colorScheme)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
const framesSeen = (page: Page) => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])

test('SET-13 SET-14 ana’s theme, text size, motion and link settings apply immediately, on every page, after a reload and after logout @both @quick', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await publishPostViaApi(ana)
  const { page } = ana
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' })
  await page.goto('/settings/language')
  await expect(title(page)).toHaveText('Language and appearance')
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
  await page.getByRole('radio', { name: 'Light' }).check()
  await expect.poll(() => canvas(page)).toBe(light)
  await page.getByRole('radio', { name: 'System' }).check()
  await expect.poll(() => canvas(page)).toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => canvas(page)).toBe(light)
  await page.getByRole('radio', { name: 'Dark' }).check()
  await expect.poll(() => canvas(page)).toBe(dark)
  await page.getByRole('combobox', { name: 'Larger text' }).selectOption('Largest')
  await page.getByRole('switch', { name: 'Less motion' }).click()
  await page.getByRole('switch', { name: 'Underline links' }).click()

  await watchFrames(page)
  await page.goto('/')
  await expect(main(page).getByRole('article').first()).toBeVisible()
  expect(await framesSeen(page)).toEqual(['dark'])
  expect(await canvas(page)).toBe(dark)
  // The browser's bars change when the page is idle.
  await expect(page.locator('meta[name=theme-color]').first()).toHaveAttribute('media', 'not all')
  await expect(page.locator('meta[name=theme-color]').last()).toHaveAttribute('media', 'all')
  const home = await page.evaluate(() => ({
    text: Number.parseFloat(getComputedStyle(document.body).fontSize),
    wider: document.documentElement.scrollWidth - innerWidth,
    transition: getComputedStyle(document.querySelector('main a, main button') ?? document.body)
      .transitionDuration,
    plain: [...document.querySelectorAll('main a')].filter(
      (link) => !getComputedStyle(link).textDecorationLine.includes('underline'),
    ).length,
  }))
  expect(home.text).toBeCloseTo(15 * 1.5)
  expect(home.wider).toBeLessThanOrEqual(0)
  expect(home.plain).toBe(0)
  expect(Number.parseFloat(home.transition)).toBeLessThan(0.001)

  await page.goto('/create-post')
  await expect(page.getByLabel('Caption')).toHaveCSS('color-scheme', 'dark')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/sign-in')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible()
  expect(await canvas(page)).toBe(dark)
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['appearance'])
})
