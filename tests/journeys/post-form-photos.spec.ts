import type { Page, Route } from '@playwright/test'
import type { Post } from '#contract/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, loseNextPostResponse, test, toastRegion, uploadExpectTimeoutOptions } from './fixtures.ts'
import {
  fetchHomeFeedPosts,
  filesApiPath,
  openCreatePostForm,
  publishPostViaApi,
  toUploadFilePayload,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).getByRole('button', { name: /^Photo \d+, / })
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })
const strip = (page: Page) => main(page).getByRole('group', { name: 'Photos in their order' })
const description = (page: Page) => page.getByLabel('Describe this photo for those who can’t see it')
const option = (page: Page, name: string) =>
  page.getByRole('menu').getByRole('menuitem', { name, exact: true })

/** Pictures that are told apart by their width: 300, 310, 320 … */
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

/** Waits until every photo is stored. */
async function allUploaded(page: Page, count: number) {
  await expect(tiles(page)).toHaveCount(count)
  await expect(main(page).getByRole('progressbar')).toHaveCount(0, uploadExpectTimeoutOptions)
}

async function fillWords(page: Page, caption = 'Varias de una tarde') {
  await page.getByLabel('Caption').fill(caption)
  await page.getByLabel('Location').fill('Tonalá')
}

const widthsOf = (post: Post | undefined) => post?.photos.map(({ width }) => width)

/** The ids of the files that the page has stored from now on. */
function storedFiles(page: Page): string[] {
  const ids: string[] = []
  page.on('response', async (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith(filesApiPath) && response.ok())
      ids.push((await response.json()).$id)
  })
  return ids
}

/** Counts in the page how many uploads are under way at the same time: told from outside, an end comes after the next beginning. */
const countUploadsUnderWay = (page: Page) =>
  page.addInitScript(() => {
    let [underWay, most] = [0, 0]
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      underWay += 1
      most = Math.max(most, underWay)
      document.documentElement.setAttribute('data-most-uploads', `${most}`)
      // The answer is here: `load` comes after, and the page begins the next upload in it.
      this.addEventListener('readystatechange', () => {
        if (this.readyState === XMLHttpRequest.DONE) underWay -= 1
      })
      send.call(this, body)
    }
  })

test('PHOTO-01 PHOTO-03 PHOTO-06 PHOTO-08 four photos are sent two at a time and stand in the order of the form', async ({
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
  // The others do not wait for the first.
  await expect.poll(() => sent, uploadExpectTimeoutOptions).toBe(4)
  const ring = main(page).getByRole('progressbar', { name: 'Photo 1' })
  await expect(ring).toBeVisible()
  // Of what nobody knows how far it is no number is told.
  await expect(ring).toHaveAttribute('aria-busy', 'true')
  await expect(ring).not.toHaveAttribute('aria-valuenow')
  await expect(ring).toHaveText('')
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

test('PHOTO-01 PHOTO-02 of two that are dropped beside nine one is taken, and an eleventh by nothing', async ({
  signedUp,
}) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  await choose(page, 9)
  await expect(tiles(page)).toHaveCount(9)
  const dropped = async () => {
    const more = (await pictures(2, 9)).map(({ name, buffer }) => ({
      name,
      base64: buffer.toString('base64'),
    }))
    const dataTransfer = await page.evaluateHandle((files) => {
      const transfer = new DataTransfer()
      for (const { name, base64 } of files)
        transfer.items.add(
          new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, {
            type: 'image/jpeg',
          }),
        )
      return transfer
    }, more)
    for (const event of ['dragenter', 'dragover', 'drop'])
      await strip(page).dispatchEvent(event, { dataTransfer })
  }
  await dropped()
  await expect(tiles(page)).toHaveCount(10)
  const told = main(page).getByText('Too many files', { exact: true })
  await expect(told).toBeVisible()
  await expect(main(page).getByText('That’s all ten.')).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Add photos' })).toHaveCount(0)
  await dropped()
  await expect(told).toBeVisible()
  await expect(tiles(page)).toHaveCount(10)
})

test('PHOTO-01 a photo that is pasted is added, and text goes where it is pasted', async ({ signedUp }) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  const [picture] = await pictures(1)
  await page.getByLabel('Caption').focus()
  for (const count of [1, 2]) {
    await page.evaluate((base64) => {
      const clipboardData = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      clipboardData.items.add(new File([bytes], 'image.jpg', { type: 'image/jpeg' }))
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    }, picture?.buffer.toString('base64') ?? '')
    await expect(tiles(page)).toHaveCount(count)
  }
  await expect(page.getByLabel('Caption')).toHaveValue('')
})

test('PHOTO-04 a photo is dragged to the front, and put in order by the menu of each', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await choose(page, 4)
  await allUploaded(page, 4)
  await expect(tiles(page).locator('img')).toHaveCount(4)
  // Waits until the tile rests and nothing lies over it.
  await tiles(page).nth(3).hover()
  const [from, to] = [await tiles(page).nth(3).boundingBox(), await tiles(page).nth(0).boundingBox()]
  if (!from || !to) throw new Error('no tiles')
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 4, from.y + from.height / 2, { steps: 4 })
  await expect(strip(page).getByText('Picked up. Photo 4 of 4')).toHaveCount(1)
  await page.mouse.move(to.x + to.width / 3, to.y + to.height / 2, { steps: 12 })
  await expect(strip(page).getByText('Photo 1 of 4')).toHaveCount(1)
  await page.mouse.up()
  await expect(strip(page).getByText('Put down. Photo 1 of 4')).toHaveCount(1)

  const options = (at: number) => main(page).getByRole('button', { name: `Options for photo ${at}` })
  // For a moment after a drag its end is no press of what lies under it.
  await expect(async () => {
    await options(1).click()
    await expect(option(page, 'Move right')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(option(page, 'Move left')).toHaveCount(0)
  await option(page, 'Move right').click()
  await options(4).click()
  await option(page, 'Move left').click()
  await options(4).click()
  await expect(option(page, 'Move right')).toHaveCount(0)
  await option(page, 'Move first').click()
  await options(4).click()
  await option(page, 'Remove').click()
  await expect(tiles(page)).toHaveCount(3)
  await expect(tiles(page).nth(2)).toBeFocused()
  await fillWords(page)
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  // 3 0 1 2, then 0 3 1 2, 0 3 2 1, 1 0 3 2, and the last taken out.
  expect(widthsOf((await fetchHomeFeedPosts(ana))[0])).toEqual([310, 300, 330])
})

/** The arrows move what is picked up once its places are measured, which is after it was said: sooner than any finger. */
const arrowsHeard = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))
      }),
  )

test('PHOTO-05 by the keyboard a photo is picked up, moved, put down and put back, each step said', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await choose(page, 4)
  await allUploaded(page, 4)
  const said = strip(page).locator('p[aria-live=polite]')
  await tiles(page).nth(3).focus()
  await page.keyboard.press('Space')
  await expect(said).toHaveText('Picked up. Photo 4 of 4')
  await arrowsHeard(page)
  for (const place of [3, 2, 1]) {
    await page.keyboard.press('ArrowLeft')
    await expect(said).toHaveText(`Photo ${place} of 4`)
  }
  await page.keyboard.press('Space')
  await expect(said).toHaveText('Put down. Photo 1 of 4')
  await expect(tiles(page).nth(0)).toBeFocused()

  await page.keyboard.press('Space')
  await expect(said).toHaveText('Picked up. Photo 1 of 4')
  await arrowsHeard(page)
  await page.keyboard.press('ArrowRight')
  await expect(said).toHaveText('Photo 2 of 4')
  await page.keyboard.press('Escape')
  await expect(said).toHaveText('Put back. Photo 1 of 4')
  await fillWords(page)
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  expect(widthsOf((await fetchHomeFeedPosts(ana))[0])).toEqual([330, 300, 310, 320])
})

test('PHOTO-07 of an upload that fails its photo alone tells, until it is tried again or removed', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  let sent = 0
  await page.route(`**${filesApiPath}`, (route: Route) => {
    sent += 1
    return sent === 2 || sent === 3
      ? route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } })
      : route.continue()
  })
  await choose(page, 4)
  const failed = main(page).getByRole('button', { name: /^Photo \d, not uploaded/ })
  await expect(failed).toHaveCount(2)
  await expect(main(page).getByRole('progressbar')).toHaveCount(0, uploadExpectTimeoutOptions)
  await expect(toastRegion(page).getByText('failed')).toHaveCount(0)
  await expect(main(page).getByText(/^Photo \d was not uploaded\.$/)).toHaveText([
    'Photo 2 was not uploaded.',
    'Photo 3 was not uploaded.',
  ])
  await main(page).getByRole('button', { name: 'Try again' }).first().click()
  await expect(main(page).getByText(/was not uploaded/)).toHaveText(['Photo 3 was not uploaded.'])
  await strip(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(main(page).getByText(/was not uploaded/)).toHaveCount(0)
  await fillWords(page)
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  expect(widthsOf((await fetchHomeFeedPosts(ana))[0])).toEqual([300, 310, 330])
})

test('PHOTO-01 on a phone the strip scrolls and the page does not @phone', async ({ signedUp }) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  await choose(page, 8)
  await allUploaded(page, 8)
  const widths = () =>
    page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  const [content, shown] = await widths()
  expect(content).toBe(shown)
  await tiles(page).nth(7).focus()
  await expect(tiles(page).nth(7)).toBeInViewport()
  expect(await widths()).toEqual([shown, shown])
})

test('PHOTO-04 on a phone a photo is held and dragged to the front by a finger @phone', async ({
  signedUp,
}) => {
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
  // For 50 ms after a drop the library that drags takes every selection away, and what is just filled in with it.
  await expect(async () => {
    await fillWords(page)
    await expect(page.getByLabel('Caption')).not.toHaveValue('', { timeout: 500 })
  }).toPass()
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  expect(widthsOf((await fetchHomeFeedPosts(ana))[0])).toEqual([320, 300, 310, 330])
})

test('PHOTO-09 leaving the form takes back what was uploaded', async ({ signedUp }) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const files = storedFiles(page)
  await choose(page, 3)
  await expect.poll(() => files.length, uploadExpectTimeoutOptions).toBe(3)
  await allUploaded(page, 3)
  await main(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(page).toHaveURL('/')
  for (const id of files)
    await expect.poll(async () => (await ana.request.get(`${filesApiPath}/${id}`)).status()).toBe(404)
})

for (const { changed, caption } of [
  { changed: 'as it was', caption: 'Varias de una tarde' },
  { changed: 'with other words', caption: 'Otras palabras' },
]) {
  test(`PHOTO-10 a create without an answer, sent again ${changed}, is one post and sends no photo twice`, async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const files = storedFiles(page)
    await loseNextPostResponse(page, '/v1/posts')
    await choose(page, 3)
    await fillWords(page)
    await submit(page).click()
    await expect(toastRegion(page).getByText('Create post failed. Please try again.')).toBeVisible(
      uploadExpectTimeoutOptions,
    )
    await expect(tiles(page)).toHaveCount(3)
    await fillWords(page, caption)
    await submit(page).click()
    await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
    const posts = await fetchHomeFeedPosts(ana)
    expect(posts.map((post) => post.caption)).toEqual([caption])
    expect(files).toHaveLength(3)
    expect(posts[0]?.photos.map(({ id }) => id).toSorted()).toEqual(files.toSorted())
    for (const id of files) expect((await ana.request.get(`${filesApiPath}/${id}`)).status()).toBe(200)
  })
}

test('PHOTO-11 a refused create takes its uploads back and keeps photos, order and descriptions', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const files = storedFiles(page)
  await page.route('**/v1/posts', (route: Route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } }),
  )
  await choose(page, 3)
  await allUploaded(page, 3)
  await main(page).getByRole('button', { name: 'Options for photo 3' }).click()
  await option(page, 'Move first').click()
  await tiles(page).nth(0).click()
  await description(page).fill('Una barca')
  await fillWords(page)
  await submit(page).click()
  await expect(toastRegion(page).getByText('Create post failed. Please try again.')).toBeVisible()
  expect(files).toHaveLength(3)
  for (const id of [...files])
    await expect.poll(async () => (await ana.request.get(`${filesApiPath}/${id}`)).status()).toBe(404)
  await expect(description(page)).toHaveValue('Una barca')

  await page.unroute('**/v1/posts')
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [post] = await fetchHomeFeedPosts(ana)
  expect(widthsOf(post)).toEqual([320, 300, 310])
  expect(post?.photos.map(({ alt }) => alt)).toEqual(['Una barca', '', ''])
})

test('PHOTO-16 Edit Post shows all photos; one taken out, one added, their order and descriptions are one request', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const post = await publishPostViaApi(ana, {
    caption: 'Cuatro de una tarde',
    pictures: (await pictures(4)).map(({ buffer: bytes }, at) => ({ bytes, alt: `Número ${at}` })),
  })
  const { page } = ana
  await page.goto(`/update-post/${post.$id}`)
  await expect(tiles(page)).toHaveCount(4)
  await expect(description(page)).toHaveValue('Número 0')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await main(page).getByRole('button', { name: 'Options for photo 2' }).click()
  await option(page, 'Remove').click()
  await expect(tiles(page)).toHaveCount(3)
  await strip(page)
    .getByLabel('Files to add')
    .setInputFiles(await pictures(1, 4))
  await allUploaded(page, 4)
  await main(page).getByRole('button', { name: 'Options for photo 4' }).click()
  await option(page, 'Move first').click()
  await tiles(page).nth(1).click()
  await description(page).fill('Otra cosa')
  await main(page).getByRole('button', { name: 'Update Post' }).click()
  await expect(page).toHaveURL(`/posts/${post.$id}`)
  expect(sent).toEqual([`POST ${filesApiPath}`, `PATCH /v1/posts/${post.$id}`])
  const now: Post = await (await ana.request.get(`/v1/posts/${post.$id}`)).json()
  expect(widthsOf(now)).toEqual([340, 300, 320, 330])
  expect(now.photos.map(({ alt }) => alt)).toEqual(['', 'Otra cosa', 'Número 2', 'Número 3'])
  expect((await ana.request.get(`${filesApiPath}/${post.photos[1]?.id}`)).status()).toBe(404)
})

test('ALT-01 ALT-04 each photo has its description of at most 1000 characters, and its tile says whether', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await choose(page, 2)
  await expect(tiles(page)).toHaveCount(2)
  await expect(main(page).getByRole('button', { name: 'Photo 2, no description' })).toBeVisible()
  await tiles(page).nth(1).click()
  await expect(tiles(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await description(page).fill('b'.repeat(799))
  await expect(main(page).getByText('799/1000')).toHaveCount(0)
  await description(page).fill('b'.repeat(1001))
  await expect(main(page).getByText('1001/1000')).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Photo 2, described' })).toBeVisible()
  await tiles(page).nth(0).click()
  await expect(description(page)).toHaveValue('')
  await fillWords(page)
  await submit(page).click()
  // The photo whose description is too long is shown with it.
  await expect(description(page)).toHaveAccessibleDescription('Maximum 1000 characters.')
  await expect(tiles(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await description(page).fill('b'.repeat(1000))
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [post] = await fetchHomeFeedPosts(ana)
  const whole: Post = await (await ana.request.get(`/v1/posts/${post?.$id}`)).json()
  expect(whole.photos.map(({ alt }) => alt.length)).toEqual([0, 1000])
})

test('ALT-05 photos without a description are reminded of in one line that holds nothing up', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const line = main(page).getByText('2 photos have no description. Some of us listen to pictures.')
  await choose(page, 3)
  await expect(tiles(page)).toHaveCount(3)
  await description(page).fill('Una barca')
  await expect(line).toBeVisible()
  await main(page).getByRole('button', { name: 'Describe them' }).click()
  await expect(description(page)).toBeFocused()
  await expect(tiles(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await main(page).getByRole('button', { name: 'Don’t remind me' }).click()
  await expect(line).toHaveCount(0)
  await page.reload()
  await choose(page, 3)
  await expect(tiles(page)).toHaveCount(3)
  await expect(main(page).getByText(/Some of us listen/)).toHaveCount(0)
  await fillWords(page)
  await submit(page).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  expect((await fetchHomeFeedPosts(ana))[0]?.photos).toHaveLength(3)
})

test('ALT-06 who declines the reminder is free of it in every browser, and has it back where the server was not reached', async ({
  signedUp,
  newBrowser,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const line = (on: Page) => on.getByRole('main').getByText(/Some of us listen to pictures/)
  await choose(page, 2)
  await page.route('**/v1/me/post-preferences', (route) => route.abort())
  await main(page).getByRole('button', { name: 'Don’t remind me' }).click()
  await expect(toastRegion(page)).toContainText('Something went wrong. Please try again.')
  await expect(line(page)).toBeVisible()
  await page.unroute('**/v1/me/post-preferences')
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/v1/me/post-preferences'))
  await main(page).getByRole('button', { name: 'Don’t remind me' }).click()
  await expect(line(page)).toHaveCount(0)
  expect((await kept).status()).toBe(200)

  const phone = await newBrowser()
  const { email, password } = ana
  expect((await phone.request.post('/v1/sessions', { data: { email, password } })).ok()).toBe(true)
  const there = await openCreatePostForm({ ...ana, page: await phone.newPage(), context: phone })
  await choose(there, 2)
  await expect(tiles(there)).toHaveCount(2)
  await expect(line(there)).toHaveCount(0)
})
