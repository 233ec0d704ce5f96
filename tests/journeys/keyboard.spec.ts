import type { Page } from '@playwright/test'
import { createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard-steps.ts'
import { fetchHomeFeedPosts, publishPostViaApi, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')

test("using only the keyboard, ana follows bea, likes and saves bea's post, and publishes her own post", async ({
  member,
  signedUp,
}) => {
  const [bea, ana] = [await member('bea'), await signedUp('ana')]
  const post = await publishPostViaApi(bea)
  const { page } = ana
  const heading = main(page).getByRole('heading', { level: 1 })
  const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
  await page.goto('/')
  await expect(heading).toHaveText('Following')

  await tabTo(page, entry('People'))
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('People')
  const card = main(page)
    .getByRole('listitem')
    .filter({ hasText: `@${bea.username}` })
  await tabTo(page, card.getByRole('button', { name: 'Follow', exact: true }))
  await page.keyboard.press('Enter')
  await expect(card.getByRole('button', { name: 'Unfollow' })).toBeFocused()

  await tabTo(page, entry('Home'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, main(page).getByRole('button', { name: /^Like, / }))
  await page.keyboard.press('Space')
  await expect(main(page).getByRole('button', { name: 'Like, 1 like' })).toBeFocused()
  await tabTo(page, main(page).getByRole('button', { name: 'Save', exact: true }))
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('button', { name: 'Save', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  const stored = async () => (await ana.request.get(`/v1/posts/${post.$id}`)).json()
  await expect.poll(stored).toMatchObject({ liked: true, saved: true, likeCount: 1 })

  await tabTo(page, entry('Create Post'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Create Post')
  await tabTo(page, page.getByLabel('Caption'))
  await page.keyboard.type('Sin tocar el ratón')
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, main(page).getByRole('button', { name: 'Select from computer' }))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(toUploadFilePayload(await createPng()))
  await expect(main(page).getByRole('button', { name: 'Click or drag photo to replace' })).toBeFocused()
  await tabTo(page, page.getByLabel('Location'))
  await page.keyboard.type('En casa')
  await tabTo(page, main(page).getByRole('button', { name: 'Create Post' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await expect(main(page).getByText('Sin tocar el ratón')).toBeVisible()
  expect((await fetchHomeFeedPosts(ana))[0]).toMatchObject({
    caption: 'Sin tocar el ratón',
    location: 'En casa',
  })
})
