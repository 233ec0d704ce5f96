import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test, toastRegion } from './fixtures.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const like = (page: Page) => main(page).getByRole('button', { name: /^Like, / })
const save = (page: Page) => main(page).getByRole('button', { name: 'Save', exact: true })

async function stored(person: JourneyMember, { $id }: Post): Promise<Post> {
  return (await person.request.get(`/v1/posts/${$id}`)).json()
}

async function open(person: JourneyMemberWithPage, post: Post): Promise<Page> {
  await person.page.goto(`/posts/${post.$id}`)
  await expect(like(person.page)).toBeVisible()
  return person.page
}

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

test('LIKE-09 SAV-02 SAV-05 SAV-07 a save is shown at once, and un-saving takes the post out of Saved @quick', async ({
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
