import type { Page } from '@playwright/test'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { expect, test, toastRegion, uploadExpectTimeoutOptions } from './fixtures.ts'
import {
  fetchHomeFeedPosts,
  openCreatePostForm,
  publishPostViaApi,
  toUploadFilePayload,
} from './post-steps.ts'

const main = (page: Page) => page.getByRole('main')
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const caption = (page: Page) => page.getByLabel('Caption')
const tiles = (page: Page) => main(page).getByRole('button', { name: /^Photo \d+, / })
const description = (page: Page) => page.getByLabel('Describe this photo for those who can’t see it')
const said = (page: Page) =>
  page.getByRole('group', { name: 'Photo order' }).getByText(/^(Picked up|Put down)?\.? ?Photo \d of \d$/)
/** The drag library handles further keys only from the next turn of the event loop on. */
const awaitNextFrames = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))
  })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard your changes?' })
const answer = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true })
const draftsButton = (page: Page) => main(page).getByRole('button', { name: /^Drafts \(\d+\)$/ })
const draftsDialog = (page: Page) => page.getByRole('dialog', { name: 'Drafts' })
const notice = (page: Page) => main(page).getByRole('region', { name: 'Draft' })

/** Widths tell the photos apart: 300, 310 … */
async function choosePhotos(page: Page, count: number): Promise<void> {
  const files = []
  for (let at = 0; at < count; at += 1)
    files.push(
      toUploadFilePayload(await createJpeg('#336699', 300 + 10 * at, 200), `foto-${at}.jpg`, 'image/jpeg'),
    )
  await page.getByLabel('Photo', { exact: true }).setInputFiles(files)
  await expect(tiles(page)).toHaveCount(count)
}

type Kept = { captions: string[]; photos: number }

const readKept = (page: Page) =>
  page.evaluate(async () => {
    const name = 'juntas-drafts'
    // Opening a missing database would create an empty one.
    if (!(await indexedDB.databases()).some((database) => database.name === name))
      return { captions: [], photos: 0 }
    return new Promise<Kept>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const tx = opening.result.transaction(['drafts', 'photos'])
        const drafts = tx.objectStore('drafts').getAll()
        const photos = tx.objectStore('photos').count()
        tx.oncomplete = () => {
          opening.result.close()
          resolve({ captions: drafts.result.map(({ words }) => words.caption), photos: photos.result })
        }
      }
    })
  })

async function countKept(page: Page): Promise<number[]> {
  const { captions, photos } = await readKept(page)
  return [captions.length, photos]
}

async function keepDraft(page: Page, words: string): Promise<void> {
  await navigation(page).getByRole('link', { name: 'Create Post' }).click()
  await caption(page).fill(words)
  await navigation(page).getByRole('link', { name: 'Explore' }).click()
  await answer(page, 'Save draft').click()
  await expect(page).toHaveURL('/explore')
}

test('EDIT-05 leaving a changed form asks first, and saves a draft if ana chooses to', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await caption(page).fill('A medias')
  const cancel = main(page).getByRole('button', { name: 'Cancel' })
  await cancel.click()
  await expect(question(page).getByRole('button')).toHaveText(['Keep editing', 'Save draft', 'Discard'])
  await answer(page, 'Keep editing').click()
  await expect(caption(page)).toHaveValue('A medias')
  await cancel.click()
  const height = async (name: string) => (await answer(page, name).boundingBox())?.y ?? 0
  const colorOf = (name: string) =>
    answer(page, name).evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(await colorOf('Save draft')).not.toBe('rgba(0, 0, 0, 0)')
  expect(await colorOf('Discard')).toBe('rgba(0, 0, 0, 0)')
  expect(await height('Save draft')).toBeLessThanOrEqual(await height('Discard'))
  await answer(page, 'Save draft').click()
  await expect(page).toHaveURL('/')
  await expect(toastRegion(page).getByText('Draft saved')).toBeVisible()

  await page.goto('/create-post')
  await expect(draftsButton(page)).toHaveText('Drafts (1)')
  await expect(notice(page)).toHaveCount(0)
  await caption(page).fill('Otra cosa')
  await cancel.click()
  await answer(page, 'Discard').click()
  await expect.poll(() => countKept(page)).toEqual([1, 0])

  const post = await publishPostViaApi(ana)
  await page.goto(`/update-post/${post.$id}`)
  await caption(page).fill('Cambiada')
  await cancel.click()
  await expect(question(page).getByRole('button')).toHaveText(['Keep editing', 'Discard'])
})

test("EDIT-06 EDIT-08 a draft's text, photos, order and descriptions survive closing the tab and are posted @quick", async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const first = await openCreatePostForm(ana)
  await choosePhotos(first, 2)
  await tiles(first).nth(1).click()
  await description(first).fill('Una mesa azul')
  await tiles(first).nth(1).focus()
  await first.keyboard.press('Space')
  await expect(said(first)).toHaveText('Picked up. Photo 2 of 2')
  await first.evaluate(awaitNextFrames)
  await first.keyboard.press('ArrowLeft')
  await expect(said(first)).toHaveText('Photo 1 of 2')
  await first.keyboard.press('Space')
  await expect(said(first)).toHaveText('Put down. Photo 1 of 2')
  await expect(tiles(first).nth(0)).toHaveAccessibleName('Photo 1, cover, described')
  await first.getByLabel('Location').fill('Tonalá')
  await first.getByLabel('Tags').fill('mesa, azul')
  await caption(first).fill('Lo que el túnel se llevó')
  await expect.poll(() => readKept(first)).toEqual({ captions: ['Lo que el túnel se llevó'], photos: 2 })
  await first.close({ runBeforeUnload: false })

  const page = await ana.context.newPage()
  await page.goto('/create-post')
  await expect(notice(page)).toContainText(/^Draft from (just now|1 minute ago)\. Continue\?/)
  await notice(page).getByRole('button', { name: 'Continue' }).click()
  await expect(caption(page)).toHaveValue('Lo que el túnel se llevó')
  await expect(page.getByLabel('Location')).toHaveValue('Tonalá')
  await expect(page.getByLabel('Tags')).toHaveValue('mesa, azul')
  await expect(tiles(page)).toHaveCount(2)
  await expect(tiles(page).nth(0)).toHaveAccessibleName('Photo 1, cover, described')
  await expect(notice(page)).toHaveCount(0)
  await expect(main(page).getByRole('progressbar')).toHaveCount(0, uploadExpectTimeoutOptions)
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [post] = await fetchHomeFeedPosts(ana)
  expect(post?.caption).toBe('Lo que el túnel se llevó')
  expect(post?.photos.map(({ width, alt }) => [width, alt])).toEqual([
    [310, 'Una mesa azul'],
    [300, ''],
  ])
  await expect.poll(() => countKept(page)).toEqual([0, 0])
})

test('EDIT-06 a form open in one tab is not a draft in another tab, and a form that is empty again is not a draft', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  const page = await openCreatePostForm(ana)
  await caption(page).fill('Aquí sigo')
  await expect.poll(() => countKept(page)).toEqual([1, 0])
  const other = await ana.context.newPage()
  await openCreatePostForm({ ...ana, page: other })
  await expect(caption(other)).toBeVisible()
  await expect(notice(other)).toHaveCount(0)
  await expect(draftsButton(other)).toHaveCount(0)
  await caption(page).fill('')
  await expect.poll(() => countKept(page)).toEqual([0, 0])
})

test("EDIT-07 ana's drafts are listed by their text; an eleventh draft replaces the oldest after a warning", async ({
  signedUp,
}) => {
  const { page } = await signedUp('ana')
  await page.goto('/explore')
  for (let n = 1; n <= 10; n += 1) await keepDraft(page, `Borrador ${n}`)
  await navigation(page).getByRole('link', { name: 'Create Post' }).click()
  await expect(draftsButton(page)).toHaveText('Drafts (10)')
  await draftsButton(page).click()
  const rows = draftsDialog(page).getByRole('listitem')
  await expect(rows).toHaveCount(10)
  await expect(rows.first()).toContainText('Borrador 10')
  await expect(rows.first()).toContainText('Just now')
  await page.keyboard.press('Escape')

  await caption(page).fill('Borrador 11')
  await navigation(page).getByRole('link', { name: 'Explore' }).click()
  await expect(question(page)).toContainText(
    'You have ten drafts. Saving this one replaces the oldest, “Borrador 1”.',
  )
  await answer(page, 'Save draft').click()
  await expect(page).toHaveURL('/explore')
  await expect.poll(() => countKept(page)).toEqual([10, 0])

  await navigation(page).getByRole('link', { name: 'Create Post' }).click()
  await draftsButton(page).click()
  await expect(rows).toHaveCount(10)
  await expect(rows.last()).toContainText('Borrador 2')
  await draftsDialog(page).getByRole('button', { name: 'Delete draft: Borrador 2' }).click()
  await expect(rows).toHaveCount(9)
  await rows
    .nth(1)
    .getByRole('button', { name: /Borrador 10/ })
    .first()
    .click()
  await expect(draftsDialog(page)).toHaveCount(0)
  await expect(caption(page)).toHaveValue('Borrador 10')
  await expect(draftsButton(page)).toHaveText('Drafts (8)')
})

test("EDIT-08 logging out asks first, and then deletes ana's drafts", async ({ signedUp }) => {
  const { page } = await signedUp('ana')
  await page.goto('/explore')
  await keepDraft(page, 'Se queda aquí')
  await page.goto('/create-post')
  await caption(page).fill('Y esto tampoco se va')
  await expect.poll(() => countKept(page)).toEqual([2, 0])
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(question(page).getByRole('button')).toHaveText(['Keep editing', 'Discard'])
  await answer(page, 'Discard').click()
  const logOut = page.getByRole('alertdialog', { name: 'Log out now?' })
  await expect(logOut).toContainText('1 draft is only on this device. Logging out deletes it.')
  await logOut.getByRole('button', { name: 'Stay' }).click()
  await expect.poll(() => countKept(page)).toEqual([1, 0])
  await page.getByRole('button', { name: 'Logout' }).click()
  await logOut.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/sign-in')
  await expect.poll(() => countKept(page)).toEqual([0, 0])
})

test('EDIT-09 if the browser has no space for photos, the draft keeps its text, and its tile asks for the photo again', async ({
  signedUp,
}) => {
  const ana = await signedUp('ana')
  await ana.context.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      if (this.name === 'photos') throw new DOMException('No room', 'QuotaExceededError')
      return put.call(this, value, key)
    }
  })
  const page = await openCreatePostForm(ana)
  await choosePhotos(page, 1)
  await description(page).fill('La que falta')
  await page.getByLabel('Location').fill('Tonalá')
  await caption(page).fill('Sin sitio')
  await navigation(page).getByRole('link', { name: 'Explore' }).click()
  await answer(page, 'Save draft').click()
  await expect(page).toHaveURL('/explore')
  expect(await countKept(page)).toEqual([1, 0])

  await page.goto('/create-post')
  await draftsButton(page).click()
  await draftsDialog(page)
    .getByRole('button', { name: /^Sin sitio/ })
    .click()
  await expect(caption(page)).toHaveValue('Sin sitio')
  await expect(tiles(page)).toHaveText(['Choose this photo again'])
  await expect(description(page)).toHaveValue('La que falta')
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(main(page).getByText('Choose this photo again')).toHaveCount(2)
  await page.getByLabel('Photo', { exact: true }).setInputFiles(toUploadFilePayload(await createJpeg()))
  await expect(tiles(page)).toHaveAccessibleName('Photo 1, cover, described')
  await expect(main(page).getByText('Choose this photo again')).toHaveCount(0)
  await main(page).getByRole('button', { name: 'Create Post' }).click()
  await expect(page).toHaveURL('/', uploadExpectTimeoutOptions)
  const [post] = await fetchHomeFeedPosts(ana)
  expect(post?.photos.map(({ alt }) => alt)).toEqual(['La que falta'])
})
