import { expect, openPageWithSocket, test } from './fixtures.ts'
import { followMemberViaApi, publishPostViaApi } from './post-steps.ts'

test('HOME-02 HOME-06 HOME-21 HOME-22 Home shows ana the posts of bea, whom she follows, not of carla; a new post waits behind a button @quick', async ({
  member,
  signedUp,
}) => {
  const [ana, bea, carla] = [await signedUp('ana'), await member('bea'), await member('carla')]
  await followMemberViaApi(ana, bea)
  await publishPostViaApi(bea, { caption: 'La primera de bea' })
  await publishPostViaApi(carla, { caption: 'La de carla' })
  await publishPostViaApi(ana, { caption: 'La de ana' })
  const { page } = ana
  await openPageWithSocket(page, '/')
  const main = page.getByRole('main')
  const cards = main.getByRole('article')
  await expect(cards).toHaveCount(2)
  await expect(cards.nth(0)).toContainText('La de ana')
  await expect(cards.nth(1)).toContainText('La primera de bea')

  await publishPostViaApi(bea, { caption: 'La de ahora' })
  const pill = main.getByRole('button', { name: 'New posts' })
  await expect(pill).toBeVisible()
  await expect(cards).toHaveCount(2)
  await pill.click()
  await expect(cards.first()).toContainText('La de ahora')
  await expect(pill).toHaveCount(0)

  await page.evaluate(() => scrollTo(0, 300))
  await publishPostViaApi(bea, { caption: 'La última' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await expect(cards.first()).toContainText('La última')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})
