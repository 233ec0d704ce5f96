import type { Page, Route } from '@playwright/test'
import { uploadChunkBytes } from '#contract/limits.ts'
import { jpeg, noisePng, padPng, png } from '#tests/pictures.ts'
import { expect, test, toastRegion } from './fixtures.ts'
import { asFile, feedOf, files, write } from './posting.ts'

const main = (page: Page) => page.getByRole('main')
const area = (page: Page) => main(page).locator('form [role=presentation]')
const choose = (page: Page) => main(page).getByRole('button', { name: 'Select from computer' })
const replace = (page: Page) => main(page).getByRole('button', { name: 'Click or drag photo to replace' })
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })
const preview = (page: Page) => main(page).getByRole('img', { name: 'Chosen' })
const wrongType = 'File type must be one of image/png, image/jpeg, .png, .jpeg, .jpg'

/** What a drag of files carries. */
function carrying(page: Page, dragged: ReturnType<typeof asFile>[]) {
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

async function drop(page: Page, ...dragged: ReturnType<typeof asFile>[]) {
  const dataTransfer = await carrying(page, dragged)
  for (const event of ['dragenter', 'dragover', 'drop'])
    await area(page).dispatchEvent(event, { dataTransfer })
}

async function fillWords(page: Page) {
  await page.getByLabel('Caption').fill('Una tarde')
  await page.getByLabel('Location').fill('Tonalá')
}

/** The upload requests from now on: what they say of themselves and the id of the file they were answered with. */
function uploadsOf(page: Page) {
  const seen: { range: string | undefined; continued: string | undefined; id: string }[] = []
  page.on('response', async (response) => {
    const request = response.request()
    if (request.method() !== 'POST' || new URL(response.url()).pathname !== files) return
    const { 'content-range': range, 'x-appwrite-id': continued } = request.headers()
    seen.push({ range, continued, id: (await response.json()).$id })
  })
  return seen
}

/** Lets the first piece of an upload through and does something else with the second. */
async function atSecondPiece(page: Page, act: (route: Route) => unknown) {
  let sent = 0
  await page.route(`**${files}`, (route) => {
    sent += 1
    return sent === 2 ? act(route) : route.continue()
  })
}

test.describe('choosing a picture', () => {
  test('UPL-01 the area says what to do and has a button for it', async ({ signedUp }) => {
    const page = await write(await signedUp('ana'))
    await expect(main(page).getByText('Drag photo here', { exact: true })).toBeVisible()
    await expect(main(page).getByText('SVG, PNG, JPG', { exact: true })).toBeVisible()
    await expect(choose(page)).toBeVisible()
  })

  test('UPL-02 UPL-04 a picture can be dropped, and replaced by another', async ({ signedUp }) => {
    const page = await write(await signedUp('ana'))
    const dataTransfer = await carrying(page, [asFile(await png())])
    const resting = await area(page).evaluate((element) => getComputedStyle(element).backgroundColor)
    await area(page).dispatchEvent('dragenter', { dataTransfer })
    await expect
      .poll(() => area(page).evaluate((element) => getComputedStyle(element).backgroundColor))
      .not.toBe(resting)
    await area(page).dispatchEvent('drop', { dataTransfer })
    await expect(preview(page)).toBeVisible()
    await expect(replace(page)).toBeVisible()

    const first = await preview(page).getAttribute('src')
    await drop(page, asFile(await jpeg(), 'otra.jpg', 'image/jpeg'))
    await expect(preview(page)).not.toHaveAttribute('src', first ?? '')
  })

  test('UPL-03 a click anywhere in the area, the button and the keyboard open the file dialog', async ({
    signedUp,
  }) => {
    const page = await write(await signedUp('ana'))
    const opened = [
      () => choose(page).click(),
      () => area(page).click({ position: { x: 20, y: 20 } }),
      () => choose(page).press('Enter'),
      () => choose(page).press('Space'),
    ]
    for (const open of opened) {
      const chooser = page.waitForEvent('filechooser')
      await open()
      expect((await chooser).isMultiple()).toBe(false)
    }
    const chooser = page.waitForEvent('filechooser')
    await choose(page).press('Enter')
    await (await chooser).setFiles(asFile(await png()))
    await expect(preview(page)).toBeVisible()
    await expect(replace(page)).toBeFocused()
  })

  for (const name of ['sol.png', 'sol.jpeg', 'sol.jpg']) {
    test(`UPL-05 ${name} is taken`, async ({ signedUp }) => {
      const page = await write(await signedUp('ana'))
      const isPng = name.endsWith('png')
      await drop(page, asFile(isPng ? await png() : await jpeg(), name, isPng ? 'image/png' : 'image/jpeg'))
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
      const page = await write(await signedUp('ana'))
      await drop(page, asFile(Buffer.from('<svg/>'), name, type))
      await expect(main(page).getByText(wrongType)).toBeVisible()
      await expect(preview(page)).toHaveCount(0)
    })
  }

  test('UPL-05 UPL-06 a text with the name of a picture is refused before it is sent; the one chosen before stays', async ({
    signedUp,
  }) => {
    const page = await write(await signedUp('ana'))
    const uploads = uploadsOf(page)
    const text = asFile(Buffer.from('una lista de la compra'), 'compra.png')
    await page.getByLabel('Photo').setInputFiles(text)
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await expect(preview(page)).toHaveCount(0)
    await expect(choose(page)).toBeVisible()

    await page.getByLabel('Photo').setInputFiles(asFile(await png()))
    await expect(preview(page)).toBeVisible()
    await expect(main(page).getByText(wrongType)).toHaveCount(0)
    await drop(page, text)
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await expect(preview(page)).toBeVisible()
    expect(uploads).toEqual([])
  })

  test('UPL-05 a picture that is broken inside is named instead of shown, and the server says why it is refused', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await write(ana)
    await fillWords(page)
    const broken = Buffer.concat([(await png()).subarray(0, 8), Buffer.from('y nada más')])
    await page.getByLabel('Photo').setInputFiles(asFile(broken, 'rota.png'))
    await expect(main(page).getByText('Picture couldn’t be loaded')).toBeVisible()
    await expect(main(page).getByText('rota.png')).toBeVisible()
    await expect(preview(page)).toHaveCount(0)
    await submit(page).click()
    await expect(main(page).getByText(/^The picture could not be read/)).toBeVisible()
    expect(await feedOf(ana)).toEqual([])
  })

  test('PCRE-09 UPL-06 why a file was not taken stays said when she presses Create Post without another', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await write(ana)
    await fillWords(page)
    await page
      .getByLabel('Photo')
      .setInputFiles(asFile(Buffer.from('no es una foto'), 'rota.jpg', 'image/jpeg'))
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await submit(page).click()
    await expect(choose(page)).toBeFocused()
    await expect(choose(page)).toHaveAccessibleDescription(wrongType)
    await expect(main(page).getByText('Required', { exact: true })).toHaveCount(0)

    await page.getByLabel('Caption').fill('Otra tarde')
    await expect(main(page).getByText(wrongType)).toBeVisible()
    await page.getByLabel('Photo').setInputFiles(asFile(await png()))
    await expect(main(page).getByText(wrongType)).toHaveCount(0)
    await submit(page).click()
    await expect(page).toHaveURL('/')
    expect(await feedOf(ana)).toHaveLength(1)
  })

  test('UPL-06 on a phone the reason comes into sight, at once and again when she presses Create Post @phone', async ({
    signedUp,
  }) => {
    const page = await write(await signedUp('ana'))
    await fillWords(page)
    await page.evaluate(() => scrollTo(0, 0))
    const reason = main(page).getByText(wrongType)
    const uncovered = () =>
      reason.evaluate((said) => {
        const { left, bottom } = said.getBoundingClientRect()
        return said.contains(document.elementFromPoint(left + 4, bottom - 4))
      })
    await page
      .getByLabel('Photo')
      .setInputFiles(asFile(Buffer.from('no es una foto'), 'rota.jpg', 'image/jpeg'))
    await expect(reason).toBeVisible()
    await expect.poll(uncovered).toBe(true)
    await page.evaluate(() => scrollTo(0, 0))
    await submit(page).click()
    await expect.poll(uncovered).toBe(true)
  })

  test('UPL-07 two at once are too many; the one chosen before stays', async ({ signedUp }) => {
    const page = await write(await signedUp('ana'))
    await drop(page, asFile(await png()))
    await expect(preview(page)).toBeVisible()
    await drop(page, asFile(await png(), 'a.png'), asFile(await png(), 'b.png'))
    await expect(main(page).getByText('Too many files', { exact: true })).toBeVisible()
    await expect(preview(page)).toBeVisible()
  })
})

test.describe('sending it', () => {
  test('UPL-10 exactly 5 MB go in one plain request', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const page = await write(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    await page.getByLabel('Photo').setInputFiles(asFile(padPng(await png(), uploadChunkBytes)))
    await submit(page).click()
    await expect(page).toHaveURL('/')
    expect(uploads).toEqual([{ range: undefined, continued: undefined, id: expect.any(String) }])
    expect((await feedOf(ana))[0]?.imageId).toBe(uploads[0]?.id)
  })

  test('UPL-10 a picture of 12 MB goes in three requests and is one file', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const page = await write(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    const picture = await noisePng(2048, 2048)
    await page.getByLabel('Photo').setInputFiles(asFile(picture))
    await submit(page).click()
    await expect(page).toHaveURL('/', { timeout: 30_000 })

    const id = uploads[0]?.id
    expect(uploads).toEqual([
      { range: `bytes 0-5242879/${picture.length}`, continued: undefined, id },
      { range: `bytes 5242880-10485759/${picture.length}`, continued: id, id },
      { range: `bytes 10485760-${picture.length - 1}/${picture.length}`, continued: id, id },
    ])
    const [post] = await feedOf(ana)
    expect(post?.image).toMatchObject({ id, width: 2048, height: 2048 })
  })

  test('UPL-10 PCRE-19 after a break it goes on where it stopped', async ({ signedUp }) => {
    const ana = await signedUp('ana')
    const page = await write(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    const picture = await noisePng(2048, 2048)
    await page.getByLabel('Photo').setInputFiles(asFile(picture))
    await atSecondPiece(page, (route) => route.abort())
    await submit(page).click()
    await expect(toastRegion(page).getByText('Create post failed. Please try again.')).toBeVisible()
    await expect(main(page).getByText(/^Stopped at \d+%$/)).toBeVisible()
    expect(uploads).toHaveLength(1)

    await main(page).getByRole('button', { name: 'Resume' }).click()
    await expect(page).toHaveURL('/', { timeout: 30_000 })
    const id = uploads[0]?.id
    expect(uploads.map(({ range, id }) => [range?.split('/')[0], id])).toEqual([
      ['bytes 0-5242879', id],
      ['bytes 5242880-10485759', id],
      [`bytes 10485760-${picture.length - 1}`, id],
    ])
    expect((await feedOf(ana))[0]?.imageId).toBe(id)
  })

  test('UPL-10 a cancelled upload leaves the form as it was and nothing on the server', async ({
    signedUp,
  }) => {
    const ana = await signedUp('ana')
    const page = await write(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    await page.getByLabel('Photo').setInputFiles(asFile(await noisePng(2048, 2048)))
    const never = Promise.withResolvers<void>()
    await atSecondPiece(page, async (route) => {
      await never.promise
      await route.abort().catch(() => {})
    })
    await submit(page).click()
    await expect(main(page).getByRole('progressbar', { name: 'Photo upload' })).toBeVisible()
    await expect(main(page).getByText(/^Uploading… \d+%$/)).toBeVisible()
    await expect.poll(() => uploads.length).toBe(1)
    await area(page).getByRole('button', { name: 'Cancel' }).click()
    never.resolve()

    await expect(replace(page)).toBeVisible()
    await expect(submit(page)).toBeEnabled()
    await expect(page.getByLabel('Caption')).toHaveValue('Una tarde')
    await expect.poll(async () => (await ana.request.get(`${files}/${uploads[0]?.id}`)).status()).toBe(404)
    expect(await feedOf(ana)).toEqual([])
  })

  test('UPL-10 nobody goes on with an upload of somebody else, or sees it', async ({ signedUp }) => {
    const [ana, bea] = [await signedUp('ana'), await signedUp('bea')]
    const page = await write(ana)
    const uploads = uploadsOf(page)
    await fillWords(page)
    const picture = await noisePng(2048, 2048)
    await page.getByLabel('Photo').setInputFiles(asFile(picture))
    await atSecondPiece(page, (route) => route.abort())
    await submit(page).click()
    await expect(main(page).getByRole('button', { name: 'Resume' })).toBeVisible()

    const id = uploads[0]?.id ?? ''
    expect((await bea.request.get(`${files}/${id}`)).status()).toBe(404)
    const continued = await bea.request.post(files, {
      headers: {
        'x-appwrite-id': id,
        'content-range': `bytes ${uploadChunkBytes}-${2 * uploadChunkBytes - 1}/${picture.length}`,
      },
      multipart: { fileId: id, file: asFile(picture.subarray(uploadChunkBytes, 2 * uploadChunkBytes)) },
    })
    expect(continued.status()).toBeGreaterThanOrEqual(400)
  })
})
