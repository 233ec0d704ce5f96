import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { beginPasskeySignInOperation } from '#contract/account/passkeys.ts'
import {
  getCurrentMemberOperation,
  getCurrentSessionOperation,
  signInOperation,
  signOutOperation,
} from '#contract/account/sign-up-and-sign-in.ts'
import { countUnreadConversationsOperation } from '#contract/chat/conversations.ts'
import { listPeopleOperation } from '#contract/people/people.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  listSavedPostsOperation,
} from '#contract/posts/posts.ts'
import { screenRoutes } from '#contract/screen-routes.ts'
import { answerAccountSettings } from '#tests/support/component/account-settings.ts'
import { newId } from '#tests/support/component/fixtures.ts'
import { api, openApp, signInAtServer, signOutAtServer } from '#tests/support/component/open-app.tsx'
import { passQueryRetries } from '#tests/support/component/query-retries.ts'
import { clearLocalSession, getSessionStatus, refreshSessionStatus } from './session.ts'

const visitorScreens = [
  'signIn',
  'signUp',
  'signInLink',
  'recovery',
  'newPassword',
  'confirmApplication',
  'verifyEmail',
  'undoEmail',
  'unsubscribe',
  'join',
  'houseRules',
  'setup',
  'receipt',
]

const memberPaths = [
  ...Object.entries(screenRoutes).flatMap(([name, { path }]) =>
    visitorScreens.includes(name) ? [] : [path.replace(/:\w+\??/, 'bea').replace('/*', '')],
  ),
  '/chat',
  '/profile/bea/liked-posts',
]

const address = () => location.pathname
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
const empty = { documents: [], next: null }

function answerHome(): void {
  api.answer(getHomeFeedOperation, empty)
  api.answer(listPeopleOperation, empty)
}

test("AUTH-04 AUTH-12 a visitor who opens a member's page is redirected to sign-in", async () => {
  const { navigate } = await openApp('/sign-up', { me: null })
  await expect.element(heading('Únete a nosotras')).toBeVisible()
  expect(address()).toBe('/sign-up')
  expect(memberPaths.length).toBeGreaterThanOrEqual(17)
  for (const path of [...memberPaths, '/no/such/page']) {
    navigate(path)
    await expect.poll(address, { message: path }).toBe('/sign-in')
  }
  await expect.element(heading('Bienvenida de nuevo')).toBeVisible()
})

test('AUTH-02 AUTH-03 a member who opens a sign-in or sign-up page is redirected to Home, and Back stays in Home', async () => {
  answerHome()
  api.answer(explorePostsOperation, empty)
  const { navigate } = await openApp('/explore')
  for (const path of ['/sign-in', '/sign-up']) {
    const entries = history.length
    navigate(path)
    await expect.poll(address).toBe('/')
    await expect.element(heading('Following')).toBeVisible()
    expect(history.length).toBeLessThanOrEqual(entries + 1)
  }
  history.back()
  await expect.element(heading('Following')).toBeVisible()
  expect(address()).toBe('/')
})

for (const [name, stored] of [
  ['an empty', '[]'],
  ['a stale', '{"a_session_juntas":"made up"}'],
] as const)
  test(`AUTH-05 AUTH-06 ${name} stored session leads to sign-in and is cleared`, async () => {
    localStorage.setItem('cookieFallback', stored)
    await openApp('/explore', { me: null })
    await expect.element(heading('Bienvenida de nuevo')).toBeVisible()
    expect(address()).toBe('/sign-in')
    expect(localStorage.getItem('cookieFallback')).toBeNull()
  })

test('AUTH-01 AUTH-07 AUTH-08 until the session is checked, no content of ana is shown; then the page that she opened appears', async () => {
  api.answer(listSavedPostsOperation, empty)
  const { me, answerSession } = await openApp('/saved', { early: true })
  await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBe(1)
  expect(page.getByRole('navigation').elements()).toEqual([])
  expect(page.getByRole('complementary').elements()).toEqual([])
  expect(address()).toBe('/saved')
  answerSession()
  await expect.element(sidebar.getByText(`@${me.username}`)).toBeVisible()
  await expect.element(heading('Saved Posts')).toBeVisible()
  expect(address()).toBe('/saved')
})

test('NAV-08 while the profile loads, its block in the sidebar shows a loader of the same size', async () => {
  answerHome()
  const { release } = api.hold(getCurrentMemberOperation)
  const { me } = await openApp('/', { waits: false })
  const loader = sidebar.getByRole('status')
  await expect.element(loader).toBeVisible()
  const { x, y, width, height } = loader.element().getBoundingClientRect()
  release()
  const block = sidebar.getByRole('link', { name: new RegExp(`@${me.username}`) })
  await expect.element(block).toBeVisible()
  expect(block.element().getBoundingClientRect()).toMatchObject({ x, y, width, height })
})

for (const path of ['/', '/groups/knit'])
  test(`AUTH-09 AUTH-17 a visitor at ${path} is redirected to sign-in after one request, which is not repeated`, async () => {
    await openApp(path, { me: null })
    await expect.element(page.getByLabelText('Email')).toBeVisible()
    expect(address()).toBe('/sign-in')
    await expect.poll(() => api.callsOf(getCurrentSessionOperation)).toHaveLength(1)
    for (const operation of [
      getCurrentMemberOperation,
      countUnreadConversationsOperation,
      getHomeFeedOperation,
      listPeopleOperation,
    ])
      expect(api.callsOf(operation)).toEqual([])
    // The sign-in page requests a challenge for its email field.
    expect(api.callsOf(beginPasskeySignInOperation).length).toBeLessThanOrEqual(1)
  })

test('AUTH-04 if the server does not answer, ana stays on her page and can retry', async () => {
  api.answer(listSavedPostsOperation, empty)
  const { me, answerSession } = await openApp('/saved', { early: true })
  api.refuse(getCurrentSessionOperation, 'network')
  answerSession()
  await passQueryRetries(() => heading('We can’t reach Juntas').elements().length > 0)
  expect(address()).toBe('/saved')
  signInAtServer(me)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(heading('Saved Posts')).toBeVisible()
  expect(address()).toBe('/saved')
})

test('AUTH-04 if the server does not answer, the sign-in page says so in Spanish and keeps what ana typed', async () => {
  const { answerSession } = await openApp('/sign-in', { me: null, early: true })
  api.refuse(getCurrentSessionOperation, 'network')
  const email = page.getByLabelText('Email')
  await email.fill('ana@juntas.test')
  answerSession()
  const notice = page.getByRole('alert').filter({ hasText: 'No podemos conectar con Juntas.' })
  await passQueryRetries(() => notice.elements().length > 0)
  api.refuse(getCurrentSessionOperation, 'general_unauthorized_scope')
  await notice.getByRole('button', { name: 'Reintentar' }).click()
  await expect.element(notice).not.toBeInTheDocument()
  await expect.element(email).toHaveValue('ana@juntas.test')
})

test('NAV-13 NAV-14 Logout ends the session once, leads to sign-in and deletes everything the browser stores', async () => {
  answerHome()
  api.answer(signOutOperation, signOutAtServer)
  const { navigate } = await openApp('/')
  localStorage.setItem('juntas:draft:somewhere', 'her words')
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect.element(heading('Bienvenida de nuevo')).toBeVisible()
  await expect.poll(() => api.callsOf(signOutOperation)).toHaveLength(1)
  expect(Object.keys(localStorage)).toEqual([])
  navigate('/')
  await expect.poll(address).toBe('/sign-in')
})

test('NAV-14 a Logout that the server does not answer leads to sign-in, and the next page sends it again', async () => {
  answerHome()
  api.refuse(signOutOperation, 'network')
  api.refuse(beginPasskeySignInOperation, 'passkeys_unavailable')
  await openApp('/')
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect.element(heading('Bienvenida de nuevo')).toBeVisible()
  await expect.poll(() => api.callsOf(signOutOperation)).toHaveLength(1)
  api.answer(signOutOperation, undefined)
  await refreshSessionStatus()
  await expect.poll(() => api.callsOf(signOutOperation)).toHaveLength(2)
  expect(getSessionStatus()).toBe('visitor')
  await refreshSessionStatus()
  await expect.poll(() => api.callsOf(signOutOperation)).toHaveLength(2)
})

test("SET-05 if ana's session ends in the settings, signing in returns her there, even after an earlier logout", async () => {
  answerHome()
  answerAccountSettings()
  api.answer(signOutOperation, signOutAtServer)
  const { me, navigate } = await openApp('/')
  api.answer(signInOperation, () => {
    signInAtServer(me)
    return { $id: newId('session'), accountId: me.accountId, secondStep: false }
  })
  const signIn = async () => {
    await page.getByLabelText('Email').fill(me.email)
    await page.getByLabelText('Contraseña', { exact: true }).fill('una clave larga')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  }
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await signIn()
  await expect.element(heading('Following')).toBeVisible()
  navigate('/settings/account')
  await expect.element(heading('Account')).toBeVisible()
  signOutAtServer()
  clearLocalSession()
  await signIn()
  await expect.element(heading('Account')).toBeVisible()
  expect(address()).toBe('/settings/account')
})
