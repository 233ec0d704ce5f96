import type { Page } from '@playwright/test'
import {
  locateMessageInput,
  locateSendButton,
  openConversationPage,
  openConversationViaApi,
} from './chat-steps.ts'
import { expect, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'
import { uploadPhotoInForm } from './post-steps.ts'

const toasts = (page: Page) => toastRegion(page).getByRole('listitem')

/** The row of somebody on Home, and its one button. */
const followButton = (page: Page, name: string) =>
  page
    .getByRole('complementary', { name: 'People' })
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByRole('button', { name: /ollow$/ })

async function failToSignIn(page: Page) {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill('nobody@juntas.test')
  await page.getByLabel('Contraseña', { exact: true }).fill('not a password')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(toasts(page)).toHaveText('Login failed. Please try again.')
}

/** Ana on Home with a toast that bea is followed now. */
async function followed(signedUp: (name: string) => Promise<JourneyMemberWithPage>) {
  const bea = await signedUp('bea')
  const { page } = await signedUp('ana')
  await page.goto('/')
  await followButton(page, bea.username).click()
  await expect(toasts(page)).toContainText('You are now following bea')
  return { page, bea }
}

test('GEN-05 both layouts have the one toast region, named in their language', async ({ page, signedUp }) => {
  await failToSignIn(page)
  await expect(page.getByRole('region', { name: 'Avisos (F8)', exact: true })).toHaveCount(1)
  await expect(toasts(page)).toBeVisible()
  await expect(toasts(page).locator('[lang=en]')).toHaveText('Login failed. Please try again.')

  const home = await followed(signedUp)
  await expect(home.page.getByRole('region', { name: 'Notifications (F8)', exact: true })).toHaveCount(1)
  await expect(toasts(home.page)).toBeVisible()
})

test('TOAST-01 a second toast takes the place of the first @quick', async ({ signedUp }) => {
  const { page, bea } = await followed(signedUp)
  await followButton(page, bea.username).click()
  await expect(toasts(page)).toHaveCount(1)
  await expect(toasts(page)).toContainText('You unfollowed bea')
})

test('TOAST-02 it is on screen for 5000 ms', async ({ page }) => {
  await page.clock.install()
  await page.goto('/sign-in')
  await page.clock.runFor(2000)
  await expect(toastRegion(page)).toBeAttached()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.route('**/v1/sessions', (route) => route.abort())
  await page.getByLabel('Email').fill('nobody@juntas.test')
  await page.getByLabel('Contraseña', { exact: true }).fill('not a password')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(toasts(page)).toHaveCount(1)
  await page.clock.runFor(4999)
  await expect(toasts(page)).toHaveAttribute('data-state', 'open')
  await page.clock.runFor(1)
  await expect(toasts(page)).toHaveCount(0)
})

test('TOAST-04 a drag of 49 px to the right leaves it, one of 51 px dismisses it', async ({ page }) => {
  await failToSignIn(page)
  const drag = async (distance: number) => {
    const box = await toasts(page).boundingBox()
    if (!box) throw new Error('no toast')
    const [x, y] = [box.x + 40, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 20, y)
    await page.mouse.move(x + distance, y)
    await page.mouse.up()
  }
  await drag(49)
  await expect(toasts(page)).toHaveAttribute('data-swipe', 'cancel')
  await expect(toasts(page)).toHaveAttribute('data-state', 'open')
  await drag(51)
  await expect(toasts(page)).toHaveCount(0)
})

test('TOAST-05 F8 moves the focus to the toasts, Escape closes the focused one', async ({ page }) => {
  await failToSignIn(page)
  await page.keyboard.press('F8')
  await expect(toastRegion(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(toasts(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toasts(page)).toHaveCount(0)
})

test('TOAST-06 TOAST-07 a failure shows title and text, has a sign of its own and is said at once', async ({
  signedUp,
}) => {
  const { page, bea } = await followed(signedUp)
  await expect(toasts(page).getByText('Success', { exact: true })).toBeVisible()
  await expect(toasts(page).locator('svg')).toHaveCount(1)

  await page.route('**/v1/people/*/follow', (route) => route.abort())
  const announced = page.locator('[role=status][aria-live=assertive]', { hasText: 'Something went wrong' })
  const said = announced.waitFor({ state: 'attached' })
  await followButton(page, bea.username).click()
  await said
  await expect(toasts(page).getByText('Error', { exact: true })).toBeVisible()
  await expect(toasts(page).getByText('Something went wrong. Please try again.')).toBeVisible()
  await expect(toasts(page).locator('svg')).toHaveCount(2)
})

test('the close button of a toast closes it, above the bottom bar on the phone @phone', async ({ page }) => {
  await failToSignIn(page)
  await toasts(page).getByRole('button', { name: 'Cerrar' }).click()
  await expect(toasts(page)).toHaveCount(0)
})

test('PCRE-19 a failure is said also where what draws toasts has not come, for as long; and drawn once it comes', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  let reachable = false
  await page.route('**/assets/toaster-*.js', (route) => (reachable ? route.fallback() : route.abort()))
  await page.route('**/v1/posts', (route) => route.abort())
  await page.clock.install()
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Una tarde')
  await uploadPhotoInForm(page)
  await page.getByLabel('Location').fill('Tonalá')
  await page.clock.runFor(2000)
  const submit = page.getByRole('main').getByRole('button', { name: 'Create Post' })
  const said = page.getByRole('alert').filter({ hasText: 'Create post failed. Please try again.' })
  await submit.click()
  await page.clock.runFor(1000)
  await expect(said).toBeVisible()
  await expect(toastRegion(page)).toHaveCount(0)
  await page.clock.runFor(5000)
  await expect(said).toHaveCount(0)

  reachable = true
  await submit.click()
  await page.clock.runFor(1000)
  await expect(toasts(page)).toContainText('Create post failed')
  await expect(said).toHaveCount(0)
})

test('it leaves the box free in which she writes, however many lines are in it @both', async ({
  member,
  signedUp,
}) => {
  const [bea, ana] = [await member('bea'), await signedUp('ana')]
  const page = await openConversationPage(ana, await openConversationViaApi(ana, bea))
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { message: 'no', code: 400 } })
      : route.fallback(),
  )
  await locateMessageInput(page).fill('una\ndos\ntres\ncuatro\ncinco\nseis')
  await locateSendButton(page).click()
  await expect(toasts(page)).toContainText('Failed to send message')
  await expect(locateMessageInput(page)).toHaveValue(/seis$/)
  // Once it has come up.
  await expect(async () => {
    const [toast, writing] = [await toasts(page).boundingBox(), await locateMessageInput(page).boundingBox()]
    if (!toast || !writing) throw new Error('One of the two is not there')
    expect(toast.y + toast.height).toBeLessThan(writing.y)
  }).toPass({ timeout: 3000 })
})
