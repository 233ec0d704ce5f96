import { screenRoutes } from '#contract/screen-routes.ts'
import { expect, test } from './fixtures.ts'
import { collectRequestBodies } from './request-steps.ts'

const visitorScreens = [
  'signIn',
  'signUp',
  'signInLink',
  'recovery',
  'newPassword',
  'confirmApplication',
  'verifyEmail',
  'undoEmail',
  'unsubscribe',
  'join',
  'houseRules',
  'setup',
  'receipt',
]

/** Includes pages that do not exist and parts with their own URLs. */
const memberPaths = [
  ...Object.entries(screenRoutes).flatMap(([name, { path }]) =>
    visitorScreens.includes(name) ? [] : [path.replace(/:\w+\??/, 'bea').replace('/*', '')],
  ),
  '/chat',
  '/profile/bea/liked-posts',
]

test('AUTH-13 NAV-05 ana opens every page of a member without being redirected @quick', async ({
  signedUp,
}) => {
  const { page, $id } = await signedUp('ana')
  expect(memberPaths.length).toBeGreaterThanOrEqual(17)
  const own = memberPaths.filter((path) => !/^\/(moderation|admin)/.test(path))
  // Ana opens her own profile instead of bea's, because some profile pages exist only for their owner.
  for (const path of own.map((path) => path.replace(/(profile)\/bea/, `$1/${$id}`))) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page, path).toHaveURL(path)
    await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
  }
  for (const path of ['/moderation', '/admin']) {
    await page.goto(path)
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
  }
})

test('NAV-10 NAV-13 NAV-14 an open page signs out when its session ends elsewhere, and Logout leaves no data for the next person @quick', async ({
  signedUp,
}) => {
  const { page, request, username, email, password } = await signedUp('ana')
  await page.goto('/saved')
  await expect(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  expect((await request.delete('/v1/account/sessions/current')).status()).toBe(204)
  await expect(page).toHaveURL('/sign-in')

  expect((await request.post('/v1/sessions', { data: { email, password } })).status()).toBe(201)
  const sent = collectRequestBodies(page, '/v1/sessions/current')
  const askedAsMember = collectRequestBodies(page, '/v1/me')
  const ended = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('close'))
  // Delays the response until the socket has reported the end of the session.
  await page.route('**/v1/sessions/current', async (route) => {
    const response = await route.fetch()
    await ended
    await page.evaluate(() => {})
    await route.fulfill({ response })
  })
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('juntas:draft:somewhere', 'her words'))
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText(username)
  await page.waitForLoadState('networkidle')
  askedAsMember.length = 0
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/sign-in')
  expect(sent).toHaveLength(1)
  expect(askedAsMember).toEqual([])
  expect((await request.get('/v1/account')).status()).toBe(401)
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  await page.goto('/')
  await expect(page).toHaveURL('/sign-in')
  await page.goBack()
  await expect(page.getByText(`@${username}`)).toHaveCount(0)
})
