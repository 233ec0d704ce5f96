import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { signOutOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listGroupsOperation } from '#contract/groups/groups.ts'
import { getPersonOperation, listPeopleOperation } from '#contract/people/people.ts'
import { getPostOperation, listPersonPostsOperation, listSavedPostsOperation } from '#contract/posts/posts.ts'
import { makeMember, makePost, makeProfile } from '#tests/support/component/fixtures.ts'
import { api, desktop, openApp, phone, signOutAtServer } from '#tests/support/component/open-app.tsx'
import { answerPostForm, answerPostPage } from '#tests/support/component/post-form.ts'
import { installPopstateInterceptor } from './popstate-interceptor.ts'

// Must be installed before the router listens.
installPopstateInterceptor()

const main = page.getByRole('main')
const navigation = page.getByRole('navigation', { name: 'Main' })
const heading = main.getByRole('heading', { level: 1 })
const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
const caption = main.getByLabelText('Caption')
const answer = (name: string) => question.getByRole('button', { name, exact: true }).click()
const address = () => location.pathname
const words = 'Lo que no quiero perder'
const me = makeMember()
const post = makePost({ creator: me, can: { edit: true, delete: true } })

async function open(path: string, options: Parameters<typeof openApp>[1] = {}): Promise<void> {
  const empty = { documents: [], next: null }
  answerPostForm()
  answerPostPage()
  api.answer(getPostOperation, post)
  api.answer(getPersonOperation, makeProfile(me))
  for (const operation of [
    listSavedPostsOperation,
    listGroupsOperation,
    listPeopleOperation,
    listPersonPostsOperation,
  ])
    api.answer(operation, empty)
  await openApp(path, { me, ...options })
  await expect.element(main).toBeVisible()
}

const follow = (name: string) => navigation.getByRole('link', { name, exact: true }).click()

async function openPostForm(): Promise<void> {
  await open('/saved')
  await follow('Create Post')
  await expect.element(heading).toHaveTextContent('Create Post')
}

for (const [row, name, before, link, field] of [
  ['PCRE-05', 'Create Post', '/saved', 'Create Post', 'Caption'],
  ['PEDT-12', 'Edit Post', `/posts/${post.$id}`, 'Edit post', 'Caption'],
  ['PUPD-08', 'Edit Profile', `/profile/${me.$id}`, 'Edit Profile', 'Bio'],
  ['GCRE-01', 'Create Group', '/groups', 'Create Group', 'Description'],
] as const)
  test(`${row} Back asks before dropping what ana wrote in ${name}`, async () => {
    await open(before)
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await expect.element(heading).toHaveTextContent(name)
    const form = address()
    const text = main.getByLabelText(field, { exact: true })
    await text.fill(words)
    history.back()
    await expect.element(question).toBeVisible()
    await expect.poll(address).toBe(form)
    await answer('Keep editing')
    await expect.element(text).toHaveValue(words)
    history.back()
    await answer('Discard')
    await expect.poll(address).toBe(before)
    await expect.element(text).not.toBeInTheDocument()
    history.forward()
    await expect.poll(address).toBe(form)
    await expect.element(text).not.toHaveValue(words)
  })

test('PCRE-05 Forward also asks first, and an unchanged form lets ana go Back and Forward freely', async () => {
  await openPostForm()
  history.back()
  await expect.poll(address).toBe('/saved')
  await expect.element(heading).toHaveTextContent('Saved Posts')
  history.forward()
  await expect.element(heading).toHaveTextContent('Create Post')
  await follow('Explore')
  await expect.element(heading).toHaveTextContent('Explore')
  history.back()
  await caption.fill(words)
  history.forward()
  await expect.element(question).toBeVisible()
  await expect.poll(address).toBe('/create-post')
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(caption).toHaveValue(words)
  history.forward()
  await answer('Discard')
  await expect.element(heading).toHaveTextContent('Explore')
  expect(address()).toBe('/explore')
})

test('PCRE-05 the form stays until ana answers, however often she presses Back', async () => {
  await open('/explore')
  await follow('Saved')
  await follow('Create Post')
  await caption.fill(words)
  history.back()
  history.back()
  await expect.element(question).toBeVisible()
  await expect.poll(address).toBe('/create-post')
  await answer('Keep editing')
  await expect.element(question).not.toBeInTheDocument()
  expect(address()).toBe('/create-post')
  await expect.element(caption).toHaveValue(words)
})

test('PCRE-05 opening the form again from the navigation resets it if ana confirms', async () => {
  await openPostForm()
  await caption.fill(words)
  await follow('Create Post')
  await answer('Discard')
  await expect.element(caption).toHaveValue('')
  await caption.fill('Otra cosa')
  history.back()
  await expect.element(question).toBeVisible()
})

for (const size of [desktop, phone])
  test(`NAV-10 NAV-11 at ${size.width} px Logout asks before dropping what ana wrote`, async () => {
    await open('/create-post', { size })
    api.answer(signOutOperation, signOutAtServer)
    await caption.fill(words)
    const logout = page.getByRole('button', { name: 'Logout' })
    await logout.click()
    await answer('Keep editing')
    await expect.element(caption).toHaveValue(words)
    await logout.click()
    await answer('Discard')
    await expect.poll(address).toBe('/sign-in')
  })
