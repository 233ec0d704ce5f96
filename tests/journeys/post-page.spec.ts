import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, type JourneyMemberWithPage, test } from './fixtures.ts'
import { filesApiPath, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Delete this post?' })

async function open({ page }: JourneyMemberWithPage, { $id, caption }: Post): Promise<Page> {
  await page.goto(`/posts/${$id}`)
  await expect(main(page).getByRole('article')).toContainText(caption)
  return page
}

test.describe('contents', () => {
  test('PDET-02 CMT-01 beside a very wide photo, the first comment is visible without scrolling', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const caption = 'Toda la bahía, de un lado al otro, como se veía desde el mirador aquella tarde. '.repeat(
      3,
    )
    const post = await publishPostViaApi(bea, { caption, picture: await createJpeg('#3252a8', 2400, 600) })
    const content = 'La primera en decirlo'
    expect((await bea.request.post(`/v1/posts/${post.$id}/comments`, { data: { content } })).ok()).toBe(true)
    await ana.page.setViewportSize({ width: 1440, height: 900 })
    const page = await open(ana, post)
    await expect(main(page).getByText(content)).toBeInViewport({ ratio: 1 })
  })
})

test.describe('deleting', () => {
  test('PDET-11 PDET-12 deleting a post asks first, goes back one step, and removes the post and its file everywhere @quick', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const kept = await publishPostViaApi(ana, { caption: 'La que se queda' })
    const post = await publishPostViaApi(ana, { caption: 'La que se va' })
    const { page } = ana
    await page.goto(`/profile/${ana.$id}`)
    await main(page).getByRole('link', { name: post.caption }).click()
    await main(page).getByRole('button', { name: 'Delete post' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Keep post' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await expect(main(page).getByRole('button', { name: 'Delete post' })).toBeFocused()

    await main(page).getByRole('button', { name: 'Delete post' }).click()
    await dialog(page).getByRole('button', { name: 'Delete post' }).click()
    await expect(page).toHaveURL(`/profile/${ana.$id}`)
    await expect(main(page).getByRole('link', { name: kept.caption })).toBeVisible()
    await expect(main(page).getByRole('link', { name: post.caption })).toHaveCount(0)
    for (const entry of ['Home', 'Explore']) {
      await page.getByRole('navigation').getByRole('link', { name: entry }).click()
      await expect(main(page).getByRole('link', { name: kept.caption })).toBeVisible()
      await expect(main(page).getByRole('link', { name: post.caption })).toHaveCount(0)
    }
    await page.goto(`/posts/${post.$id}`)
    await expect(main(page).getByRole('heading', { name: 'Post not found' })).toBeVisible()
    expect((await ana.request.get(`${filesApiPath}/${post.imageId}`)).status()).toBe(404)
  })
})
