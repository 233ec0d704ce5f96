import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMember, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const links = (page: Page) => main(page).getByRole('listitem').getByRole('link')

async function keep(person: JourneyMember, post: Post) {
  expect((await person.request.put(`/v1/posts/${post.$id}/save`, { data: {} })).ok()).toBe(true)
}

test('SAV-01 SAV-04 eva, who has saved nothing, is told so', async ({ signedUp }) => {
  const { page } = await signedUp('eva')
  await page.goto('/saved')
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Saved Posts')
  await expect(main(page).getByRole('heading', { name: 'No available posts' })).toBeVisible()
})

test('SAV-02 SAV-03 SAV-05 bare pictures, the one saved last first @quick', async ({ member, signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
  const older = await publishPostViaApi(bea, { caption: 'La más vieja' })
  const newer = await publishPostViaApi(bea, { caption: 'La más nueva' })
  await keep(ana, newer)
  await keep(ana, older)
  await ana.page.goto('/saved')
  await expect(links(ana.page)).toHaveCount(2)
  await expect(links(ana.page).nth(0)).toHaveAccessibleName('La más vieja')
  await expect(links(ana.page).nth(0)).toHaveAttribute('href', `/posts/${older.$id}`)
  await expect(main(ana.page).getByText(/like/)).toHaveCount(0)
  await expect(main(ana.page).getByText('Bea Ortiz')).toHaveCount(0)
})

test('SAV-06 a post that its author deletes is gone from Saved', async ({ member, signedUp }) => {
  const [ana, bea] = [await signedUp('ana'), await member('bea')]
  const [gone, kept] = [
    await publishPostViaApi(bea, { caption: 'La que se va' }),
    await publishPostViaApi(bea),
  ]
  await keep(ana, gone)
  await keep(ana, kept)
  expect((await bea.request.delete(`/v1/posts/${gone.$id}`)).status()).toBe(204)
  await ana.page.goto('/saved')
  await expect(links(ana.page)).toHaveCount(1)
  await expect(main(ana.page).getByText('La que se va')).toHaveCount(0)
})

test('SAV-02 of 22 saved posts all come, twenty at a time', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  for (let number = 0; number < 22; number++) await keep(ana, await publishPostViaApi(ana))
  await ana.page.goto('/saved')
  await expect(links(ana.page).nth(19)).toBeAttached()
  await ana.page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(links(ana.page)).toHaveCount(22)
})
