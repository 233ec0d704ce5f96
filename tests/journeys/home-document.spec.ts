/** Home's page contains its first responses and its first photo (decision 0234). */
import type { Locator, Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'
import { holdRequestsToUrl } from './request-steps.ts'

const caption = 'La foto de bea'
const splash = (page: Page) => page.locator('[data-home-splash]')
const splashPhoto = (page: Page) => splash(page).locator('img')
const cardPhoto = (page: Page) => page.getByRole('article').first().locator('[data-picture] img')
const entryScript = '**/assets/first-*.js'

type Member = (name: string) => Promise<JourneyMember>

async function followsBea(ana: JourneyMemberWithPage, member: Member, picture?: Buffer): Promise<void> {
  const bea = await member('bea')
  await followMemberViaApi(ana, bea)
  await publishPostViaApi(bea, { caption, picture })
}

/** On a busy machine, pages do without responses for some seconds. */
const openWithResponses = (page: Page, waitUntil: 'load' | 'commit' = 'load', begin = () => {}) =>
  expect(async () => {
    begin()
    const answer = await page.goto('/', { waitUntil })
    expect(await answer?.text()).toContain('id="answers"')
  }).toPass()

test('Home shows its first posts without requesting them, and its photo once; nothing remains after signing out @quick', async ({
  member,
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await followsBea(ana, member)
  const { page } = ana
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await openWithResponses(page, 'load', () => {
    asked.length = 0
  })
  await expect(page.getByRole('article').first()).toContainText(caption)
  await page.waitForLoadState('networkidle')
  for (const path of ['/v1/me/session', '/v1/me', '/v1/feed', '/v1/people']) expect(asked).not.toContain(path)
  const photo = new URL(await cardPhoto(page).evaluate((img: HTMLImageElement) => img.currentSrc)).pathname
  expect(asked.filter((path) => path === photo)).toHaveLength(1)
  expect(said).toEqual([])
  await expect(splash(page)).toHaveCount(0)
  await expect(page.locator('#answers')).toHaveCount(0)

  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByLabel('Email')).toBeVisible()
  expect(await page.content()).not.toContain(caption)
  await page.goto('/')
  await expect(page.getByLabel('Email')).toBeVisible()
  expect(await page.content()).not.toContain(caption)
})

for (const { viewport, picture } of [
  { viewport: { width: 390, height: 844 }, picture: { width: 600, height: 900 } },
  { viewport: { width: 820, height: 900 }, picture: { width: 1200, height: 400 } },
  { viewport: { width: 1440, height: 900 }, picture: { width: 900, height: 800 } },
]) {
  test(`the photo appears before the scripts where the card shows it, at ${viewport.width} pixels`, async ({
    member,
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    await followsBea(ana, member, await createJpeg('#227799', picture.width, picture.height))
    const { page } = ana
    await page.setViewportSize(viewport)
    const release = await holdRequestsToUrl(page, entryScript)
    await openWithResponses(page, 'commit')
    await expect(splashPhoto(page)).toBeVisible()
    const before = await splashPhoto(page).boundingBox()
    const source = (photo: Locator) => photo.evaluate((img: HTMLImageElement) => img.currentSrc)
    await expect.poll(() => source(splashPhoto(page))).not.toBe('')
    const shown = await source(splashPhoto(page))
    release()
    await expect(cardPhoto(page)).toBeVisible()
    const after = await cardPhoto(page).boundingBox()
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.round(before?.[side] ?? -1), side).toBe(Math.round(after?.[side] ?? -2))
    await expect.poll(() => source(cardPhoto(page))).toBe(shown)
  })
}

test('the photo of a member who left by quick exit or whose sign-out got no response stays hidden', async ({
  member,
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await followsBea(ana, member)
  const { page } = ana
  await page.goto('/settings')
  for (const [storage, key] of [
    ['localStorage', 'juntas:signing-out'],
    ['sessionStorage', 'juntas:left'],
  ] as const) {
    await page.evaluate(([storage, key]) => window[storage].setItem(key, 'yes'), [storage, key] as const)
    const release = await holdRequestsToUrl(page, entryScript)
    await openWithResponses(page, 'commit')
    await expect(splashPhoto(page)).toBeAttached()
    await expect(splashPhoto(page)).toBeHidden()
    await page.evaluate(([storage, key]) => window[storage].removeItem(key), [storage, key] as const)
    release()
    await expect(cardPhoto(page)).toBeVisible()
    await page.unroute(entryScript)
  }
})
