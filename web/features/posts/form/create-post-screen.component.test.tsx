import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { uploadFileOperation } from '#contract/files/files.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { makeGroup, makePost } from '#tests/support/component/fixtures.ts'
import { api, openApp, phone } from '#tests/support/component/open-app.tsx'
import { createPicture } from '#tests/support/component/pictures.ts'
import {
  answerPostForm,
  caption,
  choosePhotos,
  createButton,
  fillPost,
  location,
  openPostForm,
  pathname,
  toasts,
} from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const navigation = page.getByRole('navigation', { name: 'Main' })
const cancel = main.getByRole('button', { name: 'Cancel' })
const choose = main.getByRole('button', { name: 'Select from computer' })
const tags = main.getByLabelText('Tags')
const group = main.getByLabelText('Group')
const cards = main.getByRole('article')
const failure = 'Create post failed. Please try again.'
const saved = () => api.callsOf(createPostOperation)

async function fillAll({ words = 'Una tarde', place = 'Tonalá', named = '' } = {}) {
  await choosePhotos(await createPicture())
  await fillPost(words, place)
  await tags.fill(named)
}

test('PCRE-01 PCRE-02 PCRE-03 PCRE-15 the form asks for caption, photo, location, tags and group in this order', async () => {
  const own = makeGroup()
  await openPostForm({ groups: [own] })
  const labels = [...document.querySelectorAll('main label')].map(({ textContent }) => textContent)
  expect(labels).toEqual(['Caption', 'Photo', 'Location', 'Tags', 'Group'])
  await expect.element(group).toHaveValue('')
  await expect
    .poll(() =>
      group
        .getByRole('option')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Public Post', own.name])
  await expect.element(main.getByText('Separate tags with commas')).toBeVisible()
  await expect.element(main.getByText('Everyone who can see this post')).toBeVisible()
  ;(caption.element() as HTMLElement).focus()
  const stops: string[] = []
  for (let stop = 0; stop < 9; stop += 1) {
    const { activeElement: at } = document
    stops.push(at?.getAttribute('name') ?? at?.textContent ?? '')
    await userEvent.tab()
  }
  expect(stops).toEqual([
    'caption',
    'Select from computer',
    'location',
    'No place',
    'tags',
    'groupId',
    'Everyone who can see this post',
    'Cancel',
    'Create Post',
  ])
})

test('PCRE-07 PCRE-09 PCRE-10 an empty form shows what is missing and sends nothing', async () => {
  await openPostForm()
  await createButton.click()
  await expect.element(caption).toHaveFocus()
  await expect.element(caption).toHaveAccessibleDescription('Minimum 5 characters.')
  await expect.element(location).toHaveAccessibleDescription(/This field is required/)
  await expect.element(main.getByText('Required', { exact: true })).toBeVisible()
  await expect.element(choose).toHaveAccessibleDescription('Required')
  await caption.fill('Cuat')
  await expect.element(main.getByText('Minimum 5 characters.')).toBeVisible()
  await caption.fill('Cinco')
  await expect.element(main.getByText('Minimum 5 characters.')).not.toBeInTheDocument()
  await createButton.click()
  await expect.element(choose).toHaveFocus()
  expect(saved()).toEqual([])
})

test('PCRE-23 "No place" sends a hidden value, and a place can be typed instead', async () => {
  await openPostForm()
  const noPlace = main.getByRole('button', { name: 'No place' })
  await noPlace.click()
  await expect.element(location).toHaveFocus()
  await expect.element(location).toHaveAccessibleDescription('Your post won’t show a place.')
  await expect.element(noPlace).not.toBeInTheDocument()
  await location.fill('')
  await noPlace.click()
  await caption.fill('Sin decir dónde')
  await choosePhotos(await createPicture())
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  expect(saved()).toMatchObject([{ location: '—' }])
  const card = main.getByRole('article')
  await expect.element(card).toMatchTextContent('Sin decir dónde')
  expect(card.element().textContent).not.toContain('—')
})

test('PCRE-24 the form marks required fields', async () => {
  await openPostForm({ size: phone })
  expect(main.getByText('required', { exact: true }).elements()).toHaveLength(3)
  for (const field of [caption, location]) await expect.element(field).toBeRequired()
  const top = (element: Element) => element.getBoundingClientRect().top
  expect(top(choose.element())).toBeLessThan(top(caption.element()))
})

test('PCRE-08 PCRE-11 the form counts characters and refuses texts that are too long', async () => {
  await openPostForm()
  await fillAll({ words: 'a'.repeat(2201), place: 'b'.repeat(1001) })
  await createButton.click()
  await expect.element(main.getByText('Maximum 2,200 caracters', { exact: true })).toBeVisible()
  await expect.element(main.getByText('Maximum 1000 characters.', { exact: true })).toBeVisible()
  await expect.element(main.getByText('2201/2200')).toBeVisible()
  await fillPost('a'.repeat(2200), 'b'.repeat(1000))
  await createButton.click()
  await expect.poll(pathname).toBe('/')
})

test('PCRE-05 Cancel leads to Home if the form is the first page of the visit', async () => {
  await openPostForm()
  await cancel.click()
  await expect.poll(pathname).toBe('/')
})

test('PCRE-05 Cancel goes back one page', async () => {
  answerPostForm()
  await openApp('/explore')
  await navigation.getByRole('link', { name: 'Create Post' }).click()
  await cancel.click()
  await expect.poll(pathname).toBe('/explore')
})

test('PCRE-05 Cancel and a link ask before they discard a changed form', async () => {
  await openPostForm()
  await caption.fill('Una tarde larga')
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await cancel.click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(caption).toHaveValue('Una tarde larga')
  await navigation.getByRole('link', { name: 'Explore' }).click()
  await expect.element(question).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.poll(() => pathname()).toBe('/create-post')
  await navigation.getByRole('link', { name: 'Explore' }).click()
  await question.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(pathname).toBe('/explore')
})

test('PCRE-12 PCRE-13 PCRE-14 PCRE-20 the form sends trimmed texts and tags without blanks, and the new post is first on Home', async () => {
  await openPostForm({ posts: [makePost({ caption: 'La primera' })] })
  await fillAll({ words: ' La segunda ', place: ' Tonalá ', named: 'sol y mar, #playa,, ' })
  await createButton.click()
  await expect.element(cards.nth(1)).toMatchTextContent('La primera')
  await expect.element(cards.first()).toMatchTextContent('La segunda')
  expect(saved()).toMatchObject([
    { caption: 'La segunda', location: 'Tonalá', tags: ['solymar', 'playa'], groupId: null },
  ])
})

test('PCRE-06 while the post is being saved the button is disabled, and only one request is sent', async () => {
  await openPostForm()
  const answer = api.hold(createPostOperation)
  await fillAll()
  const button = createButton.element() as HTMLElement
  button.click()
  button.click()
  await expect.element(main.getByRole('button', { name: 'Saving...' })).toBeDisabled()
  await answer.arrived
  ;(location.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  answer.release()
  await expect.poll(pathname).toBe('/')
  await expect.poll(() => saved()).toHaveLength(1)
  await expect.poll(() => api.callsOf(uploadFileOperation)).toHaveLength(1)
})

test('PCRE-18 PCRE-19 a refused post keeps the form, deletes its upload and can be sent again', async () => {
  const { uploads } = await openPostForm()
  api.refuse(createPostOperation, 500)
  await fillAll({ words: 'La que falla', named: 'sol' })
  await createButton.click()
  await expect.element(toasts.getByText(failure)).toBeVisible()
  await expect.poll(() => pathname()).toBe('/create-post')
  await expect.element(caption).toHaveValue('La que falla')
  await expect.element(tags).toHaveValue('sol')
  await expect.element(main.getByRole('button', { name: 'Click or drag photo to replace' })).toBeVisible()
  await expect.poll(() => uploads.deleted).toEqual(uploads.ids())
  await expect.poll(() => api.callsOf(uploadFileOperation)).toHaveLength(1)
  answerPostForm()
  await createButton.click()
  await expect.element(cards).toMatchTextContent('La que falla')
  await expect.poll(() => api.callsOf(uploadFileOperation)).toHaveLength(2)
})

test('PCRE-06 PCRE-19 a post whose response was lost keeps its id when ana sends it again', async () => {
  await openPostForm()
  api.refuse(createPostOperation, 'network')
  await fillAll()
  await createButton.click()
  await expect.element(toasts.getByText(failure)).toBeVisible()
  const [first] = saved()
  answerPostForm()
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  const again = saved().at(-1)
  await expect.poll(() => saved()).toHaveLength(2)
  expect(again?.postId).toBe(first?.postId)
  expect(again?.photos).toEqual(first?.photos)
})

test('PCRE-19 the form shows at the photo why the server refuses it', async () => {
  await openPostForm()
  api.refuse(uploadFileOperation, 'storage_file_damaged')
  await fillAll()
  await createButton.click()
  await expect.element(toasts.getByText(failure)).toBeVisible()
  await expect.element(main.getByText(/^The picture could not be read/)).toBeVisible()
})

test('PCRE-01 on a phone, even with a long caption, the photo button stays above the form’s bottom bar', async () => {
  await openPostForm({ size: phone })
  await caption.fill('Una línea larga que ocupa bastante. '.repeat(30))
  scrollTo(0, 0)
  const edges = (name: string) =>
    main.getByRole('button', { name, exact: true }).element().getBoundingClientRect()
  // The bar starts 16 pixels above its buttons.
  await expect.poll(() => edges('Cancel').top - edges('Select from computer').bottom).toBeGreaterThan(16)
})
