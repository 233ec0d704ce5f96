import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { uploadFileOperation } from '#contract/files/files.ts'
import { updatePostPreferencesOperation } from '#contract/posts/post-preferences.ts'
import { createPostOperation, updatePostOperation } from '#contract/posts/posts.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makePost } from '#tests/support/component/fixtures.ts'
import { api, phone } from '#tests/support/component/open-app.tsx'
import { chooseFiles, createPicture, dropFiles, pasteFiles } from '#tests/support/component/pictures.ts'
import {
  caption,
  choosePhotos,
  createButton,
  fillPost,
  type keepUploads,
  openEditPostForm,
  openPostForm,
  pathname,
  photoInput,
  photoTiles as tiles,
  toasts,
  updateButton,
  uploadPhotos,
} from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const strip = main.getByRole('group', { name: 'Photo order' })
const said = strip.getByText(/^(Picked up|Put down|Put back)?\.? ?Photo \d of \d$/)
const description = main.getByLabelText('Describe this photo for those who can’t see it')
const reminder = main.getByText(/Members who can’t see (it|them) rely on one/)
const options = (at: number) => main.getByRole('button', { name: `Options for photo ${at}` })
const option = (name: string) => page.getByRole('menu').getByRole('menuitem', { name, exact: true })
const failure = 'Create post failed. Please try again.'
const smallest = 10_000
const pictures = (count: number, from = 0) =>
  Promise.all(Array.from({ length: count }, (_, at) => createPicture({ padTo: smallest + from + at })))
const countTiles = (count: number) => expect.poll(() => tiles.elements().length).toBe(count)
const created = () => api.callsOf(createPostOperation)
type Uploads = ReturnType<typeof keepUploads>
const placesOf = (photos: { imageId: string }[] = [], { sizeOf }: Uploads) =>
  photos.map(({ imageId }) => (sizeOf(imageId) ?? 0) - smallest)
const nextFrames = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))
  })

async function chooseAndMove(count: number) {
  chooseFiles(photoInput, ...(await pictures(count)))
  await countTiles(count)
  await options(count).click()
  await option('Move first').click()
}

test('PHOTO-01 PHOTO-02 if ana adds two photos to nine, the first is accepted and the second refused', async () => {
  await openPostForm()
  await choosePhotos(...(await pictures(9)))
  await countTiles(9)
  dropFiles(strip.element(), ...(await pictures(2, 9)))
  await countTiles(10)
  const problem = main.getByText('Too many files', { exact: true })
  await expect.element(problem).toBeVisible()
  await expect.element(main.getByText('You’ve added ten photos, the maximum.')).toBeVisible()
  await expect.element(main.getByRole('button', { name: 'Add photos' })).not.toBeInTheDocument()
  dropFiles(strip.element(), ...(await pictures(2, 11)))
  await expect.element(problem).toBeVisible()
  await countTiles(10)
})

test('PHOTO-01 a pasted photo is added to the post, not to the caption', async () => {
  await openPostForm()
  ;(caption.element() as HTMLElement).focus()
  for (const count of [1, 2]) {
    pasteFiles(await createPicture())
    await countTiles(count)
  }
  await expect.element(caption).toHaveValue('')
})

test('PHOTO-04 the menu of a photo moves or removes it', async () => {
  const { uploads } = await openPostForm()
  chooseFiles(photoInput, ...(await pictures(4)))
  await countTiles(4)
  await options(1).click()
  await expect.element(option('Move right')).toBeVisible()
  await expect.element(option('Move left')).not.toBeInTheDocument()
  await option('Move right').click()
  await options(4).click()
  await expect.element(option('Move right')).not.toBeInTheDocument()
  await option('Move left').click()
  await options(4).click()
  await option('Move first').click()
  await options(4).click()
  await option('Remove').click()
  await countTiles(3)
  await expect.element(tiles.nth(2)).toHaveFocus()
  await fillPost()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  // The order was 1 0 2 3, then 1 0 3 2, then 2 1 0 3. Then the last photo was removed.
  await expect.poll(() => placesOf(created()[0]?.photos, uploads)).toEqual([2, 1, 0])
})

test('PHOTO-05 the keyboard picks up, moves, drops or puts back a photo, and each step is announced', async () => {
  const { uploads } = await openPostForm()
  chooseFiles(photoInput, ...(await pictures(4)))
  await countTiles(4)
  ;(tiles.nth(3).element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(said).toHaveTextContent('Picked up. Photo 4 of 4')
  await nextFrames()
  for (const place of [3, 2, 1]) {
    await userEvent.keyboard('{ArrowLeft}')
    await expect.element(said).toHaveTextContent(`Photo ${place} of 4`)
  }
  await userEvent.keyboard(' ')
  await expect.element(said).toHaveTextContent('Put down. Photo 1 of 4')
  await expect.element(tiles.nth(0)).toHaveFocus()
  await userEvent.keyboard(' ')
  await expect.element(said).toHaveTextContent('Picked up. Photo 1 of 4')
  await nextFrames()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(said).toHaveTextContent('Photo 2 of 4')
  await userEvent.keyboard('{Escape}')
  await expect.element(said).toHaveTextContent('Put back. Photo 1 of 4')
  await fillPost()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => placesOf(created()[0]?.photos, uploads)).toEqual([3, 0, 1, 2])
})

test('PHOTO-07 a failed upload marks only its own photo, which ana retries or removes', async () => {
  const { uploads } = await openPostForm()
  let arrived = 0
  const failing = [smallest + 1, smallest + 2]
  const { storeFile } = uploads
  api.answer(uploadFileOperation, (input) => {
    const { file } = input as unknown as { file: File }
    arrived += 1
    return failing.includes(file.size) ? refusal('general_unknown') : storeFile(input)
  })
  await uploadPhotos(4, ...(await pictures(4)))
  expect(arrived).toBe(4)
  const failed = main.getByText(/^Photo \d was not uploaded\.$/)
  const texts = () => failed.elements().map(({ textContent }) => textContent)
  await expect.poll(texts).toEqual(['Photo 2 was not uploaded.', 'Photo 3 was not uploaded.'])
  await expect
    .poll(() => main.getByRole('button', { name: /^Photo \d, not uploaded/ }).elements())
    .toHaveLength(2)
  expect(toasts.getByText('failed').elements()).toEqual([])
  api.answer(uploadFileOperation, storeFile)
  await main.getByRole('button', { name: 'Try again' }).first().click()
  await expect.poll(texts).toEqual(['Photo 3 was not uploaded.'])
  await strip.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(texts).toEqual([])
  await fillPost()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => placesOf(created()[0]?.photos, uploads)).toEqual([0, 1, 3])
})

test('PHOTO-01 on a phone the strip of photos scrolls sideways, but the page does not', async () => {
  await openPostForm({ size: phone })
  chooseFiles(photoInput, ...(await pictures(8)))
  await countTiles(8)
  const { documentElement: root } = document
  expect(root.scrollWidth).toBe(root.clientWidth)
  ;(tiles.nth(7).element() as HTMLElement).focus()
  await expect.element(tiles.nth(7)).toBeInViewport()
  expect(root.scrollWidth).toBe(root.clientWidth)
})

test('PHOTO-09 discarding the form deletes its uploads', async () => {
  const { uploads } = await openPostForm()
  await uploadPhotos(3, ...(await pictures(3)))
  await expect.poll(() => uploads.ids().length).toBe(3)
  await main.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => uploads.deleted.toSorted()).toEqual(uploads.ids().toSorted())
})

for (const words of ['Una tarde', 'Otras palabras'])
  test(`PHOTO-10 a post that got no response, sent again as “${words}”, uploads no photo twice`, async () => {
    const { feed, uploads } = await openPostForm()
    api.refuse(createPostOperation, 'network')
    chooseFiles(photoInput, ...(await pictures(3)))
    await fillPost()
    await createButton.click()
    await expect.element(toasts.getByText(failure)).toBeVisible()
    await countTiles(3)
    const [first] = created()
    const stored = makePost({ $id: first?.postId ?? '', caption: 'Una tarde' })
    stored.photos = (first?.photos ?? []).map(({ imageId }) => ({ ...stored.image, id: imageId, alt: '' }))
    feed.push(stored)
    api.answer(createPostOperation, () => refusal('document_already_exists'))
    api.answer(updatePostOperation, ({ caption: changed = '' }) => {
      feed[0] = { ...stored, caption: changed }
      return feed[0]
    })
    await fillPost(words)
    await createButton.click()
    await expect.poll(pathname).toBe('/')
    await expect.element(main.getByRole('article')).toMatchTextContent(words)
    await expect.poll(() => api.callsOf(uploadFileOperation)).toHaveLength(3)
    expect(uploads.deleted).toEqual([])
  })

test('PHOTO-11 a refused post deletes its uploads, and the form keeps photos, order and descriptions', async () => {
  const { keepPost, uploads } = await openPostForm()
  api.refuse(createPostOperation, 500)
  await chooseAndMove(3)
  await tiles.nth(0).click()
  await description.fill('Una barca')
  await fillPost()
  await createButton.click()
  await expect.element(toasts.getByText(failure)).toBeVisible()
  await expect.poll(() => uploads.deleted.toSorted()).toEqual(uploads.ids().toSorted())
  await expect.element(description).toHaveValue('Una barca')
  api.answer(createPostOperation, keepPost)
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => placesOf(created().at(-1)?.photos, uploads)).toEqual([2, 0, 1])
  expect(
    created()
      .at(-1)
      ?.photos?.map(({ alt }) => alt),
  ).toEqual(['Una barca', '', ''])
})

test("PHOTO-16 a single request changes a post's photos, their order and descriptions", async () => {
  const shown = makePost({ can: { edit: true, delete: true } })
  shown.photos = [0, 1, 2, 3].map((at) => ({ ...shown.image, id: `foto${at}`, alt: `Número ${at}` }))
  const { uploads } = await openEditPostForm(shown)
  await countTiles(4)
  await expect.element(description).toHaveValue('Número 0')
  await options(2).click()
  await option('Remove').click()
  await countTiles(3)
  chooseFiles(strip.getByLabelText('Files to add'), ...(await pictures(1)))
  await countTiles(4)
  await options(4).click()
  await option('Move first').click()
  await tiles.nth(1).click()
  await description.fill('Otra cosa')
  await updateButton.click()
  await expect.poll(pathname).toBe(`/posts/${shown.$id}`)
  const [sent, ...more] = api.callsOf(updatePostOperation)
  expect(more).toEqual([])
  expect(sent?.photos?.map(({ imageId, alt }) => [imageId, alt])).toEqual([
    [uploads.ids()[0], ''],
    ['foto0', 'Otra cosa'],
    ['foto2', 'Número 2'],
    ['foto3', 'Número 3'],
  ])
})

test('ALT-01 ALT-04 each photo has a description of at most 1000 characters, and its tile shows whether it has one', async () => {
  await openPostForm()
  chooseFiles(photoInput, ...(await pictures(2)))
  await countTiles(2)
  await expect.element(main.getByRole('button', { name: 'Photo 2, no description' })).toBeVisible()
  await tiles.nth(1).click()
  await expect.element(tiles.nth(1)).toHaveAttribute('aria-pressed', 'true')
  await description.fill('b'.repeat(799))
  await expect.element(main.getByText('799/1000')).not.toBeInTheDocument()
  await description.fill('b'.repeat(1001))
  await expect.element(main.getByText('1001/1000')).toBeVisible()
  await expect.element(main.getByRole('button', { name: 'Photo 2, described' })).toBeVisible()
  await tiles.nth(0).click()
  await expect.element(description).toHaveValue('')
  await fillPost()
  await createButton.click()
  await expect.element(description).toHaveAccessibleDescription('Maximum 1000 characters.')
  await expect.element(tiles.nth(1)).toHaveAttribute('aria-pressed', 'true')
  await description.fill('b'.repeat(1000))
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => created()[0]?.photos?.map(({ alt }) => alt?.length)).toEqual([0, 1000])
})

test('ALT-05 one line reminds ana of missing descriptions, leads to them and does not block posting', async () => {
  await openPostForm()
  api.answer(updatePostPreferencesOperation, { altReminder: false })
  chooseFiles(photoInput, ...(await pictures(3)))
  await countTiles(3)
  await description.fill('Una barca')
  await expect
    .element(main.getByText('2 photos have no description. Members who can’t see them rely on one.'))
    .toBeVisible()
  await main.getByRole('button', { name: 'Describe them' }).click()
  await expect.element(description).toHaveFocus()
  await expect.element(tiles.nth(1)).toHaveAttribute('aria-pressed', 'true')
  await main.getByRole('button', { name: 'Don’t remind me' }).click()
  await expect.element(reminder).not.toBeInTheDocument()
  await fillPost()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => created()[0]?.photos).toHaveLength(3)
})

test('ALT-06 the reminder stays dismissed only if the server could save the dismissal', async () => {
  await openPostForm()
  chooseFiles(photoInput, ...(await pictures(2)))
  api.refuse(updatePostPreferencesOperation, 'network')
  const decline = main.getByRole('button', { name: 'Don’t remind me' })
  await decline.click()
  await expect.element(toasts).toMatchTextContent('Something went wrong. Please try again.')
  await expect.element(reminder).toBeVisible()
  api.answer(updatePostPreferencesOperation, { altReminder: false })
  await decline.click()
  await expect.element(reminder).not.toBeInTheDocument()
  await expect.poll(() => api.callsOf(updatePostPreferencesOperation).at(-1)).toEqual({ altReminder: false })
})

test('ALT-06 a member who dismissed the reminder does not see it on another device', async () => {
  await openPostForm({ me: { altReminder: false } })
  chooseFiles(photoInput, ...(await pictures(2)))
  await countTiles(2)
  await expect.element(description).toBeVisible()
  await expect.element(reminder).not.toBeInTheDocument()
})
