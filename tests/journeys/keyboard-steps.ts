import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < 60; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
  expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
}
