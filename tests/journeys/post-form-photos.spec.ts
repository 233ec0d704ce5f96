import type { Page } from '@playwright/test'
import type { Post } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { fetchHomeFeedPosts, filesApiPath, openCreatePostForm, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('button', { name: /^Photo \d+, / })
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })
const strip = (page: Page) => main(page).getByRole('group', { name: 'Photo order' })
/** Widths tell the pictures apart: 300, 310, 320 … */
const pictures = (count: number, from = 0) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) =>
      toUploadFilePayload(
        await createJpeg('#336699', 300 + 10 * (from + at), 200),
        `foto-${from + at}.jpg`,
        'image/jpeg',
      ),
    ),
  )

const choose = async (page: Page, count: number) =>
  page.getByLabel('Photo', { exact: true }).setInputFiles(await pictures(count))

async function allUploaded(page: Page, count: number) {
  await expect(tiles(page)).toHaveCount(count)
  await expect(main(page).getByRole('progressbar')).toHaveCount(0, uploadExpectTimeoutOptions)
}

async function fillWords(page: Page, caption = 'Varias de una tarde') {
  await page.getByLabel('Caption').fill(caption)
  await page.getByLabel('Location').fill('Tonalá')
}

const widthsOf = (post: Post | undefined) => post?.photos.map(({ width }) => width)

/** Events observed from outside the page can arrive in a different order. */
const countUploadsUnderWay = (page: Page) =>
  page.addInitScript(() => {
    let [underWay, most] = [0, 0]
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      underWay += 1
      most = Math.max(most, underWay)
      document.documentElement.setAttribute('data-most-uploads', `${most}`)
      // This event precedes `load`, in which the next upload begins.
      this.addEventListener('readystatechange', () => {
        if (this.readyState === XMLHttpRequest.DONE) underWay -= 1
      })
      send.call(this, body)
    }
  })

test('PHOTO-01 PHOTO-03 PHOTO-06 PHOTO-08 four photos are uploaded two at a time and posted in the order of the form', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await countUploadsUnderWay(ana.page)
  const page = await openCreatePostForm(ana)
  const first = Promise.withResolvers<void>()
  let sent = 0
  await page.route(`**${filesApiPath}`, async (route) => {
    sent += 1
    if (sent === 1) await first.promise
    await route.continue()
  })
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/posts')) posts.push(request.url())
  })
  await choose(page, 4)
  await expect(tiles(page)).toHaveCount(4)
  await expect(main(page).getByRole('button', { name: 'Add photos' })).toBeVisible()
  // The other uploads do not wait for the first.
  await expect.poll(() => sent, uploadExpectTimeoutOptions).toBe(4)
  const progress = main(page).getByRole('progressbar', { name: 'Photo 1' })
  await expect(progress).toBeVisible()
  // The ring shows no number while the progress is unknown.
  await expect(progress).toHaveAttribute('aria-busy', 'true')
  await expect(progress).not.toHaveAttribute('aria-valuenow')
  await expect(progress).toHaveText('')
  for (const at of [2, 3, 4])
    await expect(main(page).getByRole('progressbar', { name: `Photo ${at}` })).toHaveCount(
      0,
      uploadExpectTimeoutOptions,
    )
  await fillWords(page)
  await submit(page).click()
  await expect(main(page).getByRole('button', { name: 'Saving...' })).toBeDisabled()
  await expect(main(page).getByText('Photo 4 of 4', { exact: true })).toBeVisible()
  expect(posts).toHaveLength(0)
  first.resolve()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  await expect(page.locator('html')).toHaveAttribute('data-most-uploads', '2')
  expect(posts).toHaveLength(1)
  expect(widthsOf((await fetchHomeFeedPosts(ana))[0])).toEqual([300, 310, 320, 330])
})

test('PHOTO-04 on a phone a photo is dragged to the front with a finger @phone', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await choose(page, 4)
  await allUploaded(page, 4)
  await tiles(page).first().scrollIntoViewIfNeeded()
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', x: number, y: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
  const lift = () => devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  const middleOf = async (at: number) => {
    const { x, y, width, height } = (await tiles(page).nth(at).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    return { x: x + width / 2, y: y + height / 2 }
  }

  const [held, to] = [await middleOf(2), await middleOf(0)]
  await touch('touchStart', held.x, held.y)
  await expect(strip(page).locator('[data-moving]')).toHaveCount(1)
  for (let step = 1; step <= 12; step += 1)
    await touch('touchMove', held.x + ((to.x - 10 - held.x) * step) / 12, held.y)
  await expect(strip(page).getByText('Photo 1 of 4')).toHaveCount(1)
  await lift()
  await expect(strip(page).getByText('Put down. Photo 1 of 4')).toHaveCount(1)
  // The drag library clears selections for 50 ms after a drop.
  await expect(async () => {
    await fillWords(page)
    await expect(page.getByLabel('Caption')).not.toHaveValue('', { timeout: 500 })
  }).toPass()
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  expect(widthsOf((await fetchHomeFeedPosts(ana))[0])).toEqual([320, 300, 310, 330])
})
