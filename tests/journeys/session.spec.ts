import { screenRoutes } from '#contract/screen-routes.ts'
import { clickSignInButton, fillSignIn } from './auth-form-steps.ts'
import { expect, signUpFormFixture, test, waitThroughQueryRetries } from './fixtures.ts'
import { collectRequestBodies, holdRequestsToUrl } from './network-steps.ts'

const visitorScreens = [
  'signIn',
  'signUp',
  'signInLink',
  'recovery',
  'newPassword',
  'verifyEmail',
  'undoEmail',
  'unsubscribe',
  'join',
  'houseRules',
  'setup',
  'receipt',
]

/** Every page of a member, of nothing that there is, and those parts of them that have an address of their own. */
const memberPaths = [
  ...Object.entries(screenRoutes).flatMap(([name, { path }]) =>
    visitorScreens.includes(name) ? [] : [path.replace(/:\w+\??/, 'bea').replace('/*', '')],
  ),
  '/chat',
  '/profile/bea/liked-posts',
]

test.describe('who may see what', () => {
  test('AUTH-04 AUTH-12 a visitor gets only the way in, whatever page she asks for @quick', async ({
    page,
  }) => {
    for (const path of [...memberPaths, '/no/such/page']) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/sign-in')
    }
    await page.goto('/sign-up')
    await expect(page.getByRole('heading', { name: 'Únete a nosotras' })).toBeVisible()
    await expect(page).toHaveURL('/sign-up')
  })

  test('AUTH-13 NAV-05 ana opens every page of a member without being sent away', async ({ signedUp }) => {
    const { page, $id } = await signedUp('ana')
    expect(memberPaths.length).toBeGreaterThanOrEqual(17)
    // What is only the owner's is her own.
    const own = memberPaths.filter((path) => !path.startsWith('/moderation'))
    for (const path of own.map((path) => path.replace(/(profile)\/bea/, `$1/${$id}`))) {
      await page.goto(path)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page, path).toHaveURL(path)
      await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
    }
    // To all but moderators there is no such page.
    await page.goto('/moderation')
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
  })

  test('AUTH-02 AUTH-03 ana, already signed in, is led from the auth pages to Home and Back does not bounce @quick', async ({
    signedUp,
  }) => {
    const { page } = await signedUp('ana')
    await page.goto('/explore')
    for (const path of ['/sign-in', '/sign-up']) {
      await page.goto(path)
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
    }
    await page.goBack()
    await expect(page).toHaveURL('/')
  })

  test('AUTH-05 AUTH-06 a stored session that is empty or stale ends on sign-in and is cleared', async ({
    page,
  }) => {
    await page.goto('/sign-in')
    for (const stored of ['[]', '{"a_session_juntas":"made up"}']) {
      await page.evaluate((value) => localStorage.setItem('cookieFallback', value), stored)
      await page.goto('/explore')
      await expect(page).toHaveURL('/sign-in')
      await expect.poll(() => page.evaluate(() => localStorage.getItem('cookieFallback'))).toBeNull()
    }
  })

  test('AUTH-01 AUTH-07 AUTH-08 nothing of ana is shown before she is known, then the page she asked for', async ({
    signedUp,
  }) => {
    const { page, username } = await signedUp('ana')
    const knowHer = await holdRequestsToUrl(page, '**/v1/me/session')
    await page.goto('/groups')
    await expect(page.locator('main [aria-busy=true]')).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page).toHaveURL('/groups')
    knowHer()
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    await expect(sidebar.getByText(`@${username}`)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Groups', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/groups')
  })

  test('NAV-08 the profile block shows a loader of its size while her profile loads', async ({
    signedUp,
  }) => {
    const { page, username } = await signedUp('ana')
    const answer = await holdRequestsToUrl(page, '**/v1/me')
    await page.goto('/')
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    const loader = sidebar.getByRole('status')
    await expect(loader).toBeVisible()
    const before = await loader.boundingBox()
    answer()
    const block = sidebar.getByRole('link', { name: `@${username}` })
    await expect(block).toBeVisible()
    expect(await block.boundingBox()).toEqual(before)
  })

  test('AUTH-09 AUTH-17 a refused check leads to sign-in at once, without asking again or for anything else', async ({
    page,
  }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      // The page of signing in asks for what passkeys in its e-mail field sign.
      if (pathname.startsWith('/v1/') && pathname !== '/v1/sessions/passkey-options') asked.push(pathname)
    })
    for (const path of ['/', '/groups/knit']) {
      await page.goto(path)
      await expect(page).toHaveURL('/sign-in')
      await expect(page.getByLabel('Email')).toBeVisible()
      expect(asked.splice(0)).toEqual(['/v1/me/session'])
    }
  })

  test('AUTH-17 a member’s page asks for its contents without waiting for the check', async ({
    signedUp,
  }) => {
    const { page } = await signedUp('ana')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const known = await holdRequestsToUrl(page, '**/v1/me/session')
    await page.goto('/explore')
    await expect.poll(() => asked).toContain('/v1/explore')
    known()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explore')
  })

  test('no answer is not "no user": ana may ask again and stays on her page', async ({ signedUp }) => {
    const { page } = await signedUp('ana')
    await page.clock.install()
    await page.route('**/v1/me/session', (route) => route.abort())
    await page.goto('/saved')
    const again = page.getByRole('button', { name: 'Try again' })
    await waitThroughQueryRetries(page, again)
    await expect(page.getByRole('heading', { name: 'We can’t reach Juntas' })).toBeVisible()
    await page.unroute('**/v1/me/session')
    await again.click()
    await expect(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
    await expect(page).toHaveURL('/saved')
  })

  test('on the auth pages the same is said in Spanish, and what was written stays', async ({ page }) => {
    await page.clock.install()
    await page.route('**/v1/me/session', (route) => route.abort())
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill('ana@juntas.test')
    const notice = page.getByRole('alert').filter({ hasText: 'No podemos conectar con Juntas.' })
    await waitThroughQueryRetries(page, notice)
    await page.unroute('**/v1/me/session')
    await notice.getByRole('button', { name: 'Reintentar' }).click()
    await expect(notice).toHaveCount(0)
    await expect(page.getByLabel('Email')).toHaveValue('ana@juntas.test')
  })

  test('AUTH-14 AUTH-15 a session the server hands to scripts is kept and sent with the next request', async ({
    page,
  }) => {
    const handed = '{"a_session_juntas":"handed"}'
    await page.route('**/v1/sessions', (route) =>
      route.fulfill({ status: 201, headers: { 'x-fallback-cookies': handed }, json: {} }),
    )
    await page.goto('/sign-in')
    await fillSignIn(page, signUpFormFixture('ana'))
    const next = page.waitForRequest('**/v1/me')
    await clickSignInButton(page)
    expect((await next).headers()['x-fallback-cookies']).toBe(handed)
    expect(await page.evaluate(() => localStorage.getItem('cookieFallback'))).toBe(handed)
  })
})

test.describe('leaving', () => {
  test('NAV-10 NAV-13 NAV-14 Logout ends the session once and leaves nothing for the next person @quick', async ({
    signedUp,
  }) => {
    const { page, request, username } = await signedUp('ana')
    const sent = collectRequestBodies(page, '/v1/sessions/current')
    const askedAsMember = collectRequestBodies(page, '/v1/me')
    const ended = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('close'))
    // The socket tells of the end of the session, and is closed, before the answer comes.
    await page.route('**/v1/sessions/current', async (route) => {
      const response = await route.fetch()
      await ended
      await page.evaluate(() => {})
      await route.fulfill({ response })
    })
    await page.goto('/')
    await page.evaluate(() => localStorage.setItem('juntas:draft:somewhere', 'her words'))
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText(username)
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

  test('NAV-13 Logout without an answer still leaves, and is finished when the server is back', async ({
    signedUp,
  }) => {
    const { page, request } = await signedUp('ana')
    await page.goto('/')
    await page.route('**/v1/sessions/current', (route) => route.abort())
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/sign-in')
    expect((await request.get('/v1/account')).status()).toBe(200)
    await page.unroute('**/v1/sessions/current')
    await page.goto('/')
    await expect(page).toHaveURL('/sign-in')
    expect((await request.get('/v1/account')).status()).toBe(401)
  })

  test('a session that ends elsewhere ends here by itself', async ({ signedUp }) => {
    const { page, request } = await signedUp('ana')
    await page.goto('/saved')
    await expect(page.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
    expect((await request.delete('/v1/account/sessions/current')).status()).toBe(204)
    await expect(page).toHaveURL('/sign-in')
  })
})
