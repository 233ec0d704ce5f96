import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'

const neutralUrl = 'https://www.wikipedia.org/'
const leave = (page: Page | Locator) => page.getByRole('button', { name: 'Leave', exact: true })
const neutral = (page: Page) => page.getByRole('heading', { name: 'Neutral' })

/** The test can delay the response of the page. */
async function serveNeutralPage(context: BrowserContext) {
  let arrival = Promise.withResolvers<void>()
  await context.route(neutralUrl, async (route) => {
    await arrival.promise
    await route.fulfill({ contentType: 'text/html', body: '<title>Neutral</title><h1>Neutral</h1>' })
  })
  return {
    arrive: () => arrival.resolve(),
    hold() {
      arrival = Promise.withResolvers()
    },
  }
}

const nothing = { title: '', text: '', elements: 2 }

async function pressAndLook(button: HTMLElement) {
  button.click()
  await new Promise(requestAnimationFrame)
  const { title, documentElement } = document
  return { title, text: documentElement.innerText, elements: document.querySelectorAll('*').length }
}

async function chooseQuickExit(
  person: JourneyMemberWithPage,
  quickExit: 'leave' | 'sign-out',
): Promise<void> {
  const answer = await person.request.patch('/v1/me/privacy', { data: { quickExit } })
  expect(answer.status()).toBe(200)
}

test('EXIT-01 EXIT-02 EXIT-03 EXIT-05 vera turns on the quick exit and leaves from a dialog before the next frame; Back does not return to Juntas @quick', async ({
  signedUp,
}) => {
  const { page, context } = await signedUp('Vera')
  const { arrive, hold } = await serveNeutralPage(context)
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto('/settings/privacy')
  const choice = page.getByRole('radiogroup', { name: 'Quick exit' })
  await expect(choice.getByRole('radio', { name: 'Off' })).toBeChecked()
  await expect(leave(page)).toHaveCount(0)
  expect(loaded.filter((url) => url.includes('/quick-exit'))).toEqual([])

  // `check` would fail, because the option becomes checked only after the server has stored it.
  await choice.getByRole('radio', { name: 'Leave', exact: true }).click()
  await expect(leave(page)).toBeVisible()
  await page.goto('/home')
  await expect(leave(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(leave(page)).toBeFocused()
  for (const width of [360, 390, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect((await leave(page).boundingBox())?.height).toBe(48)
    await leave(page).click({ trial: true })
  }

  const socket = page.waitForEvent('websocket')
  await page.goto('/settings/privacy')
  const closed = (await socket).waitForEvent('close')
  await page.getByRole('switch', { name: 'Private account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Make your account private?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await leave(dialog).click({ trial: true })
  expect(await leave(dialog).evaluate(pressAndLook)).toEqual(nothing)
  await closed
  arrive()
  await expect(neutral(page)).toBeVisible()

  await page.goBack()
  await expect(neutral(page)).toBeVisible()
  await page.goto('/home')
  await expect(leave(page)).toBeVisible()
  hold()
  await context.setOffline(true)
  expect(await leave(page).evaluate(pressAndLook)).toEqual(nothing)
})

test('EXIT-04 EXIT-06 pressing Shift three times signs vera out and leaves Juntas, even with a draft open; typing capitals does not', async ({
  signedUp,
}) => {
  const vera = await signedUp('Vera')
  const { page, context } = vera
  const { arrive } = await serveNeutralPage(context)
  arrive()
  await chooseQuickExit(vera, 'sign-out')
  await page.goto('/create-post')
  await expect(leave(page)).toBeVisible()
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await caption.focus()
  for (const letter of 'SHIFT') {
    await page.keyboard.down('Shift')
    await page.keyboard.press(letter)
    await page.keyboard.up('Shift')
  }
  await expect(caption).toHaveValue('SHIFT')
  await expect(leave(page)).toBeVisible()
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Shift')
  await expect(neutral(page)).toBeVisible()
  await expect.poll(async () => (await vera.request.get('/v1/account')).status()).toBe(401)
  await page.goto('/home')
  await expect(page).toHaveURL(/\/sign-in/)
})
