import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  followOperation,
  listPeopleOperation,
  type Person,
  unfollowOperation,
} from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  likePostOperation,
  listSavedPostsOperation,
  type Post,
  savePostOperation,
} from '#contract/posts/posts.ts'
import { makePerson, makePersonSummary, makePost } from '#tests/support/component/fixtures.ts'
import { api, desktop, openApp, phone } from '#tests/support/component/open-app.tsx'
import { createPicture } from '#tests/support/component/pictures.ts'
import {
  answerPostForm,
  choosePhotos,
  createButton,
  fillPost,
  pathname,
} from '#tests/support/component/post-form.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const main = page.getByRole('main')
const navigation = page.getByRole('navigation', { name: 'Main' })
const cards = main.getByRole('article')
const people = main.getByRole('complementary', { name: 'People' })
const rows = people.getByRole('listitem')
const row = ({ username }: Person) => rows.filter({ hasText: `@${username}` })
const toasts = page.getByRole('region', { name: 'Notifications (F8)' })
const bad = main.getByText('Something bad happened')
const again = main.getByRole('button', { name: 'Try again' })
const countCards = (count: number) => expect.poll(() => cards.elements().length).toBe(count)

function answerHome({ posts = [], persons = [] }: { posts?: Post[]; persons?: Person[] } = {}): void {
  api.answer(getHomeFeedOperation, { documents: posts, next: null })
  api.answer(explorePostsOperation, { documents: posts, next: null })
  api.answer(listPeopleOperation, { documents: persons, next: null })
}

const openHome = (
  given: Parameters<typeof answerHome>[0] = {},
  options: Parameters<typeof openApp>[1] = {},
) => {
  answerHome(given)
  return openApp('/', options)
}

for (const size of [desktop, phone])
  test(`HOME-13 HOME-14 HOME-15 at ${size.width} px an empty feed links a new member to people to follow`, async () => {
    await openHome({ persons: [makePerson()] }, { size })
    await expect.element(main.getByRole('heading', { name: 'No posts available' })).toBeVisible()
    await expect
      .element(main.getByText('Follow other users or create your first post to see content here.'))
      .toBeVisible()
    await main.getByRole('link', { name: 'Explore users to follow →' }).click()
    await expect.poll(() => location.pathname).toBe('/explore')
    await expect.element(people.getByText('@bea')).toBeVisible()
    await people.getByRole('link', { name: 'See everyone' }).click()
    await expect.poll(() => location.pathname).toBe('/all-users')
  })

test('HOME-23 the empty Home links to People', async () => {
  await openHome({ persons: [makePerson()] })
  await main.getByRole('link', { name: 'Find people' }).click()
  await expect.poll(() => location.pathname).toBe('/all-users')
})

test('HOME-01 HOME-03 HOME-08 the feed shows posts in the server’s order, and a link to Explore', async () => {
  await openHome({ posts: [makePost({ caption: 'La segunda' }), makePost({ caption: 'La primera' })] })
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Following')
  await expect.poll(() => document.title).toBe('Home · Juntas')
  await countCards(2)
  await expect.element(cards.first()).toMatchTextContent('La segunda')
  await expect.element(main.getByRole('link', { name: 'Explore more posts' })).toBeVisible()
})

test('HOME-07 HOME-20 further posts load as ana scrolls, and the end links to Explore', async () => {
  const posts = Array.from({ length: 25 }, (_, at) => makePost({ caption: `Foto ${at}` }))
  answerHome()
  const next = posts[19]?.$id ?? ''
  api.answer(getHomeFeedOperation, ({ cursor }) =>
    cursor === next ? { documents: posts.slice(20), next: null } : { documents: posts.slice(0, 20), next },
  )
  await openApp('/')
  await countCards(20)
  const end = main.getByRole('link', { name: 'Explore more posts' })
  expect(end.elements()).toEqual([])
  cards.last().element().scrollIntoView()
  await countCards(25)
  await expect.element(cards.last()).toMatchTextContent('Foto 24')
  await expect.element(end).toBeVisible()
})

test("LIKE-02 SAV-02 a page of posts requested before ana's like and save undoes neither", async () => {
  const posts = Array.from({ length: 21 }, (_, at) => makePost({ caption: `Número ${21 - at}` }))
  const next = posts[19]?.$id ?? ''
  answerHome()
  api.answer(getHomeFeedOperation, ({ cursor }) =>
    cursor === next ? { documents: posts.slice(20), next: null } : { documents: posts.slice(0, 20), next },
  )
  api.answer(likePostOperation, { liked: true, likeCount: 1 })
  api.answer(savePostOperation, { saved: true })
  await openApp('/')
  await countCards(20)
  const answer = api.hold(getHomeFeedOperation)
  cards.last().element().scrollIntoView()
  await answer.arrived
  const card = cards.filter({ hasText: 'Número 2' }).last()
  await card.getByRole('button', { name: /^Like, / }).click()
  await card.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => api.callsOf(savePostOperation).length).toBe(1)
  answer.release()
  await countCards(21)
  await expect.element(card.getByRole('button', { name: 'Like, 1 like' })).toBeVisible()
  await expect
    .element(card.getByRole('button', { name: 'Save', exact: true }))
    .toHaveAttribute('aria-pressed', 'true')
})

test('CARD-01 CARD-02 CARD-03 CARD-04 CARD-05 CARD-06 CARD-07 CARD-10 a card shows author, time, place, caption and tags', async () => {
  const creator = makePersonSummary({ name: 'Bea Ortiz' })
  const $createdAt = new Date().toISOString()
  const own = makePost({ caption: 'La mía', can: { edit: true, delete: true } })
  const post = makePost({
    creator,
    $createdAt,
    caption: 'Primera línea\nsegunda línea',
    location: 'Oaxaca',
    tags: ['sol', 'mar'],
  })
  await openHome({ posts: [post, own] })
  const card = main.getByRole('article', { name: 'Post by Bea Ortiz' })
  const toBea = card.getByRole('link', { name: 'Bea Ortiz' })
  await expect
    .poll(() => toBea.elements().map((link) => link.getAttribute('href')))
    .toEqual([`/profile/${creator.$id}`, `/profile/${creator.$id}`])
  const time = card.getByRole('time')
  await expect.element(time).toHaveTextContent('Just now')
  await expect.element(time).toHaveAttribute('datetime', $createdAt)
  await expect.element(time).toHaveAttribute('title', expect.stringMatching(/ at \d+:\d\d [AP]M$/))
  await expect.element(card.getByText('Oaxaca')).toBeVisible()
  const caption = card.getByText('Primera línea', { exact: false }).last().element()
  await expect.poll(() => caption.textContent).toBe('Primera línea\nsegunda línea')
  expect(getComputedStyle(caption).whiteSpace).toBe('pre-line')
  for (const tag of ['#sol', '#mar']) await expect.element(card.getByText(tag)).toBeVisible()
  expect(card.element().querySelector(`a[href="/posts/${post.$id}"]`)).not.toBeNull()
  expect(card.getByRole('link', { name: 'Edit post' }).elements()).toEqual([])
  await expect
    .element(main.getByRole('link', { name: 'Edit post' }))
    .toHaveAttribute('href', `/update-post/${own.$id}`)
})

test('CARD-06 a caption is written in the direction of its script', async () => {
  await openHome({
    posts: [makePost({ caption: 'حديقتي الصغيرة' }), makePost({ caption: 'Mi pequeño jardín' })],
  })
  const directionOf = (text: string) => getComputedStyle(main.getByText(text).last().element()).direction
  await countCards(2)
  expect(directionOf('حديقتي الصغيرة')).toBe('rtl')
  expect(directionOf('Mi pequeño jardín')).toBe('ltr')
})

test('CARD-06 a long caption shows four lines, and a button shows the rest', async () => {
  await openHome({ posts: [makePost({ caption: `${'una palabra '.repeat(60)}fin` })] })
  const more = main.getByRole('button', { name: 'more' })
  await expect.element(more).toBeVisible()
  const caption = main
    .getByText(/^una palabra/)
    .last()
    .element()
  const folded = caption.clientHeight
  expect(folded).toBe(Math.round(4 * Number.parseFloat(getComputedStyle(caption).lineHeight)))
  await more.click()
  expect(caption.clientHeight).toBeGreaterThan(folded)
  await main.getByRole('button', { name: 'less' }).click()
  expect(caption.clientHeight).toBe(folded)
})

test('CARD-10 a picture that cannot be loaded says so', async () => {
  const post = makePost()
  const image = { ...post.image, url: '/assets/missing.png' }
  await openHome({ posts: [{ ...post, image, imageUrl: image.url, photos: [{ ...image, alt: '' }] }] })
  await expect.element(cards.getByText('Picture couldn’t be loaded')).toBeVisible()
})

test('HOME-09 HOME-10 HOME-11 HOME-12 ten other members are listed beside the feed, with a link to everyone', async () => {
  const persons = Array.from({ length: 10 }, (_, at) => makePerson({ name: `Dora ${at}` }))
  await openHome({ persons })
  await expect.element(people.getByRole('heading', { name: 'People' })).toBeVisible()
  await expect.poll(() => rows.elements().length).toBe(10)
  for (const [at, { username, $id }] of persons.entries()) {
    await expect.element(rows.nth(at)).toMatchTextContent(`@${username}`)
    expect(rows.nth(at).element().querySelector('a')?.getAttribute('href')).toBe(`/profile/${$id}`)
  }
  await expect.poll(() => api.callsOf(listPeopleOperation)[0]).toMatchObject({ who: 'others', limit: '10' })
  await people.getByRole('link', { name: 'See everyone' }).click()
  await expect.poll(() => location.pathname).toBe('/all-users')
})

for (const size of [desktop, phone])
  test(`HOME-09 HOME-11 at ${size.width} px the list of people says that ana is the only member`, async () => {
    await openHome({}, { size })
    await expect.element(people.getByText('You’re the first one here.', { exact: true })).toBeVisible()
    expect(people.getByRole('list').elements()).toEqual([])
  })

test('HOME-09 on a phone, suggested people are in a row after the first post', async () => {
  await openHome(
    { posts: [makePost({ caption: 'Una' }), makePost({ caption: 'Otra' })], persons: [makePerson()] },
    { size: phone },
  )
  await expect.element(rows.first()).toBeVisible()
  await countCards(2)
  const tops = [cards.first(), people, cards.last()].map((part) => part.element().getBoundingClientRect().top)
  expect(tops.toSorted((a, b) => a - b)).toEqual(tops)
  expect(document.documentElement.scrollWidth).toBe(390)
})

test('FOL-02 FOL-04 FOL-07 HOME-02 ana follows bea from the list, sees bea’s posts, and unfollows', async () => {
  const bea = makePerson({ name: 'Bea Ortiz' })
  await openHome({ persons: [bea] })
  const state = (following: boolean) => ({ following, requested: false })
  api.answer(followOperation, () => {
    answerHome({ posts: [makePost({ creator: bea })], persons: [{ ...bea, following: true }] })
    return state(true)
  })
  api.answer(unfollowOperation, () => {
    answerHome({ persons: [bea] })
    return state(false)
  })
  await row(bea).getByRole('button', { name: 'Follow', exact: true }).click()
  await expect.element(toasts.getByText('Success')).toBeVisible()
  await expect.element(toasts.getByText('You are now following Bea Ortiz')).toBeVisible()
  await expect.element(main.getByRole('article', { name: 'Post by Bea Ortiz' })).toBeVisible()
  await row(bea).getByRole('button', { name: 'Unfollow' }).click()
  await expect.element(toasts.getByText('You unfollowed Bea Ortiz')).toBeVisible()
  await expect.element(row(bea).getByRole('button', { name: 'Follow', exact: true })).toBeVisible()
  await expect.element(cards).not.toBeInTheDocument()
})

test('FOL-05 FOL-06 while a follow is being sent, the button keeps its width and name and sends one request', async () => {
  const bea = makePerson()
  await openHome({ persons: [bea] })
  const button = row(bea).getByRole('button', { name: /ollow$/ })
  await expect.element(button).toBeVisible()
  const { width } = button.element().getBoundingClientRect()
  api.answer(followOperation, { following: true, requested: false })
  const answer = api.hold(followOperation)
  await button.click()
  await expect.element(button).toHaveTextContent('...')
  expect(button.element().getBoundingClientRect().width).toBe(width)
  await expect.element(button).toHaveAccessibleName('Follow')
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await button.click()
  answer.release()
  await expect.element(button).toHaveAccessibleName('Unfollow')
  await expect.poll(() => api.callsOf(followOperation)).toHaveLength(1)
})

test('FOL-08 a refused follow is undone with a toast', async () => {
  const bea = makePerson()
  await openHome({ persons: [bea] })
  api.refuse(followOperation, 500)
  await row(bea).getByRole('button', { name: 'Follow', exact: true }).click()
  await expect.element(toasts.getByText('Something went wrong. Please try again.')).toBeVisible()
  await expect.element(row(bea).getByRole('button', { name: /ollow$/ })).toHaveTextContent('Follow')
})

test('HOME-18 while the feed loads, placeholders are shown', async () => {
  answerHome({ posts: [makePost()] })
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await openApp('/saved')
  const answer = api.hold(getHomeFeedOperation)
  await navigation.getByRole('link', { name: 'Home' }).click()
  const busy = () => document.querySelectorAll('main [aria-busy=true]').length
  await expect.poll(busy).toBeGreaterThan(0)
  await expect.element(main.getByText('Loading…').first()).toBeInTheDocument()
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Following')
  answer.release()
  await countCards(1)
  await expect.poll(busy).toBe(0)
})

test('HOME-16 a failed feed leaves the list of people in place and can be retried', async () => {
  const bea = makePerson()
  answerHome({ persons: [bea] })
  api.refuse(getHomeFeedOperation, 500)
  await openApp('/')
  await passQueryRetries(() => bad.elements().length === 1)
  await expect.element(row(bea)).toBeVisible()
  answerHome({ posts: [makePost()], persons: [bea] })
  await again.click()
  await countCards(1)
  await expect.element(bad).not.toBeInTheDocument()
})

test('HOME-16 if reloading fails, the loaded posts stay below a notice that they are old', async () => {
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await openHome({ posts: [makePost()] })
  await countCards(1)
  await navigation.getByRole('link', { name: 'Saved' }).click()
  await expect.element(main.getByRole('heading', { name: 'Saved Posts' })).toBeVisible()
  api.refuse(getHomeFeedOperation, 500)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  await navigation.getByRole('link', { name: 'Home' }).click()
  await expect.poll(() => api.callsOf(getHomeFeedOperation).length).toBe(2)
  const stale = main.getByRole('status').filter({ hasText: 'We couldn’t load this.' })
  await passQueryRetries(() => stale.elements().length === 1)
  await countCards(1)
  answerHome({ posts: [makePost()] })
  await stale.getByRole('button', { name: 'Try again' }).click()
  await expect.element(stale).not.toBeInTheDocument()
})

test('HOME-17 a failed list of people leaves the feed in place', async () => {
  answerHome()
  api.refuse(listPeopleOperation, 500)
  await openApp('/')
  await passQueryRetries(() => people.getByText('Something bad happened').elements().length === 1)
  await expect.element(main.getByText('No posts available')).toBeVisible()
})

test('HOME-17 if both feed and people fail, the page says so once and retries both', async () => {
  const bea = makePerson()
  api.refuse(getHomeFeedOperation, 500)
  api.refuse(listPeopleOperation, 500)
  await openApp('/')
  await passQueryRetries(() => bad.elements().length === 1 && people.elements().length === 0)
  answerHome({ persons: [bea] })
  await again.click()
  await expect.element(main.getByText('No posts available')).toBeVisible()
  await expect.element(row(bea)).toBeVisible()
})

for (const size of [desktop, phone])
  test(`HOME-22 at ${size.width} px pressing Home while on Home scrolls to the top and loads the newest posts`, async () => {
    const posts = Array.from({ length: 5 }, (_, at) => makePost({ caption: `Foto ${at}` }))
    await openHome({ posts }, { size })
    await countCards(5)
    scrollTo(0, 300)
    answerHome({ posts: [makePost({ caption: 'La última' }), ...posts] })
    await navigation.getByRole('link', { name: 'Home' }).click()
    await expect.element(cards.first()).toMatchTextContent('La última')
    await expect.poll(() => scrollY).toBe(0)
  })

test("PCRE-20 PCRE-22 ana's new post is first on Home, wherever she had scrolled, and Back leads to the page before Home", async () => {
  const posts = Array.from({ length: 3 }, (_, at) => makePost({ caption: `Foto ${at}` }))
  answerPostForm({ posts })
  api.answer(listSavedPostsOperation, { documents: [], next: null })
  await openApp('/saved')
  await navigation.getByRole('link', { name: 'Home' }).click()
  await countCards(3)
  cards.last().element().scrollIntoView()
  await expect.poll(() => scrollY).toBeGreaterThan(0)
  await navigation.getByRole('link', { name: 'Create Post' }).click()
  await fillPost('La nueva')
  await choosePhotos(await createPicture())
  await createButton.click()
  await expect.poll(pathname).toBe('/')
  await expect.element(cards.first()).toMatchTextContent('La nueva')
  expect(scrollY).toBe(0)
  history.back()
  await expect.poll(pathname).toBe('/saved')
})
