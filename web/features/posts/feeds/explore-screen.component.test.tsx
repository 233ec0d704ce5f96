import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { searchGroupsOperation } from '#contract/groups/groups.ts'
import { listPeopleOperation, searchPeopleOperation } from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  type Post,
  searchPostsOperation,
} from '#contract/posts/posts.ts'
import { listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import { refusal } from '#tests/support/component/fake-api.ts'
import { makeGroup, makePersonSummary, makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import { inPages, main } from '#tests/support/component/people.ts'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const tiles = main.getByRole('listitem')
const links = tiles.getByRole('link')
const box = page.getByRole('searchbox', { name: 'Search Posts' })
const navigation = page.getByRole('navigation', { name: 'Main' })
const popular = main.getByRole('heading', { name: 'Popular Today' })
const failed = main.getByText('We couldn’t load this.')
const again = main.getByRole('button', { name: 'Try again' })
const countTiles = (count: number) => expect.poll(() => tiles.elements().length).toBe(count)
const hrefs = () => links.elements().map((link) => link.getAttribute('href'))
const pathsOf = (posts: readonly Post[]) => posts.map(({ $id }) => `/posts/${$id}`)
const address = () => location.pathname + location.search
const filter = (name: string) =>
  main.getByRole('group', { name: 'Posts from' }).getByRole('link', { name, exact: true })
const scrollToEnd = () => scrollTo(0, document.body.scrollHeight)
const low = { width: 1440, height: 800 }
const makePosts = (count: number, caption = 'Foto') =>
  Array.from({ length: count }, (_, at) => makePost({ caption: `${caption} ${at + 1}` }))

type Lists = {
  recent?: Post[]
  following?: Post[]
  groups?: Post[]
  loved?: Post[]
  found?: (term: string) => Post[]
}

function answerExplore({ recent = [], following = [], groups = [], loved = [], found }: Lists = {}): void {
  answerPostForm({ posts: [...recent, ...following, ...groups, ...loved] })
  answerPostPage()
  const lists = { everyone: recent, following, groups }
  api.answer(explorePostsOperation, ({ from = 'everyone', order, ...input }) =>
    inPages(order === 'loved' ? loved : lists[from], 9)(input),
  )
  api.answer(searchPostsOperation, ({ term }) => ({ documents: found?.(term) ?? [] }))
  api.answer(searchPeopleOperation, { documents: [] })
  api.answer(searchGroupsOperation, { documents: [] })
}

const pagesAsked = () => api.callsOf(explorePostsOperation).filter(({ order }) => order !== 'loved')

test('EXP-01 EXP-03 GRID-01 GRID-02 GRID-03 Explore shows pictures that link to their posts, with author and likes', async () => {
  const creator = makePersonSummary({ name: 'Bea Ortiz' })
  const post = makePost({ creator, caption: `Mar de bea ${'y más mar '.repeat(10)}`, likeCount: 1 })
  answerExplore({ recent: [post] })
  await openApp('/explore')
  await expect.poll(() => document.title).toBe('Explore · Juntas')
  await expect.element(box).toHaveAttribute('placeholder', 'Search Posts')
  await expect.element(popular).toBeVisible()
  await expect.element(tiles).toMatchTextContent('Bea Ortiz')
  await expect.element(tiles).toMatchTextContent('1 like')
  const name = post.caption.slice(0, 80).trim()
  await expect.element(links).toHaveAccessibleName(expect.stringMatching(new RegExp(`${name}$`)))
  await links.click()
  expect(address()).toBe(`/posts/${post.$id}`)
})

test('EXP-06 EXP-07 EXP-08 EXP-10 nine more posts load as ana scrolls, until the end; Back keeps the posts and her position', async () => {
  const posts = makePosts(20)
  answerExplore({ recent: posts })
  await openApp('/explore', { size: low })
  await countTiles(9)
  await expect.element(main.getByText('Loading more posts')).toBeInTheDocument()
  await expect.poll(() => pagesAsked()).toEqual([{}])
  const end = main.getByText('You’ve seen everything for now.')
  expect(end.elements()).toEqual([])
  scrollToEnd()
  await countTiles(18)
  await expect.poll(() => pagesAsked()[1]?.cursor).toContain(posts[8]?.$id)
  await expect
    .element(main.getByRole('status').filter({ hasText: '9 more posts loaded' }))
    .toBeInTheDocument()
  await expect
    .poll(() => {
      scrollToEnd()
      return end.elements().length
    })
    .toBe(1)
  await expect.element(main.getByText('Loading more posts')).not.toBeInTheDocument()
  expect(hrefs()).toEqual(pathsOf(posts))

  const link = links.nth(17)
  link.element().scrollIntoView({ block: 'center' })
  const [place, requests] = [scrollY, pagesAsked().length]
  ;(link.element() as HTMLElement).focus({ preventScroll: true })
  await userEvent.keyboard('{Enter}')
  await expect.element(main.getByRole('button', { name: 'Back' })).toBeVisible()
  history.back()
  await expect.element(link).toHaveFocus()
  await expect.poll(() => Math.abs(scrollY - place)).toBeLessThanOrEqual(2)
  await countTiles(20)
  expect(pagesAsked()).toHaveLength(requests)
})

test('EXP-08 a page of posts that fails can be retried, and the posts before it stay', async () => {
  const posts = makePosts(10)
  answerExplore({ recent: posts })
  const answer = inPages(posts, 9)
  api.answer(explorePostsOperation, ({ order, ...input }) => {
    if (order === 'loved') return { documents: [], next: null }
    return input.cursor ? refusal('database_timeout') : answer(input)
  })
  await openApp('/explore', { size: low })
  await countTiles(9)
  scrollToEnd()
  await passQueryRetries(() => again.elements().length === 1)
  await expect.poll(() => tiles.elements()).toHaveLength(9)
  answerExplore({ recent: posts })
  await again.click()
  await countTiles(10)
})

test('EXP-11 if nobody has posted, Explore shows “End of posts”', async () => {
  answerExplore()
  await openApp('/explore')
  await expect.element(main.getByText('End of posts', { exact: true })).toBeVisible()
  expect(main.getByText('You’ve seen everything for now.').elements()).toEqual([])
  expect(tiles.elements()).toEqual([])
})

test('EXP-10 posts that cannot be loaded can be retried', async () => {
  answerExplore()
  api.refuse(explorePostsOperation, 500)
  await openApp('/explore')
  await passQueryRetries(() => failed.elements().length === 1)
  answerExplore({ recent: makePosts(1) })
  await again.click()
  await countTiles(1)
})

test('EXP-03 nine pictures fill whole rows, and with four or two columns one picture is larger', async () => {
  answerExplore({ recent: makePosts(9) })
  await openApp('/explore')
  await countTiles(9)
  for (const [width, columns, larger] of [
    [1440, 4, 1],
    [1000, 3, 0],
    [390, 2, 1],
  ] as const) {
    await page.viewport(width, 900)
    const boxes = () => tiles.elements().map((tile) => tile.getBoundingClientRect())
    await expect.poll(() => new Set(boxes().map(({ left }) => Math.round(left))).size).toBe(columns)
    const least = Math.min(...boxes().map((tile) => tile.width))
    expect(boxes().filter((tile) => tile.width > least * 1.5)).toHaveLength(larger)
    for (const tile of boxes()) expect(Math.abs(tile.width - tile.height)).toBeLessThan(1)
    expect(document.documentElement.scrollWidth).toBe(width)
  }
})

test('EXP-04 EXP-18 ana filters by followed members and by her groups, and Back keeps the filter', async () => {
  const [hers, shared] = [makePost({ caption: 'A quien sigue' }), makePost({ caption: 'Del grupo' })]
  const other = makePost({ caption: 'A quien no sigue' })
  answerExplore({ recent: [other, hers, shared], following: [hers], groups: [shared] })
  await openApp('/explore')
  await expect.element(filter('All')).toHaveAttribute('aria-current', 'true')
  await countTiles(3)
  await filter('Following').click()
  await countTiles(1)
  await expect.element(filter('Following')).toHaveAttribute('aria-current', 'true')
  await expect.element(filter('All')).not.toHaveAttribute('aria-current')
  expect(hrefs()).toEqual(pathsOf([hers]))
  await links.click()
  await expect.element(main.getByRole('article')).toBeVisible()
  history.back()
  await expect.element(filter('Following')).toHaveAttribute('aria-current', 'true')
  await countTiles(1)
  await filter('My groups').click()
  await expect.poll(hrefs).toEqual(pathsOf([shared]))
  await filter('All').click()
  await expect.poll(address).toBe('/explore')
  await countTiles(3)
})

test('EXP-18 an empty filter explains itself, and a filter that cannot be loaded can be retried', async () => {
  answerExplore()
  await openApp('/explore')
  await filter('Following').click()
  await expect.element(main.getByText('Posts by the people you follow appear here.')).toBeVisible()
  api.refuse(explorePostsOperation, 500)
  await filter('My groups').click()
  await passQueryRetries(() => failed.elements().length === 1)
  answerExplore()
  await again.click()
  await expect.element(main.getByText('Posts in your groups appear here.')).toBeVisible()
})

test('CARD-07 PDET-07 a tag on a card or a post links to the posts with this tag', async () => {
  const [first, second] = [
    makePost({ caption: 'La primera', tags: ['ñandú', 'otra'] }),
    makePost({ caption: 'La segunda', tags: ['ÑANDÚ'] }),
  ]
  answerPostForm({ posts: [first, second] })
  answerPostPage()
  api.answer(getHomeFeedOperation, { documents: [first], next: null })
  api.answer(listPeopleOperation, { documents: [], next: null })
  api.answer(listTagPostsOperation, { documents: [second, first], next: null, tag: 'ñandú' })
  await openApp('/')
  await main.getByRole('article').getByRole('link', { name: '#ñandú' }).click()
  await expect.poll(() => location.pathname).toBe(`/tags/${encodeURIComponent('ñandú')}`)
  // Home's card also contains two links in a list.
  await expect.poll(hrefs).toEqual(pathsOf([second, first]))
  await links.first().click()
  await main.getByRole('article').first().getByRole('link', { name: '#ÑANDÚ' }).click()
  await countTiles(2)
  await expect
    .poll(() => api.callsOf(listTagPostsOperation).map(({ tag }) => tag.toLowerCase()))
    .toEqual(['ñandú', 'ñandú'])
})

test('EXP-02 EXP-09 EXP-12 EXP-15 ana searches half a second after the last letter, and clearing returns to the loaded pages', async () => {
  const found = makePost({ caption: 'Atardecer' })
  answerExplore({ recent: makePosts(20), found: () => [found] })
  await openApp('/explore', { size: low })
  await countTiles(9)
  scrollToEnd()
  await countTiles(18)
  const asked = () => api.callsOf(searchPostsOperation).map(({ term }) => term)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await box.fill('ATARDECER en')
  vi.advanceTimersByTime(499)
  expect(asked()).toEqual([])
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await expect.poll(asked).toEqual(['ATARDECER en'])
  await expect.element(main.getByRole('heading', { name: 'Results for “ATARDECER en”' })).toBeVisible()
  await countTiles(1)
  expect(hrefs()).toEqual(pathsOf([found]))
  await expect.element(main.getByRole('status').filter({ hasText: '1 post found' })).toBeInTheDocument()
  const pages = pagesAsked().length
  scrollToEnd()
  await main.getByRole('button', { name: 'Clear' }).click()
  await expect.element(popular).toBeVisible()
  await expect.element(box).toHaveFocus()
  await expect.poll(() => tiles.elements().length).toBeGreaterThanOrEqual(18)
  expect(
    pagesAsked()
      .slice(0, pages)
      .filter(({ cursor }) => !cursor),
  ).toHaveLength(1)
})

test('EXP-12 EXP-13 blanks start no search, a search without results says so, and Back from a post returns to the results', async () => {
  const post = makePost({ caption: 'Jacarandas' })
  answerExplore({ recent: [post], found: (term) => (term === 'jacarandas' ? [post] : []) })
  await openApp('/explore')
  await box.fill('   ')
  await expect.element(popular).toBeVisible()
  await box.fill('zzzz no hay')
  await expect.element(main.getByRole('status').filter({ hasText: 'No results found' })).toBeVisible()
  await expect.poll(() => api.callsOf(searchPostsOperation)).toEqual([{ term: 'zzzz no hay' }])
  await box.fill('jacarandas')
  await countTiles(1)
  await links.click()
  await expect.poll(address).toBe(`/posts/${post.$id}`)
  history.back()
  await expect.element(box).toHaveValue('jacarandas')
  await countTiles(1)
  await navigation.getByRole('link', { name: 'Explore' }).click()
  await expect.poll(address).toBe('/explore')
  await expect.element(box).toHaveValue('')
  await expect.element(popular).toBeVisible()
})

test('EXP-16 while a search runs, placeholders replace its results', async () => {
  answerExplore({ found: () => makePosts(1) })
  await openApp('/explore')
  const answer = api.hold(searchPostsOperation)
  await box.fill('bea')
  await answer.arrived
  const busy = () =>
    [...main.element().querySelectorAll('[aria-busy=true]')].map(({ textContent }) => textContent)
  await expect.poll(busy).toContain('Loading…')
  answer.release()
  await countTiles(1)
})

const region = (name: string) => main.getByRole('region', { name, exact: true })

test('EXP-20 EXP-21 ana finds people and groups below the posts, and jumps to them', async () => {
  const post = makePost({ caption: 'Barro' })
  const people = Array.from({ length: 7 }, (_, at) => makeProfile({ name: `Barro ${at + 1}` }))
  const group = makeGroup({ name: 'Club de barro', membership: 'none' })
  answerExplore({ recent: [post], found: () => [post] })
  api.answer(searchPeopleOperation, { documents: people })
  api.answer(searchGroupsOperation, { documents: [group] })
  await openApp('/explore?search=barro')
  await expect.element(region('Groups').getByRole('article', { name: 'Club de barro' })).toBeVisible()
  await expect.element(region('Groups').getByRole('button', { name: 'Join Group' })).toBeVisible()
  expect(region('People').getByRole('listitem').elements()).toHaveLength(6)
  expect(region('Groups').getByRole('link', { name: 'See all groups found' }).elements()).toEqual([])
  const order = () =>
    main
      .getByRole('heading', { level: 2 })
      .elements()
      .map(({ textContent }) => textContent)
  expect(order()).toEqual(['Results for “barro”', 'People', 'Groups'])
  await main.getByRole('button', { name: '7 people' }).click()
  await expect.element(region('People').getByRole('heading')).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(region('People').getByRole('link', { name: 'See everyone found' })).toHaveFocus()
  await main.getByRole('button', { name: '1 group' }).click()
  await expect.element(region('Groups').getByRole('heading', { name: 'Groups' })).toHaveFocus()
  expect(api.callsOf(searchPeopleOperation)).toEqual([{ term: 'barro' }])
  expect(api.callsOf(searchGroupsOperation)).toEqual([{ term: 'barro' }])
  await region('People').getByRole('link', { name: 'See everyone found' }).click()
  await expect.poll(address).toBe('/all-users?search=barro')
})

test('EXP-20 a search without results says so, and a failed one can be retried', async () => {
  answerExplore({ found: () => [] })
  api.refuse(searchPeopleOperation, 500)
  await openApp('/explore?search=zzzz')
  await expect.element(region('Groups').getByText('No groups found')).toBeVisible()
  await passQueryRetries(
    () => region('People').getByRole('button', { name: 'Try again' }).elements().length === 1,
  )
  answerExplore({ found: () => [] })
  await region('People').getByRole('button', { name: 'Try again' }).click()
  await expect.element(region('People').getByText('Nobody found')).toBeVisible()
})

test('EXP-20 a hashtag search finds only posts', async () => {
  const post = makePost({ tags: ['sol'] })
  answerExplore({ found: () => [post] })
  await openApp('/explore?search=%23sol')
  await countTiles(1)
  expect(region('People').elements()).toEqual([])
  expect(api.callsOf(searchPeopleOperation)).toEqual([])
  expect(api.callsOf(searchGroupsOperation)).toEqual([])
})

const tab = (name: string) => main.getByRole('tab', { name })
const fieldset = main.getByRole('group', { name: 'Posts from' })

test('TREND-01 TREND-02 ana opens “Loved this week” beside Recent, and Back returns to it', async () => {
  const loved = makePosts(9, 'Querida')
  const quiet = makePost({ caption: 'Sin corazones' })
  answerExplore({ recent: [quiet, ...loved], loved })
  await openApp('/explore')
  await expect.element(tab('Loved this week')).toBeVisible()
  expect(
    main
      .getByRole('tab')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Recent', 'Loved this week'])
  await expect.element(tab('Recent')).toHaveAttribute('aria-selected', 'true')
  await expect.element(fieldset).toBeVisible()
  await expect.poll(() => hrefs()[0]).toBe(`/posts/${quiet.$id}`)

  await tab('Loved this week').click()
  await expect.poll(address).toBe('/explore?order=loved')
  await expect.element(tab('Loved this week')).toHaveAttribute('aria-selected', 'true')
  await expect.element(main.getByRole('tabpanel', { name: 'Loved this week' })).toBeVisible()
  await expect.element(fieldset).not.toBeInTheDocument()
  await expect.poll(hrefs).toEqual(pathsOf(loved))
  await expect.element(main.getByText('That’s all that was loved this week.')).toBeInTheDocument()
  await expect.element(tab('Loved this week')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(tab('Recent')).toHaveFocus()
  await expect.poll(address).toBe('/explore')
  await expect.element(fieldset).toBeVisible()
  await expect.poll(() => hrefs()[0]).toBe(`/posts/${quiet.$id}`)

  await tab('Loved this week').click()
  await expect.poll(hrefs).toEqual(pathsOf(loved))
  await links.nth(3).click()
  await expect.poll(address).toBe(`/posts/${loved[3]?.$id}`)
  history.back()
  await expect.element(tab('Loved this week')).toHaveAttribute('aria-selected', 'true')
  await countTiles(9)
})

test('TREND-05 “Loved this week” loads more as ana scrolls, each post once, even after its ranking expires', async () => {
  const loved = makePosts(20, 'Querida')
  answerExplore({ recent: loved, loved })
  await openApp('/explore?order=loved', { size: low })
  await countTiles(9)
  scrollToEnd()
  await countTiles(18)
  // This error means that the cursor's ranking has expired.
  api.answer(explorePostsOperation, ({ cursor }) =>
    cursor ? refusal('general_cursor_not_found') : { documents: loved.toReversed(), next: null },
  )
  await expect
    .poll(() => {
      scrollToEnd()
      return tiles.elements().length
    })
    .toBe(20)
  expect(hrefs()).toEqual([...pathsOf(loved.slice(0, 18)), ...pathsOf(loved.slice(18).toReversed())])
})

test('TREND-06 without popular posts Explore shows only Recent', async () => {
  answerExplore({ recent: makePosts(8) })
  const { navigate } = await openApp('/explore')
  await expect
    .poll(() => api.callsOf(explorePostsOperation).some(({ order }) => order === 'loved'))
    .toBe(true)
  await countTiles(8)
  const names = () =>
    main
      .getByRole('tab')
      .elements()
      .map(({ textContent }) => textContent)
  await expect.poll(() => names()).toEqual(['Recent'])
  navigate('/explore?order=loved')
  await expect.element(tab('Recent')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => names()).toEqual(['Recent'])
  await expect.element(fieldset).toBeVisible()
  await countTiles(8)
})

test('TREND-01 “Loved this week” can be retried after a failure', async () => {
  const loved = makePosts(9)
  answerExplore({ recent: loved, loved })
  api.answer(explorePostsOperation, ({ order, ...input }) =>
    order === 'loved' ? refusal('database_timeout') : inPages(loved, 9)(input),
  )
  await openApp('/explore?order=loved')
  await passQueryRetries(() => failed.elements().length === 1)
  answerExplore({ recent: loved, loved })
  await again.click()
  await countTiles(9)
})
