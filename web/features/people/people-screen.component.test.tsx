import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listPeopleOperation, searchPeopleOperation } from '#contract/people/people.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import { makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { api, openApp } from '#tests/support/component/open-app.tsx'
import {
  ana,
  answerPeople,
  inPages,
  main,
  personItem,
  title,
  toasts,
} from '#tests/support/component/people.ts'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'

const cards = main.getByRole('listitem')
const box = page.getByRole('searchbox', { name: 'Search people...' })
const countCards = (count: number) => expect.poll(() => cards.elements().length).toBe(count)
const openPeople = () => openApp('/all-users', { me: ana })

test('USR-01 USR-05 USR-06 USR-08 FOL-07 the grid shows every member, and ana’s own card cannot be followed', async () => {
  const bea = makeProfile({ name: 'Bea' })
  answerPeople([bea])
  await openPeople()
  await expect.element(title).toHaveTextContent('People')
  await countCards(2)
  await expect.element(cards.nth(0)).toMatchTextContent('@bea')
  await expect.element(cards.nth(1)).toMatchTextContent('@ana')
  await expect.element(personItem(ana).getByRole('button', { name: 'Follow' })).toBeDisabled()
  await expect.element(personItem(ana).getByText('You', { exact: true })).toBeVisible()
  await expect.poll(() => main.getByText('You', { exact: true }).elements()).toHaveLength(1)
  const profile = personItem(bea).getByRole('link')
  await expect.element(profile).toHaveAttribute('href', `/profile/${bea.$id}`)
  await expect.element(profile.getByText('Bea', { exact: true })).toBeVisible()
  await expect.element(profile.getByText('@bea', { exact: true })).toBeVisible()
  expect(profile.element().querySelector('[data-generated=B]')).not.toBeNull()
  await personItem(bea).getByRole('button', { name: 'Follow' }).click()
  await expect.element(toasts).toMatchTextContent('You are now following Bea')
  await expect.element(personItem(bea).getByRole('button', { name: 'Unfollow' })).toBeVisible()
})

test('USR-02 the grid loads more as ana scrolls, and shows everybody once', async () => {
  const members = Array.from({ length: 23 }, (_, at) => makeProfile({ name: `Vecina ${at}` }))
  answerPeople([])
  api.answer(listPeopleOperation, inPages(members))
  await openPeople()
  await countCards(20)
  cards.last().element().scrollIntoView()
  await countCards(23)
  await expect.element(cards.last()).toMatchTextContent('Vecina 22')
  expect(new Set(cards.elements().map(({ textContent }) => textContent)).size).toBe(23)
})

test('FOL-09 until ana’s account is loaded, nobody can be followed', async () => {
  const bea = makeProfile()
  answerPeople([bea])
  const answer = api.hold(getCurrentMemberOperation)
  await openApp('/all-users', { me: ana, waits: false })
  await expect.element(page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible()
  expect(main.getByRole('button').elements()).toEqual([])
  answer.release()
  await expect.element(personItem(bea).getByRole('button', { name: 'Follow' })).toBeEnabled()
})

test('USR-03 USR-04 if people cannot be loaded, a toast says so and the page is empty', async () => {
  answerPeople([])
  api.refuse(listPeopleOperation, 500)
  await openPeople()
  const failure = toasts.getByText('Something went wrong.')
  await passQueryRetries(() => failure.elements().length === 1)
  expect(cards.elements()).toEqual([])
  await expect.poll(() => main.element().textContent).toBe('People')
  answerPeople([])
  await toasts.getByRole('button', { name: 'Try again' }).click()
  await expect.element(personItem(ana)).toBeVisible()
})

test('USR-10 a search starts half a second after the last letter, and Back returns to its results', async () => {
  const bea = makeProfile({ name: 'Bea Nogués', username: 'beanogues' })
  answerPeople([bea])
  api.answer(searchPeopleOperation, ({ term }) => ({
    documents: 'beanogues'.includes(term) ? [bea] : [],
  }))
  await openPeople()
  await countCards(2)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await box.fill('nogues')
  vi.advanceTimersByTime(499)
  expect(api.callsOf(searchPeopleOperation)).toEqual([])
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await countCards(1)
  await expect.poll(() => api.callsOf(searchPeopleOperation)).toMatchObject([{ term: 'nogues' }])
  await expect.element(main.getByRole('status').filter({ hasText: '1 person found' })).toBeInTheDocument()
  await personItem(bea).getByRole('button', { name: 'Follow' }).click()
  await expect.element(personItem(bea).getByRole('button', { name: 'Unfollow' })).toBeVisible()
  await personItem(bea).getByRole('link').click()
  await expect.element(title).toHaveTextContent('Bea Nogués')
  history.back()
  await expect.element(box).toHaveValue('nogues')
  await countCards(1)

  await box.fill('nadie se llama así')
  await expect.element(main.getByRole('heading', { name: 'Nobody found' })).toBeVisible()
  await main.getByRole('button', { name: 'Clear' }).click()
  await countCards(2)
  await expect.poll(() => location.pathname + location.search).toBe('/all-users')
})

test('USR-10 a failed search can be retried', async () => {
  const bea = makeProfile()
  answerPeople([bea])
  api.refuse(searchPeopleOperation, 500)
  await openApp('/all-users?search=bea', { me: ana })
  const failed = main.getByText('We couldn’t load this.')
  await passQueryRetries(() => failed.elements().length === 1)
  api.answer(searchPeopleOperation, { documents: [bea] })
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(personItem(bea)).toBeVisible()
})

test('HOME-19 FOL-07 after ana follows a member in People, Home shows her as followed, with her posts', async () => {
  const carla = makeProfile({ name: 'Carla' })
  const known = answerPeople([carla])
  const post = makePost({ creator: carla, caption: 'La de carla' })
  api.answer(getHomeFeedOperation, () => ({
    documents: known.get(carla.$id)?.following ? [post] : [],
    next: null,
  }))
  await openApp('/', { me: ana })
  await expect.element(main.getByRole('heading', { name: 'No posts available' })).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'People', exact: true }).click()
  await expect.element(title).toHaveTextContent('People')
  await personItem(carla).getByRole('button', { name: 'Follow' }).click()
  await expect.element(toasts).toMatchTextContent('You are now following')
  await navigation.getByRole('link', { name: 'Home', exact: true }).click()
  await expect.element(main.getByRole('article', { name: 'Post by Carla' })).toBeVisible()
  await expect
    .element(main.getByRole('complementary', { name: 'People' }).getByRole('button', { name: 'Unfollow' }))
    .toBeVisible()
})
