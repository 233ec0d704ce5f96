import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import {
  colorAt,
  confirmCrop,
  createMarkedJpeg,
  cropDialog,
  openCropDialog,
  selectCropAspectRatio,
} from './crop-steps.ts'
import { expect, test, uploadExpectTimeoutOptions } from './fixtures.ts'
import { readHeic } from './heic-fixtures.ts'
import { fetchHomeFeedPosts, filesApiPath, openCreatePostForm, toUploadFilePayload } from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const caption = (page: Page) => page.getByLabel('Caption')
const tiles = (page: Page) => main(page).getByRole('button', { name: /^Photo \d+, / })
const notice = (page: Page) => main(page).getByRole('region', { name: 'Draft' })
const draftsButton = (page: Page) => main(page).getByRole('button', { name: /^Drafts \(\d+\)$/ })
const choose = (page: Page, buffer: Buffer, name = 'foto.jpg', mimeType = 'image/jpeg') =>
  page.getByLabel('Photo', { exact: true }).setInputFiles({ name, mimeType, buffer })

type KeptDraft = { savedAt: number; words: { location: string }; photos: { bytes: number }[] }

/** With `change`, also changes the drafts. */
const keptDrafts = (page: Page, change?: 'older by 29 days' | 'older by 31 days' | 'nearly 200 MB') =>
  page.evaluate(async (wanted) => {
    const name = 'juntas-drafts'
    if (!(await indexedDB.databases()).some((database) => database.name === name)) return []
    return new Promise<KeptDraft[]>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const tx = opening.result.transaction('drafts', 'readwrite')
        const store = tx.objectStore('drafts')
        const reading = store.getAll()
        reading.onsuccess = () => {
          for (const draft of reading.result as KeptDraft[]) {
            const days = /(\d+) days/.exec(wanted ?? '')?.[1]
            if (days) draft.savedAt -= Number(days) * 86_400_000
            if (wanted === 'nearly 200 MB')
              for (const photo of draft.photos) photo.bytes = 200 * 1024 * 1024 - 1000
            if (wanted) store.put(draft)
          }
        }
        tx.oncomplete = () => {
          opening.result.close()
          resolve(reading.result)
        }
      }
    })
  }, change)

const expectKept = (page: Page, photos: number) =>
  expect
    .poll(async () =>
      (await keptDrafts(page)).map((draft) => draft.photos.filter(({ bytes }) => bytes > 0).length),
    )
    .toEqual([photos])

test('EDIT-06 a cropped photo and a HEIC survive closing the tab: the crop is unchanged, and both are posted as shown', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const first = await openCreatePostForm(ana)
  await choose(first, await createMarkedJpeg())
  await openCropDialog(first)
  await selectCropAspectRatio(first, '1:1')
  await confirmCrop(first)
  await main(first)
    .getByLabel('Files to add')
    .setInputFiles({ name: 'IMG_0001.heic', mimeType: 'image/heic', buffer: readHeic('plain') })
  await expect(tiles(first)).toHaveCount(2)
  await caption(first).fill('Recortada y de otro teléfono')
  await first.getByLabel('Location').fill('Tonalá')
  await expect
    .poll(async () =>
      (await keptDrafts(first)).map(({ words, photos }) => [
        words.location,
        ...photos.map(({ bytes }) => bytes > 0),
      ]),
    )
    .toEqual([['Tonalá', true, true]])
  await first.close({ runBeforeUnload: false })

  const page = await ana.context.newPage()
  await page.goto('/create-post')
  await notice(page).getByRole('button', { name: 'Continue' }).click()
  await expect(tiles(page)).toHaveCount(2)
  await openCropDialog(page)
  await expect(cropDialog(page).getByRole('radio', { name: '1:1', exact: true })).toBeChecked()
  await confirmCrop(page)
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [listed] = await fetchHomeFeedPosts(ana)
  const post = await (await ana.request.get(`/v1/posts/${listed?.$id}`)).json()
  expect(post.photos.map(({ width, height }: { width: number; height: number }) => [width, height])).toEqual([
    [900, 900],
    [160, 120],
  ])
  const [cropped, converted] = await Promise.all(
    post.photos.map(async ({ id }: { id: string }) =>
      (await ana.request.get(`${filesApiPath}/${id}/content`)).body(),
    ),
  )
  expect((await sharp(converted).metadata()).format).toBe('jpeg')
  expect(await colorAt(converted, 0.05, 0.05)).toBe('red')
  // Only the middle of the photo was kept, so its corner is green.
  expect(await colorAt(cropped, 0.02, 0.02)).toBe('green')
})

test('EDIT-07 a draft and its photos are deleted after thirty days, but not after twenty-nine', async ({
  signedUp,
}) => {
  const page = await openCreatePostForm(await signedUp('ana'))
  await choose(page, await createJpeg())
  await caption(page).fill('De hace un mes')
  await expectKept(page, 1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save draft' }).click()
  await expect(page).toHaveURL('/explore')
  await keptDrafts(page, 'older by 29 days')
  await page.goto('/create-post')
  await expect(draftsButton(page)).toHaveText('Drafts (1)')
  await keptDrafts(page, 'older by 31 days')
  await page.goto('/create-post')
  await expect(caption(page)).toBeVisible()
  await expect.poll(() => keptDrafts(page)).toEqual([])
  await expect(draftsButton(page)).toHaveCount(0)
})

test('EDIT-09 drafts store at most 200 MB of photos: the next draft keeps its text, and its tile asks for the photo again', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  const leaveFor = async (words: string) => {
    await choose(page, await createJpeg())
    await expect(tiles(page)).toHaveCount(1)
    await caption(page).fill(words)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save draft' }).click()
    await expect(page).toHaveURL('/explore')
  }
  await leaveFor('La primera')
  await keptDrafts(page, 'nearly 200 MB')
  await page.goto('/create-post')
  await leaveFor('Ya no cabe')
  expect(
    (await keptDrafts(page)).map(({ photos }) => photos.map(({ bytes }) => bytes > 0)).toSorted(),
  ).toEqual([[false], [true]])
  await page.goto('/create-post')
  await draftsButton(page).click()
  await page
    .getByRole('dialog', { name: 'Drafts' })
    .getByRole('button', { name: /^Ya no cabe/ })
    .click()
  await expect(caption(page)).toHaveValue('Ya no cabe')
  await expect(tiles(page)).toHaveText(['Choose this photo again'])
})

test("EDIT-08 the quick exit that signs out deletes vera's drafts, including the one she is writing", async ({
  signedUp,
}) => {
  const vera = await signedUp('vera')
  await vera.context.route('**/*', (route) =>
    new URL(route.request().url()).hostname === 'localhost'
      ? route.fallback()
      : route.fulfill({ contentType: 'text/html', body: '<title>El tiempo</title>' }),
  )
  await vera.request.patch('/v1/me/privacy', { data: { quickExit: 'sign-out' } })
  const page = await openCreatePostForm(vera)
  await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(await createJpeg()))
  await caption(page).fill('Nadie lo ha de ver')
  await expectKept(page, 1)
  await page.getByRole('button', { name: 'Leave', exact: true }).first().click()
  await expect(page).toHaveTitle('El tiempo')
  const other = await vera.context.newPage()
  await other.goto('/robots.txt')
  await expect.poll(() => keptDrafts(other)).toEqual([])
})
