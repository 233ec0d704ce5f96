import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listPeopleOperation } from '#contract/people.ts'
import { explorePostsOperation, type Post, searchPostsOperation } from '#contract/posts.ts'
import { makePersonSummary, makePost } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { answerPostForm, answerPostPage, pathname } from '#tests/support/component/post-form.ts'

const main = page.getByRole('main')
const tiles = main.getByRole('listitem')
const box = page.getByRole('searchbox', { name: 'Search Posts' })
const heading = (name: string | RegExp) => main.getByRole('heading', { name })
const end = main.getByText('You’ve seen everything for now.')
const again = main.getByRole('button', { name: 'Try again' })
const failed = main.getByText('We couldn’t load this.')
const filter = (name: string) =>
  main.getByRole('group', { name: 'Posts from' }).getByRole('link', { name, exact: true })
const countTiles = (count: number) => expect.poll(() => tiles.elements().length).toBe(count)
/** So low that the end of the first nine is out of sight until she scrolls. */
const low = { width: 1440, height: 800 }
const makePosts = (count: number) =>
  Array.from({ length: count }, (_, at) => makePost({ caption: `Relleno ${at + 1}` }))
const scrollToEnd = () => scrollTo(0, document.body.scrollHeight)
const asked = () => api.callsOf(explorePostsOperation).filter(({ order }) => order !== 'loved')
const searched = () => api.callsOf(searchPostsOperation).map(({ term }) => term)

/** Answers Explore nine posts at a time. */
function answerExplore(posts: Post[]): void {
  answerPostForm({ posts })
  answerPostPage()
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(explorePostsOperation, ({ cursor, order }) => {
    if (order === 'loved') return { documents: [], next: null }
    const from = cursor ? Number(cursor) : 0
    const next = from + 9
    return { documents: posts.slice(from, next), next: next < posts.length ? String(next) : null }
  })
}

async function openExplore(posts: Post[], path = '/explore', size = low) {
  answerExplore(posts)
  return openApp(path, { size })
}

/** Lets the three retries of a query run out. */
async function passRetries(isShown: () => boolean): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return isShown()
    })
    .toBe(true)
  vi.useRealTimers()
}

test('EXP-01 EXP-03 GRID-01 GRID-02 GRID-03 Explore shows pictures with author and likes that lead to their posts', async () => {
  const creator = makePersonSummary({ name: 'Bea Ortiz' })
  const post = makePost({ creator, likeCount: 1, caption: `Mar de bea ${'y más mar '.repeat(10)}` })
  await openExplore([post])
  await expect.poll(() => document.title).toBe('Explore · Juntas')
  await expect.element(box).toHaveAttribute('placeholder', 'Search Posts')
  await expect.element(heading('Popular Today')).toBeVisible()
  await expect.element(tiles.first()).toMatchTextContent('Bea Ortiz')
  await expect.element(tiles.first()).toMatchTextContent('1 like')
  await expect.element(tiles.first().getByRole('link')).toHaveAttribute('href', `/posts/${post.$id}`)
  await tiles.first().getByRole('link').click()
  await expect.poll(pathname).toBe(`/posts/${post.$id}`)
})

test('EXP-06 EXP-07 EXP-08 EXP-10 further posts load nine at a time to the end, each post once', async () => {
  const posts = makePosts(20)
  await openExplore(posts)
  await countTiles(9)
  expect(asked()).toHaveLength(1)
  expect(end.elements()).toEqual([])
  scrollToEnd()
  await countTiles(18)
  await expect.element(main.getByRole('status').getByText('9 more posts loaded')).toBeInTheDocument()
  await expect
    .poll(() => {
      scrollToEnd()
      return end.elements().length
    })
    .toBe(1)
  const hrefs = tiles
    .getByRole('link')
    .elements()
    .map((link) => link.getAttribute('href'))
  expect(hrefs).toEqual(posts.map(({ $id }) => `/posts/${$id}`))
})

test('EXP-08 a further page that fails can be retried, and the posts before it stay', async () => {
  const posts = makePosts(10)
  answerExplore(posts)
  const first = { documents: posts.slice(0, 9), next: '9' }
  api.answer(explorePostsOperation, ({ cursor, order }) => {
    if (order === 'loved') return { documents: [], next: null }
    if (!cursor) return first
    throw new TypeError('Failed to fetch')
  })
  await openApp('/explore', { size: low })
  await countTiles(9)
  scrollToEnd()
  await passRetries(() => again.elements().length === 1)
  await countTiles(9)
  answerExplore(posts)
  await again.click()
  await countTiles(10)
})

test('EXP-11 where nobody has posted, Explore says that posts end here', async () => {
  await openExplore([])
  await expect.element(main.getByText('End of posts', { exact: true })).toBeVisible()
  expect(end.elements()).toEqual([])
  expect(tiles.elements()).toEqual([])
})

for (const path of ['/explore', '/explore?from=groups'])
  test(`EXP-10 EXP-18 posts of ${path} that cannot be loaded load on demand`, async () => {
    answerExplore([])
    api.refuse(explorePostsOperation, 500)
    await openApp(path, { size: low })
    await passRetries(() => failed.elements().length === 1)
    answerExplore(makePosts(1))
    await again.click()
    await countTiles(1)
  })

for (const [width, columns, larger] of [
  [1440, 4, 1],
  [1000, 3, 0],
  [390, 2, 1],
] as const)
  test(`EXP-03 at ${width} px nine posts fill whole rows of ${columns} columns`, async () => {
    await openExplore(makePosts(9), '/explore', { width, height: 900 })
    await countTiles(9)
    const boxes = tiles.elements().map((tile) => tile.getBoundingClientRect())
    const least = Math.min(...boxes.map((tile) => tile.width))
    expect(boxes.filter((tile) => tile.width > least * 1.5)).toHaveLength(larger)
    for (const tile of boxes) expect(Math.abs(tile.width - tile.height)).toBeLessThan(1)
    expect(new Set(boxes.map((tile) => Math.round(tile.left))).size).toBe(columns)
    expect(document.documentElement.scrollWidth).toBe(width)
  })

test('EXP-04 EXP-18 a filter asks for its posts, says what gathers there and stays chosen after Back', async () => {
  const post = makePost()
  answerExplore([post])
  api.answer(explorePostsOperation, ({ from }) => ({
    documents: from === 'following' ? [post] : [],
    next: null,
  }))
  await openApp('/explore', { size: low })
  await expect.element(filter('All')).toHaveAttribute('aria-current', 'true')
  await filter('My groups').click()
  await expect.element(main.getByText('What is posted in your groups gathers here.')).toBeVisible()
  await filter('Following').click()
  await countTiles(1)
  await expect.element(filter('Following')).toHaveAttribute('aria-current', 'true')
  await expect.element(filter('All')).not.toHaveAttribute('aria-current')
  await tiles.getByRole('link').click()
  await expect.element(main.getByRole('article').first()).toBeVisible()
  history.back()
  await expect.element(filter('Following')).toHaveAttribute('aria-current', 'true')
  await countTiles(1)
  await filter('All').click()
  await expect.poll(() => location.pathname + location.search).toBe('/explore')
})

test('EXP-02 EXP-09 EXP-12 EXP-15 a search waits half a second, and Clear returns to the loaded pages', async () => {
  const found = makePost({ caption: 'Atardecer' })
  await openExplore(makePosts(20))
  api.answer(searchPostsOperation, { documents: [found] })
  await countTiles(9)
  scrollToEnd()
  await countTiles(18)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await box.fill('ATARDECER')
  vi.advanceTimersByTime(499)
  expect(searched()).toEqual([])
  vi.advanceTimersByTime(1)
  await expect.poll(searched).toEqual(['ATARDECER'])
  vi.useRealTimers()
  await expect.element(heading(/^Results for “ATARDECER/)).toBeVisible()
  await countTiles(1)
  await expect.element(tiles.getByRole('link')).toHaveAttribute('href', `/posts/${found.$id}`)
  await expect.element(main.getByRole('status').getByText('1 post found')).toBeInTheDocument()
  await main.getByRole('button', { name: 'Clear' }).click()
  await expect.element(heading('Popular Today')).toBeVisible()
  await expect.element(box).toHaveFocus()
  await expect.poll(() => tiles.elements().length).toBeGreaterThanOrEqual(18)
})

test('EXP-12 EXP-13 blanks are no search, an empty result says so, and Back returns to the results', async () => {
  const post = makePost({ caption: 'Jacarandas' })
  await openExplore([post])
  api.answer(searchPostsOperation, ({ term }) => ({ documents: term === 'jacarandas' ? [post] : [] }))
  await box.fill('   ')
  await expect.element(heading('Popular Today')).toBeVisible()
  await box.fill('zzzz no hay')
  await expect.element(main.getByRole('status').getByText('No results found')).toBeVisible()
  await box.fill('jacarandas')
  await countTiles(1)
  await tiles.getByRole('link').click()
  await expect.poll(pathname).toBe(`/posts/${post.$id}`)
  history.back()
  await expect.element(box).toHaveValue('jacarandas')
  await countTiles(1)
  expect(searched()).toEqual(['zzzz no hay', 'jacarandas'])
})

test('EXP-16 while a search runs, placeholders stand in the place of its results', async () => {
  await openExplore([])
  api.answer(searchPostsOperation, { documents: makePosts(1) })
  const answer = api.hold(searchPostsOperation)
  await box.fill('bea')
  await answer.arrived
  await expect.element(main.getByText('Loading…').first()).toBeInTheDocument()
  expect(document.querySelector('main [aria-busy=true]')).not.toBeNull()
  answer.release()
  await countTiles(1)
})
