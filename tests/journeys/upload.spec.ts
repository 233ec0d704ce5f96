import type { Page } from '@playwright/test'
import { createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { fetchHomeFeedPosts, openCreatePostForm, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const submit = (page: Page) => main(page).getByRole('button', { name: 'Create Post' })

async function fillWords(page: Page) {
  await page.getByLabel('Caption').fill('Una tarde')
  await page.getByLabel('Location').fill('Tonalá')
}

/** `/v1/files` starts an upload, `/v1/files/ID/chunks` receives later chunks. */
const uploadPath = /^\/v1\/files(?:\/([^/]+)\/chunks)?$/

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

test('UPL-10 a picture of 12 MB is uploaded in three requests and stored as one file', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const uploads = uploadsOf(page)
  await fillWords(page)
  const picture = padPngToSize(await createPng(), 12_000_000)
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
  expect(post?.image).toMatchObject({ id, width: 640, height: 480 })
})
