import type { Page, Route } from '@playwright/test'
import type { Group } from '#contract/groups.ts'
import { clickCreateAccountButton, clickSignInButton, fillSignIn, fillSignUp } from './auth-form-steps.ts'
import {
  locateMessageInput,
  locateUserSearchInput,
  openConversationViaApi,
  typeAndSendMessage as send,
} from './chat-steps.ts'
import {
  blockPageLiveUpdates,
  expect,
  type JourneyMember,
  signUpFormFixture,
  test,
  toastRegion,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { createGroupViaApi, submitJoinRequest } from './group-steps.ts'
import { publishPostViaApi, uploadPhotoInForm } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const toast = (page: Page) => toastRegion(page).getByRole('listitem')
const cardOf = (page: Page, { username }: JourneyMember) =>
  main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${username}` })

/** Fails what the page asks of a path, or only by one method. */
async function breakDown(page: Page, path: RegExp, method?: string) {
  const broken = (route: Route) =>
    method === undefined || route.request().method() === method
      ? route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
      : route.fallback()
  await page.route((url) => path.test(url.pathname), broken)
}

/** The toast says this and nothing else; it may offer something beside it. */
async function said(page: Page, text: string, heading = '') {
  await expect(toast(page)).toHaveCount(1)
  await expect(toast(page).locator('[lang=en]')).toHaveText(heading + text)
}

const tryAgain = 'Something went wrong. Please try again.'

test('ERR-12 the way in: registering, logging in after it, logging in, and the check after that', async ({
  member,
  page,
}) => {
  const ana = await member('ana')
  const failing: [path: RegExp, method: string, text: string, stays: string][] = [
    [/members$/, 'POST', 'Sign up failed. Please try again.', '/sign-up'],
    [/v1\/sessions$/, 'POST', 'Something went wrong. Please login your new account', '/sign-in'],
    [/me\/session$/, 'GET', 'Login failed. Please try again.', '/sign-up'],
  ]
  for (const [path, method, text, stays] of failing) {
    await page.goto('/sign-up')
    await fillSignUp(page, signUpFormFixture('eva'))
    await breakDown(page, path, method)
    await clickCreateAccountButton(page)
    await said(page, text)
    await expect(page).toHaveURL(stays)
    await page.unrouteAll()
    await page.context().clearCookies()
  }
  for (const [path, method] of failing.slice(1)) {
    await page.goto('/sign-in')
    await fillSignIn(page, ana)
    await breakDown(page, path, method)
    await clickSignInButton(page)
    await said(page, 'Login failed. Please try again.')
    await expect(page).toHaveURL('/sign-in')
    await page.unrouteAll()
    await page.context().clearCookies()
  }
})

test('ERR-12 what she writes: a post, a change of it, and her profile', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana)
  const { page } = ana
  await page.goto('/create-post')
  await page.getByLabel('Caption').fill('Una tarde')
  await uploadPhotoInForm(page)
  await page.getByLabel('Location').fill('Tonalá')
  await breakDown(page, /posts$/, 'POST')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await said(page, 'Create post failed. Please try again.')

  page.on('dialog', (dialog) => dialog.accept())
  await page.goto(`/update-post/${post.$id}`)
  await page.getByLabel('Caption').fill('Otra tarde')
  await breakDown(page, /posts\/[^/]+$/, 'PATCH')
  await main(page).getByRole('button', { name: 'Update Post' }).click()
  await said(page, 'Update post failed. Please try again.')

  await page.goto(`/update-profile/${ana.$id}`)
  await main(page).getByLabel('Bio').fill('Barro')
  await breakDown(page, /people\/[^/]+$/, 'PATCH')
  await main(page).getByRole('button', { name: 'Update Profile' }).click()
  await said(page, 'Update user failed. Please try again.')
})

test('ERR-12 what cannot be loaded: everybody, and Home', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.clock.install()
  await breakDown(page, /v1\/(people|feed)$/)
  await page.goto('/all-users')
  await waitThroughQueryRetries(page, toast(page))
  await said(page, 'Something went wrong.')
  await expect(main(page)).toHaveText('People')
  await page.goto('/')
  await waitThroughQueryRetries(page, main(page).getByText('Something bad happened'))
})

test('ERR-12 between people: following, unfollowing, a chat and a message', async ({ member, signedUp }) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  await ana.request.put(`/v1/people/${carla.$id}/follow`, { data: {} })
  const talk = await openConversationViaApi(ana, bea)
  const { page } = ana
  await page.goto('/all-users')
  await breakDown(page, /follow$/)
  await breakDown(page, /conversations$/, 'POST')
  await breakDown(page, /messages$/, 'POST')
  await cardOf(page, bea).getByRole('button', { name: 'Follow' }).click()
  await said(page, tryAgain, 'Error')
  await cardOf(page, bea).getByRole('button', { name: /^Chat/ }).click()
  await said(page, 'Failed to start conversation. Please try again.', 'Error')
  await cardOf(page, carla).getByRole('button', { name: 'Unfollow' }).click()
  await said(page, tryAgain, 'Error')
  await page.goto('/chat')
  await locateUserSearchInput(page).fill(bea.username)
  await page.getByRole('option').click()
  await said(page, 'Failed to start conversation. Please try again.', 'Error')

  await page.goto(`/chat/${talk}`)
  await send(page, 'No se va')
  await said(page, 'Failed to send message. Please try again.', 'Error')
  await expect(locateMessageInput(page)).toHaveValue('No se va')
})

test('ERR-12 groups: founding one, asking to join, and deciding about it', async ({ member, signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const group: Group = await createGroupViaApi(bea)
  const hers: Group = await createGroupViaApi(ana, { name: `Barro ${ana.username}` })
  const { page } = ana
  // Without live updates, which would show what bea does before ana can be refused.
  await blockPageLiveUpdates(page)
  await page.goto('/groups/create')
  await page.getByLabel('Name').fill('Tejer')
  await breakDown(page, /groups$/, 'POST')
  await main(page).getByRole('button', { name: 'Create Group' }).click()
  await said(page, 'Failed to create group. Please try again.', 'Error')
  await page.unrouteAll()
  await blockPageLiveUpdates(page)

  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/groups')
  const join = main(page)
    .getByRole('article', { name: group.name })
    .getByRole('button', { name: 'Join Group' })
  await page.route('**/requests', (route) => route.abort())
  await join.click()
  await said(page, 'Failed to send request. Please try again.', 'Error')
  await page.unroute('**/requests')
  await submitJoinRequest(ana, group)
  await join.click()
  await said(page, 'Ya tienes una solicitud pendiente para este grupo', 'Error')

  const request = await submitJoinRequest(bea, hers)
  await page.goto(`/groups/${hers.$id}/requests`)
  await page.route(/\/(approve|reject)$/, (route) => route.abort())
  await main(page).getByRole('button', { name: 'Approve bea' }).click()
  await said(page, 'Failed to approve request.', 'Error')
  await main(page).getByRole('button', { name: 'Reject bea' }).click()
  await said(page, 'Failed to reject request.', 'Error')
  await page.unroute(/\/(approve|reject)$/)
  await ana.request.post(`/v1/group-requests/${request}/reject`, { data: {} })
  await main(page).getByRole('button', { name: 'Approve bea' }).click()
  await said(page, 'Esta solicitud ya fue procesada', 'Error')
})

test('ERR-12 what is not there or not hers: a group, its requests, and posts nobody wrote', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const { $id } = await createGroupViaApi(bea)
  const { page } = ana
  await page.goto('/groups/nowhere')
  await expect(title(page)).toHaveText('Group not found')
  await page.goto(`/groups/${$id}/requests`)
  await expect(title(page)).toHaveText('Access Denied')
  await page.goto('/explore')
  await page.getByRole('searchbox', { name: 'Search Posts' }).fill('nada que exista')
  await expect(main(page).getByRole('heading', { name: 'No results found' })).toBeVisible()
  await expect(toast(page)).toHaveCount(0)
})
