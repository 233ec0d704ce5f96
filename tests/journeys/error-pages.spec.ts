import { expect, fulfillWithServerError, test, waitThroughQueryRetries } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

// A page loads its lists again when it hears of a post that others deleted just before: each failure would be logged twice.
test.use({ ownServer: 'errors' })
// In one worker, which starts the server and the browser once.
test.describe.configure({ mode: 'default' })

test('ERR-01 ERR-02 an address that does not exist shows the error page with its status, and a way home @quick', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  for (const path of ['/nowhere', '/groups/knit/members/old']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible()
    await expect(page.getByText('404 Not Found')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: 'Following' })).toBeVisible()
})

test('ERR-01 ERR-02 a page that breaks says why, and the pages around it go on working', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  const breaks = "export const GroupsScreen = () => { throw new Error('The list broke') }"
  await page.route('**/assets/groups-screen-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: breaks }),
  )
  await page.goto('/saved')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Groups' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByText('The list broke')).toBeVisible()
  await navigation.getByRole('link', { name: 'Saved' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Saved Posts' })).toBeVisible()
})

test('the styles of a screen that loads later do not come: the member asks again, and sees it as it is meant', async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  let reachable = false
  await page.route('**/assets/utilities-*.css', (route) => (reachable ? route.fallback() : route.abort()))
  await page.goto('/settings')
  const content = page.getByRole('main')
  await expect(content.getByRole('alert')).toHaveText('We couldn’t load this.')
  reachable = true
  await content.getByRole('button', { name: 'Try again' }).click()
  await expect(content.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect(page.locator('link[href*="/utilities-"]')).toHaveCount(1)
})

test('ERR-07 what a broken proxy answers is never shown as a page of its own', async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.clock.install()
  await page.route('**/v1/me', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  )
  await page.goto('/saved')
  await waitThroughQueryRetries(page, page.getByText('We couldn’t load this.'))
  await expect(page.getByText('Bad gateway')).toHaveCount(0)
  await page.unroute('**/v1/me')
  const heading = page.getByRole('heading', { level: 1, name: 'Saved Posts' })
  const again = page.getByRole('button', { name: 'Try again' })
  // The page may have asked again by itself by then, so that there is nothing left to press.
  await expect(async () => {
    if (!(await heading.isVisible())) await again.click({ timeout: 1000 })
    await expect(heading).toBeVisible({ timeout: 1000 })
  }).toPass()
})

test('ERR-03 ERR-04 a list that fails is an empty place with a way to try again, never a broken page, and one line in the log', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const { page } = ana
  const post = await publishPostViaApi(ana)
  for (const action of ['like', 'save']) {
    expect((await ana.request.put(`/v1/posts/${post.$id}/${action}`, { data: {} })).ok()).toBe(true)
  }
  await page.clock.install()
  const lines: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('ApiError')) lines.push(message.text())
  })
  for (const [path, list] of [
    ['/saved', '**/v1/saved*'],
    [`/profile/${ana.$id}`, '**/v1/people/*/posts*'],
    [`/profile/${ana.$id}/liked-posts`, '**/v1/liked*'],
    ['/explore', '**/v1/explore*'],
    [`/posts/${post.$id}`, '**/v1/posts/*'],
  ] as const) {
    lines.length = 0
    await page.route(list, fulfillWithServerError)
    await page.goto(path)
    const content = page.getByRole('main')
    await waitThroughQueryRetries(page, content.getByText('We couldn’t load this.'))
    await expect(content.getByRole('heading', { level: 1 })).toBeAttached()
    await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
    expect(lines).toEqual([expect.stringContaining('Server Error')])
    await page.unroute(list)
    await content.getByRole('button', { name: 'Try again' }).click()
    await expect(content.getByRole('img', { name: post.caption }).first()).toBeVisible()
  }
})

test('the page keeps the policy: no script, style or picture is refused, and nothing is asked of another host', async ({
  page,
  signedUp,
  server,
}) => {
  const ana = await signedUp('ana')
  for (const [who, path] of [
    [page, '/sign-in'],
    [page, '/sign-up'],
    [ana.page, '/'],
    [ana.page, '/create-post'],
  ] as const) {
    const refused: string[] = []
    const hosts = new Set<string>()
    who.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text()))
        refused.push(message.text())
    })
    who.on('request', (request) => {
      if (request.url().startsWith('http')) hosts.add(new URL(request.url()).origin)
    })
    await who.goto(path)
    await expect(who.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(who.getByRole('region', { name: /\(F8\)/ })).toBeAttached()
    expect(refused).toEqual([])
    expect([...hosts]).toEqual([server.url])
  }
})
