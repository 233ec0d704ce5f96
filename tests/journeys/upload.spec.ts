import type { Page } from '@playwright/test'
import { createNoisePng, createPng } from '#scripts/harness/image-fixtures.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { fetchHomeFeedPosts, filesApiPath, openCreatePostForm, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })
const preview = (page: Page) => main(page).getByRole('img', { name: 'Chosen' })

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

test.describe('choosing a picture', () => {
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
})

test.describe('sending it', () => {
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

  test('UPL-10 a picture of 12 MB goes in three requests and is one file @quick', async ({ signedUp }) => {
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
})
