import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { expect, type JourneyMember, type JourneyMemberWithPage, test } from './fixtures.ts'
import { publishPostViaApi } from './post-steps.ts'

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

test('LIKE-09 SAV-02 SAV-05 SAV-07 a save is shown immediately, and unsaving removes the post from Saved @quick', async ({
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
