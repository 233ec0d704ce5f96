import type { Page, Route } from '@playwright/test'
import { uploadChunkBytes } from '#contract/limits.ts'
import { createJpeg, createNoisePng, createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import { expect, test, toastRegion, uploadExpectTimeoutOptions } from './fixtures.ts'
import {
  appwriteBucketFilesPath,
  fetchHomeFeedPosts,
  filesApiPath,
  openCreatePostForm,
  toUploadFilePayload,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const area = (page: Page) => main(page).locator('form [role=presentation]')
const choose = (page: Page) => main(page).getByRole('button', { name: 'Select from computer' })
const replace = (page: Page) => main(page).getByRole('button', { name: 'Click or drag photo to replace' })
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })
const preview = (page: Page) => main(page).getByRole('img', { name: 'Chosen' })
const wrongType = 'File type must be one of image/png, image/jpeg, .png, .jpeg, .jpg'

/** What a drag of files carries. */
function carrying(page: Page, dragged: ReturnType<typeof toUploadFilePayload>[]) {
  const given = dragged.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }))
  return page.evaluateHandle((files) => {
    const transfer = new DataTransfer()
    for (const { name, mimeType, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    return transfer
  }, given)
}

async function drop(page: Page, ...dragged: ReturnType<typeof toUploadFilePayload>[]) {
  const dataTransfer = await carrying(page, dragged)
  for (const event of ['dragenter', 'dragover', 'drop'])
    await area(page).dispatchEvent(event, { dataTransfer })
}

/** Watches for texts that may stand for a moment only. @returns a function that lists those that stood on the page */
async function watchTexts(page: Page, ...texts: string[]): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle((wanted) => {
    const found: string[] = []
    new MutationObserver(() => {
      for (const text of wanted)
        if (!found.includes(text) && document.body.textContent.includes(text)) found.push(text)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    return found
  }, texts)
  return () => seen.jsonValue()
}

async function fillWords(page: Page) {
  await page.getByLabel('Caption').fill('Una tarde')
  await page.getByLabel('Location').fill('Tonalá')
}

/** `/v1/files` of an upload that begins, `/v1/files/ID/chunks` of its later chunks. */
const uploadPath = /^\/v1\/files(?:\/([^/]+)\/chunks)?$/

/** The upload requests from now on: what they say of themselves and the id of the file they were answered with. */
function uploadsOf(page: Page) {
  const seen: { range: string | undefined; continued: string | undefined; id: string }[] = []
  page.on('response', async (response) => {
    const request = response.request()
    const path = uploadPath.exec(new URL(response.url()).pathname)
    if (request.method() !== 'POST' || !path) return
    const { 'content-range': range } = request.headers()
    const { $id: id } = await response.json().catch(() => ({}))
    seen.push({ range, continued: path[1], id })
  })
  return seen
}

/** Lets the first piece of an upload through and does something else with the second. */
async function atSecondPiece(page: Page, act: (route: Route) => unknown) {
  let sent = 0
  await page.route(
    ({ pathname }) => uploadPath.test(pathname),
    (route) => {
      sent += 1
      return sent === 2 ? act(route) : route.continue()
    },
  )
}

test.describe('choosing a picture', () => {
  test('UPL-01 the area says what to do and has a button for it', async ({ signedUp }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    await expect(main(page).getByText('Drag photo here', { exact: true })).toBeVisible()
    await expect(main(page).getByText('SVG, PNG, JPG', { exact: true })).toBeVisible()
    await expect(choose(page)).toBeVisible()
  })

  test('UPL-02 UPL-04 a picture can be dropped, and replaced by another', async ({ signedUp }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    const dataTransfer = await carrying(page, [toUploadFilePayload(await createPng())])
    const resting = await area(page).evaluate((element) => getComputedStyle(element).backgroundColor)
    await area(page).dispatchEvent('dragenter', { dataTransfer })
    await expect
      .poll(() => area(page).evaluate((element) => getComputedStyle(element).backgroundColor))
      .not.toBe(resting)
    await area(page).dispatchEvent('drop', { dataTransfer })
    await expect(preview(page)).toBeVisible()
    await expect(replace(page)).toBeVisible()

    const first = await preview(page).getAttribute('src')
    await drop(page, toUploadFilePayload(await createJpeg(), 'otra.jpg', 'image/jpeg'))
    await expect(preview(page)).not.toHaveAttribute('src', first ?? '')
  })

  test('UPL-03 a click anywhere in the area, the button and the keyboard open the file dialog', async ({
    signedUp,
  }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    const opened = [
      () => choose(page).click(),
      () => area(page).click({ position: { x: 20, y: 20 } }),
      () => choose(page).press('Enter'),
      () => choose(page).press('Space'),
    ]
    for (const open of opened) {
      const chooser = page.waitForEvent('filechooser')
      await open()
      expect((await chooser).isMultiple()).toBe(true)
    }
    const chooser = page.waitForEvent('filechooser')
    await choose(page).press('Enter')
    await (await chooser).setFiles(toUploadFilePayload(await createPng()))
    await expect(preview(page)).toBeVisible()
    await expect(replace(page)).toBeFocused()
  })

  for (const name of ['sol.png', 'sol.jpeg', 'sol.jpg']) {
    test(`UPL-05 ${name} is taken`, async ({ signedUp }) => {
      const page = await openCreatePostForm(await signedUp('ana'))
      const isPng = name.endsWith('png')
      await drop(
        page,
        toUploadFilePayload(
          isPng ? await createPng() : await createJpeg(),
          name,
          isPng ? 'image/png' : 'image/jpeg',
        ),
      )
      await expect(preview(page)).toBeVisible()
    })
  }

  for (const [name, type] of [
    ['sol.svg', 'image/svg+xml'],
    ['sol.webp', 'image/webp'],
    ['sol.gif', 'image/gif'],
    ['sol.pdf', 'application/pdf'],
  ] as const) {
    test(`UPL-05 UPL-06 ${name} is not, whatever the texts say`, async ({ signedUp }) => {
      const page = await openCreatePostForm(await signedUp('ana'))
      await drop(page, toUploadFilePayload(Buffer.from('<svg/>'), name, type))
      await expect(main(page).getByText(wrongType)).toBeVisible()
      await expect(preview(page)).toHaveCount(0)
    })
  }

  test('UPL-05 UPL-06 a text with the name of a picture is refused before it is sent; the one chosen before stays', async ({
    signedUp,
  }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    const uploads = uploadsOf(page)
    const text = toUploadFilePayload(Buffer.from('una lista de la compra'), 'compra.png')
    await page.getByLabel('Photo', { exact: true }).setInputFiles(text)
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await expect(preview(page)).toHaveCount(0)
    await expect(choose(page)).toBeVisible()
    expect(uploads).toEqual([])

    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(await createPng()))
    await expect(preview(page)).toBeVisible()
    await expect(main(page).getByText(wrongType)).toHaveCount(0)
    await expect.poll(() => uploads.length).toBe(1)
    await drop(page, text)
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await expect(preview(page)).toBeVisible()
    await expect.poll(() => uploads.length).toBe(1)
  })

  test('UPL-12 UPL-06 UPL-07 why it was refused is said in plain words, too', async ({ signedUp }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    await drop(page, toUploadFilePayload(Buffer.from('<svg/>'), 'sol.svg', 'image/svg+xml'))
    await expect(choose(page)).toHaveAccessibleDescription(
      `Choose a photo saved as JPEG or PNG. ${wrongType}`,
    )
    await drop(page, toUploadFilePayload(await createPng()))
    await expect(preview(page)).toBeVisible()
    await drop(
      page,
      toUploadFilePayload(await createPng(), 'a.png'),
      toUploadFilePayload(await createPng(), 'b.png'),
    )
    await expect(replace(page)).toHaveAccessibleDescription('Choose one photo at a time. Too many files')
  })

  test('UPL-05 a picture that is broken inside is named instead of shown, and the server says why it is refused', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    await fillWords(page)
    const broken = Buffer.concat([(await createPng()).subarray(0, 8), Buffer.from('y nada más')])
    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(broken, 'rota.png'))
    await expect(main(page).getByText('Picture couldn’t be loaded')).toBeVisible()
    await expect(main(page).getByText('rota.png')).toBeVisible()
    await expect(preview(page)).toHaveCount(0)
    await submit(page).click()
    await expect(main(page).getByText(/^The picture could not be read/)).toBeVisible()
    expect(await fetchHomeFeedPosts(ana)).toEqual([])
  })

  test('PCRE-09 UPL-06 why a file was not taken stays said when she presses Create Post without another', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    await fillWords(page)
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles(toUploadFilePayload(Buffer.from('no es una foto'), 'rota.jpg', 'image/jpeg'))
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await submit(page).click()
    await expect(choose(page)).toBeFocused()
    await expect(choose(page)).toHaveAccessibleDescription(
      `Choose a photo saved as JPEG or PNG. ${wrongType}`,
    )
    await expect(main(page).getByText('Required', { exact: true })).toHaveCount(0)

    await page.getByLabel('Caption').fill('Otra tarde')
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(await createPng()))
    await expect(main(page).getByText(wrongType)).toHaveCount(0)
    await submit(page).click()
    await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
    expect(await fetchHomeFeedPosts(ana)).toHaveLength(1)
  })

  test('UPL-06 on a phone the reason comes into sight, at once and again when she presses Create Post @phone', async ({
    signedUp,
  }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    await fillWords(page)
    await page.evaluate(() => scrollTo(0, 0))
    const reason = main(page).getByText(wrongType)
    const uncovered = () =>
      reason.evaluate((said) => {
        const { left, bottom } = said.getBoundingClientRect()
        return said.contains(document.elementFromPoint(left + 4, bottom - 4))
      })
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles(toUploadFilePayload(Buffer.from('no es una foto'), 'rota.jpg', 'image/jpeg'))
    await expect(reason).toBeVisible()
    await expect.poll(uncovered).toBe(true)
    await page.evaluate(() => scrollTo(0, 0))
    await submit(page).click()
    await expect.poll(uncovered).toBe(true)
  })

  test('UPL-07 two at once are too many; the one chosen before stays', async ({ signedUp }) => {
    const page = await openCreatePostForm(await signedUp('ana'))
    await drop(page, toUploadFilePayload(await createPng()))
    await expect(preview(page)).toBeVisible()
    await drop(
      page,
      toUploadFilePayload(await createPng(), 'a.png'),
      toUploadFilePayload(await createPng(), 'b.png'),
    )
    await expect(main(page).getByText('Too many files', { exact: true })).toBeVisible()
    await expect(preview(page)).toBeVisible()
  })
})

test.describe('sending it', () => {
  test('UPL-11 PCRE-18 the upload begins when the photo is chosen; Create Post sends the post alone', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const uploads = uploadsOf(page)
    const steps = await watchTexts(page, 'Preparing your photo…')
    // Of 12 megapixels: the server works on it for longer than the page takes to say so.
    const photo = await createPng(undefined, 4000, 3000)
    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(photo))
    await expect.poll(steps).toEqual(['Preparing your photo…'])
    await expect(replace(page)).toBeEnabled(uploadExpectTimeoutOptions)
    await fillWords(page)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
    })
    await submit(page).click()
    await expect(page).toHaveURL('/')
    expect(sent).toEqual(['/v1/posts'])
    await expect.poll(() => uploads.length).toBe(1)
    expect((await fetchHomeFeedPosts(ana))[0]?.imageId).toBe(uploads[0]?.id)
  })

  test('UPL-11 PCRE-18 of a photo that she replaces, or of a form that she leaves, nothing stays on the server', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const uploads = uploadsOf(page)
    const status = async (at: number) =>
      (await ana.request.get(`${filesApiPath}/${uploads[at]?.id}`)).status()
    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(await createPng()))
    await expect.poll(() => uploads.length).toBe(1)
    expect(await status(0)).toBe(200)
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles(toUploadFilePayload(await createPng('#17704A')))
    await expect.poll(() => uploads.length).toBe(2)
    await expect.poll(() => status(0)).toBe(404)
    expect(await status(1)).toBe(200)
    await main(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(page).toHaveURL('/')
    await expect.poll(() => status(1)).toBe(404)
  })

  test('UPL-10 exactly 5 MB go in one plain request', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles(toUploadFilePayload(padPngToSize(await createPng(), uploadChunkBytes)))
    await submit(page).click()
    await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
    await expect
      .poll(() => uploads)
      .toEqual([{ range: undefined, continued: undefined, id: expect.any(String) }])
    expect((await fetchHomeFeedPosts(ana))[0]?.imageId).toBe(uploads[0]?.id)
  })

  test('UPL-10 a picture of 12 MB goes in three requests and is one file', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    const picture = await createNoisePng(2048, 2048)
    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(picture))
    await submit(page).click()
    await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)

    await expect.poll(() => uploads.length).toBe(3)
    const id = uploads[0]?.id
    expect(uploads).toEqual([
      { range: `bytes 0-5242879/${picture.length}`, continued: undefined, id },
      { range: `bytes 5242880-10485759/${picture.length}`, continued: id, id },
      { range: `bytes 10485760-${picture.length - 1}/${picture.length}`, continued: id, id },
    ])
    const [post] = await fetchHomeFeedPosts(ana)
    expect(post?.image).toMatchObject({ id, width: 2048, height: 2048 })
  })

  for (const { what, when, act } of [
    { what: 'no answer', when: 'before she saves', act: (route: Route) => route.abort() },
    { what: 'no answer', when: 'while she saves', act: (route: Route) => route.abort() },
    { what: 'a 503', when: 'while she saves', act: (route: Route) => route.fulfill({ status: 503 }) },
  ]) {
    test(`UPL-10 PCRE-19 after ${what} ${when} it goes on where it stopped`, async ({ signedUp }) => {
      const ana = await signedUp('ana')
      const page = await openCreatePostForm(ana)
      const uploads = uploadsOf(page)
      await fillWords(page)
      const picture = await createNoisePng(2048, 2048)
      const broken = Promise.withResolvers<void>()
      await atSecondPiece(page, async (route) => {
        await broken.promise
        await act(route)
      })
      await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(picture))
      await expect.poll(() => uploads.length).toBe(1)
      const saving = when === 'while she saves'
      if (saving) await submit(page).click()
      broken.resolve()
      await expect(main(page).getByText(/^Stopped at \d+%$/)).toBeVisible()
      await expect(toastRegion(page).getByText('Create post failed. Please try again.')).toHaveCount(
        saving ? 1 : 0,
      )
      await expect.poll(() => uploads.filter(({ id }) => id).length).toBe(1)

      await main(page).getByRole('button', { name: 'Resume' }).click()
      if (!saving) {
        await expect(replace(page)).toBeVisible(uploadExpectTimeoutOptions)
        await submit(page).click()
      }
      await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
      const arrived = () => uploads.filter((upload) => upload.id)
      await expect.poll(() => arrived().length).toBe(3)
      const id = uploads[0]?.id
      expect(arrived().map(({ range, id }) => [range?.split('/')[0], id])).toEqual([
        ['bytes 0-5242879', id],
        ['bytes 5242880-10485759', id],
        [`bytes 10485760-${picture.length - 1}`, id],
      ])
      expect((await fetchHomeFeedPosts(ana))[0]?.imageId).toBe(id)
    })
  }

  test('UPL-10 a cancelled upload leaves the form as it was and nothing on the server', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await openCreatePostForm(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    const never = Promise.withResolvers<void>()
    await atSecondPiece(page, async (route) => {
      await never.promise
      await route.abort().catch(() => {})
    })
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles(toUploadFilePayload(await createNoisePng(2048, 2048)))
    await expect(main(page).getByRole('progressbar', { name: 'Photo upload' })).toBeVisible()
    await expect(main(page).getByText(/^Uploading… [1-9]\d?%$/)).toBeVisible()
    await expect.poll(() => uploads.length).toBe(1)
    await area(page).getByRole('button', { name: 'Cancel' }).click()
    never.resolve()

    await expect(replace(page)).toBeVisible()
    await expect(submit(page)).toBeEnabled()
    await expect(page.getByLabel('Caption')).toHaveValue('Una tarde')
    await expect
      .poll(async () => (await ana.request.get(`${filesApiPath}/${uploads[0]?.id}`)).status())
      .toBe(404)
    expect(await fetchHomeFeedPosts(ana)).toEqual([])
  })

  test('UPL-10 nobody goes on with an upload of somebody else, or sees it', async ({ member, signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await member('bea')]
    const page = await openCreatePostForm(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    const picture = await createNoisePng(2048, 2048)
    await atSecondPiece(page, (route) => route.abort())
    await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(picture))
    await expect(main(page).getByRole('button', { name: 'Resume' })).toBeVisible()

    await expect.poll(() => uploads.length).toBeGreaterThan(0)
    const id = uploads[0]?.id ?? ''
    expect((await bea.request.get(`${filesApiPath}/${id}`)).status()).toBe(404)
    const chunk = {
      headers: {
        'content-range': `bytes ${uploadChunkBytes}-${2 * uploadChunkBytes - 1}/${picture.length}`,
      },
      multipart: { file: toUploadFilePayload(picture.subarray(uploadChunkBytes, 2 * uploadChunkBytes)) },
    }
    expect((await bea.request.post(`${filesApiPath}/${id}/chunks`, chunk)).status()).toBe(404)
    const asSdk = await bea.request.post(appwriteBucketFilesPath, {
      headers: { ...chunk.headers, 'x-appwrite-id': id },
      multipart: { fileId: id, ...chunk.multipart },
    })
    expect(asSdk.status()).toBe(404)
  })
})
