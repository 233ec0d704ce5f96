import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  expect,
  fulfillWithServerError,
  type JourneyMemberWithPage,
  test,
  toastRegion,
  waitThroughQueryRetries,
} from './fixtures.ts'
import { createGroupViaApi } from './group-steps.ts'
import { holdRequestsToUrl } from './network-steps.ts'
import { filesApiPath, publishPostViaApi } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const back = (page: Page) => main(page).getByRole('button', { name: 'Back' })
const related = (page: Page) => main(page).getByRole('region', { name: 'More Related Posts' })
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Delete this post?' })

async function open({ page }: JourneyMemberWithPage, { $id, caption }: Post): Promise<Page> {
  await page.goto(`/posts/${$id}`)
  await expect(main(page).getByRole('article')).toContainText(caption)
  return page
}

test.describe('what there is to see', () => {
  test('PDET-02 PDET-03 PDET-04 PDET-05 PDET-06 PDET-07 PDET-08 PDET-09 PDET-10 the whole post, uncropped, and nothing of its owner’s for ana', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('Bea Ortiz')]
    const caption = `Primera línea\nsegunda línea ${'con palabras '.repeat(30)}`.trim()
    const post = await publishPostViaApi(bea, {
      caption,
      location: 'Oaxaca',
      tags: ['sol', 'mar'],
      picture: await createJpeg(undefined, 400, 900),
    })
    const page = await open(ana, post)
    await expect(page).toHaveTitle('Post by Bea Ortiz · Juntas')
    await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Post by Bea Ortiz')
    const article = main(page).getByRole('article')
    for (const link of await article.getByRole('link', { name: 'Bea Ortiz' }).all()) {
      await expect(link).toHaveAttribute('href', `/profile/${bea.$id}`)
    }
    await expect(article.getByRole('time')).toHaveAttribute('datetime', post.$createdAt)
    await expect(article.getByText('Oaxaca')).toBeVisible()
    expect(await article.getByText('Primera línea').textContent()).toBe(caption)
    await expect(article.getByText('#sol')).toBeVisible()
    await expect(article.getByText('#mar')).toBeVisible()
    await expect(article.getByRole('button', { name: 'Like, 0 likes' })).toBeVisible()
    await expect(article.getByRole('button', { name: 'Save' })).toBeVisible()
    const picture = await article.locator('[data-picture=shown]').boundingBox()
    expect((picture?.width ?? 0) / (picture?.height ?? 1)).toBeCloseTo(400 / 900, 2)
    await expect(main(page).getByRole('link', { name: 'Edit post' })).toHaveCount(0)
    await expect(main(page).getByRole('button', { name: 'Delete post' })).toHaveCount(0)
  })

  test('PDET-02 CMT-01 beside a very wide photo the first comment stands on the screen', async ({
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

  test('PDET-14 PDET-15 PDET-16 CARD-04 its author’s other posts, newest first, without this one; with no others, nothing', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const only = await publishPostViaApi(bea, { caption: 'La única de bea' })
    await publishPostViaApi(ana, { caption: 'La de ana' })
    await open(ana, only)
    await expect(main(ana.page).getByRole('heading', { name: 'More Related Posts' })).toHaveCount(0)

    await publishPostViaApi(bea, { caption: 'La segunda de bea' })
    await publishPostViaApi(bea, { caption: 'La tercera de bea' })
    const page = await open(ana, only)
    const links = related(page).getByRole('link')
    await expect(links).toHaveCount(2)
    await expect(links.nth(0)).toHaveAccessibleName('La tercera de bea')
    await expect(links.nth(1)).toHaveAccessibleName('La segunda de bea')
    await links.nth(0).click()
    await expect(main(page).getByRole('article')).toContainText('La tercera de bea')
    await expect(related(page).getByRole('link', { name: 'La única de bea' })).toBeVisible()
  })

  test('PDET-01 Back leads to where she came from, and to Explore when she came from nowhere', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const post = await publishPostViaApi(ana)
    const { page } = ana
    await page.goto('/')
    await main(page).getByRole('link', { name: post.caption }).click()
    await back(page).click()
    await expect(page).toHaveURL('/')
    await open(ana, post)
    await back(page).click()
    await expect(page).toHaveURL('/explore')
  })
})

test.describe('what is not to be seen', () => {
  test('PDET-17 SAV-08 a post of a group that ana is not in says so, to bea it opens with the group’s name', async ({
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    const group = await createGroupViaApi(bea, { name: 'Club de Cerámica' })
    const post = await publishPostViaApi(bea, { caption: 'Solo para nosotras', groupId: group.$id })
    await ana.page.goto(`/posts/${post.$id}`)
    const said = main(ana.page).getByRole('heading', { name: 'No tienes acceso a los posts de este grupo' })
    await expect(said).toBeVisible()
    expect(await said.evaluate((heading) => heading.closest('[lang]')?.getAttribute('lang'))).toBe('es')
    await expect(ana.page.getByText('Solo para nosotras')).toHaveCount(0)
    await open(bea, post)
    await expect(main(bea.page).getByRole('link', { name: 'Posted in Club de Cerámica' })).toHaveAttribute(
      'href',
      `/groups/${group.$id}`,
    )
  })

  test('PDET-18 PDET-19 an unknown post is not found; while one loads its boxes stand there; one that fails can be asked for again', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const { page } = ana
    for (const id of ['nope', 'not an id!']) {
      await page.goto(`/posts/${encodeURIComponent(id)}`)
      await expect(main(page).getByRole('heading', { name: 'Post not found' })).toBeVisible()
    }
    const post = await publishPostViaApi(ana, { picture: await createJpeg(undefined, 800, 1000) })
    const release = await holdRequestsToUrl(page, `**/v1/posts/${post.$id}`)
    await page.goto(`/posts/${post.$id}`)
    const loader = main(page).locator('[aria-busy=true]')
    await expect(loader.getByText('Loading…')).toBeAttached()
    const box = await loader.locator('[aria-hidden=true] > div > div').first().boundingBox()
    release()
    await expect(main(page).getByRole('article')).toBeVisible()
    expect(await main(page).getByRole('article').locator('> div').first().boundingBox()).toEqual(box)
    await page.route(`**/v1/posts/${post.$id}`, fulfillWithServerError)
    await page.clock.install()
    await page.goto(`/posts/${post.$id}`)
    await waitThroughQueryRetries(page, main(page).getByText('We couldn’t load this.'))
    await page.unrouteAll()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await expect(main(page).getByRole('article')).toBeVisible()
  })
})

test.describe('deleting', () => {
  test('PDET-11 PDET-12 she is asked first, goes back one step, and the post is gone everywhere with its file', async ({
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

  test('PDET-11 PERM-03 one that fails says so and leaves the post; bea cannot delete it at all', async ({
    member,
    signedUp,
  }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const post = await publishPostViaApi(ana)
    const page = await open(ana, post)
    await page.route(`**/v1/posts/${post.$id}`, (route) =>
      route.request().method() === 'DELETE' ? fulfillWithServerError(route) : route.continue(),
    )
    await main(page).getByRole('button', { name: 'Delete post' }).click()
    await dialog(page).getByRole('button', { name: 'Delete post' }).click()
    await expect(toastRegion(page).getByText('Something went wrong. Please try again.')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(page).toHaveURL(`/posts/${post.$id}`)
    expect((await bea.request.delete(`/v1/posts/${post.$id}`)).status()).toBe(403)
    expect((await ana.request.get(`/v1/posts/${post.$id}`)).status()).toBe(200)
  })
})
