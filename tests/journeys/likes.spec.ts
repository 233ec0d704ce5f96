import type { Page, Route } from '@playwright/test'
import type { Post } from '#contract/posts.ts'
import {
  blockPageLiveUpdates,
  expect,
  type JourneyMember,
  type JourneyMemberWithPage,
  test,
  toastRegion,
} from './fixtures.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const like = (page: Page) => main(page).getByRole('button', { name: /^Like, / })
const save = (page: Page) => main(page).getByRole('button', { name: 'Save', exact: true })
const failure = 'Something went wrong. Please try again.'

async function stored(person: JourneyMember, { $id }: Post): Promise<Post> {
  return (await person.request.get(`/v1/posts/${$id}`)).json()
}

async function open(person: JourneyMemberWithPage, post: Post): Promise<Page> {
  await person.page.goto(`/posts/${post.$id}`)
  await expect(like(person.page)).toBeVisible()
  return person.page
}

test('LIKE-02 LIKE-03 LIKE-04 LIKE-12 CARD-11 a like is shown before it is stored, stays, stands in her list, and can be taken back', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const post = await publishPostViaApi(bea)
  const page = await open(ana, post)
  await expect(like(page)).toHaveAccessibleName('Like, 0 likes')
  const answer = Promise.withResolvers<void>()
  await page.route('**/like', async (route) => {
    await answer.promise
    await route.continue()
  })
  await like(page).click()
  await expect(like(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(like(page)).toHaveAccessibleName('Like, 1 like')
  expect((await stored(ana, post)).likeCount).toBe(0)
  answer.resolve()
  await expect.poll(async () => (await stored(ana, post)).liked).toBe(true)

  await page.reload()
  await expect(like(page)).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`/profile/${ana.$id}/liked-posts`)
  await expect(main(page).getByRole('link', { name: post.caption })).toBeVisible()

  await open(ana, post)
  await like(page).click()
  await expect(like(page)).toHaveAccessibleName('Like, 0 likes')
  await expect.poll(async () => (await stored(ana, post)).liked).toBe(false)
})

test('LIKE-02 what the page had asked for before she pressed does not take her like back', async ({
  member,
  signedUp,
}) => {
  const [{ page }, bea] = [await signedUp('ana'), await member('bea')]
  const post = await publishPostViaApi(bea, { caption: `Jarras de ${bea.username}` })
  await blockPageLiveUpdates(page)
  await page.goto('/explore')
  const late = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(
    `**/v1/posts/${post.$id}`,
    async (route) => {
      const answer = await route.fetch()
      asked.resolve()
      await late.promise
      await route.fulfill({ json: { ...(await answer.json()), location: 'Cádiz' } })
    },
    { times: 1 },
  )
  await main(page).getByRole('link', { name: post.caption }).click()
  await asked.promise
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/like'))
  await like(page).click()
  await stored
  late.resolve()
  await expect(main(page)).toContainText('Cádiz')
  await expect(like(page)).toHaveAccessibleName('Like, 1 like')
})

test('LIKE-02 SAV-02 the next page of Home, asked for before she pressed, takes nothing back', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  await followMemberViaApi(ana, bea)
  for (let number = 1; number <= 21; number++) await publishPostViaApi(bea, { caption: `Número ${number}` })
  const { page } = ana
  const release = await holdRequestsToUrl(page, '**/v1/feed?cursor=*')
  await page.goto('/')
  const cards = main(page).getByRole('article')
  await expect(cards).toHaveCount(20)
  const asked = page.waitForRequest('**/v1/feed?cursor=*')
  await cards.last().scrollIntoViewIfNeeded()
  await asked
  const card = cards.filter({ hasText: 'Número 2' }).last()
  for (const [button, path] of [
    [like(page).and(card.getByRole('button')), '/like'],
    [save(page).and(card.getByRole('button')), '/save'],
  ] as const) {
    const stored = page.waitForResponse((answer) => answer.url().endsWith(path))
    await button.click()
    await stored
  }
  release()
  await expect(cards).toHaveCount(21)
  await expect(like(page).and(card.getByRole('button'))).toHaveAccessibleName('Like, 1 like')
  await expect(save(page).and(card.getByRole('button'))).toHaveAttribute('aria-pressed', 'true')
})

test('LIKE-09 SAV-02 SAV-05 SAV-07 a save is shown at once, and un-saving takes the post out of Saved', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const first = await publishPostViaApi(bea, { caption: 'La primera' })
  const second = await publishPostViaApi(bea, { caption: 'La segunda' })
  await open(ana, second)
  await save(ana.page).click()
  await expect(save(ana.page)).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await stored(ana, second)).saved).toBe(true)
  const page = await open(ana, first)
  await save(page).click()
  await expect.poll(async () => (await stored(ana, first)).saved).toBe(true)

  await page.getByRole('navigation').getByRole('link', { name: 'Saved' }).click()
  const links = main(page).getByRole('listitem').getByRole('link')
  await expect(links).toHaveCount(2)
  await expect(links.nth(0)).toHaveAccessibleName('La primera')
  await links.nth(0).click()
  await save(page).click()
  await expect(save(page)).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(async () => (await stored(ana, first)).saved).toBe(false)
  await page.goBack()
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Saved Posts')
  await expect(links).toHaveCount(1)
  await expect(links.nth(0)).toHaveAccessibleName('La segunda')
})

for (const presses of [2, 3]) {
  test(`LIKE-11 ${presses} fast presses end where the last one said, on the screen and in the database`, async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const post = await publishPostViaApi(bea)
    const page = await open(ana, post)
    let [underWay, most, answered] = [0, 0, 0]
    await page.route('**/like', async (route) => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await route.fulfill({ response: await route.fetch() })
      underWay -= 1
      answered += 1
    })
    const liked = presses % 2 === 1
    for (let press = 0; press < presses; press++) await like(page).click({ delay: 0 })
    await expect(like(page)).toHaveAttribute('aria-pressed', String(liked))
    await expect.poll(() => answered).toBeGreaterThan(0)
    await expect.poll(() => stored(ana, post)).toMatchObject({ liked, likeCount: liked ? 1 : 0 })
    await expect.poll(() => underWay).toBe(0)
    expect(most).toBe(1)
    await expect(like(page)).toHaveAccessibleName(liked ? 'Like, 1 like' : 'Like, 0 likes')
  })
}

test('LIKE-06 LIKE-09 a like and a save that fail are taken back with a word', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const page = await open(ana, await publishPostViaApi(bea))
  const broken = (route: Route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
  await page.route('**/like', broken)
  await page.route('**/save', broken)
  await like(page).click()
  await expect(toastRegion(page).getByText('Error', { exact: true })).toBeVisible()
  await expect(toastRegion(page).getByText(failure)).toBeVisible()
  await expect(like(page)).toHaveAttribute('aria-pressed', 'false')
  await expect(like(page)).toHaveAccessibleName('Like, 0 likes')
  await save(page).click()
  await expect(save(page)).toHaveAttribute('aria-pressed', 'false')
  await expect(toastRegion(page).getByText(failure)).toBeVisible()
})

test('LIKE-06 LIKE-09 a post that was deleted elsewhere leaves the page with the first like or save, which says why', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  // The page is told of nothing: she presses before it hears that the post is gone.
  await blockPageLiveUpdates(ana.page)
  await followMemberViaApi(ana, bea)
  const [kept, gone, saved] = [
    await publishPostViaApi(bea, { caption: 'La que queda' }),
    await publishPostViaApi(bea, { caption: 'La que se fue' }),
    await publishPostViaApi(bea),
  ]
  const remove = async ({ $id }: Post) =>
    expect((await bea.request.delete(`/v1/posts/${$id}`)).ok()).toBe(true)
  const page = await open(ana, saved)
  await remove(saved)
  await save(page).click()
  await expect(toastRegion(page).getByText('Post not found')).toBeVisible()
  await expect(main(page).getByRole('heading', { name: 'Post not found' })).toBeVisible()

  await page.goto('/')
  const card = ({ caption }: Post) => main(page).getByRole('article').filter({ hasText: caption })
  await expect(card(kept)).toBeVisible()
  await remove(gone)
  await card(gone)
    .getByRole('button', { name: /^Like, / })
    .click()
  await expect(toastRegion(page).getByText('Post not found')).toBeVisible()
  await expect(toastRegion(page).getByText(failure)).toHaveCount(0)
  await expect(card(gone)).toHaveCount(0)
  await expect(card(kept)).toBeVisible()
})

test('LIKE-02 CARD-11 from a card on Home, by the keyboard alone, and every list of the page knows', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana)
  const { page } = ana
  await page.goto('/')
  await like(page).focus()
  await page.keyboard.press('Enter')
  await expect(like(page)).toHaveAccessibleName('Like, 1 like')
  await page.keyboard.press('Tab')
  await expect(main(page).getByRole('link', { name: '0 comments' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(main(page).getByRole('button', { name: 'Share', exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(save(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(save(page)).toHaveAttribute('aria-pressed', 'true')
  await main(page).getByRole('link', { name: post.caption }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  await expect(like(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(save(page)).toHaveAttribute('aria-pressed', 'true')
})

test('LIKE-14 a like and a save without a connection say so, and are taken back', async ({
  member,
  signedUp,
}) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const page = await open(ana, await publishPostViaApi(bea))
  // The code of likes and of toasts comes when the page is idle.
  await page.waitForLoadState('networkidle')
  await expect(toastRegion(page)).toBeAttached()
  await ana.context.setOffline(true)
  const said = toastRegion(page).getByText('You’re offline. Please try again when you’re back.')
  await like(page).click()
  await expect(said).toBeVisible()
  await expect(like(page)).toHaveAccessibleName('Like, 0 likes')
  await toastRegion(page).getByRole('button', { name: 'Close' }).click()
  await expect(said).toBeHidden()
  await save(page).click()
  await expect(said).toBeVisible()
  await expect(save(page)).toHaveAttribute('aria-pressed', 'false')
})
