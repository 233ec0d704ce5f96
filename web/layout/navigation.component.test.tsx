import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getCurrentMemberOperation, signOutOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { getGroupOperation, listGroupsOperation, listMyGroupsOperation } from '#contract/groups/groups.ts'
import { getPersonOperation, listPeopleOperation } from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
} from '#contract/posts/posts.ts'
import { answerChat } from '#tests/support/component/chat.ts'
import { makeProfile, newId } from '#tests/support/component/fixtures.ts'
import { api, desktop, openApp, phone, signOutAtServer } from '#tests/support/component/open-app.tsx'
import { answerPostForm } from '#tests/support/component/post-form.ts'

const entries = [
  ['Home', '/'],
  ['Explore', '/explore'],
  ['People', '/all-users'],
  ['Groups', '/groups'],
  ['Chat', '/chat'],
  ['Saved', '/saved'],
  ['Create Post', '/create-post'],
] as const

const navigation = page.getByRole('navigation', { name: 'Main' })
const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
const links = () =>
  navigation
    .getByRole('link')
    .elements()
    .map((link) => [link.textContent, link.getAttribute('href')])
const current = () => navigation.element().querySelectorAll('[aria-current=page]')
const heading = page.getByRole('main').getByRole('heading', { level: 1 })
const address = () => location.pathname

beforeEach(() => {
  const empty = { documents: [], next: null }
  answerPostForm()
  answerChat()
  for (const operation of [
    getHomeFeedOperation,
    explorePostsOperation,
    listPeopleOperation,
    listGroupsOperation,
    listMyGroupsOperation,
    listSavedPostsOperation,
    listPersonPostsOperation,
  ])
    api.answer(operation, empty)
})

test('NAV-01 NAV-02 NAV-06 NAV-07 the sidebar shows the brand, the profile and the seven entries in order', async () => {
  const { me } = await openApp('/')
  await expect
    .element(sidebar.getByRole('link', { name: 'Juntas', exact: true }))
    .toHaveAttribute('href', '/')
  const block = sidebar.getByRole('link', { name: new RegExp(`@${me.username}`) })
  await expect.element(block).toMatchTextContent(me.name)
  await expect.element(block).toHaveAttribute('href', `/profile/${me.$id}`)
  expect(links()).toEqual(entries)
  expect(sidebar.element().getBoundingClientRect().width).toBe(256)
  expect(page.getByRole('banner').elements()).toEqual([])
  await page.viewport(1024, 800)
  expect(sidebar.element().getBoundingClientRect().width).toBe(92)
  expect(links()).toEqual(entries)
})

test('NAV-01 NAV-03 NAV-11 NAV-12 on a phone a top bar and a bottom bar replace the sidebar', async () => {
  api.answer(signOutOperation, signOutAtServer)
  const { me } = await openApp('/', { size: phone })
  await expect.element(navigation).toBeVisible()
  expect(sidebar.elements()).toEqual([])
  const top = page.getByRole('banner')
  await expect
    .element(top.getByRole('link', { name: 'Your profile' }))
    .toHaveAttribute('href', `/profile/${me.$id}`)
  expect(links()).toEqual(entries.map(([label, href]) => [label === 'Create Post' ? 'Create' : label, href]))
  for (const link of navigation.getByRole('link').elements()) {
    const { width, height } = link.getBoundingClientRect()
    expect(width).toBeGreaterThanOrEqual(44)
    expect(height).toBeGreaterThanOrEqual(44)
  }
  await top.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(address).toBe('/sign-in')
})

for (const size of [desktop, phone])
  test(`NAV-04 NAV-09 at ${size.width} px each entry leads to its page, and only that entry is marked`, async () => {
    await openApp('/', { size })
    await expect.element(navigation).toBeVisible()
    for (const [label, path] of [...entries].reverse()) {
      navigation.element().querySelector<HTMLElement>(`[href="${path}"]`)?.click()
      await expect.poll(address).toBe(path)
      await expect.poll(() => [...current()].map((link) => link.getAttribute('href'))).toEqual([path])
      expect(current()[0]?.textContent).toMatch(new RegExp(`^${label.split(' ')[0]}`))
    }
  })

test('NAV-09 an entry stays marked on pages below it; other pages mark no entry', async () => {
  api.refuse(getGroupOperation, 'document_not_found')
  const me = { $id: newId('ana') }
  api.answer(getPersonOperation, makeProfile({ ...me, name: 'Ana' }))
  const { navigate } = await openApp('/', { me })
  for (const [path, label] of [
    ['/groups/knit', 'Groups'],
    ['/groups/create', 'Groups'],
    ['/update-group/knit', 'Groups'],
    ['/chat?conversation=somebody', 'Chat'],
  ] as const) {
    navigate(path)
    await expect.poll(() => [...current()].map((link) => link.textContent)).toEqual([label])
  }
  navigate(`/profile/${me.$id}`)
  await expect.element(heading).toHaveTextContent('Ana')
  expect(current()).toHaveLength(0)
})

test('a new page starts at the top with its heading focused; Back restores the position and the focused link', async () => {
  await openApp('/', { size: { width: 1280, height: 320 } })
  const link = page.getByRole('link', { name: 'Explore users to follow →' })
  await expect.element(link).toBeInTheDocument()
  ;(link.element() as HTMLElement).focus()
  scrollTo(0, 110)
  await expect.poll(() => scrollY).toBe(110)
  await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Explore' })).toHaveFocus()
  await expect.poll(() => document.title).toBe('Explore · Juntas')
  expect(scrollY).toBe(0)
  history.back()
  await expect.poll(() => document.title).toBe('Home · Juntas')
  await expect.element(link).toHaveFocus()
  await expect.poll(() => scrollY).toBe(110)
})

test('the first tab stop is “Skip to content”', async () => {
  await openApp('/')
  await expect.element(heading).toBeVisible()
  await userEvent.tab()
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await expect.element(skip).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('main')).toHaveFocus()
})

for (const [path, me, text] of [
  ['/saved', {}, 'You’re offline. We’ll refresh when you’re back online.'],
  ['/sign-in', null, 'Estás sin conexión. Lo intentaremos en cuanto vuelva.'],
] as const)
  test(`${path} says that the browser is offline, in the page's language`, async () => {
    await openApp(path, { me })
    const bar = page.getByText(text)
    expect(bar.elements()).toEqual([])
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    dispatchEvent(new Event('offline'))
    await expect.element(bar).toBeVisible()
    onLine.mockReturnValue(true)
    dispatchEvent(new Event('online'))
    await expect.element(bar).not.toBeInTheDocument()
    onLine.mockRestore()
  })

for (const [path, me] of [
  ['/sign-in', null],
  ['/sign-up', null],
  ['/saved', {}],
  ['/nowhere', {}],
] as const)
  test(`${path} needs no sideways scrolling, down to 320 px`, async () => {
    await openApp(path, { me })
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    // A tooltip could be wider than the page.
    await userEvent.hover(document.documentElement, { position: { x: 1, y: 690 } })
    for (const width of [320, 360, 390, 768, 900, 1024, 1100, 1280, 1440]) {
      await page.viewport(width, 700)
      await expect
        .poll(() => document.documentElement.scrollWidth, { message: `at ${width} px` })
        .toBeLessThanOrEqual(width)
    }
  })

test('PWA-04 Home uses the data loaded with the page even if React throws its first render away', async () => {
  await openApp('/', { losesFirstRender: true })
  await expect.element(heading).toBeVisible()
  expect(api.callsOf(getCurrentMemberOperation)).toHaveLength(1)
  expect(api.callsOf(getHomeFeedOperation)).toHaveLength(1)
})
