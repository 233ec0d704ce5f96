import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getPrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { listPersonPostsOperation, type Post } from '#contract/posts/posts.ts'
import {
  listPlacePostsOperation,
  listSimilarPostsOperation,
  listTagPostsOperation,
  suggestPlacesOperation,
} from '#contract/posts/posts-by-tag-or-place.ts'
import { makeMember, makePost, makePrivacySettings } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import {
  answerPostForm,
  answerPostPage,
  location as locationField,
  openPostForm,
  pathname,
} from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const title = page.getByRole('heading', { level: 1 })
const tiles = main.getByRole('listitem').getByRole('link')
const explore = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' })
const nothing = main.getByText('No posts here that you can see.')
const ownOnly = main.getByText(/You also see your own posts from the last day here\./)
const addresses = () => tiles.elements().map((tile) => tile.getAttribute('href'))

function answerTopics(posts: Post[], name: string | null) {
  api.answer(listTagPostsOperation, { documents: posts, next: null, tag: name })
  api.answer(listPlacePostsOperation, { documents: posts, next: null, place: name })
}

test('TAG-01 TAG-02 CARD-07 a tag on a card links to its page, and from there to tags often used with it', async () => {
  const posts = [1, 2, 3].map((at) =>
    makePost({ caption: `Foto ${at}`, tags: at === 1 ? ['verano', 'sola'] : ['VERANO', 'orilla'] }),
  )
  answerPostForm({ posts: posts.slice(1, 2) })
  answerPostPage()
  answerTopics(posts, 'verano')
  await openApp('/')
  await main.getByRole('article').getByRole('link', { name: '#VERANO' }).click()
  await expect.poll(pathname).toBe('/tags/VERANO')
  await expect.element(title).toHaveTextContent('#verano')
  await expect.poll(() => document.title).toBe('#verano · Juntas')
  await expect.element(title).toHaveFocus()
  await expect.element(explore).toHaveAttribute('aria-current', 'page')
  await expect.poll(addresses).toEqual(expect.arrayContaining(posts.map(({ $id }) => `/posts/${$id}`)))
  expect(main.getByText(/\b3 posts\b/).elements()).toEqual([])
  const often = main.getByRole('navigation', { name: 'Often with' })
  await expect.element(often.getByRole('link')).toHaveTextContent('#orilla')
  answerTopics(posts.slice(1), 'orilla')
  await often.getByRole('link').click()
  await expect.element(title).toHaveTextContent('#orilla')
  await expect
    .poll(() => api.callsOf(listTagPostsOperation).map(({ tag }) => tag))
    .toEqual(['VERANO', 'orilla'])
})

test('TAG-07 a tag and a place with an encoded slash have their own pages', async () => {
  answerTopics([], null)
  const { navigate } = await openApp('/tags/50%252F50')
  await expect.element(title).toHaveTextContent('#50%2F50')
  navigate('/places/50%252F50')
  await expect.element(title).toHaveTextContent('50%2F50')
  navigate('/tags/50%2F50')
  await expect.element(title).toHaveTextContent('#50/50')
  await expect
    .poll(() => api.callsOf(listTagPostsOperation).map(({ tag }) => tag))
    .toEqual(['50%2F50', '50/50'])
  await expect.poll(() => api.callsOf(listPlacePostsOperation).map(({ place }) => place)).toEqual(['50%2F50'])
})

test("TAG-01 CARD-07 a tag on a post page links to the tag's page", async () => {
  const post = makePost({ tags: ['verano'] })
  answerPostForm({ posts: [post] })
  answerPostPage()
  answerTopics([post], 'verano')
  await openApp(`/posts/${post.$id}`)
  await main.getByRole('article').getByRole('link', { name: '#verano' }).click()
  await expect.poll(pathname).toBe('/tags/verano')
})

test('PLACE-01 PLACE-02 PLACE-04 CARD-04 a place on a card or a post links to its page, without a request to another host', async () => {
  const ana = makeMember()
  const own = makePost({
    $createdAt: new Date().toISOString(),
    creator: ana,
    caption: 'La mía',
    location: 'Vejer de la Frontera',
  })
  const post = makePost({ caption: 'La de bea', location: 'vejer  de la frontera' })
  answerPostForm({ posts: [post, own] })
  answerPostPage()
  answerTopics([own], 'Vejer de la Frontera')
  await openApp('/', { me: ana })
  await main
    .getByRole('article')
    .filter({ hasText: 'La de bea' })
    .getByRole('link', { name: 'vejer de la frontera' })
    .click()
  await expect.poll(pathname).toBe(`/places/${encodeURIComponent('vejer  de la frontera')}`)
  await expect.element(title).toHaveTextContent('Vejer de la Frontera')
  await expect.poll(() => document.title).toBe('Vejer de la Frontera · Juntas')
  await expect.element(explore).toHaveAttribute('aria-current', 'page')
  await expect.element(main.getByText(/^Posts appear here a day later/)).toBeVisible()
  await expect.poll(addresses).toEqual([`/posts/${own.$id}`])
  await expect.element(ownOnly).toBeVisible()
  await tiles.click()
  await main.getByRole('article').getByRole('link', { name: 'Vejer de la Frontera' }).click()
  await expect.poll(pathname).toBe(`/places/${encodeURIComponent('Vejer de la Frontera')}`)
  const hosts = performance.getEntriesByType('resource').map(({ name }) => new URL(name).host)
  expect(hosts.filter((host) => host !== '' && host !== location.host)).toEqual([])
})

test("PLACE-02 the page of a place links to the setting that keeps ana's posts off place pages", async () => {
  answerTopics([], null)
  api.answer(getPrivacySettingsOperation, makePrivacySettings())
  await openApp('/places/Barbate')
  await expect.element(title).toHaveTextContent('Barbate')
  await expect.element(nothing).toBeVisible()
  expect(ownOnly.elements()).toEqual([])
  await main.getByRole('link', { name: 'Keep mine off place pages' }).click()
  await expect.element(main.getByRole('switch', { name: 'Keep my posts off place pages' })).not.toBeChecked()
})

for (const [rows, path, operation, heading] of [
  ['TAG-03', '/tags/nadalotiene', listTagPostsOperation, '#nadalotiene'],
  ['PLACE-03', '/places/Ninguna', listPlacePostsOperation, 'Ninguna'],
] as const)
  test(`${rows} ${path} shows when it is empty, and a failure can be retried`, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    api.refuse(operation, 500)
    await openApp(path, { waits: false })
    const failed = main.getByText('We couldn’t load this.')
    await expect
      .poll(() => {
        vi.advanceTimersByTime(4000)
        return failed.elements().length
      })
      .toBe(1)
    vi.useRealTimers()
    answerTopics([], null)
    await main.getByRole('button', { name: 'Try again' }).click()
    await expect.element(nothing).toBeVisible()
    await expect.element(title).toHaveTextContent(heading)
  })

test('PLACE-05 ana chooses a suggested place in the Location field by mouse or keyboard', async () => {
  await openPostForm()
  const places = ['Conil', 'Conil, Cádiz']
  api.answer(suggestPlacesOperation, { places })
  const offered = main.getByRole('list', { name: 'Suggested places' }).getByRole('button')
  const texts = () => offered.elements().map(({ textContent }) => textContent)
  await locationField.fill('c')
  expect(texts()).toEqual([])
  await locationField.fill('CONI')
  await expect.poll(texts).toEqual(places)
  await offered.last().click()
  await expect.element(locationField).toHaveValue('Conil, Cádiz')
  await expect.element(locationField).toHaveFocus()
  await expect.poll(texts).toEqual([])
  await locationField.fill('Coni')
  await expect.poll(texts).toEqual(places)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(locationField).toHaveValue('Conil')
  expect(new Set(api.callsOf(suggestPlacesOperation).map(({ term }) => term.toLowerCase()))).toEqual(
    new Set(['con']),
  )
})

test('PLACE-05 suggested places stay in place while ana corrects the case of what she typed', async () => {
  await openPostForm()
  const places = ['Conil', 'Conil, Cádiz']
  api.answer(suggestPlacesOperation, { places })
  const offered = main.getByRole('list', { name: 'Suggested places' }).getByRole('button')
  const texts = () => offered.elements().map(({ textContent }) => textContent)
  await locationField.fill('CONI')
  await expect.poll(texts).toEqual(places)
  const first = offered.first().element()
  const again = api.hold(suggestPlacesOperation)
  await locationField.fill('Coni')
  await again.arrived
  expect(first.isConnected).toBe(true)
  again.release()
})

test('TAG-06 PDET-14 below a post are similar posts and its author’s other posts', async () => {
  const [post, own] = [
    makePost({ caption: 'Un cuenco', tags: ['barro'] }),
    makePost({ caption: 'Otro cuenco' }),
  ]
  const others = [1, 2, 3, 4].map((at) => makePost({ caption: `Taza ${at}`, tags: ['barro'] }))
  answerPostForm({ posts: [post] })
  answerPostPage()
  api.answer(listPersonPostsOperation, { documents: [own], next: null })
  api.answer(listSimilarPostsOperation, { documents: others })
  const { navigate } = await openApp(`/posts/${post.$id}`)
  const related = page.getByRole('region', { name: 'More Related Posts' })
  await expect.element(related.getByRole('link', { name: /Otro cuenco$/ })).toBeVisible()
  const similar = page.getByRole('region', { name: 'More like this' })
  await expect.poll(() => similar.getByRole('listitem').elements().length).toBe(4)
  await expect.element(similar).not.toMatchTextContent('Un cuenco')
  api.answer(listSimilarPostsOperation, { documents: [] })
  answerPostForm({ posts: [own] })
  navigate(`/posts/${own.$id}`)
  await expect.element(main.getByRole('article').first()).toMatchTextContent('Otro cuenco')
  await expect.element(similar).not.toBeInTheDocument()
})
