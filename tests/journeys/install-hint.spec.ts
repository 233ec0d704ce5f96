/** The proposal to install Juntas. */
import type { Page } from '@playwright/test'
import { openConversationPage, openConversationViaApi, typeAndSendMessage } from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { openCreatePostForm, uploadPhotoInForm } from './post-steps.ts'

test.use({ fresh: true })

const hint = (page: Page) => page.getByRole('region', { name: 'Juntas on your home screen' })
const dayMs = 86_400_000

/** A browser that offers to install what can be installed: Chromium without a window does not. */
async function offerInstalling({ context }: JourneyMemberWithPage): Promise<void> {
  await context.addInitScript(() => {
    addEventListener('DOMContentLoaded', () =>
      setTimeout(() => {
        const prompt = async () => void document.documentElement.toggleAttribute('data-prompted', true)
        dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
      }),
    )
  })
}

async function post(ana: JourneyMemberWithPage): Promise<void> {
  const page = await openCreatePostForm(ana)
  await uploadPhotoInForm(page)
  await page.getByLabel('Caption').fill('Una foto')
  await page.getByLabel('Location').fill('Lima')
  await page.getByRole('main').getByRole('button', { name: 'Create Post' }).click()
  await expect(page.getByText('Posted', { exact: true })).toBeVisible()
}

test('PWA-13 from ana’s second day on Juntas proposes to be installed, after a post or a message, once in sixty days', async ({
  signedUp,
  member,
}) => {
  const [ana, bea] = [await signedUp('Ana'), await member('Bea')]
  const { page } = ana
  await offerInstalling(ana)
  const start = new Date('2026-11-02T10:00:00Z').getTime()
  await page.clock.setFixedTime(start)
  await post(ana)
  await expect(hint(page)).toHaveCount(0)

  await page.clock.setFixedTime(start + dayMs)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
  await expect(hint(page)).toHaveCount(0)
  const talk = await openConversationViaApi(ana, bea)
  await openConversationPage(ana, talk)
  await typeAndSendMessage(page, 'Hola Bea')
  await expect(hint(page)).toBeVisible()
  await hint(page).getByRole('button', { name: 'Not now' }).click()
  await expect(hint(page)).toHaveCount(0)

  await page.clock.setFixedTime(start + 60 * dayMs)
  await post(ana)
  await expect(hint(page)).toHaveCount(0)
  await page.clock.setFixedTime(start + 62 * dayMs)
  await post(ana)
  await expect(hint(page)).toBeVisible()
  await hint(page).getByRole('button', { name: 'Install' }).click()
  await expect(page.locator('html[data-prompted]')).toHaveCount(1)
  await expect(hint(page)).toHaveCount(0)
})

test.describe('on an iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })

  test('PWA-13 where no page can install anything Juntas says in two steps how it is done', async ({
    signedUp,
  }) => {
    const ana = await signedUp('Ana')
    const { page } = ana
    const start = new Date('2026-11-02T10:00:00Z').getTime()
    await page.clock.setFixedTime(start)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('juntas:install'))).not.toBeNull()
    await page.clock.setFixedTime(start + dayMs)
    await post(ana)
    const steps = page.getByRole('region', { name: 'Add Juntas to your iPhone' })
    await expect(steps.getByRole('listitem')).toHaveText([
      'Press Share below in Safari',
      'Choose Add to Home Screen',
    ])
  })
})
