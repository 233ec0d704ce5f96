import type { Page, Route } from '@playwright/test'
import sharp, { type Metadata } from 'sharp'
import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { Post } from '#contract/posts.ts'
import { createPhoneJpegWithGps, createPng, gpsPositionFixture } from '#scripts/harness/image-fixtures.ts'
import {
  clickButtonTwice,
  expect,
  loseNextPostResponse,
  signUpFormFixture,
  test,
  toastRegion,
} from './fixtures.ts'
import {
  appwriteBucketFilesPath,
  fetchHomeFeedPosts,
  filesApiPath,
  followMemberViaApi,
  openCreatePostForm,
  toUploadFilePayload,
  uploadPhotoInForm,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })
const cancel = (page: Page) => main(page).getByRole('button', { name: 'Cancel' })
const failure = 'Create post failed. Please try again.'

type Draft = { caption?: string; location?: string; tags?: string; picture?: Buffer }

async function fill(
  page: Page,
  { caption = 'Una tarde', location = 'Tonalá', tags = '', picture }: Draft = {},
) {
  await page.getByLabel('Caption').fill(caption)
  await uploadPhotoInForm(page, picture && toUploadFilePayload(picture))
  await page.getByLabel('Location').fill(location)
  await page.getByLabel('Tags').fill(tags)
}

/** The requests of one kind that the page makes from now on. */
function requestsTo(page: Page, method: string, path: string): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === method && pathname.startsWith(path)) sent.push(pathname)
  })
  return sent
}

test.describe('the form', () => {
  test('PCRE-01 PCRE-03 PCRE-15 asks for caption, photo, location, tags and group, in this order', async ({
    signedUp,
  }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    const labels = main(page).locator('label')
    await expect(labels).toHaveText(['Caption', 'Photo', 'Location', 'Tags', 'Group'])
    const stops: string[] = []
    await page.getByLabel('Caption').focus()
    for (let stop = 0; stop < 8; stop++) {
      stops.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? '',
        ),
      )
      await page.keyboard.press('Tab')
    }
    expect(stops).toEqual([
      'caption',
      'Select from computer',
      'location',
      'tags',
      'groupId',
      'Everyone who can see this post',
      'Cancel',
      'Create Post',
    ])
    await expect(page.getByText('Separate tags with commas')).toBeVisible()

    const group = page.getByLabel('Group')
    await expect(group).toHaveValue('')
    await expect(group.getByRole('option')).toHaveText(['Public Post'])
  })

  test('PCRE-07 PCRE-09 PCRE-10 an empty form says what is missing, and asks the server nothing', async ({
    signedUp,
  }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    const posts = requestsTo(page, 'POST', '/v1/')
    await submit(page).click()
    await expect(page.getByLabel('Caption')).toBeFocused()
    await expect(page.getByLabel('Caption')).toHaveAccessibleDescription('Minimum 5 characters.')
    await expect(page.getByLabel('Location')).toHaveAccessibleDescription(/This field is required/)
    await expect(main(page).getByText('Required', { exact: true })).toBeVisible()
    await expect(
      main(page).getByRole('button', { name: 'Select from computer' }),
    ).toHaveAccessibleDescription('Required')

    await page.getByLabel('Caption').fill('Cuat')
    await expect(page.getByText('Minimum 5 characters.')).toBeVisible()
    await page.getByLabel('Caption').fill('Cinco')
    await expect(page.getByText('Minimum 5 characters.')).toHaveCount(0)
    await submit(page).click()
    await expect(main(page).getByRole('button', { name: 'Select from computer' })).toBeFocused()
    expect(posts).toEqual([])
  })

  test('PCRE-08 PCRE-11 says what is too long, and counts on the way there', async ({ signedUp }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    await fill(page, { caption: 'a'.repeat(2201), location: 'b'.repeat(1001) })
    await submit(page).click()
    await expect(page.getByText('Maximum 2,200 caracters', { exact: true })).toBeVisible()
    await expect(page.getByText('Maximum 1000 characters.', { exact: true })).toBeVisible()
    await expect(page.getByText('2201/2200')).toBeVisible()

    await page.getByLabel('Caption').fill('a'.repeat(2200))
    await page.getByLabel('Location').fill('b'.repeat(1000))
    await submit(page).click()
    await expect(page).toHaveURL('/')
  })

  test('PCRE-05 Cancel goes back one step, and to Home where there is none', async ({ signedUp }) => {
    const { page } = await signedUp('ana')
    await page.goto('/explore')
    await page.getByRole('navigation').getByRole('link', { name: 'Create Post' }).click()
    await cancel(page).click()
    await expect(page).toHaveURL('/explore')

    await page.goto('about:blank')
    await page.goto('/create-post')
    await cancel(page).click()
    await expect(page).toHaveURL('/')
  })

  test('PCRE-05 a changed form is not dropped unasked, by Cancel or by a link', async ({ signedUp }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    await page.getByLabel('Caption').fill('Una tarde larga')
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })

    await cancel(page).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page.getByLabel('Caption')).toHaveValue('Una tarde larga')

    await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).click()
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(page).toHaveURL('/create-post')

    await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).click()
    await question.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(page).toHaveURL('/explore')
  })
})

test.describe('publishing', () => {
  test('PCRE-12 PCRE-13 PCRE-14 PCRE-20 the new post stands on top of Home, stored as it was meant', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    await fill(page, { caption: ' La primera ', location: ' Tonalá ' })
    await submit(page).click()
    await expect(page).toHaveURL('/')
    await expect(main(page).getByRole('article').first()).toContainText('La primera')

    await page.getByRole('navigation').getByRole('link', { name: 'Create Post' }).click()
    await fill(page, { caption: 'La segunda', tags: 'sol y mar, #playa,, ' })
    await submit(page).click()
    await expect(main(page).getByRole('article')).toHaveCount(2)
    await expect(main(page).getByRole('article').first()).toContainText('La segunda')
    await expect(main(page).getByText('#solymar')).toBeVisible()

    const [second, first] = await fetchHomeFeedPosts(ana)
    expect(first).toMatchObject({ caption: 'La primera', location: 'Tonalá', tags: [], groupId: null })
    expect(second).toMatchObject({ tags: ['solymar', 'playa'], groupId: null })
  })

  test('PCRE-06 while it is saved the button is off and says so, and one post is stored', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const answer = Promise.withResolvers<void>()
    await page.route('**/v1/posts', async (route) => {
      await answer.promise
      await route.continue()
    })
    await fill(page)
    await submit(page).dblclick()
    const saving = main(page).getByRole('button', { name: 'Saving...' })
    await expect(saving).toBeDisabled()
    await page.getByLabel('Location').press('Enter')
    answer.resolve()
    await expect(page).toHaveURL('/')
    expect(await fetchHomeFeedPosts(ana)).toHaveLength(1)
  })

  test('PCRE-06 two presses before the page has heard of either store one post', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const posts = requestsTo(page, 'POST', '/v1/')
    await fill(page)
    await clickButtonTwice(submit(page))
    await expect(page).toHaveURL('/')
    expect(posts).toEqual([filesApiPath, '/v1/posts'])
    expect(await fetchHomeFeedPosts(ana)).toHaveLength(1)
  })

  test('PCRE-18 PCRE-19 a failed post keeps the form, leaves no file behind and can be sent again', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const uploads: string[] = []
    page.on('response', async (response) => {
      if (response.request().method() === 'POST' && response.url().endsWith(filesApiPath)) {
        uploads.push((await response.json()).$id)
      }
    })
    await page.route('**/v1/posts', (route: Route) =>
      route.fulfill({ status: 500, json: { message: 'Server Error', code: 500 } }),
    )
    await fill(page, { caption: 'La que falla', tags: 'sol' })
    await submit(page).click()
    await expect(toastRegion(page).getByText(failure)).toBeVisible()
    await expect(page).toHaveURL('/create-post')
    await expect(page.getByLabel('Caption')).toHaveValue('La que falla')
    await expect(page.getByLabel('Tags')).toHaveValue('sol')
    await expect(main(page).getByRole('button', { name: 'Click or drag photo to replace' })).toBeVisible()
    await expect.poll(() => uploads.length).toBe(1)
    await expect.poll(async () => (await ana.request.get(`${filesApiPath}/${uploads[0]}`)).status()).toBe(404)

    await page.unroute('**/v1/posts')
    await submit(page).click()
    await expect(page).toHaveURL('/')
    await expect(main(page).getByRole('article').first()).toContainText('La que falla')
    await expect.poll(() => uploads.length).toBe(2)
  })

  test('PCRE-06 PCRE-19 a post whose answer was lost is not stored again when she presses again', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    await loseNextPostResponse(page, '/v1/posts')
    await fill(page)
    await submit(page).click()
    await expect(toastRegion(page).getByText(failure)).toBeVisible()
    await submit(page).click()
    await expect(page).toHaveURL('/')
    const [post, ...others] = await fetchHomeFeedPosts(ana)
    expect(others).toEqual([])
    expect((await ana.request.get(`${filesApiPath}/${post?.imageId}/content?width=320`)).status()).toBe(200)
  })

  test('PCRE-19 what the server finds wrong with the picture is said at the picture', async ({
    signedUp,
  }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    const good = await createPng()
    await fill(page, { picture: good.subarray(0, good.length - 40) })
    await submit(page).click()
    await expect(toastRegion(page).getByText(failure)).toBeVisible()
    await expect(main(page).getByText(/^The picture could not be read/)).toBeVisible()
  })

  test('PCRE-16 PCRE-17 the author is whoever is signed in; nobody posts as somebody else', async ({
    member,
  }) => {
    const [ana, bea] = [await member('ana'), await member('bea')]
    const upload = await ana.request.post(filesApiPath, {
      multipart: { file: toUploadFilePayload(await createPng()) },
    })
    const { $id: imageId } = await upload.json()
    const content = { caption: 'Una tarde', location: 'Tonalá', tags: ['sol'], groupId: '', imageId }

    const empty = await ana.request.post('/v1/posts', { data: { ...content, userId: '' } })
    expect((await empty.json()).message).toBe('Usuario no válido para crear el post')
    const asBea = await ana.request.post('/v1/posts', { data: { ...content, userId: bea.$id } })
    expect(asBea.status()).toBe(403)
    const stolen = await bea.request.post('/v1/posts', { data: content })
    expect(stolen.status()).toBe(404)
    const own = await ana.request.post('/v1/posts', { data: { ...content, userId: ana.$id } })
    expect(own.status()).toBe(201)
    expect(await own.json()).toMatchObject({ creator: { $id: ana.$id }, groupId: null })
  })
})

test('from a sign-up to a picture that her friend sees: upright, placeholder first, her place kept secret', async ({
  page,
  signedUp,
}) => {
  // Every width of a picture of 12 megapixels is made on the way, in both formats.
  test.slow()
  const ana = signUpFormFixture('ana')
  await page.goto('/sign-up')
  await page.getByLabel('Nombre', { exact: true }).fill(ana.name)
  await page.getByLabel('Nombre de usuaria').fill(ana.username)
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(ana.password)
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(main(page).getByRole('heading', { name: 'No posts available' })).toBeVisible()

  const picture = await createPhoneJpegWithGps()
  expect(picture.length).toBeGreaterThan(5 * 1024 * 1024)
  expect(picture.includes(gpsPositionFixture)).toBe(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Create Post' }).click()
  await fill(page, { caption: 'Desde mi ventana' })
  await uploadPhotoInForm(page, toUploadFilePayload(picture, 'IMG_0001.JPG', 'image/jpeg'))
  const late = Promise.withResolvers<void>()
  await page.route('**/content**', async (route) => {
    await late.promise
    await route.continue()
  })
  await submit(page).click()

  // The box and the colours of the picture stand there before the picture does: red above, blue below.
  const box = main(page)
    .getByRole('article', { name: `Post by ${ana.name}` })
    .locator('[data-picture]')
  await expect(box).toHaveAttribute('data-picture', 'waiting', { timeout: 30_000 })
  await expect(async () => {
    const { width, height } = (await box.boundingBox()) ?? { width: 0, height: 0 }
    expect(width / height).toBeCloseTo(0.8, 1)
  }).toPass({ timeout: 5_000 })
  const miniature = await box.evaluate((element) => getComputedStyle(element).backgroundImage)
  await expectUpright(Buffer.from(/base64,([^"]+)/.exec(miniature)?.[1] ?? '', 'base64'))
  late.resolve()
  await expect(box).toHaveAttribute('data-picture', 'shown')
  await expectUpright(await box.screenshot())

  const bea = await signedUp('bea')
  const [post] = (await (await page.request.get('/v1/feed')).json()).documents as [Post]
  expect(post.image).toMatchObject({ width: 3024, height: 4032 })
  await expectNoTrace(page, post)

  await bea.page.goto('/')
  await expect(main(bea.page).getByText('No posts available')).toBeVisible()
  await followMemberViaApi(bea, { ...bea, $id: post.creator?.$id ?? '' })
  await bea.page.reload()
  const seen = main(bea.page).getByRole('article', { name: `Post by ${ana.name}` })
  await expect(seen).toContainText('Desde mi ventana')
  await expect(seen.locator('[data-picture=shown]')).toBeVisible()
  await expectUpright(await seen.locator('[data-picture]').screenshot())
})

/** Red on top, blue at the bottom: what the phone's owner saw. */
async function expectUpright(picture: Buffer) {
  const pixels = await sharp(picture).removeAlpha().resize(1, 4, { fit: 'fill' }).raw().toBuffer()
  const [red = 0, , blue = 0] = pixels.subarray(0, 3)
  const [redBelow = 0, , blueBelow = 0] = pixels.subarray(9, 12)
  expect(red).toBeGreaterThan(blue + 40)
  expect(blueBelow).toBeGreaterThan(redBelow + 40)
}

/** No byte that the server gives out tells where she was: neither the words nor any GPS directory. */
async function expectNoTrace(page: Page, post: Post) {
  const file = `${filesApiPath}/${post.imageId}`
  const inBucket = `${appwriteBucketFilesPath}/${post.imageId}`
  const widths = imageVariantWidthsPx.map((width) => `width=${width}`)
  for (const accept of ['image/webp,*/*', 'image/jpeg']) {
    for (const url of [
      ...['content', ...widths.map((width) => `content?${width}`)].map((path) => `${file}/${path}`),
      ...['view', 'download', 'preview'].map((path) => `${inBucket}/${path}`),
      ...widths.map((width) => `${inBucket}/preview?${width}`),
    ]) {
      const answer = await page.request.get(url, { headers: { accept } })
      expect(answer.status(), url).toBe(200)
      const bytes = await answer.body()
      expect(bytes.includes(gpsPositionFixture), url).toBe(false)
      expect(gpsDirectory(await sharp(bytes).metadata()), url).toBe(false)
    }
  }
  for (const url of [file, inBucket])
    expect(JSON.stringify(await (await page.request.get(url)).json())).not.toContain(gpsPositionFixture)
}

/** Whether the EXIF has the tag that points to a GPS directory (0x8825), in either byte order. */
function gpsDirectory({ exif }: Metadata): boolean {
  return Boolean(
    exif && (exif.includes(Buffer.from([0x88, 0x25])) || exif.includes(Buffer.from([0x25, 0x88]))),
  )
}

test('PCRE-01 on a phone a long caption leaves the button that chooses a photo above the bar of the form @phone', async ({
  signedUp,
}) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByLabel('Caption').fill('Una línea larga que ocupa bastante. '.repeat(30))
  const edgesOf = async (name: string) => {
    const box = await main(page).getByRole('button', { name, exact: true }).boundingBox()
    return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
  }
  await page.evaluate(() => scrollTo(0, 0))
  // The bar begins 16 pixels above its buttons.
  await expect
    .poll(async () => (await edgesOf('Cancel')).top - (await edgesOf('Select from computer')).bottom)
    .toBeGreaterThan(16)
})
